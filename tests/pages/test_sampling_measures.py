"""The Sampling lab without a browser: measures on samples, and rankings."""

import re

import pytest

from evalcore import Contingency, score
from evalcore.sampling import Population, needed_sizes, ranking_errors, sample_scores, sampling_table, zipf
from pages.ui import sampling_measures, sampling_misranking
from pages.ui.state import pack, table_to_json
from tests.pages.sampling_lab import FOUR, change, figures, frame, lines, opened, run, title

# ---- measures ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", list(sampling_measures.PRESETS))
def test_measures_presets(name):
    app = opened(mode="Measures", repetitions=200, seed=2, noise=0.33, skew=2)
    app.selectbox(key="sampling._preset").set_value(name)
    run(app)
    assert app.selectbox(key="sampling._preset").value == name and not app.error
    assert len(figures(app)) == 3


def test_the_bands_are_those_of_the_samples():
    app = opened(mode="Measures", source="channel", clusters=8, noise=0.4, repetitions=200, seed=3, measure="NVI")
    main, histogram, clusters = figures(app)
    truth = Population.noisy_channel(zipf(5, 1), 8, 0.4)
    sizes, means = lines(main)["BUB"]
    table = sampling_table(truth, sizes, ["NVI"], ["BUB"], 200, 3)
    assert means == pytest.approx(table["mean"].tolist(), rel=1e-9)
    said = sampling_table(truth, [100], ["NVI"], FOUR, 200, 3).set_index("estimator")
    best = said.bias.abs().idxmin()
    assert title(main) == (
        f"True NVI is {truth.truth(['NVI'])['NVI']:.3f}; at N = 100 ML says {said['mean']['ML']:.3f}, "
        f"{best} {said['mean'][best]:.3f}"
    )
    scores = sample_scores(truth, 100, ["NVI"], FOUR, 200, 3)
    bars = {t["hovertemplate"].split(":")[0]: sum(t["customdata"]) for t in histogram["data"]}
    shown = sum(bars.values())
    outside = [c.value for c in app.caption if "outside the picture" in c.value]
    assert set(bars) == set(FOUR) and shown == scores.size - (int(outside[0].split()[0]) if outside else 0)
    assert set(lines(clusters)) == {*FOUR, "true"}


def test_the_closer_look_says_how_many_samples_lie_above_the_truth():
    app = opened(mode="Measures", source="random", repetitions=200, seed=3, at=143, estimators="JK,BUB")
    scores = sample_scores(Population.random_system(zipf(5, 1), 20), 143, ["V"], ["JK"], 200, 3)
    share = (scores["V", "JK"] > 0).mean()
    assert 0.01 < share < 0.99 and title(figures(app)[1]) == f"N = 143: {share:.0%} of JK samples exceed the truth"
    assert title(figures(opened(mode="Measures", repetitions=200))[1]) == "N = 100: all ML samples exceed the truth"
    below = opened(mode="Measures", measure="VI", repetitions=200)
    assert title(figures(below)[1]) == "N = 100: no ML sample exceeds the truth"
    endless = opened(mode="Measures", source="singletons", measure="VI", repetitions=200, estimators="JK")
    assert re.fullmatch(r"N = 100: JK between \d\.\d+ and \d\.\d+ in 90% of samples", title(figures(endless)[1]))


def test_one_per_instance_has_no_table_and_endless_measures_say_so():
    app = opened(mode="Measures", source="singletons", repetitions=200, measure="VI")
    alone = Population.one_per_instance(zipf(5, 1))
    mean = sampling_table(alone, [100], ["VI"], ["ML"], 200, 1)["mean"][0]
    assert title(figures(app)[0]) == f"VI grows without end with N; at N = 100 ML says {mean:.3f}"
    assert not any("Matrix lab" in button.label for button in app.button)


def test_ami_is_followed_with_fewer_samples():
    app = opened(mode="Measures", repetitions=1000, measure="AMI", classes=3, clusters=3)
    assert any("200 samples a size" in c.value and "AMI's true value is V's" in c.value for c in app.caption)
    assert set(lines(figures(app)[0])) == {"AMI"}


def test_a_matrix_of_the_papers_or_of_ones_own_is_the_truth():
    app = opened(mode="Measures", source="matrix", repetitions=200)
    assert title(figures(app)[0]).startswith("True V is 0.592")
    app.selectbox(key="sampling._matrix").set_value("Perfect")
    run(app)
    assert title(figures(app)[0]).startswith("True V is 1.000")
    own = pack(table_to_json(Contingency.from_matrix([[4, 1], [0, 5]])))
    app = opened(mode="Measures", source="matrix", table=own, table_name="mine", repetitions=200)
    assert app.selectbox(key="sampling._matrix").value == "mine"
    assert title(figures(app)[0]).startswith(f"True V is {score([[4, 1], [0, 5]], ['V'])['V']:.3f};")


def test_runs_beyond_the_limits_are_refused_before_they_start():
    app = opened(mode="Measures", classes=50, clusters=200, repetitions=5000)
    assert "their product may be 400,000,000" in app.error[0].value.replace("\\", "")
    app = opened(mode="Misranking", r_classes=50, r_clusters=100, repetitions=5000)
    assert "their product may be 400,000,000" in app.error[0].value.replace("\\", "")


def test_impossible_dom_settings_are_told():
    app = opened(mode="Measures", source="dom", eps1=0.9, eps2=0.9)
    assert app.error and "exceed 1" in app.error[0].value


# ---- misranking --------------------------------------------------------------------------------


def test_the_size_needed_is_evalcores():
    app = opened(mode="Misranking", repetitions=200, seed=5, measures="V,VI,ARI", estimators="ML,BUB")
    pair = {
        "Honest": Population.noisy_channel(zipf(5, 1), 5, 0.6),
        "Random": Population.random_system(zipf(5, 1), 60),
    }
    errors = ranking_errors(pair, sampling_misranking.SIZES, ["V", "VI", "ARI"], ["ML", "BUB"], 200, 5)
    needed = needed_sizes(errors).set_index(["measure", "estimator"]).needed
    table = frame(app, "measure").set_index("measure")
    assert table.loc["V", "ML"] == f"{needed['V', 'ML']:,.0f}" and table.loc["V", "BUB"] == f"{needed['V', 'BUB']:,.0f}"
    assert table.loc["ARI", "none"] == f"{needed['ARI', '']:,.0f}" and table.loc["ARI", "ML"] == ""
    assert table.loc["VI", "BUB"] == "≤ 10"
    sizes, wrong = lines(figures(app)[0])["ML"]
    mine = errors[(errors.measure == "V") & (errors.estimator == "ML")]
    assert list(sizes) == mine.n.tolist() and wrong == pytest.approx(mine.wrong.tolist())
    truths = frame(app, "system").set_index("system")
    assert truths.loc["Honest", "V ↑"] == "0.147" and truths.loc["Random", "V ↑"] == "0.000"


@pytest.mark.parametrize("name", list(sampling_misranking.PRESETS))
def test_misranking_presets(name):
    app = opened(mode="Misranking", repetitions=200, measures="V,ARI", r_noise=0.31)
    app.selectbox(key="sampling._preset").set_value(name)
    run(app)
    assert app.selectbox(key="sampling._preset").value == name and not app.error
    # of more than two systems it is pairs that are counted
    what = "put 95% of the pairs of these 4 in order" if name == "All four" else "rank these two right 95% of the time"
    assert what in title(figures(app)[0])


def test_solutions_of_the_tray_are_ranked_as_the_link_holds_them():
    good, bad = Contingency.from_matrix([[9, 1], [1, 9]]), Contingency.from_matrix([[5, 5], [5, 5]])
    both = pack({"good <b>": table_to_json(good), "bad": table_to_json(bad)})
    link = {"mode": "Misranking", "from": "tray", "repetitions": 200, "measures": "V,ARI", "ranked": both}
    app = opened(**link)
    assert frame(app, "system").system.tolist() == ["good <b>", "bad"]
    other = pack({"good": table_to_json(good), "odd": table_to_json(Contingency.from_matrix([[3, 1], [1, 9]]))})
    app = opened(**link | {"ranked": other})
    assert "other class sizes" in app.error[0].value
    app = opened(**{k: v for k, v in link.items() if k != "ranked"})
    assert any("tray is empty" in info.value for info in app.info)


def test_too_few_systems_or_measures_are_told():
    app = change(opened(mode="Misranking", repetitions=200, measures="V"), "multiselect", "systems", ["honest"])
    assert "at least two systems" in app.info[0].value
    app = opened(mode="Misranking", measures="purity")
    assert "none can be followed" in app.info[0].value
