"""Charts of a summary, as plain values for `templates/charts.svg.jinja`, and the picture as one file.

Belongs here: what is drawn and in which words. Does not belong here: how it looks, which is the template's
and `static/css/charts.css`'s.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from app.games import registry
from app.settings import resource
from app.simulation.counting import Share, Side, Summary, Turns

MOST_COLUMNS = 24
"""More columns than this in a histogram would be too thin to label; then several turns share one."""


@dataclass(frozen=True)
class RateRow:
    """A part of all games with its interval, from 0 to 1. `mark` tells whose it is; "" nobody's."""

    label: str
    mark: str
    rate: float
    low: float
    high: float
    text: str


@dataclass(frozen=True)
class Column:
    """A column of a histogram."""

    label: str
    count: int


@dataclass(frozen=True)
class Group:
    """Bars that belong together: what they count, and for each side its label, mark and number."""

    label: str
    bars: tuple[tuple[str, str, int], ...]


@dataclass(frozen=True)
class Charts:
    """The three charts. Each `…_text` is all that its chart says, for those who can't see it."""

    rates: tuple[RateRow, ...]
    rates_text: str
    columns: tuple[Column, ...]
    ticks: tuple[int, ...]
    columns_text: str
    losses: tuple[Group, ...]
    losses_text: str


def charts_of(summary: Summary, titles: Mapping[str, str] | None = None) -> Charts:
    """The charts of a summary. Without games there is nothing in them. `titles` names bots for people."""
    rates = tuple(_rates(summary, titles or {})) if summary.games else ()
    columns = _columns(summary.turns) if summary.turns else ()
    losses = _losses(summary.sides)
    return Charts(
        rates=rates,
        rates_text=". ".join(f"{row.label}: {row.text}" for row in rates),
        columns=columns,
        ticks=ticks(max((column.count for column in columns), default=0)),
        columns_text=_columns_text(summary.turns, columns) if summary.turns else "",
        losses=losses,
        losses_text="; ".join(
            f"{group.label}: " + ", ".join(f"{label} {count}" for label, _, count in group.bars)
            for group in losses
        ),
    )


def percent(rate: float) -> str:
    """A part of 1 in percent; never "100.0%" for what is less."""
    shown = f"{100 * rate:.1f}%"
    return shown.replace("100.0%", "100%" if rate == 1 else "99.9%")


def ticks(most: float) -> tuple[int, ...]:
    """Round numbers from 0 to `most` or just above, some four or five of them."""
    if most <= 0:
        return (0, 1)
    rough = most / 4
    power = 10 ** math.floor(math.log10(rough))
    step = max(1, int(next(n * power for n in (1, 2, 5, 10) if n * power >= rough)))
    return tuple(range(0, math.ceil(most / step) * step + 1, step))


def svg_of(summary: Summary) -> str:
    """The charts as one SVG file that needs nothing beside it, for light and dark screens."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # most runs draw nothing

    environment = Environment(
        loader=FileSystemLoader(resource("templates")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    order = summary.order
    meta = registry.load(order.game).meta
    about = {
        "title": f"{meta.title}: {order.scenario or 'own set-up'}",
        "subtitle": f"{summary.games} games, seed {order.seed}"
        + ("" if summary.whole else f", cut short of {order.games}"),
    }
    template = environment.get_template("simulations/plot.svg.jinja")
    return template.render(charts=charts_of(summary), style=standalone_style(), **about)


@cache
def standalone_style() -> str:
    """The pages' style for charts with every colour written out: not all viewers know variables."""
    tokens = (resource("static") / "css/contrail.css").read_text(encoding="utf-8")
    css = (resource("static") / "css/charts.css").read_text(encoding="utf-8")
    css = re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)
    colours: list[tuple[str, str, str]] = re.findall(
        r"--([\w-]+):light-dark\((#\w+),(#\w+)\)", tokens
    )
    light = {name: value for name, value, _ in colours}
    dark = {name: value for name, _, value in colours}
    return (
        f"{_written_out(css, light)}@media(prefers-color-scheme:dark){{{_written_out(css, dark)}}}"
    )


def _written_out(css: str, colours: dict[str, str]) -> str:
    def colour(match: re.Match[str]) -> str:
        return colours[match[1]]

    return re.sub(r"var\(--([\w-]+)\)", colour, css).strip()


def _rates(summary: Summary, titles: Mapping[str, str]) -> Sequence[RateRow]:
    rows = [
        (f"{side.label} ({titles.get(side.bot, side.bot)})", side.mark, side.wins)
        for side in summary.sides
    ]
    rows.append(("Draws", "", summary.draws))
    return [
        RateRow(label, mark, part.rate, part.low, part.high, _rate_text(part))
        for label, mark, part in rows
    ]


def _rate_text(part: Share) -> str:
    return f"{percent(part.rate)} ({percent(part.low)} to {percent(part.high)})"


def _columns(turns: Turns) -> tuple[Column, ...]:
    """The histogram, with several turns to a column where there would be too many."""
    bars = turns.histogram
    width = math.ceil(len(bars) / MOST_COLUMNS)
    columns: list[Column] = []
    for first in range(0, len(bars), width):
        part = bars[first : first + width]
        ends = dict.fromkeys((part[0].turns, part[-1].turns))
        columns.append(Column("–".join(map(str, ends)), sum(bar.games for bar in part)))
    return tuple(columns)


def _columns_text(turns: Turns, columns: Sequence[Column]) -> str:
    games = ", ".join(f"{column.label} turns: {column.count}" for column in columns if column.count)
    return f"Median {turns.median:g}, mean {turns.mean:.1f}. Games by length: {games}."


def _losses(sides: Sequence[Side]) -> tuple[Group, ...]:
    totals: dict[str, int] = {}
    for side in sides:
        for cause, count in side.lost.items():
            totals[cause] = totals.get(cause, 0) + count
    causes = sorted(totals, key=lambda cause: (-totals[cause], cause))
    return tuple(
        Group(cause, tuple((side.label, side.mark, side.lost.get(cause, 0)) for side in sides))
        for cause in causes
    )
