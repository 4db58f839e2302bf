"""The papers' own tables as boards: as printed, or recomputed from the entropies that they print."""

import itertools

import numpy as np
import pandas as pd

from .. import published
from ..errors import InputError
from ..measures import resolve
from ..scoring import score_statistics
from ..statistics import Statistics
from .board import Board, Column

CORPORA = ("WSJ10", "NEGRA10", "CTB10")
PRINTED = ("V", "VI", "NVI", "NVI_K")  # the measures of Reichart and Rappoport
WSI2010_ESTIMATORS = ("ML", "MM", "JK", "BUB")
WSI2010_SPLITS = {"80:20": "supervised_recall_80_20", "60:40": "supervised_recall_60_40"}
# The printed starred MM cells follow from no natural reading; these are ours, from the task's keys.
STARRED_MM = {"UoY*": (0.228, 0.217), "KCDC-PC-2*": (0.072, 0.036)}


def wsi2010_board(estimators=WSI2010_ESTIMATORS, splits=()) -> Board:
    """Li, Titov and Sporleder 2014, Table 1: V by estimator, and supervised recall, with the ranks they
    print.

    Scores are divided by 100. The two starred rows (soft answers) have no ranks there, and have none here.

    >>> wsi2010_board(["ML", "BUB"]).frame(with_ranks=True).values[0].tolist()
    ['1ClI', 89.1, 0.316, 1, -0.036, 29]
    """
    table = published.table("wsi2010_v_by_estimator")
    columns, values, rank = [], [], []
    for name in estimators:
        if name not in WSI2010_ESTIMATORS:
            raise InputError(f"The paper prints V by {', '.join(WSI2010_ESTIMATORS)}, not by {name}.")
        columns.append(Column("V", name))
        values.append(table[name.lower()])
        rank.append(table[f"{name.lower()}_rank"])
    for split in splits:
        if split not in WSI2010_SPLITS:
            raise InputError(f"The paper prints supervised recall for {' and '.join(WSI2010_SPLITS)}, not for {split}.")
        columns.append(Column("SR", split=split))
        values.append(table[WSI2010_SPLITS[split]])
        rank.append(table[f"sr{split[:2]}_rank"])
    if not columns:
        raise InputError("At least one estimator is needed; ML is the plain one.")
    # the paper prints V x 100 with one decimal: thousandths that no division by 100 should blur
    scores = np.rint(10 * np.column_stack(values)) / 1000
    return Board(
        tuple(table.system),
        tuple(columns),
        scores,
        table.clusters_per_word.to_numpy(dtype=float),
        printed_ranks=np.column_stack(rank).astype(float),
    )


def grammar_board(corpus: str, measures=PRINTED) -> Board:
    """Reichart and Rappoport 2009, Tables 2-4: labellings of a corpus, scored from the printed H(C), H(K)
    and VI.

    Any measure that is a function of the entropies can be had.

    >>> grammar_board("WSJ10").frame().round(3).values[0].tolist()
    ['MDL', 2916.0, 0.406, 3.83, 2.214, 0.811]
    """
    table = _corpus(corpus)
    chosen = list(dict.fromkeys(resolve(name).name for name in measures))
    for name in chosen:
        if not follows_from_entropies(name):
            raise InputError(f"{name} does not follow from the entropies that the paper prints.")
    values = [
        score_statistics(Statistics.from_entropies(row.H_C, row.H_K, vi=row.VI), chosen) for row in table.itertuples()
    ]
    return Board(
        tuple(table.labelling),
        tuple(Column(name) for name in chosen),
        np.array(values),
        table.labels.to_numpy(dtype=float),
    )


def follows_from_entropies(measure: str) -> bool:
    """Whether H(C), H(K) and H(C,K) alone give the measure."""
    try:
        score_statistics(Statistics.from_entropies(1.0, 1.0, vi=1.0), [measure])
    except InputError:
        return False
    return True


def grammar_contradictions() -> pd.DataFrame:
    """Printed cells of Table 3 that no rounding of the printed H(C), H(K) and VI can give: corpus,
    labelling, measure, printed, recomputed.

    >>> grammar_contradictions()[["corpus", "labelling", "measure", "printed"]].values.tolist()
    [['WSJ10', 'MDL+SC T', 'V', 0.44], ['NEGRA10', 'MDL', 'V', 0.47], ['CTB10', 'MDL+SC P', 'V', 0.45]]
    """
    derived, rows = ("V", "NVI", "NVI_K"), []
    for row in published.table("grammar_induction_scores").itertuples():

        def scores(c=0.0, k=0.0, vi=0.0, row=row):
            return score_statistics(Statistics.from_entropies(row.H_C + c, row.H_K + k, vi=row.VI + vi), derived)

        halves = _half_unit(row.H_C), _half_unit(row.H_K), _half_unit(row.VI)
        corners = np.array(
            [
                scores(*(sign * half for sign, half in zip(signs, halves)))
                for signs in itertools.product((-1, 1), repeat=3)
            ]
        )  # the measures are monotone in each of the three
        for measure, low, high in zip(derived, corners.min(axis=0), corners.max(axis=0)):
            printed = getattr(row, measure)
            if not low - _half_unit(printed) <= printed <= high + _half_unit(printed):
                rows.append((row.corpus, row.labelling, measure, printed, float(scores()[measure])))
    return pd.DataFrame(rows, columns=["corpus", "labelling", "measure", "printed", "recomputed"])


def _half_unit(printed):
    """Half of the last digit; a final 0 is not printed in the paper, so one decimal may be all there is."""
    return 0.05 if round(printed, 1) == printed else 0.005


def _corpus(name):
    if name not in CORPORA:
        raise InputError(f"There is no corpus called {name!r} in the paper; there are {', '.join(CORPORA)}.")
    table = published.table("grammar_induction_scores")
    return table[table.corpus == name]
