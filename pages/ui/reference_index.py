"""The index of the reference page: which entries a search finds, and the numbers on their lines."""

import unicodedata

from evalcore import ESTIMATORS, FAMILIES, MEASURES
from evalcore.extremes import EXTREMES

from .reference_cases import SHOWN_SIZES, TRUTH_WORDS, bias, estimates
from .strip import FAMILY_NAMES
from .style import estimator_colour, measure_colour, number

GROUPS = {**FAMILY_NAMES, "supervised": "Supervised"}
KINDS = {
    "all": "All",
    "information": "Information",
    "chance": "Chance",
    "pairs": "Pairs",
    "matching": "Matching",
    "estimators": "Estimators",
}


def plainly(text: str) -> str:
    """Text as people type it: no accents, no raised or lowered letters, no capitals."""
    return "".join(x for x in unicodedata.normalize("NFKD", text) if not unicodedata.combining(x)).casefold()


def words_of(name):
    """All that a search looks at."""
    if name in MEASURES:
        m = MEASURES[name]
        parts = (
            name,
            m.symbol,
            m.title,
            FAMILIES[m.family],
            m.rewards,
            m.convention,
            m.reference,
            m.range,
            "corrected for chance" if m.chance_corrected else "",
            "higher is better" if m.higher_is_better else "lower is better",
        )
    else:
        e = ESTIMATORS[name]
        parts = (name, e.label, e.summary, e.reference, e.kind, "estimator entropy")
    return plainly(" ".join(parts))


def found(find: str, kind: str) -> list[str]:
    """Names of the entries that fit the search and the kind, families together."""
    wanted = plainly(find).split()
    families = [
        family for family in FAMILIES if kind in ("all", family) or (kind, family) == ("matching", "supervised")
    ]
    names = [name for family in families for name, m in MEASURES.items() if m.family == family]
    names += list(ESTIMATORS) if kind in ("all", "estimators") else []
    return [name for name in names if all(word in words_of(name) for word in wanted)]


def searched(page):
    """Open what a new search names, or the first it finds if what is open is not among it."""
    names, asked = found(page["find"], page["kind"]), page["find"].strip()
    exact = [n for n in names if plainly(asked) in (plainly(n), plainly(MEASURES[n].symbol if n in MEASURES else n))]
    exact.sort(key=lambda name: name != asked)  # h and H differ
    if names and (exact or page["entry"] not in names):
        page["entry"] = (exact or names)[0]


def cells(values, goodness, scale=None):
    """Cells of one line, the better the deeper; no tint where all are the same."""
    known = [g for g in (goodness if scale is None else scale) if g == g]
    low, high = min(known, default=0), max(known, default=0)
    return [
        {
            "text": written(v),
            "tint": None if g != g or high - low < 1e-9 else round(2 + 34 * (g - low) / (high - low)),
        }
        for v, g in zip(values, goodness, strict=True)
    ]


def written(value):
    """A score; large ones without decimals, and no sign before a zero that is all rounding."""
    text = number(value, 3 if abs(value) < 100 else 0)
    return text.lstrip("−") if not text.strip("−0.") else text


def measure_rows(names, scores):
    for name in names:
        m = MEASURES[name]
        values = scores.loc[name].tolist() if name in scores.index else [float("nan")] * len(EXTREMES)
        yield {
            "name": name,
            "symbol": m.symbol,
            "arrow": m.arrow,
            "title": m.title,
            "says": m.rewards,
            "colour": measure_colour(name),
            "family": GROUPS[m.family],
            "spoken": f"{m.symbol}, {m.title}, {'higher' if m.higher_is_better else 'lower'} is better",
            "cells": cells(values, [v if m.higher_is_better else -v for v in values]),
        }


def estimator_rows(names, sizes):
    off = {name: bias(name, SHOWN_SIZES) for name in ESTIMATORS}
    for name in names:
        e = ESTIMATORS[name]
        biased = [cells([b], [-abs(b)], [-abs(other[n]) for other in off.values()])[0] for n, b in enumerate(off[name])]
        yield {
            "name": name,
            "symbol": name,
            "arrow": "",
            "title": e.label,
            "says": e.summary,
            "colour": estimator_colour(name),
            "family": "Linear" if e.kind == "linear" else "Not linear",
            "spoken": f"{name}, {e.label}",
            "cells": [{"text": number(estimates(sizes)[name]), "tint": None}, *biased],
        }


def sections(find: str, kind: str, sizes: tuple[int, ...], scores) -> list[dict]:
    """What the index draws: measures with their scores, estimators with their bias."""
    names = found(find, kind)
    measures, estimators = ([n for n in names if n in registry] for registry in (MEASURES, ESTIMATORS))
    made = []
    if measures:
        made.append(
            {
                "label": "Measures, and their scores of the extreme cases",
                "corner": "Measure · deeper is better",
                "rows": list(measure_rows(measures, scores)),
                "columns": [{"head": case, "says": says} for case, says in EXTREMES.items()],
            }
        )
    if estimators:
        columns = [{"head": "H(C) here", "says": "The entropy of your class sizes, in nats"}] + [
            {
                "head": f"bias, N\u00a0=\u00a0{n}",
                "says": f"Exact bias in samples of {n} from ({TRUTH_WORDS}), in nats",
            }
            for n in SHOWN_SIZES
        ]
        made.append(
            {
                "label": "Entropy estimators, and their bias",
                "corner": "Estimator · deeper is less bias",
                "columns": columns,
                "rows": list(estimator_rows(estimators, sizes)),
            }
        )
    return made
