"""What must not change a score, for every measure in the registry; and that the registry says the truth about it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import evalcore as ec

NAMES = [name for name, m in ec.MEASURES.items() if m.needs != "split"]
ORDERED = {"one_to_one_greedy"}  # its ties are broken by position, so relabelling may change it

tables = arrays(np.int64, st.tuples(st.integers(1, 5), st.integers(1, 5)), elements=st.integers(0, 6)).filter(
    lambda x: x.any()
)
fractional = tables.map(lambda x: x / 7.0)


def scores(table, **options):
    return ec.score(table, NAMES, **options).to_numpy()


@settings(max_examples=60)
@given(tables, st.randoms(use_true_random=False))
def test_relabelling(table, random):
    rows, columns = list(range(table.shape[0])), list(range(table.shape[1]))
    random.shuffle(rows)
    random.shuffle(columns)
    keep = [name not in ORDERED for name in NAMES]
    np.testing.assert_allclose(scores(table[rows][:, columns])[keep], scores(table)[keep], atol=1e-13)


@settings(max_examples=60)
@given(tables)
def test_zero_rows_and_columns_change_nothing(table):
    padded = np.pad(table, ((1, 2), (2, 1)))
    np.testing.assert_allclose(scores(padded), scores(table), atol=1e-13)
    for estimator in ec.ESTIMATORS:
        if ec.Contingency.from_matrix(table).n > 1:
            np.testing.assert_allclose(
                ec.score(padded, ["V", "VI", "NVI"], estimator),
                ec.score(table, ["V", "VI", "NVI"], estimator),
                atol=1e-9,
                rtol=1e-9,
                err_msg=estimator,
            )


@pytest.mark.parametrize("name", NAMES)
def test_symmetry_is_as_registered(name):
    rng = np.random.default_rng(5)
    batch = rng.integers(0, 9, (40, 3, 5))
    there, back = ec.score(batch, [name])[name], ec.score(batch.transpose(0, 2, 1), [name])[name]
    assert np.allclose(there, back, atol=1e-13) == ec.MEASURES[name].symmetric or name == "one_to_one_greedy"


@pytest.mark.parametrize("name", NAMES)
def test_scaling_is_as_registered(name):
    batch = np.random.default_rng(6).integers(1, 9, (40, 3, 5))
    once, thrice = ec.score(batch, [name])[name], ec.score(3 * batch, [name])[name]
    assert np.allclose(once, thrice, atol=1e-13) == ec.MEASURES[name].scale_free


@pytest.mark.parametrize("name", NAMES)
def test_bounds_and_direction_are_as_registered(name):
    measure = ec.MEASURES[name]
    values = ec.score(np.random.default_rng(7).integers(0, 9, (300, 3, 5)) + np.eye(3, 5, dtype=int), [name])[name]
    low, high = measure.bounds
    slack = 0.5 if measure.chance_corrected else 1e-12
    assert values.min() >= low - slack and (high is None or values.max() <= high + 1e-12)
    perfect, poor = (ec.score(x, [name])[name] for x in ([[6, 0], [0, 6]], [[4, 2], [2, 4]]))
    assert perfect > poor if measure.higher_is_better else perfect < poor
    if measure.best is not None and name not in ("Q0",):
        assert perfect == measure.best


@settings(max_examples=40)
@given(st.lists(tables, min_size=1, max_size=4))
def test_a_batch_equals_its_tables(several):
    shape = np.max([t.shape for t in several], axis=0)
    batch = np.stack([np.pad(t, [(0, s - w) for s, w in zip(shape, t.shape)]) for t in several])
    together = ec.score(batch, NAMES)
    for i, table in enumerate(several):
        np.testing.assert_allclose(together.loc[i], scores(table), atol=1e-13)
    np.testing.assert_array_equal(ec.score(batch.reshape(1, *batch.shape), NAMES).to_numpy(), together.to_numpy())


def test_a_batch_of_whole_and_fractional_tables_equals_its_tables():
    batch = np.array([[[2.0, 0], [1, 1]], [[0.3, 0.5], [0.4, 0.1]], [[1e13 + 0.5, 1], [1, 1]], [[5, 5], [5, 6]]])
    together = ec.score(batch, NAMES)
    for i, table in enumerate(batch):
        np.testing.assert_allclose(together.loc[i], scores(table), atol=1e-13, err_msg=str(i))


@settings(max_examples=40)
@given(tables)
def test_sparse_equals_dense(table):
    from scipy import sparse

    for matrix in (sparse.csr_array(table), sparse.coo_matrix(table), sparse.csc_array(table.astype(float))):
        np.testing.assert_allclose(scores(matrix), scores(table), atol=1e-13)


@settings(max_examples=40)
@given(tables)
def test_sparse_equals_dense_for_estimators(table):
    from scipy import sparse

    if table.sum() < 2:
        return
    for estimator in ec.ESTIMATORS:
        np.testing.assert_allclose(
            ec.score(sparse.csr_array(table), ["V", "VI"], estimator),
            ec.score(table, ["V", "VI"], estimator),
            atol=1e-10,
        )


@given(fractional)
def test_fractional_tables(table):
    """All that counts neither pairs nor samples is the same on a table and on a seventh of it; pairs become squares."""
    whole, part = ec.score(np.rint(table * 7), NAMES, pairs="asymptotic"), ec.score(table + 0.0, NAMES)
    if not (table == np.trunc(table)).all():
        for name in NAMES:
            measure = ec.MEASURES[name]
            if measure.whole_counts:
                assert np.isnan(part[name]) and not np.isnan(whole[name])
            elif name in ("Mirkin", "Q0", "Q2", "VI_logN"):
                continue  # these depend on n by definition
            else:
                assert part[name] == pytest.approx(whole[name], abs=1e-12), name
        assert part["Mirkin"] == pytest.approx(whole["Mirkin"] / 49)
