"""Co-occurrence counts: the type, known models, and files."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.clusterers import corpora
from evalcore.clusterers.counts import Cooccurrence, known_model, made
from evalcore.errors import InputError


def names(n, letter):
    return tuple(f"{letter}{i}" for i in range(n))


def refused(call, *words):
    with pytest.raises(InputError) as caught:
        call()
    message = str(caught.value)
    assert message.endswith(".") and "\n" not in message
    for word in words:
        assert word in message


# ---- the type ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n_nouns", "n_verbs", "count", "words"),
    [
        (1_001, 2, 1, ["1,001", "1,000 x 2,200"]),
        (2, 2_201, 1, ["2,201", "1,000 x 2,200"]),
        (1, 2, 1, ["two nouns"]),
        (2, 2, 0, ["no pairs"]),
        (2, 2, 6_000_000, ["24,000,000", "10,000,000"]),
    ],
)
def test_sizes_are_bounded(n_nouns, n_verbs, count, words):
    counts = np.full((n_nouns, n_verbs), count)
    refused(lambda: Cooccurrence(counts, names(n_nouns, "n"), names(n_verbs, "v")), *words)


def test_counts_are_checked():
    refused(lambda: Cooccurrence([[1, -1], [1, 1]], ("a", "b"), ("x", "y")), "negative")
    refused(lambda: Cooccurrence([[1, 0.5], [1, 1]], ("a", "b"), ("x", "y")), "whole")
    refused(lambda: Cooccurrence([[1, 1]], ("a", "b"), ("x", "y")), "2 nouns, 2 verbs")
    refused(lambda: Cooccurrence([[1, 1], [1, 1]], ("a", "b"), ("x", "y"), gold=("c",)), "1 classes for 2 nouns")


def test_nouns_without_a_class_are_not_scored():
    pairs = Cooccurrence(np.eye(3, dtype=int), names(3, "n"), names(3, "v"), gold=("a", None, "b"))
    assert pairs.contingency([0, 1, 1]).counts.tolist() == [[1, 0], [0, 1]]
    assert pairs.soft_contingency([[1, 0], [0.5, 0.5], [0.25, 0.75]]).counts.tolist() == [
        [1, 0],
        [0.25, 0.75],
    ]
    without = Cooccurrence(np.eye(3, dtype=int), names(3, "n"), names(3, "v"))
    refused(lambda: without.contingency([0, 1, 1]), "no classes")


@given(st.integers(0, 1000))
def test_held_out_pairs_are_taken_from_the_others(seed):
    pairs = made(sample_size=500, seed=3)
    kept, aside = pairs.held_out(0.3, seed)
    assert ((kept.counts + aside.counts) != pairs.counts).nnz == 0
    assert 90 < aside.n_pairs < 210  # 150 expected, standard deviation 10
    assert kept.gold == pairs.gold


# ---- known models ------------------------------------------------------------------------------


def test_a_known_model_is_a_distribution_with_the_classes_it_names():
    model = known_model(10, 7, 3, skew=1.2, frequency_skew=1.0, seed=5)
    assert model.truth.sum() == pytest.approx(1, abs=1e-14)
    assert model.gold == tuple("AAAABBBCCC")
    conditional = model.truth / model.truth.sum(axis=1, keepdims=True)
    for one, other in ((0, 3), (4, 6), (7, 9)):  # nouns of a class behave alike
        assert np.allclose(conditional[one], conditional[other])
    assert not np.allclose(conditional[0], conditional[4])
    weights = np.sort(model.truth.sum(axis=1))[::-1]
    assert np.allclose(weights, 1 / np.arange(1, 11) / (1 / np.arange(1, 11)).sum())


def test_relatives_are_nearer_than_strangers():
    model = known_model()
    p = model.truth[[0, 8, 16, 24]] * 32
    distance = np.abs(p[:, None] - p[None]).sum(axis=2)
    assert distance[0, 1] < min(distance[0, 2], distance[0, 3], distance[1, 2])
    assert distance[2, 3] < min(distance[0, 2], distance[0, 3], distance[1, 2])


def test_samples_follow_the_model_and_the_seed():
    model = known_model()
    sample = model.sample(200_000, seed=1)
    frequencies = sample.counts.toarray() / 200_000
    assert np.abs(frequencies - model.truth).max() < 5 * np.sqrt(model.truth.max() / 200_000)
    assert (sample.counts != model.sample(200_000, seed=1).counts).nnz == 0
    assert (sample.counts != model.sample(200_000, seed=2).counts).nnz > 0


@pytest.mark.parametrize(
    "options",
    [
        {"n_clusters": 0},
        {"n_clusters": 33},
        {"n_clusters": 21},
        {"skew": -1},
        {"n_nouns": 1_001},
        {"frequency_skew": 11},
        {"sample_size": 0},
    ],
)
def test_impossible_models_are_refused(options):
    refused(lambda: made(**options))


# ---- files -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "tea,drink,3\ncoal,burn,2\ntea,drink,1\ncoal,drink,0",
        "noun\tverb\tcount\r\ntea\tdrink\t4\r\ncoal\tburn\t2\r\n",
        "word context\ntea drink\ntea drink\ntea drink\ntea drink\ncoal burn\ncoal  burn",
        '"tea";"drink";4\n\ncoal;burn;2',
    ],
)
def test_pairs_are_read_with_or_without_header_and_count(text):
    pairs = corpora.read_pairs(text.encode(), "pairs.csv")
    assert (pairs.nouns, pairs.verbs) == (("coal", "tea"), ("burn", "drink"))
    assert pairs.counts.toarray().tolist() == [[2, 0], [0, 4]]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("tea,drink,3\ncoal,burn,x", ["pairs.csv, line 2", "'x'"]),
        ("tea,drink,3\ncoal,burn,-1", ["line 2", "'-1'"]),
        ("tea,drink,3\ncoal,burn,1.5", ["line 2"]),
        ("tea,drink,3\ncoal,,2", ["line 2", "verb is missing"]),
        ("tea,drink,3\ncoal,burn", ["line 2"]),
        ("a,b,c,d", ["4 cells"]),
        ("noun,verb,count", ["no pairs"]),
        ("tea,drink,3\ntea,buy,1", ["pairs.csv", "two nouns"]),
        ("tea,drink,0\ncoal,burn,0", ["no pairs"]),
        ("tea", ["1 cell"]),
    ],
)
def test_bad_pairs_are_refused_with_file_and_line(text, words):
    refused(lambda: corpora.read_pairs(text.encode(), "pairs.csv"), *words)


def test_too_many_nouns_are_refused_clearly():
    text = "\n".join(f"n{i},v,1" for i in range(1_001))
    refused(lambda: corpora.read_pairs(text.encode(), "pairs.csv"), "pairs.csv", "1,001", "1,000 x 2,200")


def test_classes_are_read_and_joined():
    pairs = corpora.read_pairs(b"tea,drink,3\ncoal,burn,2\ngas,burn,1", "p.csv")
    classes = corpora.read_classes(b"noun,class\ntea,beverage\ncoal,fuel\nwine,beverage", "c.csv")
    assert corpora.with_classes(pairs, classes).gold == ("fuel", None, "beverage")
    refused(lambda: corpora.with_classes(pairs, {"wine": "x"}), "None of the nouns")
    refused(lambda: corpora.read_classes(b"tea,a\ntea,b", "c.csv"), "c.csv, line 2", "'tea'")
    refused(lambda: corpora.read_classes(b"tea,a,b", "c.csv"), "c.csv, line 1")


TEXT = "The cat sat. The dog sat on the cat's mat!\n\nDon't sit - the well-known mat"


def test_neighbours_are_counted_within_sentences():
    frame = corpora.count_text(TEXT).to_frame()
    expected = {
        ("the", "cat"): 1,
        ("cat", "sat"): 1,
        ("the", "dog"): 1,
        ("dog", "sat"): 1,
        ("sat", "on"): 1,
        ("on", "the"): 1,
        ("the", "cat's"): 1,
        ("cat's", "mat"): 1,
        ("don't", "sit"): 1,
        ("sit", "the"): 1,
        ("the", "well-known"): 1,
        ("well-known", "mat"): 1,
    }
    found = {(noun, verb): n for noun, row in frame.iterrows() for verb, n in row.items() if n}
    assert found == expected


def test_a_window_looks_both_ways():
    frame = corpora.count_text("a b c d.", window=2).to_frame()
    assert frame.loc["a"].to_dict() == {"a": 0, "b": 1, "c": 1, "d": 0}
    assert frame.loc["c"].to_dict() == {"a": 1, "b": 1, "c": 0, "d": 1}
    assert (frame.values == frame.values.T).all()


def test_the_most_frequent_words_are_kept():
    text = "x a. x a. x b. y a. y a. z c."
    frame = corpora.count_text(text, most_nouns=2, most_verbs=2).to_frame()
    assert (frame.index.tolist(), frame.columns.tolist()) == (["x", "y"], ["a", "b"])
    assert frame.values.tolist() == [[2, 1], [2, 0]]


@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        ("", {}, ["fewer than two words"]),
        ("one", {}, ["fewer than two words"]),
        ("one. two. three.", {}, ["side by side"]),
        ("one two", {"window": 0}, ["between 1 and 10"]),
        ("one two", {"most_nouns": 1_001}, ["1,000"]),
        ("one two", {"most_verbs": 2_201}, ["2,200"]),
        ("a b a", {"most_nouns": 2}, []),
    ],
)
def test_texts_that_cannot_be_counted_are_refused(text, options, words):
    if not words:
        assert corpora.count_text(text, **options).n_pairs == 2
        return
    refused(lambda: corpora.count_text(text, **options), *words)
