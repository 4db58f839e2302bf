"""Boards and ranks against hand-computed figures, the plain definitions, and the papers; resampling against
enumeration.
"""

import itertools
import json
import math
import time
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import evalcore as ec
from evalcore import InputError
from evalcore.cli import main
from evalcore.comparison import Policy, TableComparison, read_files
from evalcore.ranking import (
    Board,
    Column,
    agreement,
    flips,
    headline,
    rank_changes,
    ranks,
    score_comparison,
    wsi2010_board,
)
from evalcore.ranking.ranks import correlation, largest_move
from evalcore.splits import supervised_recall_keys
from evalcore.words import score_keys

# Two words of four and two instances. By hand, with L = log 2: word a has H(C) = L, word b too.
#   one: V = 0 on both.   alone: a has H(K) = H(C,K) = 2L, so V = 2/3; b has V = 1.
#   half: a is 2 + 2 across the classes, so V = 0 and VI = 2L; b is right, so V = 1.   right: V = 1.
FILES = {
    "gold": "a 1 x\na 2 x\na 3 y\na 4 y\nb 1 p\nb 2 q",
    "one": "a 1 A\na 2 A\na 3 A\na 4 A\nb 1 A\nb 2 A",
    "alone": "a 1 A\na 2 B\na 3 C\na 4 D\nb 1 A\nb 2 B",
    "half": "a 1 A\na 2 B\na 3 A\na 4 B\nb 1 A\nb 2 B",
    "right": "a 1 A\na 2 A\na 3 B\na 4 B\nb 1 A\nb 2 B",
}
LOG2 = math.log(2)


def made(**more):
    return read_files([(f"{name}.key", text.encode()) for name, text in (FILES | more).items()]).comparison()


def board_of(values, columns, systems=None, words=None):
    values = np.array(values, dtype=float)
    systems = tuple(systems or [f"s{i}" for i in range(len(values))])
    return Board(systems, tuple(columns), values, np.arange(1.0, len(values) + 1), words)


# ---- the board -----------------------------------------------------------------------------------


def test_hand_computed_board():
    board = score_comparison(made(), ["V", "VI", "ARI"], ["ML", "MM"])
    assert board.names == ["V-ML", "V-MM", "VI-ML", "VI-MM", "ARI"] and board.systems == (
        "one",
        "alone",
        "half",
        "right",
    )
    assert board.clusters.tolist() == [1, 3, 2, 2]
    v = dict(zip(board.systems, board.values[:, 0]))
    assert v == pytest.approx({"one": 0, "alone": (4 * 2 / 3 + 2) / 6, "half": 2 / 6, "right": 1})
    # Miller-Madow adds (m - 1)/2N: 1/8 and 3/8 and 3/8 on word a of alone; on b all three entropies
    # gain 1/4, so V stays 1
    mm = 2 * (LOG2 + 1 / 8) / (3 * LOG2 + 1 / 2)
    assert board.values[1, 1] == pytest.approx((4 * mm + 2) / 6)
    assert board.values[:, 2] == pytest.approx([LOG2, 4 / 6 * LOG2, 4 / 6 * 2 * LOG2, 0])
    # pairs of word a: alone has none together, so 0; half has index 0, expectation 2/3, maximum 2
    assert board.values[:, 4] == pytest.approx([0, (0 + 2) / 6, (4 * -0.5 + 2) / 6, 1])
    assert board.ranks[:, 0].tolist() == [4, 2, 3, 1] and board.ranks[:, 2].tolist() == [3, 2, 4, 1]
    assert board.better == {"V-ML": True, "V-MM": True, "VI-ML": False, "VI-MM": False, "ARI": True}


def test_hand_computed_averages():
    comparison = made()
    assert score_comparison(comparison, ["V"], policy=Policy("words")).values[:, 0] == pytest.approx(
        [0, 5 / 6, 1 / 2, 1]
    )
    # pooled, the four classes and the clusters of both words: H(C) = log 4 - (2/3) L ... of 2, 2, 1, 1 of 6
    h = Fraction(4, 6) * 3, Fraction(2, 6) * 6
    entropy = float(h[0]) / 3 * math.log(3) + float(h[1]) / 6 * math.log(6)
    alone = score_comparison(comparison, ["V"], policy=Policy("pooled"))
    assert alone.values[1, 0] == pytest.approx(2 * entropy / (entropy + math.log(6))) and alone.words is None


@pytest.mark.parametrize("soft", [False, True])
@pytest.mark.parametrize("missing", ["cluster", "drop", "singletons"])
@pytest.mark.parametrize("average", ["instances", "words", "pooled"])
def test_the_board_is_what_score_keys_gives(average, missing, soft):
    comparison = made(
        partial="a 1 A/0.5 B/0.5\na 3 B/2 A/1\nb 2",
        weights="a 1 A/1 B/3\na 2 B/1 C/1\na 3 C\na 4 C/9 A/1\nb 1 A/1 B/1\nb 2 B",
    )
    board = score_comparison(
        comparison, ["V", "NVI", "BCubed_F"], ["ML", "JK", "BUB"], Policy(average, missing, soft), base=2
    )
    expected = score_keys(
        comparison.gold,
        comparison.systems,
        ["V", "NVI", "BCubed_F"],
        ["ML", "JK", "BUB"],
        average=average,
        missing=missing,
        soft=soft,
        base=2,
    )
    np.testing.assert_array_equal(board.values.ravel(), expected.value)
    np.testing.assert_array_equal(np.repeat(board.clusters, 7), expected.clusters_per_word)


def test_the_board_is_what_the_command_line_gives(tmp_path, capsys):
    for name, text in FILES.items():
        (tmp_path / f"{name}.key").write_text(text)
    folder = tmp_path / "systems"
    folder.mkdir()
    for name in ("one", "alone", "half", "right"):
        (tmp_path / f"{name}.key").rename(folder / f"{name}.key")
    assert (
        main(
            [
                "score",
                str(tmp_path / "gold.key"),
                str(folder),
                "--measures",
                "V,ARI",
                "--estimators",
                "ML,BUB",
                "--format",
                "json",
            ]
        )
        == 0
    )
    printed = pd.DataFrame(json.loads(capsys.readouterr().out)).set_index("system")
    mine = score_comparison(made(), ["V", "ARI"], ["ML", "BUB"]).frame().set_index("system").loc[printed.index]
    pd.testing.assert_frame_equal(mine, printed, check_exact=True, check_dtype=False)


def test_a_system_that_does_not_fit_is_told_and_the_rest_kept():
    board = score_comparison(made(strange="a 1 A\nz 9 A"))
    assert board.systems == ("one", "alone", "half", "right")
    assert board.problems == ("strange.key, line 2: instance '9' of 'z' is not in gold.key.",)
    kept = score_comparison(made(strange="a 1 A\nz 9 A"), policy=Policy(unknown="ignore"))
    assert kept.systems[-1] == "strange" and kept.problems == ()


def test_boards_that_cannot_be():
    with pytest.raises(InputError, match="^There are no systems to compare yet: add some, or a baseline.$"):
        score_comparison(read_files([("gold.key", b"a 1 x")]).comparison())
    with pytest.raises(InputError, match="NSB is not a linear estimator"):
        score_comparison(made(), ["V"], ["NSB"], Policy(soft=True))
    with pytest.raises(InputError, match="no column called 'W'"):
        score_comparison(made()).column("W")


def test_words_behind_the_board():
    board = score_comparison(made(partial="b 1 A\nb 2 B"), ["V"], policy=Policy(missing="drop"))
    assert board.words.words == ("a", "b") and board.words.weights.tolist() == [[4, 2]] * 4 + [[0, 2]]
    assert board.words.values[1, :, 0] == pytest.approx([2 / 3, 1]) and math.isnan(board.words.values[4, 0, 0])
    assert board.words.values[4, 1, 0] == 1 and board.values[4, 0] == 1


def test_progress():
    steps = []
    score_comparison(made(), progress=lambda *step: steps.append(step))
    assert steps[0] == (0.5, 4, "Scoring one") and steps[-1] == (4, 4, "Scoring right") and len(steps) == 8


def test_tables_with_fractions():
    whole, parts = (
        ec.Contingency.from_matrix([[2, 1], [0, 3]]),
        ec.Contingency.from_matrix([[2, 1.5], [0, 3]]),
    )
    board = score_comparison(TableComparison("t", {"whole": whole, "parts": parts}), ["V", "ARI"], ["ML", "JK"])
    assert board.names == ["V-ML", "V-JK", "ARI"]
    assert board.values[0] == pytest.approx(
        [ec.score(whole)["V"], ec.score(whole, estimator="JK")["V"], ec.score(whole)["ARI"]]
    )
    assert board.values[1, [0, 2]] == pytest.approx(ec.score(parts, ["V", "ARI"]).tolist()) and math.isnan(
        board.values[1, 1]
    )
    assert board.ranks[0, 1] == 1 and math.isnan(board.ranks[1, 1])


def test_supervised_recall():
    comparison = made(**{"mapping.1": "a 1 x\na 3 y\nb 1 p", "test.1": "a 2 x\na 4 y\nb 2 q"})
    board = score_comparison(comparison, splits=comparison.recall_splits(["60:40"], seed=4))
    assert board.names == ["V-ML", "SR given", "SR 60:40 drawn"]
    # right has learned both clusters of a, but not that of q; one says x to all of a and p to all of b;
    # in the others the
    # clusters of the test instances were never seen
    assert board.values[:, 1].tolist() == pytest.approx([1 / 3, 0, 0, 2 / 3])
    drawn = [
        [supervised_recall_keys(key, *split) for split in comparison.recall_splits(["60:40"], 4)["60:40 drawn"]]
        for key in comparison.systems.values()
    ]
    assert board.values[:, 2] == pytest.approx(np.mean(drawn, axis=1))
    with pytest.raises(InputError, match="tables alone have none"):
        score_comparison(TableComparison("t", {"s": ec.Contingency.from_matrix([[1]])}), splits={"given": []})


# ---- ranks and agreement -------------------------------------------------------------------------


def test_ranks():
    assert ranks([3, 1, 2]).tolist() == [1, 3, 2] and ranks([3, 1, 2], higher_is_better=False).tolist() == [
        3,
        1,
        2,
    ]
    assert ranks([0.1 + 0.2, 0.3, 0.2]).tolist() == [1, 1, 3]  # the same score, summed in two orders
    assert ranks([0.3, 0.3 + 1e-9]).tolist() == [2, 1]
    assert ranks([math.inf, 1, -math.inf, math.nan]).tolist()[:3] == [1, 2, 3]
    assert ranks([[1, 2], [2, 1]]).tolist() == [[2, 1], [1, 2]]


scores = st.lists(st.integers(0, 6), min_size=2, max_size=9)


@given(scores)
def test_ranks_against_their_definition(values):
    assert ranks(values).tolist() == [1 + sum(other > value for other in values) for value in values]


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=9))
def test_correlations_against_their_definitions(pairs):
    x, y = zip(*pairs)
    sign = [((a > c) - (a < c), (b > d) - (b < d)) for (a, b), (c, d) in itertools.combinations(pairs, 2)]
    untied = math.prod(sum(s[side] != 0 for s in sign) for side in (0, 1))
    tau, rho = correlation(x, y), correlation(x, y, "rho")
    if not untied:
        assert math.isnan(tau) and math.isnan(rho)
        return
    assert tau == pytest.approx(sum(a * b for a, b in sign) / math.sqrt(untied))
    mid = [[sum(v < w for v in side) + sum(v == w for v in side) / 2 for w in side] for side in (x, y)]
    assert rho == pytest.approx(np.corrcoef(mid)[0, 1])


def test_agreement_leaves_out_what_a_column_does_not_rank():
    board = board_of([[1, 3, 1], [2, 2, math.nan], [3, 1, 3], [4, 4, 2]], [Column("V"), Column("NMI"), Column("VI")])
    table = agreement(board)
    assert table.loc["V", "V"] == 1 and table.loc["V", "NMI"] == pytest.approx(correlation([4, 3, 2, 1], [2, 3, 4, 1]))
    assert table.loc["V", "VI"] == table.loc["VI", "V"] == pytest.approx(-1 / 3)  # of three systems, lower VI is better
    with pytest.raises(InputError, match="The statistics are tau, rho"):
        agreement(board, "r")


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=8))
def test_flips_against_all_pairs(values):
    board = board_of(values, [Column("V"), Column("VI")])  # higher V, lower VI
    found = flips(board, "V", "VI")
    by_v, by_vi = board.ranks[:, 0], board.ranks[:, 1]
    expected = {
        (f"s{i}", f"s{j}"): (by_v[j] - by_v[i]) + (by_vi[i] - by_vi[j])
        for i, j in itertools.permutations(range(len(values)), 2)
        if values[i][0] > values[j][0] and values[i][1] > values[j][1]
    }
    assert {(r.a, r.b): r.swing for r in found.itertuples()} == expected
    assert (np.diff(found.swing) <= 0).all()


def test_flips_name_the_ranks():
    found = flips(board_of([[3, 1], [2, 2], [1, 3]], [Column("V"), Column("NMI")]), "V", "NMI")
    assert found.iloc[0].tolist() == ["s0", "s2", 1, 3, 3, 1, 4] and len(found) == 3


def test_rank_changes():
    frame = rank_changes(board_of([[3, 1], [2, 2], [1, math.nan]], [Column("V"), Column("NMI")]), "V", "NMI")
    assert frame.values.tolist() == [["s0", 1, 1, 2, -1], ["s1", 2, 2, 1, 1]]
    assert frame.columns.tolist() == ["system", "clusters", "V", "NMI", "change"]


@pytest.mark.parametrize(
    "values, says",
    [
        ([[3, 1], [2, 2], [1, 3]], "V puts s0 first; NMI puts it last"),
        ([[3, 2], [2, 3], [1, 1]], "V puts s0 first; NMI puts it 2nd"),
        ([[3, 3], [2, 2]], "All columns rank these 2 systems alike"),
        ([[1, 0], [1, 1], [1, 2]], "V puts s0 among the first; NMI puts it last"),
        ([[0, 5]] * 4 + [[9, 0]], "V puts s4 first; NMI puts it last"),
        ([[9 - i, i % 2] for i in range(5)], "NMI puts s3 among the first; V puts it 4th"),
    ],
)
def test_headlines(values, says):
    assert headline(board_of(values, [Column("V"), Column("NMI")])) == says


def test_headline_of_one_column():
    assert headline(board_of([[1], [2]], [Column("V", "ML")])) == "V-ML puts s1 first"
    assert headline(board_of([[2], [2], [0]], [Column("V", "ML")])) == "V-ML puts 2 systems first"
    assert headline(board_of([[math.nan]] * 2, [Column("V", "ML")])) == "No column ranks these 2 systems"
    half = board_of([[1, math.nan], [2, math.nan]], [Column("V", "ML"), Column("V", "BUB")])
    assert headline(half) == "V-ML puts s1 first"  # the other column ranks nobody, so it agrees with nothing
    assert largest_move(board_of([[math.nan]], [Column("V")])) == ("s0", "V", "V")
    many = board_of([[22 - i, i] for i in range(22)], [Column("V"), Column("NMI")])
    assert headline(many, {"s0": "the first"}) == "V puts the first first; NMI puts it last"


# ---- real keys, and time -------------------------------------------------------------------------


def semeval_files(semeval):
    return [
        (path.name, path.read_bytes())
        for path in [*sorted(semeval.glob("*.key")), *sorted((semeval / "splits_80_20").glob("*.key"))]
    ]


def test_semeval(semeval):
    batch = read_files(semeval_files(semeval))
    comparison = batch.comparison()
    board = score_comparison(comparison, ["V"], ["ML", "MM", "JK", "BUB"], splits=comparison.recall_splits())
    assert batch.problems == () and len(batch.splits) == 5 and len(board.systems) == 7
    assert headline(board) == "V-ML puts 1cluster-per-instance first; V-BUB puts it last"
    recall = dict(zip(board.systems, (100 * board.values[:, 4]).round(2)))
    assert (recall["duluth-wsi"], recall["kcdc-pc-2"]) == (60.46, 59.84)
    # the paper's order of the systems at hand
    names = {
        "1ClI": "1cluster-per-instance",
        "Duluth-WSI": "duluth-wsi",
        "Duluth-R-15": "duluth-r-15",
        "Duluth-Mix-Uni-PK2": "duluth-mix-uni-pk2",
        "KCDC-PC-2": "kcdc-pc-2",
        "MFS": "mfs",
        "Random": "random",
    }
    paper = wsi2010_board()
    for at in range(4):
        printed = sorted(names, key=lambda n, at=at: paper.ranks[paper.systems.index(n), at])
        computed = sorted(names, key=lambda n, at=at: board.ranks[board.systems.index(names[n]), at])
        assert printed == computed


@pytest.mark.timing
def test_time_to_read_and_score(semeval):
    files = semeval_files(semeval)
    start = time.perf_counter()
    score_comparison(read_files(files).comparison(), ["V"], ["ML", "MM", "JK", "BUB"])
    assert time.perf_counter() - start < 2.5  # and half a second to draw it
