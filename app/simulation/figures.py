"""Figures: the kinds of charts that there are, as plain values for `templates/charts.svg.jinja`.

Belongs here: what each kind consists of, its scale, and all that it says in words. Does not belong here: what
is drawn of which results (`charts`), nor how it looks, which is the template's and `static/css/charts.css`'s.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from app.simulation.measuring import Mean, Share

MARKS = ("first", "second", "third", "fourth")
"""What tells rows and lines apart by pattern as well as colour, in turn."""

LABEL_GAP = 0.1
"""Labels at the ends of lines are at least so far from each other, as a part of the height."""

Ticks = tuple[tuple[float, str], ...]
"""Where a scale is labelled, as a part of its length from 0 to 1, and how."""

PERCENT: Ticks = ((0, "0%"), (0.25, "25%"), (0.5, "50%"), (0.75, "75%"), (1, "100%"))


@dataclass(frozen=True)
class Value:
    """A number with its interval, and how it is written."""

    value: float
    low: float
    high: float
    text: str


@dataclass(frozen=True)
class Row:
    """A bar from `zero` to `end` with an interval; all as parts of the width. `mark` tells whose it is."""

    label: str
    mark: str
    zero: float
    end: float
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
    """Bars that belong together: what they count, and for each its label, mark and number."""

    label: str
    bars: tuple[tuple[str, str, int], ...]


@dataclass(frozen=True)
class Point:
    """A point of a line, and its interval, as parts of width and height."""

    x: float
    y: float
    low: float
    high: float


@dataclass(frozen=True)
class Line:
    """A line; `end` is the height at which its label stands."""

    label: str
    mark: str
    points: tuple[Point, ...]
    end: float


@dataclass(frozen=True)
class Figure:
    """A chart. `text` is all that it says, for those who can't see it."""

    id: str
    title: str
    text: str


@dataclass(frozen=True)
class Bars(Figure):
    """Bars with intervals on one scale."""

    kind: ClassVar = "bars"
    rows: tuple[Row, ...]
    ticks: Ticks


@dataclass(frozen=True)
class Histogram(Figure):
    """How many games had each value; `under` says of what."""

    kind: ClassVar = "histogram"
    columns: tuple[Column, ...]
    ticks: tuple[int, ...]
    under: str


@dataclass(frozen=True)
class Groups(Figure):
    """Counts in groups."""

    kind: ClassVar = "groups"
    groups: tuple[Group, ...]


@dataclass(frozen=True)
class Lines(Figure):
    """Lines with their intervals as bands; `under` says what goes from left to right."""

    kind: ClassVar = "lines"
    lines: tuple[Line, ...]
    across: Ticks
    up: Ticks
    under: str


def percent(rate: float) -> str:
    """A part of 1 in percent; never "100.0%" for what is less."""
    shown = f"{100 * rate:.1f}%"
    return shown.replace("100.0%", "100%" if rate == 1 else "99.9%")


def rate_of(part: Share) -> Value:
    """A share, in percent."""
    text = f"{percent(part.rate)} ({percent(part.low)} to {percent(part.high)})"
    return Value(part.rate, part.low, part.high, text)


def mean_of(found: Mean) -> Value:
    """A mean, with two digits after the point. Its interval is not drawn beyond what can be."""
    low, high = max(found.low, min(found.least, 0.0)), found.high
    return Value(found.mean, low, high, f"{found.mean:.2f} ({found.low:.2f} to {found.high:.2f})")


def ticks(most: float, least: float = 0) -> tuple[int, ...]:
    """Round numbers from `least`, or just below, to `most` or just above, some four or five of them."""
    if most <= least:
        most = least + 1
    rough = (most - least) / 4
    power = 10 ** math.floor(math.log10(rough))
    step = max(1, int(next(n * power for n in (1, 2, 5, 10) if n * power >= rough)))
    return tuple(range(math.floor(least / step) * step, math.ceil(most / step) * step + 1, step))


def bars(figure: str, title: str, rows: Sequence[tuple[str, str, Value]], *, rates: bool) -> Bars:
    """Bars of labels, marks and values; `rates` are all on the scale from 0 to 100 %."""
    scale = _Scale.of([value for _, _, value in rows], rates=rates)
    return Bars(
        figure,
        title,
        ". ".join(f"{label}: {value.text}" for label, _, value in rows),
        tuple(
            Row(
                label,
                mark,
                scale.place(0),
                scale.place(value.value),
                scale.place(value.low),
                scale.place(value.high),
                value.text,
            )
            for label, mark, value in rows
        ),
        scale.ticks,
    )


def lines(
    figure: str,
    title: str,
    under: str,
    drawn: Sequence[tuple[str, str, Sequence[Value]]],
    *,
    rates: bool,
) -> Lines:
    """Lines of labels, marks and values after 1, 2 and so on."""
    scale = _Scale.of([value for *_, values in drawn for value in values], rates=rates)
    most = max(len(values) for *_, values in drawn)
    across = _Scale(1, max(most, 2), ())
    ends = _apart([scale.place(values[-1].value) for *_, values in drawn])
    return Lines(
        figure,
        title,
        ". ".join(f"{label}: {_spoken(under, values)}" for label, _, values in drawn),
        tuple(
            Line(label, mark, _points(values, across, scale), end)
            for (label, mark, values), end in zip(drawn, ends, strict=True)
        ),
        tuple((across.place(n), str(n)) for n in _numbered(most)),
        scale.ticks,
        under,
    )


@dataclass(frozen=True)
class _Scale:
    least: float
    most: float
    ticks: Ticks

    @classmethod
    def of(cls, values: Sequence[Value], *, rates: bool) -> "_Scale":
        if rates:
            return cls(0, 1, PERCENT)
        numbers = ticks(max(one.high for one in values), min(0, *(one.low for one in values)))
        least, most = numbers[0], numbers[-1]
        return cls(least, most, tuple(((n - least) / (most - least), str(n)) for n in numbers))

    def place(self, value: float) -> float:
        return (value - self.least) / (self.most - self.least)


def _points(values: Sequence[Value], across: _Scale, scale: _Scale) -> tuple[Point, ...]:
    return tuple(
        Point(across.place(n), scale.place(one.value), scale.place(one.low), scale.place(one.high))
        for n, one in enumerate(values, start=1)
    )


def _spoken(under: str, values: Sequence[Value]) -> str:
    return ", ".join(f"{under} {n}: {one.text}" for n, one in enumerate(values, start=1))


def _numbered(most: int) -> list[int]:
    """The first and the last one, and round ones between that leave them room."""
    round_ones = ticks(most)
    step = round_ones[1] - round_ones[0]
    return sorted({1, most, *(n for n in round_ones if 1 < n <= most - step / 2)})


def _apart(ends: Sequence[float]) -> list[float]:
    """Heights of labels next to the ends of their lines, none upon another, none above the top."""
    placed = dict.fromkeys(range(len(ends)), 0.0)
    ceiling = 1.0
    rising = sorted(placed, key=lambda n: ends[n])
    for left, n in zip(range(len(ends), 0, -1), reversed(rising), strict=True):
        lowest = (left - 1) * LABEL_GAP  # so much room is needed by those below
        placed[n] = max(min(ends[n], ceiling), lowest)
        ceiling = placed[n] - LABEL_GAP
    return list(placed.values())
