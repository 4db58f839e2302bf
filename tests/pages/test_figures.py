"""Figures: the mosaic shows the table, names are data, and every figure can be taken home."""

import io

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from evalcore import Contingency
from pages.ui import figures
from pages.ui.style import class_colour
from tests.pages.visit import figures as drawn

TABLE = Contingency.from_matrix([[7, 1, 0, 0], [1, 5, 0, 2]], ["a", "b"], ["x", "y", "empty", "z"])


def test_the_mosaic_is_the_table():
    fig, data = figures.mosaic(TABLE, "Title")
    (bars,) = fig.data
    cells = [(0, 0), (0, 1), (1, 0), (1, 1), (1, 3)]
    sizes = TABLE.cluster_sizes
    assert list(bars.width) == [sizes[j] for _, j in cells]
    np.testing.assert_allclose(bars.y, [TABLE.counts[i, j] / sizes[j] for i, j in cells])
    assert list(bars.marker.color) == [class_colour(i) for i, _ in cells]
    # stacked: a class begins where the one above it in the table ends, and each cluster is filled
    np.testing.assert_allclose(bars.base, [0, 0, 7 / 8, 1 / 6, 0])
    tops = pd.Series(np.add(bars.base, bars.y)).groupby(list(bars.x)).max()
    np.testing.assert_allclose(tops, 1)
    # clusters do not overlap, and the empty one has no place
    starts = sorted(set(bars.x))
    assert len(starts) == 3
    assert all(start + size < after for start, size, after in zip(starts, (8, 6), starts[1:]))
    assert list(fig.layout.xaxis.ticktext) == ["x", "y", "z"]
    assert [tuple(c) for c in bars.customdata][1] == ("a", "y", "1", "6")
    assert data["count"].tolist() == TABLE.counts.ravel().tolist()
    assert data.iloc[3].tolist() == ["a", "z", 0]


def test_the_mosaic_of_fractions_says_them():
    fig, _ = figures.mosaic(Contingency.from_matrix([[0.25, 1], [0.5, 2]]), "Title")
    assert [tuple(c) for c in fig.data[0].customdata][0] == ("c1", "k1", "0.250", "0.750")


@pytest.mark.parametrize(("clusters", "named"), [(30, True), (31, False), (100, False), (400, False)])
def test_many_clusters_are_counted_instead_of_named(clusters, named):
    fig, _ = figures.mosaic(Contingency.from_matrix(np.ones((2, clusters), int)), "Title")
    assert len(fig.layout.xaxis.ticktext) == (clusters if named else 0)
    assert named or f"{clusters} clusters" in fig.layout.xaxis.title.text
    assert len(fig.data[0].x) == 2 * clusters


def test_names_are_data_in_a_figure():
    table = Contingency.from_matrix([[1, 2]], ["<b>%{y}</b>"], ["<a href='x'>&amp;", "%{x}"])
    (bars,) = figures.mosaic(table, "Title")[0].data
    assert "%{y}" not in bars.hovertemplate  # it would be filled in
    assert bars.customdata[0][0] == "&lt;b&gt;%{y}&lt;/b&gt;"
    assert bars.customdata[0][1] == "&lt;a href='x'&gt;&amp;amp;"


def test_the_house_style_can_be_changed_where_a_figure_asks_for_it():
    fig = figures.figure(
        "Title", "x name", "y name", 300, [dict(type="bar", y=[1])], margin=dict(l=1), xaxis=dict(type="category")
    )
    assert (fig.layout.title.text, fig.layout.height, fig.layout.margin.l) == ("Title", 300, 1)
    assert (fig.layout.xaxis.type, fig.layout.xaxis.title.text, fig.layout.yaxis.title.text) == (
        "category",
        "x name",
        "y name",
    )
    assert (fig.layout.xaxis.zeroline, fig.layout.showlegend, len(fig.data)) == (False, False, 1)
    figures.label_line(fig, 1, 2, "V", "#123456")
    assert fig.layout.annotations[0].text == "<b>V</b>"


def test_csv_starts_no_formula_and_keeps_numbers():
    data = pd.DataFrame({"=name": ["=1+1", "-a", "@b", "+c", "\td", "plain", 'say "hi", you'], "n": [-1, 2, 3, 4, 5, 6, 7],
                         "x": [-0.5, 1e-17, 3, 4, 5, 6, np.nan]})  # fmt: skip
    text = figures.csv(data)
    back = pd.read_csv(io.StringIO(text))
    assert back.columns.tolist() == ["'=name", "n", "x"]
    assert back["'=name"].tolist() == ["'=1+1", "'-a", "'@b", "'+c", "'\td", "plain", 'say "hi", you']
    assert back["n"].tolist() == data["n"].tolist()
    np.testing.assert_array_equal(back["x"], data["x"])  # to the last digit
    assert data.columns[0] == "=name"  # what was given is not changed


def test_csv_with_mixed_columns_and_names_that_are_numbers():
    data = pd.DataFrame([[1, "=x"], ["-y", 2]], columns=[3, 4])
    assert figures.csv(data).splitlines() == ["3,4", "1,'=x", "'-y,2"]


PAGE = """
import pandas as pd, streamlit as st
from pages.ui.figures import figure, show
show(figure("5 &lt; 6 &amp; <b>bold</b>", data=[dict(type="bar", y=[1, 2])]), pd.DataFrame({"a": [1]}), key="f", file="five")
show(figure("Title", data=[dict(type="bar", y=[1, 2])]), pd.DataFrame({"a": [1]}), key="g", file="six", alt="Six bars")
"""


def test_a_figure_comes_with_its_downloads_and_words_for_those_who_do_not_see_it():
    app = AppTest.from_string(PAGE, default_timeout=30).run()
    assert not app.exception
    charts = [element.proto for element in app.get("plotly_chart")]
    assert [chart.alt.split() for chart in charts] == [["5", "<", "6", "&", "bold"], ["Six", "bars"]]
    assert '"toImage"' in charts[0].config and '"five"' in charts[0].config
    assert [button.key for button in app.download_button] == ["f.figure-csv", "g.figure-csv"]
    assert drawn(app)[1]["layout"]["title"]["text"] == "Title"
