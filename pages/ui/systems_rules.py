"""The rules by which systems are scored, and baselines, in popovers."""

import streamlit as st

from evalcore.comparison import BASELINES
from evalcore.ranking import CORPORA

AVERAGES = {"instances": "by instances", "words": "by words", "pooled": "pooled"}
MISSING = {"cluster": "one extra cluster", "singletons": "a cluster each", "drop": "left out"}


def tell_again(page, *names):
    """Have the browser told these values in every run: a popover's widgets come to be only when it is
    opened, and would otherwise know nothing of what a link, a file or an earlier run has set, and report
    their own emptiness as the visitor's wish.
    """
    for name in names:
        page[name] = page[name]


def rules(page, source, only_tables):
    """What decides a score besides the measure; `only_tables` says that there are no answers to decide
    about.
    """
    tell_again(page, "recall", "average", "missing", "soft", "ignore")
    if source in CORPORA:
        st.markdown(
            "This paper prints entropies of whole corpora: there is nothing to average, and no answer is missing."
        )
        return
    if only_tables:
        st.markdown(
            "Tables are scored as they are: there is nothing to average, no answer is missing, and nothing "
            "can be split."
        )
        return
    recall = "Supervised recall" if source == "semeval" else "Supervised recall on splits drawn with the seed"
    st.pills(
        recall,
        ["80:20", "60:40"],
        selection_mode="multi",
        key=page.key("recall"),
        help="Clusters are mapped to classes on the first part of the gold standard and tested on the "
        "second. Answers count with their "
        "weights. Drawn ones are the mean of five splits; uploaded mapping and test keys give a column of "
        "their own.",
    )
    if source == "semeval":
        st.markdown(
            "The rest is as the paper has it: words weigh as many instances as they have; unanswered "
            "instances share one extra cluster; "
            "the largest weight decides."
        )
        return
    st.segmented_control(
        "Words are averaged",
        list(AVERAGES),
        format_func=AVERAGES.get,
        key=page.key("average"),
        required=True,
        help="By instances is what the papers do. Pooled makes one table of all words, in which no two "
        "share a class or a cluster.",
    )
    st.segmented_control(
        "Unanswered instances get",
        list(MISSING),
        format_func=MISSING.get,
        key=page.key("missing"),
        required=True,
    )
    st.toggle(
        "Weighted answers are soft",
        key=page.key("soft"),
        help="Off: the largest weight decides. On: exact expectations over the hard "
        "answers that the weights stand for; linear estimators only.",
    )
    st.toggle(
        "Ignore answers to instances that the gold key lacks",
        key=page.key("ignore"),
        help="Off: a system with such answers is refused.",
    )


def baselines(page):
    """Solutions to add that need no system."""
    tell_again(page, "baselines", "k", "seed")
    st.pills(
        "Add",
        list(BASELINES),
        format_func=lambda b: BASELINES[b].split(":")[0],
        selection_mode="multi",
        key=page.key("baselines"),
    )
    with st.container(horizontal=True):
        st.number_input("Random clusters k", 1, 1000, key=page.key("k"), width=150)
        st.number_input(
            "Seed",
            0,
            10**6,
            key=page.key("seed"),
            width=150,
            help="For the random baseline and drawn splits.",
        )
