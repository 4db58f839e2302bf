"""The Python that the Sampling lab offers runs, and gives the numbers that the page shows."""

import contextlib
import io

import pytest

from evalcore import Contingency
from evalcore.bias import bias_table
from evalcore.sampling import sampling_table, simulated_table
from pages.ui import (
    sampling_controls,
    sampling_entropy,
    sampling_maps,
    sampling_measures,
    sampling_misranking,
)
from pages.ui.style import DEFAULT_MEASURES


class Choices(dict):
    """A page as `code` sees it: the fields' defaults, but for what is given."""

    def __init__(self, part, **given):
        fields = (*sampling_controls.FIELDS, *sampling_maps.FIELDS, *part.FIELDS)
        super().__init__({field.name: field.default for field in fields} | given)
        self.estimators, self.measures, self.base = ["ML", "BUB"], list(DEFAULT_MEASURES), 2.0


def executed(snippet):
    names = {}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(snippet, names)
    return names


@pytest.mark.parametrize("dist", sampling_entropy.DISTRIBUTIONS)
def test_entropy_code_runs_and_gives_the_same_numbers(dist):
    page = Choices(sampling_entropy, dist=dist, check=True, repetitions=200, n=7, last=20)
    names = executed(sampling_entropy.code(page))
    p = sampling_entropy.distribution(*sampling_entropy.spec(page))
    expected = bias_table(p, [7], ["ML", "BUB"], base=2)
    assert names["exact"][names["exact"].n == 7].tail(2).bias.tolist() == expected.bias.tolist()
    drawn = simulated_table(p, [2], ["ML", "BUB"], 200, page["seed"], len(p), 2.0)
    assert names["simulated"].head(2)["mean"].tolist() == drawn["mean"].tolist()


@pytest.mark.parametrize("source", list(sampling_measures.SOURCES))
def test_measures_code_runs_and_gives_the_same_numbers(source):
    page = Choices(sampling_measures, source=source, repetitions=50, measure="VI")
    names = executed(sampling_measures.code(page))
    _, truth = sampling_measures.truth_of(page)
    expected = sampling_table(truth, [10], ["VI"], ["ML", "BUB"], 50, page["seed"], False, 2.0)
    assert names["table"].head(2)["mean"].tolist() == pytest.approx(expected["mean"].tolist(), rel=1e-9)


def test_misranking_code_runs_and_gives_the_same_numbers():
    page = Choices(sampling_misranking, systems=list(sampling_misranking.MADE), repetitions=30)
    page.measures = ["V", "AMI"]
    names = executed(sampling_misranking.code(page))
    _, systems = sampling_misranking.systems_of(page)
    mine = sampling_misranking.rank(systems, ["V", "AMI"], ["ML", "BUB"], 30, page["seed"], False, lambda *_: None)
    assert names["errors"].reset_index(drop=True).equals(mine)
    tables = {"a'": Contingency.from_matrix([[3, 1], [1, 3]]), "b": Contingency.from_matrix([[2, 2], [2, 2]])}
    page = Choices(sampling_misranking, repetitions=30, ranked=tables, **{"from": "tray"})
    page.measures = ["V"]
    assert list(executed(sampling_misranking.code(page))["systems"]) == ["a'", "b"]
