"""Dom's parametric solutions."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import evalcore as ec
from evalcore import InputError
from evalcore.parametric import Setting, blocks, dom, dom_tables, matching, rounded, score_settings, unplaced
from evalcore.scoring import measures_named

PARTS = st.just(0.0) | st.floats(1e-9, 0.3)
SETTINGS = st.builds(
    Setting,
    st.integers(1, 5),
    st.integers(1, 7),
    st.integers(0, 3),
    st.integers(0, 3),
    PARTS,
    PARTS,
    PARTS,
    st.integers(1, 300),
)


@given(st.integers(1, 6), st.integers(1, 12))
def test_matching_is_even_and_contiguous(classes, clusters):
    matched = matching(classes, clusters)
    assert matched.sum() == max(classes, clusters) and matched.any(axis=0).all() and matched.any(axis=1).all()
    longer = matched if classes <= clusters else matched.T
    sizes = longer.sum(axis=1)
    assert sizes.max() - sizes.min() <= 1 and (longer.sum(axis=0) == 1).all()
    assert all((np.diff(np.flatnonzero(row)) == 1).all() for row in longer)


@given(
    st.integers(1, 5),
    st.integers(1, 7),
    st.integers(0, 3),
    st.integers(0, 3),
    *(st.just(0.0) | st.floats(1e-9, 0.3) for _ in range(3)),
)
def test_masses(classes, useful, noise_clusters, noise_classes, e1, e2, e3):
    table = dom(classes, useful, noise_clusters, noise_classes, e1, e2, e3, n=50).counts
    assert table.sum() == pytest.approx(50) and (table >= 0).all()
    assert (table[classes:, useful:] == 0).all()
    assert table[:classes, useful:].sum() == pytest.approx(50 * e2 if noise_clusters else 0)
    assert table[classes:, :useful].sum() == pytest.approx(50 * e3 if noise_classes else 0)
    wrong = table[:classes, :useful][~matching(classes, useful)]
    assert wrong.sum() == pytest.approx(50 * e1 if wrong.size else 0)


@pytest.mark.parametrize(
    "arguments, message",
    [
        ((0, 2), "useful classes must be a whole number of at least 1"),
        ((2, 1.5), "useful clusters must be a whole number"),
        ((2, 2, -1), "noise clusters"),
        ((2, 2, 0, 0, 1.2), "eps1 must lie between 0 and 1"),
        ((2, 2, 1, 1, 0.5, 0.4, 0.3), "is 1.2; the error mass cannot exceed 1"),
        ((2, 2, 0, 0, 0, 0, 0, -3), "n must be a positive number"),
    ],
)
def test_impossible_settings(arguments, message):
    with pytest.raises(InputError) as caught:
        dom(*arguments)
    assert message in str(caught.value)


def test_a_batch_is_its_solutions_one_by_one():
    eps = [[0, 0, 0], [0.1, 0.2, 0.3], [0.05, 0, 0.9]]
    batch = dom_tables(3, 4, 2, 1, eps, [10, 20, 30])
    for table, masses, n in zip(batch, eps, (10, 20, 30)):
        np.testing.assert_array_equal(table, dom(3, 4, 2, 1, *masses, n=n).counts)


def test_blocks_say_what_the_cells_hold():
    kind, table = blocks(3, 2, 1, 1), dom(3, 2, 1, 1, 0.1, 0.2, 0.3, n=1).counts
    for error, mass in ((0, 0.4), (1, 0.1), (2, 0.2), (3, 0.3), (-1, 0)):
        assert table[kind == error].sum() == pytest.approx(mass)
        assert np.ptp(table[kind == error]) == 0


def test_masses_that_leave_nothing_matched():
    table = dom(2, 2, 1, 1, 0.1, 0.2, 0.7).counts
    assert (table[blocks(2, 2, 1, 1) == 0] == 0).all()  # not the 1e-16 that 1 - (.1 + .2 + .7) is in binary


def test_masses_without_cells_are_told():
    assert unplaced(Setting(5, 5, 1, 1, 0.1, 0.1, 0.1)) == []
    assert unplaced(Setting(1, 1, 0, 0, 0, 0, 0)) == []
    told = unplaced(Setting(1, 3, 0, 0, 0.1, 0.2, 0.3))
    assert len(told) == 3 and "eps1 is 0.1, but there is no unmatched pair" in told[0] and "noise class" in told[2]


@given(SETTINGS)
def test_rounding_keeps_n_and_moves_no_cell_by_one(setting):
    exact, whole = dom(*setting).counts, dom(*setting, whole=True)
    assert whole.is_whole and whole.n == setting.n
    assert (np.abs(whole.counts - exact) < 1).all() and not whole.counts[exact == 0].any()
    rest = np.abs(whole.counts - exact)
    up, down = whole.counts > exact + 1e-9, whole.counts < exact - 1e-9
    if up.any() and down.any():  # largest remainders: whatever went up had more left over than whatever went down
        assert (1 - rest[up]).min() >= rest[down].max() - 1e-6


def test_rounding_spreads_ties_over_rows_and_columns():
    whole = rounded(np.full((6, 6), 12 / 36))
    assert whole.sum() == 12 and set(whole.sum(axis=0)) == {2} and set(whole.sum(axis=1)) == {2}


def test_rounding_leaves_whole_tables_alone_and_takes_batches():
    batch = np.array([dom(4, 5, 1, 2, 0.1, 0.2, 0.05, n=n).counts for n in (7, 60, 1000)])
    for table, whole in zip(batch, rounded(batch)):
        np.testing.assert_array_equal(whole, rounded(table))
        np.testing.assert_array_equal(rounded(whole), whole)


@pytest.mark.parametrize("n", [10.5, 0.25])
def test_a_fractional_n_cannot_be_rounded(n):
    with pytest.raises(InputError, match="Whole counts need a whole n between 1 and 1,000,000,000"):
        dom(2, 2, n=n, whole=True)


@given(st.lists(SETTINGS, min_size=1, max_size=6), st.booleans())
def test_many_settings_score_as_one_by_one(settings, whole):
    measures = measures_named(["V", "VI", "Q0", "FM", "ARI", "F", "one_to_one", "AMI"])
    scores = score_settings(pd.DataFrame(settings), measures, whole)
    for row, setting in zip(scores, settings):
        alone = ec.score(
            dom(*setting, whole=whole), [m.name for m in measures], pairs="auto" if whole else "asymptotic"
        )
        if not whole:
            alone["AMI"] = np.nan
        np.testing.assert_allclose(row, alone, atol=1e-12)


def test_scoring_reports_progress_and_can_be_cancelled():
    settings, seen = pd.DataFrame([Setting(5, k) for k in range(2, 9)]), []
    score_settings(settings, measures_named(["V"]), progress=lambda *state: seen.append(state))
    assert [done for done, _, _ in seen] == list(range(8)) and {total for _, total, _ in seen} == {7}
    assert seen[0][2] == "scoring tables of 5 classes and 2 clusters"

    def cancel(done, total, what):
        if done == 3:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        score_settings(settings, measures_named(["V"]), progress=cancel)
