"""Figures of the reference page: an estimator's exact bias and its coefficients, beside ML's."""

import pandas as pd

from evalcore import ESTIMATORS, coefficients

from .figures import figure, show
from .reference_cases import SAMPLE_SIZES, TRUTH, TRUTH_WORDS, bias
from .style import GREY, estimator_colour, number

SAMPLE = 20  # items, of the coefficients


def bias_figure(name: str):
    """The exact bias against the sample size."""
    values, plain = bias(name, SAMPLE_SIZES), bias("ML", SAMPLE_SIZES)
    at = SAMPLE_SIZES.index(10)
    title = f"{name} is off by {number(values[at])} at N = 10"
    title += f", ML by {number(plain[at])}" if name != "ML" else ""
    labels = [_label("ML", GREY, SAMPLE_SIZES[2], plain[2], xshift=8, yshift=-8)]
    if name != "ML":
        side = 12 if values[4] >= plain[4] else -12
        labels.append(_label(name, estimator_colour(name), SAMPLE_SIZES[4], values[4], yshift=side))
    fig = _beside_ml(name, SAMPLE_SIZES, values, plain, title, f"sample size N, drawn from ({TRUTH_WORDS})",
                     "exact bias (nats)", annotations=labels)  # fmt: skip
    fig.add_hline(y=0, line=dict(width=1, color=GREY))
    data = pd.DataFrame({"n": SAMPLE_SIZES, "ML": plain} | {name: values})
    show(fig, data, key="reference.bias", file=f"bias-{name}")


def coefficients_figure(name: str):
    """What an outcome adds to a linear estimate, against how often it was seen."""
    a, plain = (coefficients(x, SAMPLE, len(TRUTH)) for x in (name, "ML"))
    counts = list(range(SAMPLE + 1))
    title = f"What a count of j adds to {name}, N = {SAMPLE}"
    title += f", {len(TRUTH)} outcomes" if ESTIMATORS[name].uses_support else ""
    fig = _beside_ml(name, counts, a, plain, title, "count j (ML dotted)", "coefficient a (nats)")
    data = pd.DataFrame({"j": counts, "ML": plain} | {name: a})
    show(fig, data, key="reference.coefficients", file=f"coefficients-{name}")


def _beside_ml(name, x, values, plain, title, x_title, y_title, **layout):
    lines = [("ML", plain, dict(color=GREY, dash="dot"))]
    lines += [(name, values, dict(color=estimator_colour(name), width=3))] if name != "ML" else []
    data = [dict(type="scatter", mode="lines", x=x, y=y, name=who, line=line, hovertemplate="%{y:.4f}")
            for who, y, line in lines]  # fmt: skip
    return figure(title, x_title, y_title, 225, data, title_font_size=15,
                  margin=dict(l=64, r=24, t=40, b=48), **layout)  # fmt: skip


def _label(text, colour, x, y, **shift):
    return dict(x=x, y=y, text=f"<b>{text}</b>", font=dict(color=colour, size=13), showarrow=False,
                xanchor="left", **shift)  # fmt: skip
