"""The pictures of a report. Each chart is a function from the facts to a matplotlib figure."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, PercentFormatter

from tengen.arena.report.facts import Facts, Pairing, duration
from tengen.arena.score import Interval
from tengen.rules import Result

BLACK, WHITE, DRAW = "#31495e", "#e0a458", "#b8bec4"
WIN, LOSS = "#2f8f6b", "#c8553d"
GRID: dict[str, Any] = {"color": "#dddddd", "linewidth": 0.6}
STYLE: Any = {
    "font.size": 9, "axes.spines.top": False, "axes.spines.right": False, "axes.axisbelow": True,
    "svg.fonttype": "none",
    "svg.hashsalt": "tengen", "font.family": "sans-serif", "legend.frameon": False,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Chart:
    """A picture of the report: its file name, how it is drawn, and how to read it."""

    name: str
    draw: Callable[[Facts], Figure]
    caption: str


def _title(figure: Figure, text: str) -> None:
    figure.suptitle(text, x=0.01, ha="left", fontsize=11, fontweight="bold")


def _log_axis(axis: Axis) -> None:
    """Plain numbers instead of powers of ten."""
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.set_minor_formatter(FuncFormatter(lambda value, _: _minor_label(value, *axis.get_view_interval())))
    axis.set_tick_params(which="minor", labelsize=7)


def _minor_label(value: float, low: float, high: float) -> str:
    """Between the tens only 2 and 5, so that labels do not crowd; all of them on a short axis."""
    lead = value / 10 ** math.floor(math.log10(value))
    return f"{value:g}" if high < 8 * low or round(lead, 3) in (2, 5) else ""


def _rows_figure(rows: int, title: str, width: float = 8.0) -> tuple[Figure, Axes]:
    """A figure with one horizontal bar per row, as high as its rows need."""
    figure = Figure(figsize=(width, 1.3 + 0.32 * max(rows, 2)), layout="constrained")
    axes = figure.add_subplot()
    _title(figure, title)
    axes.grid(axis="x", **GRID)
    axes.set_ylim(rows - 0.4, -0.6)
    return figure, axes


def _figure(title: str, width: float = 8.0, height: float = 4.2) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.add_subplot()
    _title(figure, title)
    axes.grid(**GRID)
    return figure, axes


def _pair_labels(facts: Facts) -> list[str]:
    return [f"{facts.labels[p.first]} – {facts.labels[p.second]}" for p in facts.pairings]


def _label_rows(axes: Axes, labels: list[str]) -> None:
    axes.set_yticks(range(len(labels)), labels)
    axes.tick_params(axis="y", length=0)


def _legend_below(axes: Axes, columns: int) -> None:
    axes.figure.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=columns)


def _stacked(axes: Axes, rows: list[list[float]], names: list[str], colors: list[str]) -> None:
    """Bars of parts side by side, each part's count written into it where there is room."""
    whole = max((sum(row) for row in rows), default=1)
    for column, (name, color) in enumerate(zip(names, colors, strict=True)):
        starts = [sum(row[:column]) for row in rows]
        bars = axes.barh(
            range(len(rows)), [row[column] for row in rows], left=starts, color=color, label=name, height=0.72
        )
        texts = [f"{row[column]:g}" if row[column] >= 0.04 * whole else "" for row in rows]
        dark = color in (BLACK, WIN, LOSS)
        axes.bar_label(bars, texts, label_type="center", fontsize=8, color="white" if dark else "#222222")


def _whiskers(axes: Axes, spans: list[Interval], rows: list[float], color: str, label: str | None = None) -> None:
    values = [span.value for span in spans]
    errors = [[max(0, s.value - s.low) for s in spans], [max(0, s.high - s.value) for s in spans]]
    axes.errorbar(values, rows, xerr=errors, fmt="o", color=color, capsize=3, markersize=5, label=label, linewidth=1.2)


def win_loss(facts: Facts) -> Figure:
    figure, axes = _rows_figure(len(facts.pairings), "1  Wins, draws and losses of each pairing")
    rows = [[float(p.score.wins), float(p.score.draws), float(p.score.losses)] for p in facts.pairings]
    _stacked(axes, rows, ["first named wins", "draw", "second named wins"], [WIN, DRAW, LOSS])
    _label_rows(axes, _pair_labels(facts))
    axes.set_xlabel("games")
    _legend_below(axes, 3)
    return figure


def win_rates(facts: Facts) -> Figure:
    figure, axes = _rows_figure(len(facts.pairings), "2  Score of the first named player, with 95 % interval")
    _whiskers(axes, [p.score.rate for p in facts.pairings], list(range(len(facts.pairings))), BLACK)
    axes.axvline(0.5, color="#888888", linewidth=1, linestyle="--")
    _label_rows(axes, _pair_labels(facts))
    axes.set_xlim(-0.02, 1.02)
    axes.xaxis.set_major_formatter(PercentFormatter(1))
    return figure


def first_move(facts: Facts) -> Figure:
    figure, axes = _rows_figure(len(facts.players), "3  First-move advantage: score with each colour")
    rows = range(len(facts.players))
    _whiskers(axes, [facts.by_color[p][0] for p in facts.players], [r - 0.13 for r in rows], BLACK, "moving first")
    _whiskers(axes, [facts.by_color[p][1] for p in facts.players], [r + 0.13 for r in rows], WHITE, "moving second")
    _label_rows(axes, [facts.labels[p] for p in facts.players])
    axes.set_xlim(-0.02, 1.02)
    axes.xaxis.set_major_formatter(PercentFormatter(1))
    _legend_below(axes, 2)
    return figure


def durations(facts: Facts) -> Figure:
    figure, axes = _figure("4  Thinking time of a whole game")
    values = [max(duration(record), 1e-3) for record in facts.collection.records]
    axes.hist(values, bins=_log_bins(values), color=BLACK, edgecolor="white", linewidth=0.4)
    axes.set_xscale("log")
    _log_axis(axes.xaxis)
    axes.set_xlabel("seconds (both sides, logarithmic)")
    axes.set_ylabel("games")
    return figure


def _log_bins(values: list[float], count: int = 32) -> list[float]:
    low, high = math.log10(min(values)), math.log10(max(values))
    high = max(high, low + 0.1)
    return [10 ** (low + (high - low) * i / count) for i in range(count + 1)]


def move_counts(facts: Facts) -> Figure:
    figure, axes = _figure("5  Length of the games")
    values = [len(record.moves) for record in facts.collection.records]
    step = 1 + (max(values) - min(values)) // 40
    bins = [edge - 0.5 for edge in range(min(values), max(values) + step + 1, step)]
    axes.hist(values, bins=bins, color=BLACK, edgecolor="white", linewidth=0.4)
    axes.set_xlabel("moves, opening included")
    axes.set_ylabel("games")
    return figure


def duration_against_moves(facts: Facts) -> Figure:
    figure, axes = _figure("6  Thinking time against length")
    for result, color, label in (
        (Result.BLACK, BLACK, "black won"),
        (Result.WHITE, WHITE, "white won"),
        (Result.DRAW, "#7a8288", "draw"),
    ):
        games = [record for record in facts.collection.records if record.result == result]
        points = [(len(record.moves), max(duration(record), 1e-3)) for record in games]
        if points:
            x, y = zip(*points, strict=True)
            axes.scatter(x, y, s=10, alpha=0.5, color=color, label=label, linewidths=0, rasterized=len(points) > 500)
    axes.set_yscale("log")
    _log_axis(axes.yaxis)
    axes.set_xlabel("moves")
    axes.set_ylabel("seconds (logarithmic)")
    _legend_below(axes, 3)
    return figure


def overall(facts: Facts) -> Figure:
    figure, axes = _rows_figure(len(facts.players), "7  All games of each player")
    rows = []
    for player in facts.players:
        ends = facts.terminations[player]
        counts = {kind: sum(n for end, n in ends.items() if end.startswith(kind)) for kind in ("won", "drawn", "lost")}
        total = sum(counts.values())
        rows.append([round(100 * counts[kind] / total, 1) for kind in ("won", "drawn", "lost")])
    _stacked(axes, rows, ["won", "drawn", "lost"], [WIN, DRAW, LOSS])
    _label_rows(axes, [facts.labels[p] for p in facts.players])
    axes.set_xlabel("per cent of games")
    _legend_below(axes, 3)
    return figure


def averages(facts: Facts) -> Figure:
    rows = len(facts.pairings)
    figure = Figure(figsize=(9.5, 1.3 + 0.32 * max(rows, 2)), layout="constrained")
    left, right = figure.subplots(1, 2, sharey=True)
    left.barh(range(rows), [_mean(p.durations) for p in facts.pairings], color=BLACK, height=0.7)
    right.barh(range(rows), [_mean(p.moves) for p in facts.pairings], color=WHITE, height=0.7)
    _title(figure, "8  Average of each pairing")
    left.set_xlabel("thinking time per game (seconds)")
    right.set_xlabel("moves per game")
    for axes in (left, right):
        axes.grid(axis="x", **GRID)
        axes.set_ylim(rows - 0.4, -0.6)
    _label_rows(left, _pair_labels(facts))
    right.tick_params(axis="y", length=0)
    return figure


def _mean(values: list[float] | list[int]) -> float:
    return sum(values) / max(len(values), 1)


def heat_map(facts: Facts) -> Figure:
    size = len(facts.players)
    side = 2.6 + 0.55 * size
    figure = Figure(figsize=(side + 0.6, side - 0.4), layout="constrained")
    axes = figure.add_subplot()
    _title(figure, "9  Score of the row against the column")
    rates = [[_rate(facts, a, b) for b in facts.players] for a in facts.players]
    image = axes.imshow(rates, cmap="RdYlGn", vmin=0, vmax=1)
    for i, row in enumerate(rates):
        for j, value in enumerate(row):
            if not math.isnan(value):
                ink = "white" if abs(value - 0.5) > 0.38 else "#222222"
                axes.text(j, i, f"{value:.0%}", ha="center", va="center", fontsize=8, color=ink)
    labels = [facts.labels[p] for p in facts.players]
    axes.set_xticks(range(size), labels, rotation=35, ha="right")
    axes.set_yticks(range(size), labels)
    axes.spines[:].set_visible(False)
    figure.colorbar(image, ax=axes, shrink=0.7, format=PercentFormatter(1))
    return figure


def _rate(facts: Facts, a: str, b: str) -> float:
    score = facts.cross.get((a, b))
    return score.rate.value if score else math.nan


def _boxes(facts: Facts, title: str, values: Callable[[Pairing], list[float]], xlabel: str, log: bool) -> Figure:
    figure, axes = _rows_figure(len(facts.pairings), title)
    axes.boxplot(
        [values(p) for p in facts.pairings], positions=range(len(facts.pairings)), orientation="horizontal",
        widths=0.6, patch_artist=True, boxprops={"facecolor": "#cfd8df", "edgecolor": BLACK},
        medianprops={"color": LOSS, "linewidth": 1.6}, flierprops={"marker": ".", "markersize": 3, "alpha": 0.5},
        manage_ticks=False,
    )  # fmt: skip
    _label_rows(axes, _pair_labels(facts))
    if log:
        axes.set_xscale("log")
        _log_axis(axes.xaxis)
    axes.set_xlabel(xlabel)
    return figure


def duration_boxes(facts: Facts) -> Figure:
    title = "10  Thinking time by pairing"
    return _boxes(facts, title, lambda p: [max(d, 1e-3) for d in p.durations], "seconds per game (logarithmic)", True)


def move_boxes(facts: Facts) -> Figure:
    return _boxes(facts, "11  Length by pairing", lambda p: [float(n) for n in p.moves], "moves per game", False)


def elo(facts: Facts) -> Figure:
    figure, axes = _rows_figure(len(facts.players), "Elo with 95 % intervals")
    ratings = facts.ratings.ratings
    rows = range(len(ratings))
    _whiskers(axes, [r.elo for r in ratings], [float(r) - 0.1 for r in rows], BLACK, "from the covariance")
    boots = [r.bootstrap for r in ratings if r.bootstrap]
    if len(boots) == len(ratings):
        _whiskers(axes, boots, [float(r) + 0.14 for r in rows], WHITE, "bootstrap over opening pairs")
    _label_rows(axes, [facts.labels[r.player] for r in ratings])
    zero = facts.labels.get(facts.ratings.anchor, "mean of all players")
    axes.set_xlabel(f"Elo, relative to {zero}")
    _legend_below(axes, 2)
    return figure


def opening_advantage(facts: Facts) -> Figure:
    shown = _spread(facts.openings, 40)
    note = f"{len(shown)} of {len(facts.openings)} openings" if len(shown) < len(facts.openings) else ""
    figure, axes = _rows_figure(len(shown), f"First-move advantage by opening  {note}".strip())
    _whiskers(axes, [fact.black_score for fact in shown], list(range(len(shown))), BLACK)
    axes.axvline(0.5, color="#888888", linewidth=1, linestyle="--")
    _label_rows(axes, [fact.name if len(fact.name) < 26 else fact.name[:24] + "…" for fact in shown])
    axes.set_xlim(-0.02, 1.02)
    axes.xaxis.set_major_formatter(PercentFormatter(1))
    axes.set_xlabel("black's score, all players together")
    return figure


def _spread(items: list[Any], most: int) -> list[Any]:
    """At most `most` items of a sorted list, evenly from end to end."""
    if len(items) <= most:
        return items
    return [items[round(i * (len(items) - 1) / (most - 1))] for i in range(most)]


def time_against_strength(facts: Facts) -> Figure:
    figure, axes = _figure("Thinking time against strength")
    for r in facts.ratings.ratings:
        x = max(r.seconds, 1e-6) * 1000
        error = [[max(0, r.elo.value - r.elo.low)], [max(0, r.elo.high - r.elo.value)]]
        axes.errorbar([x], [r.elo.value], yerr=error, fmt="o", color=BLACK, capsize=3, linewidth=1)
        axes.annotate(facts.labels[r.player], (x, r.elo.value), xytext=(7, 5), textcoords="offset points", fontsize=8)
    axes.set_xscale("log")
    _log_axis(axes.xaxis)
    axes.margins(x=0.22)
    axes.set_xlabel("milliseconds per move, average (logarithmic)")
    axes.set_ylabel("Elo")
    return figure


def terminations(facts: Facts) -> Figure:
    kinds = sorted({end for ends in facts.terminations.values() for end in ends}, key=_kind_order)
    figure, axes = _rows_figure(len(facts.players), "How the games ended")
    rows = [[float(facts.terminations[p][kind]) for kind in kinds] for p in facts.players]
    _stacked(axes, rows, kinds, [_kind_color(kind) for kind in kinds])
    _label_rows(axes, [facts.labels[p] for p in facts.players])
    axes.set_xlabel("games")
    _legend_below(axes, 4)
    return figure


def _kind_order(kind: str) -> tuple[int, bool, str]:
    """Wins, draws, losses; in each the ordinary end before the others."""
    return ("won", "drawn", "lost").index(kind.partition(":")[0]), kind not in _PLAIN, kind


_PLAIN = {"won: five": WIN, "drawn: full": DRAW, "lost: five": LOSS}
_FAULT_COLORS = {"time": "#7d3c98", "crash": "#1b1b1b", "illegal": "#d4ac0d", "memory": "#2e86c1"}


def _kind_color(kind: str) -> str:
    if kind in _PLAIN:
        return _PLAIN[kind]
    result, _, end = kind.partition(": ")
    if result == "lost":
        return _FAULT_COLORS.get(end, "#85929e")
    return {"won": "#9fd3bf", "drawn": "#dfe3e6"}[result]


CHARTS: tuple[Chart, ...] = (
    Chart("elo", elo, "Ratings on one scale. Where two intervals overlap, the order is uncertain."),
    Chart("01-win-loss", win_loss, "Every pairing, with the higher-rated player first."),
    Chart("02-win-rates", win_rates, "A draw counts half. The intervals come from the spread between opening pairs."),
    Chart(
        "03-first-move",
        first_move,
        "Each opening is played with both colours, so the gap is the colour's advantage.",
    ),
    Chart(
        "04-durations",
        durations,
        "Thinking time of both sides; games under a millisecond are shown at 0.001.",
    ),
    Chart("05-moves", move_counts, "Games that fill the board are at the right end."),
    Chart("06-duration-moves", duration_against_moves, "One dot per game."),
    Chart("07-overall", overall, "Against all opponents together; the heat map shows each pairing."),
    Chart("08-averages", averages, "Means hide spread: the box plots below show it."),
    Chart("09-heat-map", heat_map, "Green: the row wins; red: it loses; empty: the two did not play."),
    Chart("10-duration-boxes", duration_boxes, "Box: middle half of the games; line: median; dots: outliers."),
    Chart("11-move-boxes", move_boxes, "Box: middle half of the games; line: median; dots: outliers."),
    Chart("openings", opening_advantage, "Openings far from 0.5 favour one colour; playing both colours cancels this."),
    Chart("time-strength", time_against_strength, "Higher is stronger, further left is faster."),
    Chart("terminations", terminations, "Losses on time, crashes and illegal moves are shown separately."),
)
