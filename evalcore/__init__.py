"""evalcore: how well a clustering matches classes, by every common measure and entropy estimator.

>>> import evalcore as ec
>>> table = ec.Contingency.from_labels(["a", "a", "b", "b"], [1, 1, 1, 2])
>>> ec.score(table, measures=["V", "NVI"]).round(3).to_dict()
{'V': 0.344, 'NVI': 1.189}
>>> round(ec.entropy([5, 3, 2], estimator="JK"), 3)
1.15
"""

from .contingency import Contingency
from .entropy import ESTIMATORS, coefficients, entropy, moments
from .errors import InputError
from .keys import read_key
from .measures import FAMILIES, MEASURES
from .measures.supervised import supervised_recall
from .scoring import contributions, score, score_statistics, scoreboard
from .statistics import Entropies, Pairs, Statistics, Support
from .tables import read_labels, read_matrix
from .words import score_key, score_keys, word_tables

__all__ = [
    "Contingency",
    "ESTIMATORS",
    "Entropies",
    "FAMILIES",
    "InputError",
    "MEASURES",
    "Pairs",
    "Statistics",
    "Support",
    "coefficients",
    "contributions",
    "entropy",
    "moments",
    "read_key",
    "read_labels",
    "read_matrix",
    "score",
    "score_key",
    "score_keys",
    "score_statistics",
    "scoreboard",
    "supervised_recall",
    "word_tables",
]
