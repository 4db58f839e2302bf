"""The properties P1-P7 on the grid, against the published and checked counts and against exact arithmetic."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

import evalcore as ec
from evalcore import InputError
from evalcore.checks import SHOWN, rates
from evalcore.parametric import Setting, blocks, dom, score_settings
from evalcore.properties import PROPERTIES, Grid, beside_published, study
from evalcore.sweeps import sweep

DENOMINATORS = {"P1": 9408, "P2": 18816, "P3": 20160, "P4": 23520, "P5": 23520, "P6": 20160, "P7": 23520}


@pytest.fixture(scope="module")
def default():
    return study()


def test_denominators(default):
    for key, outcome in default.outcomes.items():
        assert set(outcome.total.values()) == {DENOMINATORS[key], 0}


@pytest.mark.parametrize("name", ["V", "VI", "Q0"])
def test_three_measures_have_all_seven_everywhere(default, name):
    assert {key: outcome.held[name] for key, outcome in default.outcomes.items()} == DENOMINATORS


def test_checked_counts(default):
    held = {key: outcome.held for key, outcome in default.outcomes.items()}
    assert (held["P3"]["FM"], held["P2"]["Rand"], held["P6"]["NVI"]) == (6215, 14092, 9973)
    assert held["P6"]["VI"] == DENOMINATORS["P6"]


def test_functions_of_each_other_have_the_same_rates(default):
    for held in (outcome.held for outcome in default.outcomes.values()):
        assert held["Rand"] == held["Mirkin"] == held["Mirkin_n"]
        assert held["V"] == held["NMI"] == held["NMI_joint"] and held["VI"] == held["VI_logN"]
        assert held["one_to_one"] == held["H"] == held["misclassification"] == held["CEAF_m"]
        assert held["Jaccard"] == held["pair_F"] and held["purity"] == held["micro_P"] == held["micro_R"]


def test_every_measure_of_a_table_takes_part(default):
    assert [m.name for m in default.measures] == [m.name for m in ec.MEASURES.values() if m.needs != "split"]
    for outcome in default.outcomes.values():
        assert (
            set(outcome.unjudged) == {"AMI", "AMI_max"} == {name for name, total in outcome.total.items() if not total}
        )


@pytest.mark.parametrize("tolerance", [1e-13, 1e-10])
def test_counts_do_not_hang_on_the_tolerance(tolerance):
    """Changes are either real or roundoff; nothing lies between."""
    outcomes = study(Grid(tolerance=tolerance), ["FM", "Rand", "NVI", "V"]).outcomes
    assert (outcomes["P3"].held["FM"], outcomes["P2"].held["Rand"], outcomes["P6"].held["NVI"]) == (
        6215,
        14092,
        9973,
    )


def exact_pairs(setting):
    """Rand and the square of FM as rationals, pairs counted as squares, from integer masses."""
    kind = blocks(*setting[:4])
    eps = [round(1000 * x) for x in setting[4:7]]
    placed = [mass if (kind == error).any() else 0 for error, mass in zip((1, 2, 3), eps)]
    sizes = [max(int((kind == error).sum()), 1) for error in range(4)]
    scale = math.lcm(*sizes)
    share = [mass * scale // size for mass, size in zip([1000 - sum(placed), *placed], sizes)] + [0]
    table = np.array(share, dtype=object)[kind]
    both = int((table**2).sum())
    classes, clusters = int((table.sum(axis=1) ** 2).sum()), int((table.sum(axis=0) ** 2).sum())
    return 1 - Fraction(classes + clusters - 2 * both, (1000 * scale) ** 2), Fraction(both * both, classes * clusters)


def test_rand_p2_and_fm_p3_in_exact_arithmetic():
    axes, found = Grid().axes, {}
    for values in itertools.product(*axes.values()):
        found[values] = exact_pairs((5, *values, 1))

    def worse(position, measure, start=0):
        neighbours = list(zip(list(axes.values())[position], list(axes.values())[position][1:]))
        return sum(
            found[(*v[:position], after, *v[position + 1 :])][measure] < found[v][measure]
            for v in found
            for before, after in neighbours
            if v[position] == before and v[position] >= start and (position == 0 or v[4] > 0)
        )

    assert worse(0, 0, start=5) == 14092  # Rand, useful clusters from 5 up
    assert worse(1, 1) == 6215  # FM, noise clusters, eps2 > 0


def score_of(table, name):
    return ec.score(table, [name], pairs="asymptotic").iloc[0]


@pytest.mark.parametrize("key", list(PROPERTIES))
def test_every_counterexample_is_one(default, key):
    check, outcome = PROPERTIES[key], default.outcomes[key]
    for measure in default.measures:
        shown = outcome.counterexamples(measure.name)
        failures = outcome.total[measure.name] - outcome.held[measure.name]
        assert bool(shown) == bool(failures) and len(shown) <= min(failures, SHOWN)
        for found in shown:
            (before, after), (first, second) = (
                found.tables.values(),
                (score_of(t, measure.name) for t in found.tables.values()),
            )
            assert [first, second] == pytest.approx(list(found.scores.values()), abs=1e-12, rel=1e-12)
            gain = (second - first) * (1 if measure.higher_is_better else -1)
            margin = 1e-11 * max(1, abs(first))
            assert gain <= margin if check.improves else gain >= -margin
            assert found.wrong_by == pytest.approx(max(0, -gain if check.improves else gain), abs=margin)
            assert before.n == pytest.approx(1000) == after.n
        tables = [tuple(t.counts.tobytes() for t in found.tables.values()) for found in shown]
        assert len(set(tables)) == len(tables)  # no case is shown twice
        assert all(worse.wrong_by > less.wrong_by - 1e-8 for worse, less in itertools.pairwise(shown))


def test_the_worst_comes_first(default):
    outcome = default.outcomes["P6"]
    before, after, _ = default.grid.steps(PROPERTIES["P6"])
    column = [m.name for m in default.measures].index("NVI")
    scores = score_settings(default.grid.settings, default.measures)
    fall = scores[before, column] - scores[after, column]
    worst = outcome.counterexamples("NVI", 1)[0]
    assert worst.wrong_by == pytest.approx(fall.max())
    assert worst.says.startswith("NVI should get worse, but it goes from 1.881 to 1.818, better by")
    assert list(worst.tables) == ["noise classes = 1", "noise classes = 2"]


def test_a_small_grid_counted_one_by_one():
    """All neighbours, by dom() and score() alone."""
    grid = Grid(3, (2, 3, 4), (0, 1, 2), (0, 1), (0.0, 0.1), (0.0, 0.2), (0.0, 0.1), n=100)
    names = ["V", "NVI", "FM", "Rand", "purity", "F", "BCubed_F", "Q2"]
    outcomes = study(grid, names).outcomes
    parameters = list(grid.axes)
    scores = {v: ec.score(dom(3, *v, n=100), names, pairs="asymptotic") for v in itertools.product(*grid.axes.values())}
    held = {key: dict.fromkeys(names, 0) for key in PROPERTIES}
    for v, name in itertools.product(scores, names):
        ku, kn, cn, _, e2, e3 = v
        for position, parameter in enumerate(parameters):
            values = grid.axes[parameter]
            at = values.index(v[position])
            if at + 1 == len(values):
                continue
            other = (*v[:position], values[at + 1], *v[position + 1 :])
            gain = (scores[other][name] - scores[v][name]) * (1 if ec.MEASURES[name].higher_is_better else -1)
            if parameter == "useful_clusters":
                held["P1" if ku < 3 else "P2"][name] += bool(gain > 1e-12 if ku < 3 else gain < -1e-12)
            elif parameter == "noise_clusters" and e2 > 0:
                held["P3"][name] += bool(gain < -1e-12)
            elif parameter == "eps1":
                held["P4"][name] += bool(gain < -1e-12)
            elif parameter == "eps2":
                held["P5"][name] += bool(gain < -1e-12 if kn else gain <= 1e-12)
            elif parameter == "noise_classes" and e3 > 0:
                held["P6"][name] += bool(gain < -1e-12)
            elif parameter == "eps3":
                held["P7"][name] += bool(gain < -1e-12 if cn else gain <= 1e-12)
    assert {key: outcome.held for key, outcome in outcomes.items()} == held


def test_whole_counts_let_ami_take_part():
    grid = Grid(useful_clusters=(4, 5, 6), noise_clusters=(0, 1, 2), noise_classes=(0, 1), n=100_000, whole=True)
    outcomes = study(grid, ["AMI", "V", "FM"]).outcomes
    assert all(outcome.total["AMI"] == outcome.held["AMI"] == outcome.total["V"] for outcome in outcomes.values())
    found = outcomes["P3"].counterexamples("FM", 1)[0]
    assert all(table.is_whole and table.n == 100_000 for table in found.tables.values())
    before, after = (ec.score(table, ["FM"]).iloc[0] for table in found.tables.values())
    assert after >= before and list(found.scores.values()) == pytest.approx([before, after])


def test_published_rates(default):
    both = beside_published(default)
    assert len(both) == 63
    agree = both.groupby("measure").agrees.sum().to_dict()
    assert agree == {
        "V": 7,
        "VI": 7,
        "Q0": 7,
        "Gamma": 5,
        "F": 4,
        "FM": 4,
        "Jaccard": 4,
        "Mirkin": 1,
        "Rand": 1,
    }
    printed = both.pivot(index="check", columns="measure", values="published")
    assert (printed.Rand != printed.Mirkin).any()  # the contradiction that the note speaks of


def test_rates_table(default):
    table = rates(list(default.outcomes.values()))
    assert len(table) == 7 * len(default.measures)
    row = table.query("check == 'P3' and measure == 'FM'").iloc[0]
    assert row.rate == 6215 / 20160
    assert table.query("measure == 'AMI'").rate.isna().all()


@pytest.mark.parametrize(
    "changes, message",
    [
        (dict(eps1=(0.1, 0.0)), "The values of eps1 must rise"),
        (dict(noise_classes=()), "The range of noise_classes is empty"),
        (dict(eps1=(0.0, 0.9)), "the error mass cannot exceed 1"),
        (dict(eps2=(-0.1, 0.1)), "eps2 must lie between 0 and 1"),
        (dict(useful_clusters=(0, 1)), "useful clusters must be a whole number of at least 1"),
        (dict(n_classes=0), "useful classes"),
        (dict(tolerance=1), "The tolerance must lie between 0 and 1"),
        (dict(n=10.5, whole=True), "Whole counts need a whole n"),
        (dict(n=0), "n must be a positive number"),
        (dict(useful_clusters=tuple(range(1, 80))), "the limit is 100,000 tables"),
        (dict(noise_clusters=tuple(range(0, 700, 100))), "20,000,000 cells together"),
    ],
)
def test_impossible_grids(changes, message):
    with pytest.raises(InputError) as caught:
        Grid(**changes)
    assert message in str(caught.value)


def test_the_study_can_be_cancelled():
    def cancel(done, total, what):
        raise KeyboardInterrupt(what)

    with pytest.raises(KeyboardInterrupt, match="scoring tables of"):
        study(progress=cancel)


# ---- sweeps ------------------------------------------------------------------------------------


def test_a_sweep_scores_what_it_says():
    result = sweep(
        Setting(5, 5, 2, 1, 0.1, 0.1, 0.1),
        {"eps1": (0, 0.1, 0.2), "noise_clusters": (0, 1, 2)},
        ["V", "Rand"],
    )
    assert result.scores.shape == (3, 3, 2)
    for i, j in itertools.product(range(3), range(3)):
        table = dom(5, 5, j, 1, (0, 0.1, 0.2)[i], 0.1, 0.1, 1000)
        assert result.scores[i, j] == pytest.approx([score_of(table, "V"), score_of(table, "Rand")], abs=1e-12)
    frame = result.to_frame()
    assert len(frame) == 18 and frame[frame.measure == "V"].score.tolist() == result.scores[..., 0].ravel().tolist()


def test_a_sweep_marks_the_steps_that_the_study_counts(default):
    """Along every line of the grid: the same verdicts."""
    rng = np.random.default_rng(0)
    names = ["NVI", "FM", "Rand", "purity", "c", "Q2"]
    scores = score_settings(default.grid.settings, [ec.MEASURES[name] for name in names])
    for key, check in PROPERTIES.items():
        before, after, _ = default.grid.steps(check)
        for case in rng.integers(0, len(before), 5):
            ends = [default.grid.settings[check.parameter].iloc[row] for row in (before[case], after[case])]
            line = sweep(default.grid.setting(before[case]), {check.parameter: ends}, names)
            gain = scores[after[case]] - scores[before[case]]
            gain *= [1 if ec.MEASURES[name].higher_is_better else -1 for name in names]
            step = line.expected[check.parameter][1]
            assert step in ((1,) if key in ("P1",) else (-1, 0) if key in ("P5", "P7") else (-1,))
            expected_wrong = {1: gain <= 1e-12, -1: gain >= -1e-12, 0: gain > 1e-12}[step]
            assert line.wrong[check.parameter][1].tolist() == expected_wrong.tolist()


def test_a_sweep_over_sizes_expects_nothing():
    result = sweep(Setting(5, 6, 1, 1, 0.1, 0.1, 0.1), {"n": (10, 100, 1000)}, ["Q0", "V"], whole=True)
    assert not result.expected["n"].any() and not result.wrong["n"].any() and np.isfinite(result.scores).all()


def test_a_sweep_leaves_out_the_impossible():
    result = sweep(Setting(eps2=0.3, noise_clusters=1), {"eps1": (0, 0.1, 0.2, 0.9)}, ["V"])
    assert result.impossible == 1 and np.isnan(result.scores[:, 0]).tolist() == [False, False, False, True]
    assert not result.wrong["eps1"].any()


@pytest.mark.parametrize(
    "values, message",
    [
        ({"eps9": (0, 1)}, "'eps9' is no parameter"),
        ({"eps1": (0.2, 0.1)}, "must rise"),
        ({"eps1": ()}, "must rise"),
        ({}, "not 0"),
        ({"eps1": (0, 1), "eps2": (0, 1), "eps3": (0, 1)}, "one or two parameters, not 3"),
        ({"eps1": np.linspace(0, 1, 20_000)}, "at most 10,000 points"),
        ({"eps1": (1.1, 1.2)}, "at every point"),
    ],
)
def test_impossible_sweeps(values, message):
    with pytest.raises(InputError, match=message):
        sweep(Setting(), values, ["V"])
