"""The papers' tables as boards."""

import numpy as np
import pytest

from evalcore import InputError, published
from evalcore.ranking import CORPORA, grammar_board, grammar_contradictions, headline, wsi2010_board
from evalcore.ranking.reprints import PRINTED, follows_from_entropies
from tests.test_published import CONTRADICTED


def test_wsi2010():
    board = wsi2010_board(splits=["80:20", "60:40"])
    assert board.names == ["V-ML", "V-MM", "V-JK", "V-BUB", "SR 80:20", "SR 60:40"] and len(board.systems) == 31
    table = published.table("wsi2010_v_by_estimator")
    assert (100 * board.values[:, 3]).round(1).tolist() == table.bub.tolist() and board.values[0, 3] == -0.036
    assert (
        headline(wsi2010_board(), {"1ClI": "one cluster per instance"})
        == "V-ML puts one cluster per instance first; V-BUB puts it last"
    )
    starred = [i for i, name in enumerate(board.systems) if name.endswith("*")]
    assert np.isnan(board.ranks[starred]).all() and not np.isnan(board.values[starred, :4]).any()
    for refused in (dict(estimators=["NSB"]), dict(splits=["50:50"]), dict(estimators=[])):
        with pytest.raises(InputError):
            wsi2010_board(**refused)


@pytest.mark.parametrize("corpus", CORPORA)
def test_grammar_induction(corpus):
    board, table = grammar_board(corpus, [*PRINTED, "h", "MI"]), published.table("grammar_induction_scores")
    table = table[table.corpus == corpus]
    c, k, vi = (table[name].to_numpy() for name in ("H_C", "H_K", "VI"))
    assert board.clusters.tolist() == table.labels.tolist() and board.systems == tuple(table.labelling)
    expected = np.column_stack([1 - vi / (c + k), vi, vi / c, vi / k, (c + k - vi) / 2 / c, (c + k - vi) / 2])
    np.testing.assert_allclose(board.values, expected, rtol=1e-12)
    with pytest.raises(InputError, match="ARI does not follow from the entropies"):
        grammar_board(corpus, ["ARI"])


def test_what_follows_from_entropies():
    assert [
        name for name in ("V", "NMI_max", "VI_logN", "Q2", "ARI", "purity", "AMI") if follows_from_entropies(name)
    ] == ["V", "NMI_max"]
    with pytest.raises(InputError, match="no corpus called 'PTB'"):
        grammar_board("PTB")


def test_contradictions_in_the_paper():
    found = grammar_contradictions()
    assert {(r.corpus, r.labelling, r.measure): round(r.recomputed, 3) for r in found.itertuples()} == CONTRADICTED
