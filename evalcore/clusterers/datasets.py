"""Items with features and classes: scikit-learn's data sets, texts as tf-idf, and tables from files."""

import importlib
import queue
import socket
import threading
import warnings
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..delimited import check_widths, find_separator, read_rows
from ..errors import InputError
from ..text import quoted, read_lines, title

LARGEST_ITEMS, LARGEST_FEATURES = 10_000, 2_000
TOPICS = 100  # dimensions that tf-idf vectors are reduced to
PATIENCE, LONGEST_DOWNLOAD = 20.0, 180.0  # seconds to wait for a server to say anything, and for all of it
BUNDLED = {
    "digits": "handwritten digits",
    "iris": "iris flowers",
    "wine": "wines",
    "breast cancer": "breast cancer",
}
NAMES = {**BUNDLED, "20 newsgroups": "20 newsgroups"}
Progress = Callable[[int, int, str], None]
CLASS_COLUMNS = {"class", "label", "gold", "target", "category"}


@dataclass(frozen=True, eq=False)
class Items:
    """Items as points, with their classes."""

    name: str
    X: np.ndarray
    gold: np.ndarray
    note: str  # how the features were made

    def __post_init__(self):
        n, features = self.X.shape
        if n > LARGEST_ITEMS or features > LARGEST_FEATURES:
            raise InputError(
                f"{self.name}: {n:,} items with {features:,} features are too many; the limit is "
                f"{LARGEST_ITEMS:,} with {LARGEST_FEATURES:,}."
            )
        if n < 2:
            raise InputError(f"{self.name}: there must be at least two items.")


def scikit_learn(module: str):
    """A module of scikit-learn, or of what it brings along; evalcore alone does not need it."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise InputError("This takes the package scikit-learn, which is not installed.") from None


def load(name: str, progress: Progress | None = None) -> Items:
    """A data set that scikit-learn ships, or 20 newsgroups, which it downloads; progress may raise to cancel.

    >>> load("iris").X.shape
    (150, 4)
    """
    if name == "20 newsgroups":
        return newsgroups(progress=progress)
    if name not in BUNDLED:
        raise InputError(f"There is no data set called {quoted(name)}; there are {', '.join(NAMES)}.")
    found = getattr(scikit_learn("sklearn.datasets"), "load_" + name.replace(" ", "_"))()
    gold = np.asarray(found.target_names)[found.target].astype(str)
    if name == "digits":
        return Items(name, found.data.astype(float), gold, "64 pixels, as they are")
    return Items(name, standardised(found.data), gold, "features standardised to mean 0 and variance 1")


def newsgroups(most: int = 2_000, seed: int = 0, progress: Progress | None = None) -> Items:
    """Posts of the 20 newsgroups (the test part, without headers, footers and quotes), as tf-idf."""
    fetch = scikit_learn("sklearn.datasets").fetch_20newsgroups
    options = {"subset": "test", "remove": ("headers", "footers", "quotes")}
    try:
        found = fetch(**options, download_if_missing=False)
    except OSError:
        found = _downloaded(lambda: fetch(**options, n_retries=1), progress)
    chosen = np.sort(np.random.default_rng(seed).permutation(len(found.data))[:most])
    names = np.asarray(found.target_names)[found.target[chosen]]
    return documents([found.data[i] for i in chosen], names, "20 newsgroups")


def _downloaded(fetch, progress):
    """What fetch gives. It runs beside, so that a server that does not answer keeps nobody from cancelling."""
    before, got = socket.getdefaulttimeout(), queue.SimpleQueue()

    def work():
        try:
            with warnings.catch_warnings(action="ignore"):
                got.put((fetch(), None))
        except Exception as error:  # whatever the network, a proxy or a full disk makes of it
            got.put((None, error))

    socket.setdefaulttimeout(PATIENCE)
    try:
        threading.Thread(target=work, daemon=True).start()
        for tenths in range(round(10 * LONGEST_DOWNLOAD)):
            try:
                found, error = got.get(timeout=0.1)
                break
            except queue.Empty:
                if progress:
                    progress(0, 1, f"downloading 20 newsgroups, {tenths // 10} s")
        else:
            found, error = None, TimeoutError()
    finally:
        socket.setdefaulttimeout(before)
    if error is not None:
        raise InputError(
            "20 newsgroups is not on this machine and could not be downloaded "
            f"({type(error).__name__}); choose another data set or upload texts of your own."
        )
    return found


def documents(texts, gold, name: str = "texts") -> Items:
    """Texts as tf-idf vectors, reduced to 100 dimensions where there are more, each of length 1."""
    extraction = scikit_learn("sklearn.feature_extraction.text")
    if len(texts) > LARGEST_ITEMS:
        raise InputError(f"{name}: {len(texts):,} texts are too many; the limit is {LARGEST_ITEMS:,}.")
    if len(texts) < 2:
        raise InputError(f"{name}: there must be at least two texts.")
    try:
        vectors = extraction.TfidfVectorizer(
            sublinear_tf=True, stop_words="english", max_features=20_000
        ).fit_transform(texts)
    except ValueError:
        raise InputError(f"{name}: the texts hold no words, or only very common ones.") from None
    note = f"tf-idf of {vectors.shape[1]:,} words"
    if vectors.shape[1] > TOPICS and len(texts) > TOPICS:
        points = scikit_learn("sklearn.decomposition").TruncatedSVD(TOPICS, random_state=0).fit_transform(vectors)
        note += f", reduced to {TOPICS} dimensions"
    else:
        points = vectors.toarray()
    length = np.linalg.norm(points, axis=1, keepdims=True)
    points = np.divide(points, length, out=np.zeros_like(points), where=length > 0)
    return Items(name, points, np.asarray(gold, dtype=str), note)


def read_documents(source, name: str | None = None) -> Items:
    """Texts from a file with one text a line: its class, a tab (or semicolon, or comma), the text."""
    lines, file = read_lines(source, name)
    texts, gold = [], []
    separator = find_separator(lines)
    if separator is None:
        raise InputError(f"{file}: there is one column only; a line holds a class, a tab and a text.")
    for number, line in enumerate(lines, 1):
        if line.strip():
            label, _, text = line.partition(separator)
            if not label.strip() or separator not in line:
                raise InputError(f"{file}, line {number}: a line holds a class, a {_called(separator)} and a text.")
            gold.append(label.strip())
            texts.append(text)
    return documents(texts, gold, title(file))


def read_features(source, name: str | None = None) -> Items:
    """Features from a table with a header: numbers, and a column of classes.

    It is the column called class, label, gold, target or category, else the last.

    >>> read_features(b"x,y,class\\n1,2,a\\n3,4,b\\n5,6,b", "points.csv").gold.tolist()
    ['a', 'b', 'b']
    """
    lines, file = read_lines(source, name)
    separator = find_separator(lines)
    if separator is None:
        raise InputError(f"{file}: there is one column only; there must be features and a column of classes.")
    rows, numbers = read_rows(lines, separator, file)
    check_widths(rows, numbers, "the header", file)
    header, rows = rows[0], rows[1:]
    if not rows:
        raise InputError(f"{file} has a header but no items below it.")
    if len(header) < 2:
        raise InputError(f"{file}: there is one column only; there must be features and a column of classes.")
    at = next((i for i, column in enumerate(header) if column.lower() in CLASS_COLUMNS), len(header) - 1)
    X = np.empty((len(rows), len(header) - 1))
    for i, (row, number) in enumerate(zip(rows, numbers[1:], strict=True)):
        if not row[at]:
            raise InputError(f"{file}, line {number}: the class is missing (column {quoted(header[at])}).")
        cells = row[:at] + row[at + 1 :]
        try:
            X[i] = [float(cell) for cell in cells]
            bad = None if np.isfinite(X[i]).all() else next(c for c in cells if not np.isfinite(float(c)))
        except ValueError:
            bad = next(cell for cell in cells if not _is_number(cell))
        if bad is not None:
            raise InputError(f"{file}, line {number}: {quoted(bad)} is not a number.")
    gold = np.array([row[at] for row in rows])
    return Items(title(file), standardised(X), gold, "features standardised to mean 0 and variance 1")


def standardised(X: np.ndarray) -> np.ndarray:
    """Columns with mean 0 and variance 1, whatever their unit; constant ones are 0.

    >>> standardised(np.array([[1e200, 5.0], [3e200, 5.0]])).tolist()
    [[-1.0, 0.0], [1.0, 0.0]]
    """
    X = np.ldexp(X, -np.frexp(np.abs(X).max(axis=0))[1])  # near 1, by powers of 2: exact, and squares stay finite
    centred = X - X.mean(axis=0)
    spread = centred.std(axis=0)
    return np.divide(centred, spread, out=np.zeros_like(centred, dtype=float), where=spread > 1e-12)


def _is_number(cell):
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _called(separator):
    return {"\t": "tab", ";": "semicolon", ",": "comma"}[separator]
