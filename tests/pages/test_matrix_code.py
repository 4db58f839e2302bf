"""The Matrix lab as Python: its snippet prints the numbers of the panel that is open."""

import numpy as np
import pandas as pd

from evalcore import Contingency
from evalcore.disagreement import find
from evalcore.whatif import disagreements
from pages.ui.matrix_whatif import with_new_cluster
from pages.ui.state import pack, table_to_json
from tests.pages.visit import choose, figures, open_popover, unpacked, visit

SMALL = Contingency.from_matrix([[5, 1, 0], [1, 4, 2]])


def at(table, **link):
    return visit("matrix", table=pack(table_to_json(table)), **link)


def printed_by(app) -> list:
    """What the page's snippet prints, as values."""
    lines = []
    exec(open_popover(app, "python").code[-1].value, {"print": lambda *values: lines.append(values)})
    return lines


def test_the_snippet_has_the_moves():
    app = at(SMALL, panel="what if", measure="VI", second="ARI", base="bits")
    *_, (change,), (quarrels,) = printed_by(app)
    choose(app, "selectbox", "matrix.source", "2,3")
    np.testing.assert_allclose(np.array(unpacked(figures(app)[2])["data"][0]["y"], dtype=float), change[1, 2])
    pd.testing.assert_frame_equal(quarrels, disagreements(with_new_cluster(SMALL), "VI", "ARI", base=2))


def test_the_snippet_has_the_moves_from_one_cluster_of_a_large_table():
    table = Contingency.from_matrix(np.random.default_rng(1).poisson(2, (30, 30)) + 9 * np.eye(30, dtype=int))
    *_, (change,), (quarrels,) = printed_by(at(table, panel="what if", cluster="k3"))
    assert set(quarrels["from"]) == {"k3"} and np.isnan(change[:, 0]).all() and np.isfinite(change[2, 2, 5])


def test_the_snippet_has_splits_merges_and_what_was_found():
    app = at(SMALL, panel="split and merge", cluster="k2", measures="VI")
    *_, (by_split,), (by_merge,) = printed_by(app)
    shown = {frame.value.columns[0]: frame.value for frame in app.dataframe}
    np.testing.assert_allclose(by_split["VI"], shown["off"]["VI"])
    np.testing.assert_allclose(sorted(by_merge["VI"]), sorted(shown["pair"]["VI"]))
    app = at(SMALL, panel="disagreement", sizes="3, 3")
    assert printed_by(app)[-1][0] == find("V", "NVI", (3, 3), seed=1).pair
    many = Contingency.from_matrix(np.ones((60, 300), dtype=int))  # more merges than can be tried
    assert all("merge" not in str(values) for values in printed_by(at(many, panel="split and merge")))
    assert printed_by(at(SMALL, panel="disagreement", sizes="many"))
