"""How things look: one colour per measure, estimator and class on every page; one way to write a number."""

import math
import re

import numpy as np

from evalcore import ESTIMATORS, MEASURES

# Okabe and Ito's colours and darker or lighter kin of them: told apart with any common colour vision, and readable as marks
# on white and on near-black alike.
BLUE, ORANGE, GREEN, PINK, SKY, AMBER, RED, GREY = (
    "#1f77c4",
    "#d95f02",
    "#0a9e78",
    "#c2659a",
    "#3fa7d6",
    "#c98b00",
    "#c0392b",
    "#7f8a99",
)

MEASURE_COLOURS = {
    "V": BLUE,
    "h": SKY,
    "c": "#5d7fe0",
    "VI": ORANGE,
    "NVI": GREEN,
    "NVI_K": "#6aa84f",
    "AMI": PINK,
    "ARI": AMBER,
    "Q0": "#9a6324",
    "Q2": "#b07aa1",
    "MI": "#4c78a8",
    "FM": RED,
    "Rand": GREY,
    "BCubed_F": "#8e6cc2",
    "F": "#e0568c",
    "purity": "#2a9d8f",
}
_SPARE = ("#76728f", "#a0785a", "#4f8f8b", "#b5651d", "#7a9b3f", "#5f7fa8", "#a65e7a")

ESTIMATOR_COLOURS = {
    "ML": GREY,
    "MM": AMBER,
    "JK": BLUE,
    "BUB": RED,
    "Grassberger": GREEN,
    "Zhang": SKY,
    "Bonachela": PINK,
    "Dirichlet": "#8e6cc2",
    "ChaoShen": "#9a6324",
    "ChaoWangJost": "#2a9d8f",
    "Shrinkage": "#6aa84f",
    "NSB": ORANGE,
}

CLASS_COLOURS = (BLUE, ORANGE, GREEN, PINK, AMBER, SKY, "#8e6cc2", RED, "#6aa84f", "#9a6324", "#2a9d8f", GREY)

DEFAULT_MEASURES = ("V", "h", "c", "VI", "NVI", "AMI", "ARI")
DEFAULT_ESTIMATORS = ("ML", "MM", "JK", "BUB")


def measure_colour(name: str) -> str:
    """The colour of a measure, the same everywhere; V(2) shares V's."""
    base = name.split("(")[0]
    if base in MEASURE_COLOURS:
        return MEASURE_COLOURS[base]
    return _SPARE[list(MEASURES).index(base) % len(_SPARE)] if base in MEASURES else GREY


def estimator_colour(name: str) -> str:
    base = name.split("(")[0]
    return ESTIMATOR_COLOURS.get(
        base, _SPARE[list(ESTIMATORS).index(base) % len(_SPARE)] if base in ESTIMATORS else GREY
    )


def class_colour(index: int) -> str:
    """The colour of the index-th class; from the thirteenth on they repeat."""
    return CLASS_COLOURS[index % len(CLASS_COLOURS)]


def number(value: float, digits: int = 3) -> str:
    """A score as people read it: three decimals, thousands apart, a real minus sign, a dash where there is none.

    >>> number(0.59164), number(-0.0036), number(-1e-9), number(12345.6), number(float("nan"))
    ('0.592', '−0.004', '0.000', '12,346', '–')
    """
    if value is None or value != value:
        return "–"
    if abs(value) == float("inf"):
        return "∞" if value > 0 else "−∞"
    text = f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.{digits}f}"
    return text.lstrip("-") if float(text.replace(",", "")) == 0 else text.replace("-", "−")


def signed(value: float, digits: int = 3) -> str:
    """A change, with its sign; nothing where it is too small to show."""
    if value is None or value != value or abs(value) < 0.5 * 10**-digits:
        return ""
    return ("+" if value > 0 else "") + number(value, digits)


def decimals(changes) -> int:
    """Decimals that show what changes there are: three, or more where even the largest would hardly be seen.

    >>> decimals([0.2, -0.001]), decimals([0.0412]), decimals([-0.00041, float("nan")]), decimals([0.0]), decimals([])
    (3, 4, 6, 3, 3)
    """
    sizes = np.abs(np.asarray(changes, dtype=float))
    largest = float(sizes[~np.isnan(sizes)].max(initial=0.0))
    return 3 if largest < 1e-12 else min(max(3, 2 - math.floor(math.log10(largest))), 9)


_MARKUP = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>~$:^&=@])")


def plain(text) -> str:
    """User text (names of clusters, systems, files) made safe for Streamlit's Markdown: shown as typed, never rendered.

    >>> plain("*a* <b>")
    '\\\\*a\\\\* \\\\<b\\\\>'
    """
    return _MARKUP.sub(r"\\\1", " ".join(str(text).split()))
