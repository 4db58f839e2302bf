"""Sampling lab, Entropy, to the right: who wins where, what a wrong support does, and published claims."""

import math

import numpy as np
import pandas as pd
import streamlit as st

from evalcore import ESTIMATORS
from evalcore.sampling import published_claims, sample_sizes, simulated_table, support_table, winner_map
from evalcore.sampling.claims import LAST, SUPPORT

from . import state, work
from .figures import figure, show
from .frame import Page
from .lines import SIDE, faint, labels_at_right, log_axis, spread
from .style import estimator_colour, number

VIEWS = ("Winner map", "Wrong support", "Published")
CRITERIA = {"bias": "Bias", "rmse": "RMSE"}
SKEWS = tuple(np.linspace(0, 4, 21).round(10).tolist())
MAP_SIZES = 28
QUICK = 10_000  # outcomes times root of N up to which exact variances for the map take a few seconds
MAP_SAMPLES = 200  # for estimators that have to be simulated

FIELDS = (state.choice("side", VIEWS, "Winner map"), state.choice("by", tuple(CRITERIA), "bias"))


def body(page: Page, p):
    with st.container(horizontal=True, gap="small"):
        st.segmented_control(
            "Beside it",
            VIEWS,
            key=page.key("side"),
            required=True,
            label_visibility="collapsed",
            width="content",
        )
        if page["side"] == "Winner map":
            st.segmented_control(
                "Winner by",
                list(CRITERIA),
                key=page.key("by"),
                format_func=CRITERIA.get,
                required=True,
                width="content",
                label_visibility="collapsed",
            )
    if page["side"] == "Winner map":
        map_view(page, p)
    elif page["side"] == "Wrong support":
        support_view(page, p)
    else:
        claims_view(page)


# ---- who wins ----------------------------------------------------------------------------------


def map_view(page: Page, p):
    m, names = int((p > 0).sum()), tuple(page.estimators)
    sizes = tuple(sample_sizes(page["first"], page["last"], MAP_SIZES))
    simulated = [name for name in names if ESTIMATORS[name].kind != "linear"]
    key = (m, sizes, names, page["by"], page["seed"] if simulated else 0, page.base)
    found = work.run(
        "sampling.map",
        key,
        lambda progress: winner_map(m, sizes, SKEWS, names, page["by"], MAP_SAMPLES, page["seed"], page.base, progress),
        label="Draw the winner map",
        what=f"{len(sizes) * len(SKEWS)} cells"
        + (f", with {MAP_SAMPLES} samples in each for {', '.join(simulated)}" if simulated else "")
        + ": this may take a minute.",
        auto=not simulated and (page["by"] == "bias" or m * math.sqrt(page["last"]) <= QUICK),
    )
    if found is None:
        return
    fig = picture(found, _map_title(found, page), [f"s = {s:g}" for s in found.skews], SIDE, page.unit)
    fig.update_yaxes(
        title="skew: Zipf's exponent s",
        tickvals=list(range(0, len(SKEWS), 5)),
        ticktext=[f"{s:g}" for s in SKEWS[::5]],
    )
    skew = {"uniform": 0.0, "Zipf": page["s"]}.get(page["dist"])
    if skew is not None and skew <= SKEWS[-1] and page["first"] <= page["n"] <= page["last"]:
        fig.add_scatter(
            x=[float(np.interp(math.log(page["n"]), np.log(found.sizes), range(len(found.sizes))))],
            y=[skew * 5],
            mode="markers",
            marker=dict(symbol="circle-open", size=15, color="#ffffff", line=dict(width=3)),
            hoverinfo="skip",
        )
    show(fig, found.to_frame(), key="sampling.map.figure", file="winner-map")
    st.caption(
        f"Zipf over {m:,} outcome{'s' * (m > 1)}; all estimators are told this number. Strong colour: far ahead of the "
        "second; pale: nearly a tie." + (" A dot marks cells where simulation cannot tell." if simulated else "")
    )


def _map_title(found, page):
    what = CRITERIA[page["by"]] if page["by"] == "rmse" else page["by"]
    if len(found.estimators) == 1:
        return f"{found.estimators[0]} has no rival: choose another estimator"
    ahead = found.margin > 1e-12
    if not ahead.any():
        return f"All estimators have the same {what} everywhere"
    share = pd.Series(np.array(found.estimators)[found.winner[ahead]]).value_counts() / ahead.size
    return f"{share.index[0]} has the least {what} in {share.iloc[0]:.0%} of the cases"


def picture(found, title, row_names, height, unit, names_shown=True):
    """Each cell in the colour of its winner, stronger the farther it is ahead of the second."""
    fig = figure(title, x="sample size N", height=height)
    second = found.loss.min(axis=0) + found.margin
    ahead = np.divide(found.margin, second, out=np.ones_like(second), where=(second > 0) & np.isfinite(second))
    columns = range(len(found.sizes))
    text = [
        [
            f"N = {n:,}, {row}<br>"
            + "<br>".join(
                ("<b>{}</b>" if found.winner[i, j] == e else "{}").format(f"{name} {found.loss[e, i, j]:.4f} {unit}")
                for e, name in enumerate(found.estimators)
            )
            for j, n in enumerate(found.sizes)
        ]
        for i, row in enumerate(row_names)
    ]
    for e, name in enumerate(found.estimators):
        mine = found.winner == e
        if not mine.any():
            continue
        colour = estimator_colour(name)
        fig.add_heatmap(
            x=list(columns),
            y=list(range(len(row_names))),
            z=np.where(mine, ahead, np.nan),
            zmin=0,
            zmax=1,
            showscale=False,
            colorscale=[[0, faint(colour, 0.35)], [1, faint(colour, 1)]],
            text=text,
            hovertemplate="%{text}<extra></extra>",
            hoverongaps=False,
        )
        if names_shown:
            row, column = _inside(mine)
            if mine.mean() > 0.02:
                fig.add_annotation(
                    x=column,
                    y=row,
                    text=f"<b>{name}</b>",
                    showarrow=False,
                    font=dict(color="#ffffff", size=14),
                    bgcolor="rgba(13,21,31,.62)",
                    borderpad=3,
                )
    open_rows, open_columns = np.nonzero(~found.decided)
    if len(open_rows):
        fig.add_scatter(
            x=open_columns,
            y=open_rows,
            mode="markers",
            marker=dict(size=4, color="#ffffff"),
            hoverinfo="skip",
        )
    step = max(1, len(found.sizes) // 8)
    fig.update_xaxes(tickvals=list(columns)[::step], ticktext=[f"{n:,}" for n in found.sizes[::step]], showgrid=False)
    fig.update_yaxes(showgrid=False)
    fig.update_layout(hovermode="closest")
    return fig


def _inside(mine):
    """The cell with the most of its kind around it."""
    around = np.lib.stride_tricks.sliding_window_view(np.pad(mine.astype(float), ((3, 3), (3, 3))), (7, 7)).sum(
        axis=(2, 3)
    )
    return (int(i) for i in np.unravel_index(np.argmax(np.where(mine, around, -1)), mine.shape))


# ---- wrong support -----------------------------------------------------------------------------


@st.cache_data(max_entries=128, show_spinner=False)
def _told(p: tuple, n: int, supports: tuple, names: tuple, base: float) -> pd.DataFrame:
    return support_table(np.array(p), n, list(supports), list(names), base)


@st.cache_data(max_entries=128, show_spinner=False)
def _seen(p: tuple, n: int, names: tuple, seed: int, base: float) -> pd.DataFrame:
    return simulated_table(np.array(p), [n], list(names), 2000, seed, None, base)


def support_view(page: Page, p):
    p = tuple(p[p > 0].tolist())
    m, n, seed, base = len(p), page["n"], page["seed"], page.base
    supports = tuple(sample_sizes(m, 100 * m, 21))
    deaf = tuple(e for e in page.estimators if ESTIMATORS[e].kind == "linear" and not ESTIMATORS[e].uses_support)
    told = _told(p, n, supports, ("BUB",), base)
    others = _told(p, n, (m,), deaf, base) if deaf else told[:0]
    seen = _seen(p, n, ("BUB",), seed, base).iloc[0]
    by_support = told.set_index("support").bias
    wrong = min(supports, key=lambda x: abs(math.log(x / (10 * m))))
    fig = figure(
        f"N = {n:,}: told {wrong:,} outcomes, BUB is off by {number(by_support[wrong])}, not {number(by_support[m])}",
        y=f"bias ({page.unit})",
        height=SIDE,
    )
    low, high = spread(told.bias, others.bias, [seen.bias, 0.0], pad=0.08)
    colour = estimator_colour("BUB")
    fig.add_scatter(
        x=told.support,
        y=told.bias,
        name="BUB",
        mode="lines+markers",
        line=dict(color=colour, width=2.6),
        marker=dict(size=5),
        hovertemplate="%{y:.4f}",
    )
    fig.add_scatter(
        x=[m],
        y=[seen.bias],
        name="BUB, told what was seen (simulated)",
        mode="markers",
        hovertemplate="%{y:.4f}",
        marker=dict(symbol="diamond-open", size=12, color=colour, line=dict(width=2)),
    )
    ends = [("BUB", float(told.bias.iloc[-1]), colour)]
    for row in others.itertuples():
        fig.add_scatter(
            x=[m, 100 * m],
            y=[row.bias] * 2,
            name=row.estimator,
            mode="lines",
            hovertemplate="%{y:.4f}",
            line=dict(color=estimator_colour(row.estimator), width=2),
        )
        ends.append((row.estimator, row.bias, estimator_colour(row.estimator)))
    labels_at_right(fig, ends, low, high, SIDE - 108)
    fig.add_hline(y=0, line=dict(color="#8a94a3", dash="dash"))
    fig.update_yaxes(range=[low, high])
    log_axis(fig, m, 100 * m, title="number of outcomes BUB is told (log scale)")
    fig.update_layout(margin=dict(r=90))
    show(fig, pd.concat([told, others]), key="sampling.support.figure", file="wrong-support")
    st.caption(
        f"There are {m:,} outcomes. The diamond: BUB told only what each sample shows, as when a clustering "
        f"is scored, is off by {number(seen.bias)} ± {2 * seen.mean_error:.3f} (2,000 samples). The others "
        "are not told."
    )


# ---- claims ------------------------------------------------------------------------------------


@st.cache_data(show_spinner=False)
def _claims() -> tuple:
    return tuple(published_claims()), winner_map(SUPPORT, range(2, LAST + 1), range(5), ("ML", "MM", "JK", "BUB"))


def claims_view(page: Page):
    claims, found = _claims()
    names = ["uniform", *(f"Zipf s = {s}" for s in range(1, 5))]
    fig = picture(found, "Least bias, exactly: nobody wins everywhere", names, 250, "nats", names_shown=False)
    fig.update_yaxes(tickvals=list(range(5)), ticktext=names, autorange="reversed")
    fig.update_layout(margin=dict(l=88))
    key = " · ".join(f"<span style='color:{estimator_colour(e)}'>■</span> {e}" for e in found.estimators)
    fig.update_xaxes(title=f"sample size N      {key}")
    show(fig, found.to_frame(), key="sampling.claims.figure", file="article-who-wins")
    rows: dict[tuple, list[str]] = {}
    for claim in claims:
        said = f"{claim.better} beats {claim.worse}" + ("" if claim.published else " (not said)")
        rows.setdefault((said, claim.verdict), []).append(claim.distribution)
    table = pd.DataFrame(
        [
            ("all five" if len(where) == 5 else ", ".join(where), said, verdict)
            for (said, verdict), where in rows.items()
        ],
        columns=["distribution", "the article", "exactly, N = 2–100"],
    )
    st.dataframe(table, hide_index=True, height="content", key="sampling.claims.table")
    st.caption(
        "Their Figures 1 and 2: m = 10, N up to 100, means of 1,000 samples. Here are the exact biases that "
        "such means approach, with the BUB that reproduces their Table 1, told the true m. Strong colour: "
        "far ahead of the second."
    )
