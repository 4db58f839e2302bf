"""Reading and scoring keys: a made set, a weighted key of many MB, and SemEval-2010 where it is at hand."""

import subprocess
import sys
from pathlib import Path

import numpy as np
from sklearn.metrics import v_measure_score

from evalcore.keys import read_key
from evalcore.words import score_key, score_keys

from .timing import best_of

ROOT = Path(__file__).resolve().parents[2]
SEMEVAL = ROOT.parent / "shared" / "data" / "semeval2010"
ESTIMATORS = ["ML", "MM", "JK", "BUB"]


def rows():
    rng = np.random.default_rng(0)
    gold = made_key(rng, 4)
    systems = {f"system {k}": made_key(rng, k) for k in range(2, 10)}
    read = read_key(gold, "gold"), {name: read_key(data, name) for name, data in systems.items()}
    yield (
        "8 made keys of 9,000 instances, V by ML, tables to scores",
        best_of(lambda: score_keys(*read, ["V"]), 3),
        "scikit-learn v_measure_score, a word at a time",
        best_of(lambda: with_scikit_learn(*read), 1),
        "-",
    )
    yield (
        "8 made keys of 9,000 instances, read and scored, V, VI, NVI x 4 estimators",
        best_of(lambda: from_bytes(gold, systems), 3),
        "-",
        None,
        "<= 3 s",
    )
    weighted = weighted_key(rng, 200)
    yield (
        f"weighted key of {len(weighted) // 10**6} MB, read",
        best_of(lambda: read_key(weighted), 2),
        "-",
        None,
        "<= 3 s",
    )
    key = read_key(weighted)
    yield (
        "weighted key, 200 clusters a word, scored soft x 4 estimators",
        best_of(lambda: score_key(read[0], key, ["V", "VI", "NVI"], ESTIMATORS, soft=True), 1),
        "-",
        None,
        "<= 15 s",
    )
    if SEMEVAL.is_dir():
        yield (
            "SemEval-2010, 8 keys x 4 estimators, fresh process",
            fresh("gold.key", "."),
            "-",
            None,
            "<= 3 s",
        )
        yield (
            "kcdc-pc-2 scored soft x 4 estimators, fresh process",
            fresh("gold.key", "kcdc-pc-2.key", "--soft"),
            "-",
            None,
            "<= 5 s",
        )


def made_key(rng, senses):
    return "\n".join(f"w{i % 100} w{i % 100}.{i} s{rng.integers(senses)}" for i in range(9000)).encode()


def weighted_key(rng, clusters):
    """Every instance belongs to every cluster of its word."""
    return "\n".join(
        f"w{i % 100} w{i % 100}.{i} "
        + " ".join(f"c{k}/{w}" for k, w in enumerate(rng.random(clusters).round(3).tolist()))
        for i in range(9000)
    ).encode()


def from_bytes(gold, systems):
    keys = {name: read_key(data, name) for name, data in systems.items()}
    return score_keys(read_key(gold, "gold"), keys, ["V", "VI", "NVI"], ESTIMATORS)


def with_scikit_learn(gold, systems):
    for system in systems.values():
        for word, answers in gold.words.items():
            v_measure_score(answers.labels(), system.words[word].labels(answers.instances))


def fresh(*arguments):
    """Seconds of the command line, its start included."""
    command = [sys.executable, "-m", "evalcore", "score", *arguments]
    environment = {"PYTHONPATH": str(ROOT)}
    return best_of(lambda: subprocess.run(command, cwd=SEMEVAL, env=environment, check=True, capture_output=True), 3)
