"""python -m evalcore score: systems against a gold standard."""

import os
from pathlib import Path

from ..errors import InputError
from ..keys import read_key
from ..labels import unused_name
from ..options import add_measures, add_output, chosen_estimators, chosen_measures, show, wide
from ..progress import ProgressBar
from ..splits import supervised_recall_keys
from ..tables import read_labels
from ..words import AVERAGES, MISSING, score_keys, word_scores

SUMMARY = "score systems against a gold standard, from keys or a table of labels"


def add_options(parser):
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="GOLD SYSTEM...: keys, or folders of *.key files; or one table (CSV, TSV, Parquet) with the "
        "columns item, gold, and one for each system",
    )
    add_measures(parser)
    parser.add_argument(
        "--soft",
        action="store_true",
        help="score weighted answers as distributions, not by the largest weight",
    )
    parser.add_argument("--average", choices=AVERAGES, help="how words are averaged (default: instances)")
    parser.add_argument(
        "--missing",
        choices=MISSING,
        default="cluster",
        help="where unanswered instances go (default: into one extra cluster of their word)",
    )
    parser.add_argument(
        "--mapping",
        action="append",
        default=[],
        metavar="KEY",
        help="with --test: adds supervised recall (SR); repeat both for the mean over several splits",
    )
    parser.add_argument("--test", action="append", default=[], metavar="KEY")
    add_output(parser)


def run(options) -> str:
    gold, *systems = options.files
    if len(options.mapping) != len(options.test):
        raise InputError(
            f"There are {len(options.mapping)} --mapping and {len(options.test)} --test keys; they come in pairs."
        )
    if not systems:
        return _score_labels(gold, options)
    # everything is read before anything is scored, so that bad input is told at once
    gold, keys = read_key(gold), [read_key(path) for path in _key_files(systems)]
    splits = [(read_key(mapping), read_key(test)) for mapping, test in zip(options.mapping, options.test, strict=True)]
    titles = [key.name for key in keys]
    named = {}
    for key in keys:
        named[unused_name(key.name if titles.count(key.name) == 1 else key.file, named)] = key
    with ProgressBar("scoring") as progress:
        scores = score_keys(
            gold,
            named,
            chosen_measures(options),
            chosen_estimators(options),
            average=options.average or "instances",
            missing=options.missing,
            soft=options.soft,
            base=options.base,
            progress=progress,
        )
    frame, better = wide(scores, "system", ["clusters_per_word"])
    if splits:
        recalls = ([supervised_recall_keys(key, *split) for split in splits] for key in keys)
        frame["SR"], better["SR"] = [sum(each) / len(each) for each in recalls], True
    return show(frame, better, options)


def _score_labels(file, options):
    if file.endswith(".key") or os.path.isdir(file):
        raise InputError(f"{file} stands alone; name the systems' keys after the gold key.")
    if options.soft or options.average or options.mapping:
        raise InputError(f"{file} is read as a table of labels, where --soft, --average and --mapping have no meaning.")
    labels = read_labels(file)
    tables = {name: labels.table(name, options.missing) for name in labels.systems}
    with ProgressBar("scoring") as progress:
        scores = word_scores(
            tables, chosen_measures(options), chosen_estimators(options), base=options.base, progress=progress
        )
    return show(*wide(scores.rename(columns={"word": "system"}), "system", ["n", "clusters"]), options)


def _key_files(paths):
    for path in paths:
        if not os.path.isdir(path):
            yield path
            continue
        found = sorted(str(file) for file in Path(path).glob("*.key") if file.is_file())
        if not found:
            raise InputError(f"{path} is a folder without *.key files.")
        yield from found
