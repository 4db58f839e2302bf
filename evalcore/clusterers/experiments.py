"""The papers' experiments with these clusterers, as tables ready to draw."""

from collections.abc import Callable

import numpy as np
import pandas as pd
from scipy import sparse
from scipy.special import log_softmax, logsumexp

from ..errors import InputError
from ..scoring import score
from .counts import Cooccurrence, WordModel
from .distributional import Snapshot, anneal
from .mdl import cluster, divergence

Progress = Callable[[int, int, str], None]
CHUNK = 2_000_000  # cells of (pair, cluster) at once
TIE = 1e-9  # nats; a smaller difference between two verbs is roundoff


# ---- Li and Abe --------------------------------------------------------------------------------


def experiment_1(
    model: WordModel,
    sizes=(50, 100, 200, 500, 1_000, 10_000),
    trials: int = 10,
    form: str = "paper",
    smoothing: str = "half",
    measures=("V", "NVI"),
    estimator: str = "ML",
    seed: int = 0,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Li and Abe's Experiment 1: what MDL and MLE find in samples of growing size from a known model.

    Returns a row for each energy, size and trial: the number of leaves, KL(truth || estimate) in bits, and
    the scores of the leaves.

    >>> from .counts import known_model
    >>> found = experiment_1(known_model(), sizes=[1000], trials=2)
    >>> found.groupby("energy")["leaves"].mean().to_dict()
    {'mdl': 4.0, 'mle': 32.0}
    """
    if trials < 1 or not len(sizes):
        raise InputError("An experiment needs at least one sample size and one trial.")
    rows, total = [], len(sizes) * trials
    for at, size in enumerate(sizes):
        for trial in range(trials):
            if progress:
                progress(at * trials + trial, total, f"{size:,} pairs, trial {trial + 1} of {trials}")
            pairs = model.sample(int(size), seed=[seed, trial, int(size)])
            for energy in ("mdl", "mle"):
                tree = cluster(pairs, energy, form, seed=[seed, trial])
                scores = score(pairs.contingency(tree.labels()), list(measures), estimator)
                rows.append(
                    {
                        "energy": energy,
                        "size": int(size),
                        "trial": trial,
                        "leaves": len(tree.leaves()),
                        "KL": divergence(model.truth, tree.estimate(smoothing)),
                        **scores,
                    }
                )
    if progress:
        progress(total, total, "done")
    return pd.DataFrame(rows)


# ---- Pereira, Tishby and Lee -------------------------------------------------------------------


def held_out_curves(
    pairs: Cooccurrence,
    share: float = 0.2,
    new_share: float = 0.2,
    max_clusters: int = 16,
    seed: int = 0,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Their Figure 3: relative entropy of the cluster model, in nats, against the number of clusters.

    A part of the nouns is new: it takes no part in clustering. Of the other nouns' pairs a share is held out.
    For each noun the model predicts sum_c p(c|n) p(v|c); the table has the mean of D(observed || predicted)
    over nouns, by frequency, for the pairs clustered (train), those held out, and the new nouns, whose
    memberships follow from their own pairs as in the paper. Verbs that training never saw are dropped;
    `lost_held_out` and `lost_new` are the shares of pairs lost by that.
    """
    if not 0 < new_share < 1:
        raise InputError(f"The share of new nouns must lie between 0 and 1, not {new_share!r}.")
    order = np.random.default_rng([seed, 1]).permutation(len(pairs.nouns))
    n_new = max(1, round(new_share * len(order)))
    if len(order) - n_new < 2:
        raise InputError(f"{len(order)} nouns are too few to set new ones aside.")
    new, old = pairs.part(np.sort(order[:n_new])), pairs.part(np.sort(order[n_new:]))
    train, test = old.held_out(share, seed=seed)
    course = anneal(train, max_clusters, seed=seed, progress=progress)
    seen = train.verb_totals > 0
    (held, lost_held), (fresh, lost_new) = _known(test.counts, seen), _known(new.counts, seen)
    rows = []
    for k, snapshot in course.by_k().items():
        _tell(k, max_clusters, progress)
        log_p, centroids = snapshot.log_memberships, snapshot.log_centroids
        rows.append(
            {
                "k": k,
                "beta": snapshot.beta,
                "train": relative_entropy(train.counts, log_p, centroids),
                "held_out": relative_entropy(held, log_p, centroids),
                "new": relative_entropy(fresh, classify(fresh, snapshot), centroids),
                "lost_held_out": lost_held,
                "lost_new": lost_new,
            }
        )
    return pd.DataFrame(rows)


def verb_decisions(
    pairs: Cooccurrence,
    deleted: int = 100,
    max_clusters: int = 16,
    seed: int = 0,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Their Figure 4: which of two verbs does a noun take more often, when its pairs with one were deleted?

    At most this many (noun, verb) pairs are deleted, one a noun, with a verb at least as frequent as the
    median. The answer for (verb, noun, other verb) is right if it agrees with the full counts; `exceptional`
    are the triples where these go against the verbs' overall frequencies. The table has the error rate of
    each number of clusters, and as `marginal` that of the overall frequencies.
    """
    counts = pairs.counts.toarray()
    frequent = np.flatnonzero(pairs.verb_totals >= np.median(pairs.verb_totals[pairs.verb_totals > 0]))
    rng = np.random.default_rng([seed, 2])
    cut, triples = counts.copy(), []
    for noun in rng.permutation(len(counts)):
        held = frequent[counts[noun, frequent] > 0]
        if len(held) < 2 or len(triples) >= deleted:
            continue
        verb = rng.choice(held)
        cut[noun, verb] = 0
        others = frequent[(frequent != verb) & (counts[noun, frequent] != counts[noun, verb])]
        triples.append((noun, verb, others))
    if not any(len(others) for *_, others in triples):
        raise InputError("No noun has two frequent verbs that it takes unequally often: there is nothing to decide.")
    sizes = [len(others) for *_, others in triples]
    noun, verb = (np.repeat([triple[i] for triple in triples], sizes) for i in (0, 1))
    other = np.concatenate([others for *_, others in triples])
    truth = counts[noun, verb] > counts[noun, other]
    left = cut.sum(axis=0)
    marginal = left[verb] > left[other]
    exceptional = truth != (pairs.verb_totals[verb] > pairs.verb_totals[other])
    course = anneal(pairs.with_counts(cut), max_clusters, seed=seed, progress=progress)
    rows = []
    for k, snapshot in course.by_k().items():
        _tell(k, max_clusters, progress)
        log_p = snapshot.log_memberships[noun]
        first, second = (logsumexp(log_p + snapshot.log_centroids[:, v].T, axis=1) for v in (verb, other))
        wrong = (first > second + TIE) != truth
        rows.append(
            {
                "k": k,
                "beta": snapshot.beta,
                "all": wrong.mean(),
                "exceptional": _mean(wrong[exceptional]),
                "marginal": (marginal != truth).mean(),
                "triples": len(truth),
                "exceptions": int(exceptional.sum()),
            }
        )
    return pd.DataFrame(rows)


def relative_entropy(counts: sparse.csr_array, log_memberships: np.ndarray, log_centroids: np.ndarray) -> float:
    """The mean of D(observed || sum_c p(c|n) p(v|c)) over nouns, weighted by their pairs; nats."""
    nouns, verbs = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr)), counts.indices
    predicted, step = np.empty(len(verbs)), max(1, CHUNK // len(log_centroids))
    for start in range(0, len(verbs), step):
        part = slice(start, start + step)
        predicted[part] = logsumexp(log_memberships[nouns[part]] + log_centroids.T[verbs[part]], axis=1)
    totals = np.asarray(counts.sum(axis=1))
    observed = np.log(counts.data / totals[nouns])
    return float((counts.data * (observed - predicted)).sum() / totals.sum())


def classify(counts: sparse.csr_array, snapshot: Snapshot) -> np.ndarray:
    """log p(c|n) of nouns that took no part in clustering, from their own pairs."""
    totals = np.maximum(np.asarray(counts.sum(axis=1)), 1)
    finite = np.where(np.isfinite(snapshot.log_centroids), snapshot.log_centroids, 0.0)  # verbs no longer in the counts
    return log_softmax(snapshot.beta * (counts @ finite.T) / totals[:, None], axis=1)


def _tell(k, most, progress):
    if progress:
        progress(most - 1, most, f"predicting with {k} cluster{'' if k == 1 else 's'}")


def _known(counts, seen):
    """The counts without the verbs that were not seen, and the share of pairs lost."""
    kept = sparse.csr_array(counts.multiply(seen)).astype(np.int64)
    kept.eliminate_zeros()
    if not kept.sum():
        raise InputError("Nothing that was held out has a verb that training saw: there are too few pairs.")
    return kept, 1 - kept.sum() / counts.sum()


def _mean(values):
    return values.mean() if len(values) else np.nan
