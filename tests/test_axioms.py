"""Constraints, axioms of a metric, scale and chance: known verdicts, and every counterexample once more."""

import numpy as np
import pytest

import evalcore as ec
from evalcore import InputError, axioms
from evalcore.axioms.chance import CLASS_SIZES, check_chance
from evalcore.axioms.constraints import CHECKS as CASES
from evalcore.axioms.metric import distances, partitions, tables
from evalcore.measures import MEASURES
from evalcore.scoring import measures_named
from tests.measures.reference import REFERENCE

ALL = [m.name for m in MEASURES.values() if m.needs != "split"]
PARTITIONS = {1: 1, 2: 2, 3: 5, 4: 15, 5: 52, 6: 203}  # Bell's numbers


@pytest.fixture(scope="module")
def outcomes():
    return axioms.study()


def always(outcomes, key):
    outcome = outcomes[key]
    return {name for name in ALL if outcome.total[name] and outcome.held[name] == outcome.total[name]}


def never(outcomes, key):
    return {name for name in ALL if outcomes[key].total[name] and not outcomes[key].held[name]}


def test_every_measure_is_checked(outcomes):
    assert list(outcomes) == list(axioms.CHECKS)
    for key, outcome in outcomes.items():
        assert outcome.check is axioms.CHECKS[key]
        assert list(outcome.held) == list(outcome.total) == ALL
        assert (
            set(outcome.unjudged)
            == {name for name in ALL if not outcome.total[name]}
            == ({"MI"} if key[0] == "M" else set())
        )


# ---- Amigó et al. ------------------------------------------------------------------------------


def test_verdicts_of_amigo_et_al(outcomes):
    """Their summary: B-cubed satisfies all four; entropies all but the rag bag; pairs the first two only."""
    assert {key for key in ("A1", "A2", "A3", "A4") if "BCubed_F" in always(outcomes, key)} == {
        "A1",
        "A2",
        "A3",
        "A4",
    }
    for name in ("V", "VI", "NMI_joint"):
        assert [name in always(outcomes, key) for key in ("A1", "A2", "A3", "A4")] == [
            True,
            True,
            False,
            True,
        ]
        assert name in never(outcomes, "A3")
    for name in ("Rand", "Jaccard", "FM"):
        assert [name in always(outcomes, key) for key in ("A1", "A2", "A3", "A4")] == [
            True,
            True,
            False,
            False,
        ]
    assert {"purity", "Entropy", "MI", "BCubed_P"} <= never(outcomes, "A2")
    assert {"inverse_purity", "BCubed_R"} <= never(outcomes, "A1")


@pytest.mark.parametrize("key", list(CASES))
def test_cases_are_what_the_constraints_say(key):
    make, rng = CASES[key][1], np.random.default_rng(1)
    for number in range(120):
        before, after = make(number, rng)
        if key == "S":
            factor = after.sum() // before.sum()
            assert (
                factor in (2, 10)
                and (after == before * factor).all()
                and before.any(axis=0).all()
                and before.any(axis=1).all()
            )
            continue
        if key in ("A1", "A2"):
            np.testing.assert_array_equal(before.sum(axis=1), after.sum(axis=1))  # the classes stay
            finer, coarser = (after, before) if key == "A1" else (before, after)
            assert finer.shape[1] == coarser.shape[1] + 1
            np.testing.assert_array_equal(finer[:, :-2], coarser[:, :-1])
            np.testing.assert_array_equal(finer[:, -2] + finer[:, -1], coarser[:, -1])
            parts = [set(np.flatnonzero(finer[:, k])) for k in (-2, -1)]
            assert all(len(part) == 1 for part in parts) and (parts[0] != parts[1]) == (key == "A1")
        elif key == "A3":
            moved = after - before
            assert np.abs(moved).sum() == 2 and before.sum() == after.sum()  # one item, its class unchanged
            (row,), n = np.unique(np.nonzero(moved)[0]), before[0, 0]
            assert before[row].sum() == 1 and before[1 : n + 1, 1].sum() == n and before[0].sum() == n
        else:
            np.testing.assert_array_equal(before.sum(axis=1), after.sum(axis=1))
            n = after[0, 0]
            assert after[0, :2].tolist() == [n, 1] and before[0, 0] == n + 1
            halves = before[1 : n + 1, 1 : 2 * n + 1]
            assert halves.shape == (n, 2 * n) and (halves.sum(axis=1) == 2).all() and halves.max() == 1


def reference(table, name):
    return REFERENCE[name](*table.to_labels())


def small(table, name):
    """Few enough items for the slow definition (adjusted measures go through all permutations)."""
    return table.n <= (7 if name.startswith("AMI") else 60) and max(table.shape) <= 8


@pytest.mark.parametrize("key", ["A1", "A2", "A3", "A4", "S"])
def test_every_counterexample_of_a_constraint_is_one(outcomes, key):
    seen = 0
    for name in ALL:
        for found in outcomes[key].counterexamples(name):
            first, second = (ec.score(table, [name]).iloc[0] for table in found.tables.values())
            assert [first, second] == pytest.approx(list(found.scores.values()), rel=1e-12, abs=1e-12)
            values = [first, second]
            if all(small(table, name) for table in found.tables.values()):
                values = [reference(table, name) for table in found.tables.values()]
                seen += 1
            gain = (values[1] - values[0]) * (1 if MEASURES[name].higher_is_better else -1)
            margin = 1e-12 * max(1, abs(values[0]), abs(values[1]))
            assert abs(gain) > margin if key == "S" else gain <= margin
    assert seen > 10


def test_scale_is_what_the_registry_says(outcomes):
    assert always(outcomes, "S") == {name for name in ALL if MEASURES[name].scale_free}
    assert never(outcomes, "S") == {name for name in ALL if not MEASURES[name].scale_free}


# ---- Meilă -------------------------------------------------------------------------------------


@pytest.mark.parametrize("items", PARTITIONS)
def test_all_partitions(items):
    every = partitions(items)
    assert len(every) == PARTITIONS[items] == len({tuple(row) for row in every.tolist()})


def test_tables_of_partitions():
    every = partitions(4)
    batch = tables(every[:, None], every[None, :])
    for i, j in ((0, 3), (14, 7), (5, 5)):
        expected = ec.Contingency.from_labels(every[i].tolist(), every[j].tolist()).counts
        np.testing.assert_array_equal(batch[i, j][: expected.shape[0], : expected.shape[1]], expected)


METRICS = {
    "VI",
    "VI_logN",
    "NMI_max",
    "NMI_joint",
    "D",
    "one_to_one",
    "H",
    "misclassification",
    "CEAF_m",
    "Rand",
    "Jaccard",
    "Mirkin",
    "Mirkin_n",
}


def test_metrics(outcomes):
    """The measures known to be metrics (1 - NMI_max and 1 - NMI_joint too), and no others, pass M1 to M3."""
    assert set.intersection(*(always(outcomes, key) for key in ("M1", "M2", "M3"))) == METRICS
    assert {name for name in ALL if outcomes["M2"].held[name] == outcomes["M2"].total[name] > 0} == {
        name for name in ALL if MEASURES[name].symmetric and name != "MI"
    } | {"one_to_one_greedy"}


def test_only_vi_satisfies_all_of_meila(outcomes):
    """Her theorem: VI is the only one, up to its scale; VI / log N is not on parts of the data."""
    everything = set.intersection(*(always(outcomes, f"M{number}") for number in range(1, 7)))
    assert everything == {"VI"}


def test_triangles_on_larger_sets():
    """Random triples of 12 items: what passes the exhaustive search on five items passes here."""
    rng = np.random.default_rng(5)
    labels = np.array([rng.integers(0, rng.integers(1, 7), 12) for _ in range(30)])
    d = distances(tables(labels[:, None], labels[None, :]), [MEASURES[name] for name in sorted(METRICS)])
    wrong = d[:, None, :] - d[:, :, None] - d[None, :, :]
    assert wrong.max() <= 1e-9


def test_every_counterexample_of_an_axiom_is_one(outcomes):
    seen = 0
    for key in ("M1", "M2", "M3", "M4", "M5", "M6"):
        for name in ALL:
            for found in outcomes[key].counterexamples(name):
                for side, table in found.tables.items():
                    assert found.scores[side] == pytest.approx(float(reference(table, name)), abs=1e-12)
                d = [abs(reference(table, name) - MEASURES[name].best) for table in found.tables.values()]
                shown = list(found.tables.values())
                if key == "M1":
                    labels = list(zip(*shown[0].to_labels()))
                    same = len(set(labels)) == len(shown[0].classes) == len(shown[0].clusters)
                    assert d[0] > 1e-12 if same else d[0] <= 1e-12
                elif key == "M2":
                    assert abs(d[0] - d[1]) > 1e-12
                    np.testing.assert_array_equal(
                        np.sort(shown[0].counts, axis=None), np.sort(shown[1].counts, axis=None)
                    )
                elif key == "M3":
                    assert d[0] > d[1] + d[2] + 1e-12
                elif key in ("M4", "M5"):
                    assert abs(d[0] - d[1] - d[2]) > 1e-12
                else:
                    assert shown[1].n + shown[2].n == shown[0].n == 5
                    assert abs(d[0] - (shown[1].n * d[1] + shown[2].n * d[2]) / 5) > 1e-12
                seen += 1
    assert seen > 500


def test_the_sides_of_a_triangle_fit_together(outcomes):
    for found in outcomes["M3"].counterexamples("V"):
        xz, xy, yz = found.tables.values()
        assert sorted(xz.class_sizes) == sorted(xy.class_sizes) and sorted(xz.cluster_sizes) == sorted(yz.cluster_sizes)
        assert sorted(xy.cluster_sizes) == sorted(yz.class_sizes)


# ---- chance ------------------------------------------------------------------------------------


def test_response_to_chance(outcomes):
    """Corrected measures stay flat; so does pair precision: the share of like pairs, whatever the clusters."""
    flat = {name for name in ALL if MEASURES[name].chance_corrected}
    assert always(outcomes, "R") == flat | {"pair_P"}
    assert {"V", "h", "NMI_max", "purity", "Rand", "BCubed_F", "VI", "NVI"} <= never(outcomes, "R")


def test_curves_of_chance_are_near_their_exact_means():
    """Pairs of items are together in a cluster with chance 1/k, in a class with one the sizes give."""
    measures = measures_named(["Rand", "pair_P", "ARI", "h"])
    curve = axioms.chance_curve(measures, clusters=(2, 10, 50), draws=400, seed=3)
    n = sum(CLASS_SIZES)
    alike = sum(size * (size - 1) for size in CLASS_SIZES) / (n * (n - 1))
    for row, k in enumerate(curve.clusters):
        rand = alike / k + (1 - alike) * (1 - 1 / k)
        for column, expected in ((0, rand), (1, alike), (2, 0)):
            assert abs(curve.mean[row, column] - expected) < 4.5 * curve.error[row, column]
    assert (np.diff(curve.mean[:, 3]) > 0.05).all()


def test_every_counterexample_of_chance_is_one(outcomes):
    seen = 0
    for name in ALL:
        for found in outcomes["R"].counterexamples(name):
            scores = [ec.score(table, [name]).iloc[0] for table in found.tables.values()]
            assert scores == pytest.approx(list(found.scores.values()), abs=1e-12)
            assert found.wrong_by > 0 and scores[0] != scores[1]
            numbers = [int(side.split()[0]) for side in found.tables]
            assert [table.shape[1] for table in found.tables.values()] == numbers == sorted(numbers)
            assert all(table.class_sizes.tolist() == list(CLASS_SIZES) for table in found.tables.values())
            seen += 1
    assert seen > 100


def test_seeds_decide_everything():
    measures = measures_named(["V", "ARI"])
    one, again, other = (axioms.chance_curve(measures, seed=seed, draws=20) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one.mean, again.mean)
    assert (one.mean != other.mean).any()
    assert axioms.study(["F"], seed=4)["A1"].held == axioms.study(["F"], seed=4)["A1"].held


def test_a_curve_as_a_frame():
    frame = axioms.chance_curve(measures_named(["V", "ARI"]), clusters=(2, 3), draws=5).to_frame()
    assert frame[["clusters", "measure"]].values.tolist() == [[2, "V"], [2, "ARI"], [3, "V"], [3, "ARI"]]


@pytest.mark.parametrize(
    "options, message",
    [
        (dict(class_sizes=[]), "Class sizes"),
        (dict(class_sizes=[3, 0]), "Class sizes"),
        (dict(clusters=[3, 2]), "must be at least 1 and rise"),
        (dict(clusters=[]), "Numbers of clusters"),
        (dict(draws=1), "at least 2 draws"),
        (dict(draws=10**8), "at most 20,000,000 cells"),
    ],
)
def test_impossible_curves(options, message):
    with pytest.raises(InputError, match=message):
        axioms.chance_curve(measures_named(["V"]), **options)


def test_a_flat_curve_holds_within_its_error():
    curve = axioms.chance_curve(measures_named(["ARI", "V"]), clusters=(2, 4, 8), draws=50)
    outcome = check_chance(curve)
    assert outcome.held == {"ARI": 2, "V": 0} and outcome.total == {"ARI": 2, "V": 2}


def test_progress_and_cancel():
    seen = []
    axioms.study(["V"], progress=lambda *state: seen.append(state))
    assert [state[0] for state in seen] == sorted(state[0] for state in seen) and seen[-1][:2] == (12, 12)

    def cancel(done, total, what):
        if "random" in what:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        axioms.study(["V"], progress=cancel)
