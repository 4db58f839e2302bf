"""The Sampling lab's picture of wrong rankings, and the tables beside it."""

import math

import pandas as pd
import streamlit as st

from evalcore import MEASURES
from evalcore.sampling import sample_sizes
from evalcore.sampling.misranking import LEVEL

from .figures import figure, show
from .lines import GREY, MAIN, band, line, log_axis
from .style import estimator_colour, measure_colour, number

SIZES = tuple(sample_sizes(10, 10_000, 25))
PAIR = ["measure", "estimator"]


def size_text(row) -> str:
    """The sample size needed, as the table says it."""
    if row.tied:
        return "true tie"
    if math.isnan(row.needed):
        return f"> {SIZES[-1]:,}"
    return f"≤ {SIZES[0]}" if row.needed == SIZES[0] else f"{int(row.needed):,}"


def statement(needed: pd.DataFrame, systems: int) -> str:
    """What V by ML needs (or whoever needs most), and who needs least."""
    known = needed[~needed.tied].assign(order=needed.needed.fillna(math.inf))
    if not len(known):
        return "No measure puts these systems in a true order"
    names = [f"{row.measure}-{row.estimator}".rstrip("-") for row in known.itertuples()]
    known = known.assign(name=names).sort_values("order", kind="stable")
    best, first = known.iloc[0], known[known.name == "V-ML"].iloc[0] if "V-ML" in names else known.iloc[-1]
    what = (
        "rank these two right 95% of the time" if systems == 2 else f"put 95% of the pairs of these {systems} in order"
    )
    said = f"{first['name']} needs N {_is(first)} to {what}"
    return f"{said},<br>{best['name']} N {_is(best)}"


def _is(row):
    """The size as part of a formula: = 422, ≤ 10, > 10,000."""
    text = size_text(row)
    return text if text[0] in ">≤" else f"= {text}"


def panels(errors: pd.DataFrame, needed: pd.DataFrame, systems: int):
    """A small figure for each measure, all with the same axes; those without estimators share one."""
    measures = list(dict.fromkeys(errors.measure))
    corrected = [m for m in measures if MEASURES[m].needs != "entropies"]
    boxes = [[m] for m in measures if m not in corrected] + ([corrected] if corrected else [])
    columns = min(3, len(boxes))
    rows = -(-len(boxes) // columns)
    height = MAIN if rows <= 2 else 190 * rows + 110
    fig = figure(statement(needed, systems), height=height, margin=dict(l=64, r=16, t=106, b=52))
    across, down = 0.045, 52 / (height - 158)  # gaps between panels, as shares of the drawing
    wide, tall = (1 - across * (columns - 1)) / columns, (1 - down * (rows - 1)) / rows
    for at, box in enumerate(boxes):
        row, column = divmod(at, columns)
        left, top = column * (wide + across), 1 - row * (tall + down)
        number_of = str(at + 1) if at else ""
        x = dict(domain=[left, left + wide], anchor=f"y{number_of}")
        y = dict(domain=[max(top - tall, 0), top], anchor=f"x{number_of}", range=[-0.02, 1.02], tickformat=".0%")
        x["title"] = "sample size N" if at + columns >= len(boxes) else ""
        y |= dict(zeroline=False, showticklabels=column == 0, title="wrong order" if column == 0 else "")
        fig.update_layout({f"xaxis{number_of}": x, f"yaxis{number_of}": y})
        _note(fig, left, top, " and ".join(_named(m, m in corrected) for m in box), "left")
        axes = dict(xaxis=f"x{number_of}", yaxis=f"y{number_of}")
        for (measure, estimator), part in errors[errors.measure.isin(box)].groupby(PAIR, sort=False):
            if not part.wrong.isna().all():
                colour = estimator_colour(estimator) if estimator else measure_colour(measure)
                band(fig, part.n, part.low, part.high, colour, **axes)
                line(fig, part.n, part.wrong, estimator or measure, colour, **axes)
        line(fig, [SIZES[0], SIZES[-1]], [1 - LEVEL] * 2, "95% right", GREY, dash="dot", **axes)
        fig.data[-1].update(hoverinfo="skip", hovertemplate=None, line_width=1)
    fig.update_traces(selector=dict(hovertemplate="%{y:.4f}"), hovertemplate="%{y:.1%}")
    ticks = [10, 100, 1000, 10_000]
    log_axis(fig, SIZES[0], SIZES[-1], title=None, tickvals=ticks, ticktext=["10", "100", "1k", "10k"])
    key = [f"<span style='color:{estimator_colour(e)}'>{e}</span>" for e in dict.fromkeys(errors.estimator) if e]
    _note(fig, 1, 1, "   ".join(key), "right", yshift=26)
    show(fig, errors, key="sampling.ranking.figure", file="wrong-order-by-sample-size")


def _named(measure, coloured):
    symbol = MEASURES[measure].symbol
    return f"<span style='color:{measure_colour(measure)}'>{symbol}</span>" if coloured else symbol


def _note(fig, x, y, text, side, **where):
    place = dict(xref="paper", yref="paper", showarrow=False, yanchor="bottom", font=dict(size=15))
    fig.add_annotation(x=x, y=y, text=f"<b>{text}</b>", xanchor=side, **place, **where)


def needed_table(needed: pd.DataFrame):
    """Measures by estimators; those that use no estimator have a column of their own."""
    st.markdown("**Sample size needed for 95% correct rankings**")
    cells = needed.assign(text=[size_text(row) for row in needed.itertuples()])
    cells["estimator"] = cells.estimator.replace("", "none")
    columns, rows = list(dict.fromkeys(cells.estimator)), list(dict.fromkeys(cells.measure))
    table = cells.pivot(index="measure", columns="estimator", values="text").loc[rows, columns].fillna("")
    _plain_table(table.reset_index(), key="sampling.needed")
    st.caption(f"The first of {len(SIZES)} simulated sizes from which 95% of the pairs stay in the true order.")


def truth_table(systems: dict, measures, base: float):
    """What each measure says of each system on an endless sample."""
    st.markdown("**True scores**, on an endless sample")
    titles = [f"{MEASURES[m].symbol} {MEASURES[m].arrow}" for m in measures]
    rows = [(name, *map(number, s.truth(measures, base).values())) for name, s in systems.items()]
    _plain_table(pd.DataFrame(rows, columns=["system", *titles]), key="sampling.truths")


def _plain_table(table, key):
    right = {column: st.column_config.TextColumn(alignment="right") for column in table.columns[1:]}
    st.dataframe(table, hide_index=True, height="content", key=key, column_config=right)
