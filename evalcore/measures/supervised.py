"""Supervised recall: how SemEval's word sense induction tasks turned clusters into senses."""

import numpy as np

from ..errors import InputError
from ..labels import code
from .registry import register


@register(
    "SR",
    symbol="SR",
    title="Supervised recall",
    family="supervised",
    higher_is_better=True,
    range="[0, 1]",
    bounds=(0, 1),
    formula=r"\hat c_i=\arg\max_c\sum_k w_{ik}\,P(c\mid k),\qquad \frac{|\{i:\hat c_i=c_i\}|}{|\mathrm{test}|}",
    rewards="Clusters that predict classes once a mapping has been learned; a cluster seen only in the test part is always wrong.",
    convention="a test item whose clusters were never mapped counts as wrong; ties go to the first class",
    reference="Agirre and Soroa 2007, SemEval-2007 task 2; Manandhar et al. 2010, SemEval-2010 task 14",
    needs="split",
    scale_free=False,
)
def supervised_recall(classes, memberships, mapping) -> float:
    """The share of test items whose class the mapping predicts.

    Parameters
    ----------
    classes : (items,) labels of the classes
    memberships : (items, clusters) weights, divided by their sum for each item; a row of zeros is an unanswered item
    mapping : (items,) True for the items that the mapping P(class | cluster) is learned from; the others are the test

    >>> supervised_recall([0, 0, 1, 0, 1], [[1, 0], [1, 0], [0, 1], [1, 0], [1, 0]], [True, True, True, False, False])
    0.5
    """
    right, tested = count_right(classes, memberships, mapping)
    if not tested:
        raise InputError("The test part is empty: some items must be kept out of the mapping.")
    return right / tested


def count_right(classes, memberships, mapping) -> tuple[int, int]:
    """Test items predicted rightly, and all test items; sums over words of these give the recall of a task."""
    classes, names = code(classes, "classes")
    weights, mapping = _weights(memberships), np.asarray(mapping)
    if not len(classes) == len(weights) == len(mapping):
        raise InputError(
            f"There are {len(classes)} classes, {len(weights)} rows of memberships and {len(mapping)} marks for the split."
        )
    if (classes < 0).any():
        raise InputError(f"Item {int((classes < 0).argmax()) + 1} has no class.")
    if len(mapping) and mapping.dtype.kind != "b":
        raise InputError("The split is marked by True (mapping) or False (test) for each item.")
    test = ~mapping.astype(bool)
    if not test.any():
        return 0, 0
    # every item counts once in the mapping, however large its weights
    sums = weights.sum(axis=1, keepdims=True)
    weights = np.divide(weights, sums, out=np.zeros_like(weights), where=sums > 0)
    joint = np.zeros((weights.shape[1], len(names)))
    np.add.at(joint.T, classes[~test], weights[~test])
    mass = joint.sum(axis=1, keepdims=True)
    votes = weights[test] @ np.divide(joint, mass, out=np.zeros_like(joint), where=mass > 0)
    right = (votes.argmax(axis=1) == classes[test]) & (votes.max(axis=1) > 0)
    return int(right.sum()), int(test.sum())


def _weights(memberships):
    try:
        weights = np.asarray(memberships, dtype=float)
    except (TypeError, ValueError):
        raise InputError("Memberships are numbers, equally many for each item.") from None
    if weights.ndim != 2:
        raise InputError(f"Memberships are a matrix of items by clusters, not of shape {weights.shape}.")
    bad = ~(np.isfinite(weights) & (weights >= 0)).all(axis=1)
    if bad.any():
        raise InputError(f"Row {int(bad.argmax()) + 1} of memberships has a weight that is no number of 0 or more.")
    return weights
