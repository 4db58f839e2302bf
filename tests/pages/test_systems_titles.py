"""Titles of the Systems page's figures say what is seen, whatever is seen."""

import math
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from evalcore.parametric import dom
from evalcore.ranking import Board, Column, Doubt, agreement
from pages.ui.systems_doubt import interval_title
from pages.ui.systems_doubt_figures import interval_figure, win_map
from pages.ui.systems_figures import agreement_map, clusters_against_change, word_differences
from tests.pages.test_systems import opened, title

TWO = (Column("V", "ML"), Column("V", "BUB"))
NONE = math.nan


def board(values, clusters=None, columns=TWO):
    values = np.array(values, dtype=float)
    systems = tuple(f"s{i}" for i in range(len(values)))
    return Board(systems, columns, values, np.array(clusters or range(2, 2 + len(values)), dtype=float))


@pytest.mark.parametrize(
    "values, says",
    [
        ([[3, 3], [2, 1], [1, 2]], "V-ML and V-BUB agree least: τ = 0.33"),
        ([[3, 3], [2, 2], [1, 1]], "All columns that can be compared rank alike: τ = 1"),
        ([[3, 3]], "There are no two ranks to compare"),
        ([[3, NONE], [2, NONE]], "There are no two ranks to compare"),
    ],
)
def test_agreement(values, says):
    assert agreement_map(agreement(board(values)), "tau")[0].layout.title.text == says


def test_agreement_of_one_column():
    alone = board([[1], [2]], columns=TWO[:1])
    assert agreement_map(agreement(alone), "tau")[0].layout.title.text == "There is one column only"


@pytest.mark.parametrize(
    "values, clusters, says",
    [
        ([[3, 1], [2, 2], [1, 3]], [9, 5, 2], "From V-ML to V-BUB, systems with many clusters lose ranks (τ = −1.00)"),
        ([[1, 3], [2, 2], [3, 1]], [9, 5, 2], "From V-ML to V-BUB, systems with many clusters gain ranks (τ = 1.00)"),
        ([[3, 3], [2, 2]], [9, 5], "From V-ML to V-BUB, no system changes its rank"),
        ([[3, 1], [1, 3]], [4, 4], "From V-ML to V-BUB, ranks change among systems with the same number of clusters"),
        ([[3, NONE], [1, NONE]], [4, 5], "No system has a rank by both V-ML and V-BUB"),
    ],
)
def test_change_against_clusters(values, clusters, says):
    figure, data = clusters_against_change(board(values, clusters), "V-ML", "V-BUB", "s0")
    assert figure.layout.title.text == says and np.isfinite(figure.layout.xaxis.range).all()
    assert len(data) == sum(not math.isnan(row[1]) for row in values)


@pytest.mark.parametrize("view", ["Ranks", "Agreement", "Clusters", "Doubt", "Words"])
def test_solutions_with_fractions_can_be_seen_in_every_view(view):
    parts = {"a": dom(3, 2, 1, 1, 0.1, 0.2, 0.15, n=61), "b": dom(3, 5, 1, 1, 0.1, 0.2, 0.1, n=77)}
    tray = [SimpleNamespace(name=name, table=table, origin="") for name, table in parts.items()]
    app = opened(tray=tray, source="tray", e="ML,BUB", view=view)  # BUB counts items, so it ranks none of them
    if view == "Ranks":
        assert title(app) == "V-ML puts b first"
    if view == "Clusters":
        assert title(app) == "No system has a rank by both V-ML and V-BUB"


def test_wins():
    def doubt(replicates):
        replicates = np.array(replicates, dtype=float)
        size = replicates.shape[1]
        return Doubt(tuple("abc"[:size]), Column("V"), replicates.mean(axis=0), replicates, np.zeros(size))

    figure, _ = win_map(doubt([[3, 1, 1]] * 40))
    assert figure.layout.title.text == "2 of 3 pairs of systems can be told apart"
    assert "ties count half" in figure.layout.xaxis.title.text
    said = figure.data[0].customdata
    assert said[0][1] == said[1][0] == "a is better than b by V, in all of the resamples."
    assert said[1][2] == "b and c cannot be told apart by V: they tie in all of the resamples." and said[0][0] == ""
    close = [[2, 1]] * 97 + [[1, 2]] * 3
    assert win_map(doubt(close))[0].layout.title.text == "0 of 1 pairs of systems can be told apart"
    assert win_map(doubt([[1], [2]]))[0].layout.title.text == "There is one system only"


def test_intervals():
    replicates = np.array([[3, 2, 1]] * 30 + [[2, 3, 1]] * 30, dtype=float)
    doubt = Doubt(("a", "<b>", "c"), Column("V"), np.array([2.6, 2.5, 1]), replicates, np.zeros(3))
    figure, _ = interval_figure(doubt, "so")
    assert list(figure.layout.yaxis.ticktext) == ["a  1–2", "&lt;b&gt;  1–2", "c  3"]  # ranks beside names
    assert interval_title("V-BUB", 2, 3) == "2 of 3 neighbours on the board cannot be told apart by V-BUB"
    assert interval_title("V-BUB", 0, 3) == "All neighbours on the board can be told apart by V-BUB"
    assert interval_title("V-BUB", 0, 0) == "V-BUB of the one system there is"


def test_words_on_which_two_tie_are_not_counted():
    words = pd.DataFrame({"word": list("xyz"), "n": 1.0, "a": [0.5, 0.2, 0.2], "b": [0.1, 0.2, 0.3]})
    figure = word_differences(words.assign(better=words.a - words.b), "A", "B", "V-ML", "x")
    assert figure.layout.title.text == "A against B by V-ML: ahead on 1 of 3 words, behind on 1"
