"""python -m evalcore cluster: solutions made by clustering algorithms, and what the measures say of them."""

import argparse

import pandas as pd

from ..clusterers import corpora, counts, datasets, distributional, experiments, mdl, sweep
from ..errors import InputError
from ..options import add_measures, add_output, chosen_estimators, chosen_measures, show, wide
from ..progress import ProgressBar
from ..scoring import measures_named, scoreboard

SUMMARY = "cluster words, documents or feature tables, and score what comes out"
WORDS = ("mdl", "mle", "soft")
STUDIES = ("sizes", "held-out", "verbs")


def add_options(parser):
    parser.add_argument(
        "source",
        metavar="SOURCE",
        help="for words: a table of noun, verb, count; a text with --text; or made, a known model. "
        "For items: a table of features and classes; class and text on each line with --text; or a data set: "
        f"{', '.join(datasets.NAMES)}",
    )
    parser.add_argument(
        "--algorithm",
        choices=[*WORDS, *sweep.ALGORITHMS],
        help="words: mdl, mle (Li and Abe), soft (Pereira, Tishby and Lee); items: k-means, ward, average "
        "(default: mdl, for a data set k-means)",
    )
    parser.add_argument("--text", action="store_true", help="the source is plain text")
    parser.add_argument("--classes", metavar="FILE", help="for words: a table of noun and class")
    parser.add_argument(
        "--window",
        type=_from(1),
        metavar="W",
        help="with --text: contexts are the words up to W places away, not the next word",
    )
    parser.add_argument(
        "--nouns", type=_from(2), metavar="N", help="made: number of nouns (32); --text: words kept (200)"
    )
    parser.add_argument(
        "--verbs", type=_from(2), metavar="N", help="made: number of verbs (20); --text: context words kept (1000)"
    )
    parser.add_argument(
        "--true", type=_from(1), default=4, metavar="K", help="made: number of true clusters (default 4)"
    )
    parser.add_argument("--skew", type=float, default=1.5, help="made: of the verbs of a cluster (default 1.5)")
    parser.add_argument(
        "--frequency-skew", type=float, default=0.0, metavar="SKEW", help="made: of the nouns' frequencies (default 0)"
    )
    parser.add_argument("--pairs", type=_from(1), default=10_000, metavar="N", help="made: sample size (default 10000)")
    parser.add_argument("--form", choices=mdl.FORMS, default="paper", help="of mdl and mle (default: paper)")
    parser.add_argument(
        "--most",
        type=_from(1),
        metavar="K",
        help="largest number of clusters: soft (default 16), items (default 100)",
    )
    parser.add_argument("--memberships", action="store_true", help="soft: score memberships as distributions")
    parser.add_argument(
        "--study",
        choices=STUDIES,
        help="for words, in place of scores: sizes, Li and Abe's Experiment 1 (made); held-out and verbs, Pereira, "
        "Tishby and Lee's Figures 3 and 4, in nats",
    )
    parser.add_argument(
        "--sample", type=_from(2), metavar="N", help="items: score only so many, the mean of 20 samples"
    )
    parser.add_argument(
        "--labels",
        action="store_true",
        help="print each item's cluster instead of scores, as a table for score",
    )
    parser.add_argument("--seed", type=_from(0, 2**32 - 1), default=0, help="of everything random (default 0)")
    add_measures(parser)
    add_output(parser)


def _from(least, most=10**9):
    def whole(text):
        if not text.lstrip("-").isdecimal() or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"it must be a whole number from {least} on, not {text}")
        return int(text)

    return whole


def run(options) -> str:
    _check(options)
    with ProgressBar(options.algorithm) as bar:

        def progress(done, total, what):
            bar.what = what
            bar(done, total)

        if options.study:
            return show(_study(options, progress), {}, options)
        return (_words if options.algorithm in WORDS else _items)(options, progress)


def _check(options):
    """Choose the algorithm, and refuse options that would have no effect."""
    source, is_data = options.source, options.source in datasets.NAMES
    if options.algorithm is None:
        options.algorithm = "k-means" if is_data else "mdl"
    is_words = options.algorithm in WORDS
    for wrong, message in (
        (is_data and is_words, f"{source} is a data set of items: cluster it by {', '.join(sweep.ALGORITHMS)}."),
        (source == "made" and not is_words, f"made is a model of words: cluster it by {', '.join(WORDS)}."),
        (options.memberships and options.algorithm != "soft", "--memberships needs --algorithm soft."),
        (options.text and (is_data or source == "made"), f"--text has no meaning for {source}."),
        (options.window and not (options.text and is_words), "--window has a meaning for words with --text only."),
        (options.classes and (not is_words or source == "made"), "--classes has a meaning for words of files only."),
        (options.study and not is_words, "--study has a meaning for words only."),
        (options.study == "sizes" and source != "made", "--study sizes needs a known model: the source made."),
        (options.sample and is_words, "--sample has a meaning for items only."),
    ):
        if wrong:
            raise InputError(message)


def _study(options, progress):
    if options.study == "sizes":
        measures = chosen_measures(options) or [m.name for m in measures_named()]
        trials = experiments.experiment_1(
            _model(options), form=options.form, measures=measures, estimator=chosen_estimators(options)[0], seed=options.seed,
            progress=progress,
        )  # fmt: skip
        return trials.groupby(["energy", "size"], as_index=False).mean().drop(columns="trial")
    study = experiments.held_out_curves if options.study == "held-out" else experiments.verb_decisions
    return study(_pairs(options), max_clusters=_most(options, 16), seed=options.seed, progress=progress)


def _most(options, usual):
    return usual if options.most is None else options.most


def _words(options, progress):
    pairs = _pairs(options)
    if options.algorithm == "soft":
        course = distributional.anneal(pairs, _most(options, 16), seed=options.seed, progress=progress)
        snapshots = course.by_k()
        facts = pd.DataFrame(
            {
                "k": list(snapshots),
                "beta": [s.beta for s in snapshots.values()],
                "free_energy": [s.free_energy for s in snapshots.values()],
            }
        )
        labels = {k: snapshot.labels() for k, snapshot in snapshots.items()}
        soft = {k: snapshot.memberships for k, snapshot in snapshots.items()} if options.memberships else None
    else:
        tree = mdl.cluster(pairs, options.algorithm, options.form, options.seed, progress)
        stages = range(len(tree.history))
        facts = pd.DataFrame(
            [{"k": i + 1, **length._asdict(), "total": length.total} for i, length in enumerate(tree.history)]
        )
        labels, soft = {i + 1: tree.labels(i) for i in stages}, None
    if options.labels:
        return _labels(pairs.nouns, pairs.gold, labels, options)
    if pairs.gold is None:
        return show(facts, {}, options)
    tables = {k: pairs.soft_contingency(soft[k]) if soft else pairs.contingency(labels[k]) for k in labels}
    board = scoreboard(tables, chosen_measures(options), chosen_estimators(options), base=options.base)
    return _scores(facts, board.rename(columns={"solution": "k"}), options)


def _model(options):
    return counts.known_model(
        options.nouns or 32, options.verbs or 20, options.true, options.skew, options.frequency_skew, options.seed
    )


def _pairs(options):
    if options.source == "made":
        return _model(options).sample(options.pairs, options.seed)
    if options.text:
        text = "\n".join(corpora.read_lines(options.source)[0])
        pairs = corpora.count_text(text, options.window, options.nouns or 200, options.verbs or 1_000)
    else:
        pairs = corpora.read_pairs(options.source)
    return corpora.with_classes(pairs, corpora.read_classes(options.classes)) if options.classes else pairs


def _items(options, progress):
    if options.source in datasets.NAMES:
        items = datasets.load(options.source, progress)
    else:
        items = (datasets.read_documents if options.text else datasets.read_features)(options.source)
    ks = sweep.ks_around(items.gold, _most(options, 100))
    solutions = sweep.sweep(items.X, ks, options.algorithm, options.seed, progress)
    if options.labels:
        return _labels(range(1, len(items.gold) + 1), items.gold, solutions, options)
    measures, estimators = chosen_measures(options), chosen_estimators(options)
    board = sweep.sweep_scores(
        solutions, items.gold, measures, estimators, options.sample, seed=options.seed, base=options.base
    )
    return _scores(pd.DataFrame({"k": list(solutions)}), board, options)


def _scores(facts, board, options):
    frame, better = wide(board, "k", [])
    return show(facts.merge(frame, on="k"), better, options)


def _labels(items, gold, labels, options):
    """One column for each number of clusters, as `score` reads them."""
    columns = {f"{options.algorithm} {k}": values for k, values in labels.items()}
    frame = pd.DataFrame({"item": list(items), "gold": "" if gold is None else list(gold), **columns})
    return show(frame, {}, options)
