"""python -m evalcore cluster: solutions made by clustering algorithms, and what the measures say of them."""

import pandas as pd

from ..clusterers import corpora, counts, datasets, distributional, mdl, sweep
from ..errors import InputError
from ..options import add_measures, add_output, chosen_estimators, chosen_measures, show, wide
from ..progress import ProgressBar
from ..scoring import scoreboard

SUMMARY = "cluster words, documents or feature tables, and score what comes out"
WORDS = ("mdl", "mle", "soft")


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
        default="mdl",
        help="words: mdl, mle (Li and Abe), soft (Pereira, "
        "Tishby and Lee); items: k-means, ward, average (default: mdl)",
    )
    parser.add_argument("--text", action="store_true", help="the source is plain text")
    parser.add_argument("--classes", metavar="FILE", help="for words: a table of noun and class")
    parser.add_argument(
        "--window",
        type=int,
        metavar="W",
        help="with --text: contexts are the words up to W places away, not the next word",
    )
    parser.add_argument("--nouns", type=int, metavar="N", help="made: number of nouns (32); --text: words kept (200)")
    parser.add_argument(
        "--verbs", type=int, metavar="N", help="made: number of verbs (20); --text: context words kept (1000)"
    )
    parser.add_argument("--true", type=int, default=4, metavar="K", help="made: number of true clusters (default 4)")
    parser.add_argument("--skew", type=float, default=1.5, help="made: of the verbs of a cluster (default 1.5)")
    parser.add_argument("--pairs", type=int, default=10_000, metavar="N", help="made: sample size (default 10000)")
    parser.add_argument("--form", choices=mdl.FORMS, default="paper", help="of mdl and mle (default: paper)")
    parser.add_argument(
        "--most",
        type=int,
        metavar="K",
        help="largest number of clusters: soft (default 16), items (default 100)",
    )
    parser.add_argument("--memberships", action="store_true", help="soft: score memberships as distributions")
    parser.add_argument(
        "--labels",
        action="store_true",
        help="print each item's cluster instead of scores, as a table for score",
    )
    parser.add_argument("--seed", type=int, default=0)
    add_measures(parser)
    add_output(parser)


def run(options) -> str:
    with ProgressBar(options.algorithm) as bar:
        work = _words if options.algorithm in WORDS else _items
        return work(options, lambda done, total, what: bar(done, total))


def _words(options, progress):
    pairs = _pairs(options)
    if options.memberships and options.algorithm != "soft":
        raise InputError("--memberships has a meaning with --algorithm soft only.")
    if options.algorithm == "soft":
        course = distributional.anneal(pairs, options.most or 16, seed=options.seed, progress=progress)
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
    return _scores(facts, tables, options)


def _pairs(options):
    if options.source == "made":
        return counts.made(
            options.nouns or 32,
            options.verbs or 20,
            options.true,
            options.skew,
            options.pairs,
            seed=options.seed,
        )
    if options.text:
        text = "\n".join(corpora.read_lines(options.source)[0])
        pairs = corpora.count_text(text, options.window, options.nouns or 200, options.verbs or 1_000)
    else:
        pairs = corpora.read_pairs(options.source)
    return corpora.with_classes(pairs, corpora.read_classes(options.classes)) if options.classes else pairs


def _items(options, progress):
    if options.source in datasets.NAMES:
        items = datasets.load(options.source)
    else:
        items = (datasets.read_documents if options.text else datasets.read_features)(options.source)
    solutions = sweep.sweep(
        items.X,
        sweep.default_ks(len(items.X), options.most or 100),
        options.algorithm,
        options.seed,
        progress,
    )
    if options.labels:
        return _labels(range(1, len(items.gold) + 1), items.gold, solutions, options)
    tables = {k: counts.Contingency.from_labels(items.gold, labels) for k, labels in solutions.items()}
    return _scores(pd.DataFrame({"k": list(tables)}), tables, options)


def _scores(facts, tables, options):
    board = scoreboard(tables, chosen_measures(options), chosen_estimators(options), base=options.base)
    frame, better = wide(board.rename(columns={"solution": "k"}), "k", [])
    return show(facts.merge(frame, on="k"), better, options)


def _labels(items, gold, labels, options):
    """One column for each number of clusters, as `score` reads them."""
    columns = {f"{options.algorithm} {k}": values for k, values in labels.items()}
    frame = pd.DataFrame({"item": list(items), "gold": "" if gold is None else list(gold), **columns})
    return show(frame, {}, options)
