"""One entry of the reference page: all there is to say about a measure or an estimator, with live numbers."""

import re
from html import escape

import pandas as pd
import streamlit as st

from evalcore import ESTIMATORS, FAMILIES, MEASURES, score

from . import frame
from .reference_cases import SHOWN_SIZES, TRUTH, estimates
from .reference_figures import bias_figure, coefficients_figure
from .reference_notes import NOTES, ranks_like, telling
from .strip import strips
from .style import estimator_colour, measure_colour, number

VIEWS = {"bias": "Exact bias", "coefficients": "Coefficients"}

# A formula shrinks to the width of its column; WIDTH is set for each by its length.
STYLE = """<style>
.st-key-reference-entry {container-type: inline-size}
.entry-head {display: flex; align-items: center; gap: .55rem; margin: 0; padding: 0}
.entry-head {font-size: 1.45rem; line-height: 1.2; font-weight: 600}
.entry-head i {flex: none; inline-size: .9rem; block-size: .9rem; border-radius: 50%}
.entry-head small {font-size: 1rem; font-weight: 400}
.entry-facts {display: grid; grid-template-columns: 7.6rem 1fr; gap: .3rem .8rem}
.entry-facts {font-size: .95rem; line-height: 1.35}
.entry-facts, .entry-facts dt, .entry-facts dd {margin: 0 !important; padding: 0 !important}
.entry-facts dt {font-weight: 600}
.st-key-reference-entry .katex {font-size: clamp(.75em, WIDTHcqi, 1.21em)}
.st-key-reference-entry .katex-display {margin: .7rem 0; overflow: visible}
</style>"""


def measure_entry(name: str, scores: pd.DataFrame, page):
    """A measure: formula, where it puts the extreme solutions, facts and notes."""
    m, estimator = MEASURES[name], page["by"]
    _head(name, f"{m.symbol} {m.arrow}", m.title, measure_colour(name), m.formula, page.base)
    if name in scores.index:
        fed = f", entropies by {estimator}" if m.needs == "entropies" and estimator != "ML" else ""
        strips(None, {case: scores.loc[[name], case] for case in scores}, key="reference.strip", compact=True,
               label=f"{m.title} of the extreme solutions{fed}; better is to the right",
               file=f"reference-{name}")  # fmt: skip
    low_high = m.range.replace("-", "−") + (f" in {page.unit}" if m.unit else "")
    if m.needs == "entropies":
        low_high += " by maximum likelihood; other estimators may leave it"
    others, why = ranks_like(name)
    _facts({
        "What it rewards": m.rewards,
        "Direction": "Higher is better" if m.higher_is_better else "Lower is better",
        "Range": low_high,
        "Family": FAMILIES[m.family],
        "Special cases": _sentence(m.convention),
        "Unchanged when": _invariances(m),
        "Ranks like": f"{', '.join(MEASURES[x].symbol for x in others)}: {why}" if others else "",
        "Source": m.reference,
    })  # fmt: skip
    _note(name)


def estimator_entry(name: str, sizes: tuple[int, ...], page):
    """An estimator: formula, exact bias or coefficients, what it says of the class sizes, facts and notes."""
    e = ESTIMATORS[name]
    _head(name, name, e.label, estimator_colour(name), e.formula, page.base)
    is_linear = e.kind == "linear"
    if is_linear:
        st.segmented_control("Figure", list(VIEWS), key=page.key("figure"), format_func=VIEWS.get,
                             required=True, label_visibility="collapsed")  # fmt: skip
    (coefficients_figure if is_linear and page["figure"] == "coefficients" else bias_figure)(name)
    here, plain = estimates(sizes)[name], estimates(sizes)["ML"]
    _facts({
        "What it does": e.summary,
        "Kind": "Linear: a sum of one coefficient for each outcome, so bias and variance are known exactly"
                if is_linear else "Not linear: no coefficients, and no soft answers",
        "Number of outcomes": "Must be told, or what was seen is taken" if e.uses_support else "Not used",
        "Your class sizes": f"H(C) = {number(here)} nats"
                            + (f"; maximum likelihood says {number(plain)}" if name != "ML" else ""),
        "Source": e.reference,
    })  # fmt: skip
    _note(name)


def _head(name, symbol, title, colour, formula, base):
    """Name, a table to try it on, and the formula, in lines that fit."""
    lines = re.split(r",\s*\\quad\s*", formula)
    longest = max(len(re.sub(r"\\[a-zA-Z]+|[{}^_\\,]", "", line)) for line in lines)
    style = STYLE.replace("WIDTH", f"{min(5.0, 190 / longest):.2f}")
    table, says = telling(name)
    with st.container(horizontal=True, vertical_alignment="center", key="reference-head"):
        st.html(f'{style}<h2 class="entry-head"><i style="background:{colour}"></i>{escape(symbol)} '
                f"<small>{escape(title)}</small></h2>", width="stretch")  # fmt: skip
        opens = "a telling table in the Matrix lab" if table is not None else "the Systems page"
        if st.button("Try it", key="reference.try", icon=":material/grid_on:", help=f"Opens {opens}"):
            if table is None:  # it needs more than a table
                frame.open_in("systems", source="semeval", recall=["80:20", "60:40"])
            frame.open_in("matrix", table=table, **({"estimator": name} if name in ESTIMATORS else {}))
    st.caption(f"Try it: {says} {_verdict(name, table, base)}." if table is not None else f"Try it: {says}")
    many = r"\begin{gathered}" + r",\\[4pt]".join(lines) + r"\end{gathered}"
    st.latex(formula if len(lines) == 1 else many)


def _verdict(name, table, base):
    if name in MEASURES:
        return f"{MEASURES[name].symbol} = {number(score(table, [name], base=base)[name])}"
    by = dict.fromkeys((name, "ML"))
    return "V = " + ", ".join(f"{number(score(table, ['V'], x)['V'])} by {x}" for x in by)


def _invariances(m):
    kept = ["classes and clusters change places"] if m.symmetric else []
    kept += ["all counts are multiplied by the same number"] if m.scale_free else []
    text = "; ".join(kept) or "clusters are renamed, but not when counts are multiplied"
    return _sentence(text) + (". Corrected for chance" if m.chance_corrected else "")


def _sentence(text):
    """With a capital, unless it starts with a symbol such as h."""
    return text if text[:2] in ("h ", "c ") else text[:1].upper() + text[1:]


def _facts(facts):
    lines = "".join(f"<dt>{escape(k)}</dt><dd>{escape(v)}</dd>" for k, v in facts.items() if v)
    st.html(f'<dl class="entry-facts">{lines}</dl>')


def _note(name):
    if name in NOTES:
        st.info(NOTES[name], icon=":material/info:")


def snippet(entry: str, sizes: tuple[int, ...], by: str, base: float) -> str:
    """Python that prints an entry's live numbers."""
    if entry in ESTIMATORS:
        return f"""import evalcore as ec
from evalcore.entropy.enumerated import small_sample_bias

print("H(C) of these class sizes, in nats:", ec.entropy({list(sizes)}, estimator={entry!r}))
for n in {list(SHOWN_SIZES)}:
    print("exact bias in samples of", n, small_sample_bias({list(TRUTH)}, n, {entry!r}))
"""
    if MEASURES[entry].needs == "split":
        return """import evalcore as ec

classes = [0, 0, 1, 0, 1]
memberships = [[1, 0], [1, 0], [0, 1], [1, 0], [1, 0]]
print(ec.supervised_recall(classes, memberships, mapping=[True, True, True, False, False]))
"""
    return f"""import evalcore as ec
from evalcore.extremes import extreme_solutions

for name, table in extreme_solutions({list(sizes)}).items():
    try:
        print(name, ec.score(table, [{entry!r}], estimator={by!r}, base={base!r})[{entry!r}])
    except ec.InputError as error:  # an estimator may need whole counts
        print(name, error)
"""
