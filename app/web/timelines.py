"""Where a timeline's lines, marks and words stand in its charts. Plain numbers for one template.

Belongs here: geometry. Does not belong here: what the numbers are (app.tables.history), or markup.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from app.engine.game import Seat
from app.tables.history import Timeline, TurnPoint, UnitLine

WIDTH = 350
LEFT = 26
TOP = 12
BOTTOM = 26
LEAST_HEIGHT = 190
LETTER = 6.6
SMALL = 5.5
"""About how wide a letter of a name and of a note is."""

ROW = 13
NOTE = 11
"""How high a name and the note under it are."""

LONGEST = 18
"""Letters of a name or a note; more are cut off. The numbers as text have them whole."""

QUANTITIES = ("altitude", "speed")

Spot = tuple[float, float]


@dataclass(frozen=True)
class Line:
    """A unit's line. `paths` are runs of turns in play; `out` is where it went out, if it did.

    `label` is where its name stands, `note` why it is out, `lead` a thin line from the last point to
    the name, "" where they stand together. `words` say how it ended, "" if it did not.
    """

    name: str
    mark: str
    paths: tuple[str, ...]
    dots: tuple[Spot, ...]
    out: Spot | None
    label: Spot
    note: str
    lead: str
    words: str


@dataclass(frozen=True)
class Value:
    """A unit's number in a turn, as it is shown; `y` is where in the list."""

    name: str
    mark: str
    text: str
    y: float


@dataclass(frozen=True)
class Turn:
    """A turn's strip of the chart, and the box of values that it shows. `words` say them."""

    turn: int
    x: float
    left: float
    width: float
    words: str
    box: Spot
    box_width: float
    box_height: float
    values: tuple[Value, ...]


@dataclass(frozen=True)
class Chart:
    """A quantity over the turns. Ticks are (place, number)."""

    id: str
    title: str
    width: float
    height: float
    right: float
    bottom: float
    across: tuple[tuple[float, int], ...]
    up: tuple[tuple[float, int], ...]
    lines: tuple[Line, ...]
    turns: tuple[Turn, ...]


@dataclass(frozen=True)
class Row:
    """A unit's numbers as text, a cell for each turn."""

    name: str
    mark: str
    cells: tuple[str, ...]
    end: str


@dataclass(frozen=True)
class NumberTable:
    """A quantity as a table."""

    title: str
    turns: range
    rows: tuple[Row, ...]


def charts_of(timeline: Timeline, seats: Sequence[Seat]) -> tuple[Chart, ...]:
    """A chart for each quantity that some unit has."""
    marks = {seat.id: seat.mark for seat in seats}
    return tuple(_Plot(timeline, quantity, marks).chart() for quantity in _told(timeline))


def tables_of(timeline: Timeline, seats: Sequence[Seat]) -> tuple[NumberTable, ...]:
    """The same numbers as text."""
    marks = {seat.id: seat.mark for seat in seats}
    turns = range(timeline.turns + 1)
    return tuple(
        NumberTable(
            quantity.capitalize(),
            turns,
            tuple(
                Row(
                    unit.name,
                    marks.get(unit.seat, ""),
                    tuple(_text(unit, quantity, turn) for turn in turns),
                    _end(unit),
                )
                for unit in timeline.units
            ),
        )
        for quantity in _told(timeline)
    )


def _told(timeline: Timeline) -> list[str]:
    return [
        quantity
        for quantity in QUANTITIES
        if any(_value(point, quantity) is not None for u in timeline.units for point in u.points)
    ]


def _value(point: TurnPoint, quantity: str) -> int | None:
    value: int | None = getattr(point, quantity)
    return value


def _values(unit: UnitLine, quantity: str) -> dict[int, int]:
    """A unit's numbers by turn."""
    found = ((point.turn, _value(point, quantity)) for point in unit.points)
    return {turn: value for turn, value in found if value is not None}


def _text(unit: UnitLine, quantity: str, turn: int) -> str:
    value = _values(unit, quantity).get(turn)
    return "–" if value is None else str(value)


def _end(unit: UnitLine) -> str:
    return "" if unit.left is None else f"{unit.cause}, turn {unit.left}"


def _short(name: str) -> str:
    return name if len(name) <= LONGEST else name[: LONGEST - 1] + "…"


class _Plot:
    """One chart in the making."""

    def __init__(self, timeline: Timeline, quantity: str, marks: Mapping[str, str]) -> None:
        self.timeline = timeline
        self.quantity = quantity
        self.marks = marks
        values = {unit.id: _values(unit, quantity) for unit in timeline.units}
        self.units = [unit for unit in timeline.units if values[unit.id]]
        self.values = values
        self.names = {unit.id: _short(unit.name) for unit in self.units}
        self.notes = {unit.id: _short(unit.cause) for unit in self.units}
        names = max(LETTER * len(name) for name in self.names.values())
        notes = max(SMALL * (len(note) + 2) for note in self.notes.values())
        self.right = round(WIDTH - 18 - max(names, notes), 1)
        labels = sum(self._room(unit) for unit in self.units)
        self.height = max(LEAST_HEIGHT, labels + TOP + BOTTOM)
        self.bottom = self.height - BOTTOM
        every = [value for unit in self.units for value in values[unit.id].values()]
        self.least = min(0, *every)
        self.step = _step(max(every) - self.least)
        self.most = self.least + self.step * max(
            1, math.ceil((max(every) - self.least) / self.step)
        )

    def chart(self) -> Chart:
        return Chart(
            self.quantity,
            self.quantity.capitalize(),
            WIDTH,
            self.height,
            self.right,
            self.bottom,
            tuple((self._x(turn), turn) for turn in self._turn_ticks()),
            tuple((self._y(n), n) for n in range(self.least, self.most + 1, self.step)),
            tuple(self._lines()),
            tuple(self._turn(turn) for turn in range(self.timeline.turns + 1)),
        )

    def _x(self, turn: int) -> float:
        return round(LEFT + (self.right - LEFT) * turn / max(1, self.timeline.turns), 1)

    def _y(self, value: float) -> float:
        share = (value - self.least) / (self.most - self.least)
        return round(self.bottom - (self.bottom - TOP) * share, 1)

    def _turn_ticks(self) -> range:
        turns = self.timeline.turns
        room = (self.right - LEFT) / 24
        return range(0, turns + 1, max(1, math.ceil(turns / room)))

    def _room(self, unit: UnitLine) -> float:
        """How high a unit's label is."""
        return ROW + (NOTE if self.notes[unit.id] else 0)

    def _lines(self) -> Iterator[Line]:
        points = {unit.id: self._points(n, unit) for n, unit in enumerate(self.units)}
        places = self._labels({unit: spots[-1][1][1] for unit, spots in points.items()})
        for unit in self.units:
            spots = points[unit.id]
            last = spots[-1][1]
            label = (self.right + 14, places[unit.id])
            apart = last[0] < self.right or abs(last[1] - label[1] + 4) > ROW / 2
            yield Line(
                self.names[unit.id],
                self.marks.get(unit.seat, ""),
                tuple(_runs(spots)),
                tuple(spot for _, spot in spots),
                last if unit.left is not None else None,
                label,
                self.notes[unit.id],
                f"M{last[0]} {last[1]}L{label[0] - 3} {label[1] - 4}" if apart else "",
                _end(unit) and f"{unit.name}: {_end(unit)}",
            )

    def _points(self, place: int, unit: UnitLine) -> list[tuple[int, Spot]]:
        """Where a line goes. Lines with the same numbers lie side by side, not over each other."""
        aside = (place - (len(self.units) - 1) / 2) * min(2.2, 9 / len(self.units))
        return [
            (turn, (self._x(turn), round(self._y(value) + aside, 1)))
            for turn, value in self.values[unit.id].items()
        ]

    def _labels(self, wanted: Mapping[str, float]) -> dict[str, float]:
        """Base lines of the labels: near the line's end, none over another, all within the chart."""
        units = sorted(self.units, key=lambda unit: wanted[unit.id])
        tops: list[float] = []
        free = 0.0
        for unit in units:
            tops.append(max(free, wanted[unit.id] - ROW / 2))
            free = tops[-1] + self._room(unit)
        limit = self.height - 4
        for n in range(len(units) - 1, -1, -1):
            tops[n] = min(tops[n], limit - self._room(units[n]))
            limit = tops[n]
        return {unit.id: round(top + ROW - 3, 1) for unit, top in zip(units, tops, strict=True)}

    def _turn(self, turn: int) -> Turn:
        x = self._x(turn)
        wide = (self.right - LEFT) / max(1, self.timeline.turns)
        width = 34 + LETTER * max(len(name) for name in self.names.values())
        texts = {unit.id: _text(unit, self.quantity, turn) for unit in self.units}
        values = tuple(
            Value(self.names[unit.id], self.marks.get(unit.seat, ""), texts[unit.id], 31 + ROW * n)
            for n, unit in enumerate(self.units)
        )
        said = ", ".join(f"{unit.name} {_said(texts[unit.id])}" for unit in self.units)
        name = "Start" if turn == 0 else f"Turn {turn}"
        left = x - width - 8 if x - width - 8 > 0 and x > self.right / 2 else x + 8
        return Turn(
            turn,
            x,
            round(x - wide / 2, 1),
            round(wide, 1),
            f"{name}, {self.quantity}: {said}",
            (round(min(left, WIDTH - width), 1), 2),
            round(width, 1),
            24 + ROW * len(values),
            values,
        )


def _said(text: str) -> str:
    return "not in play" if text == "–" else text


def _runs(spots: Sequence[tuple[int, Spot]]) -> Iterator[str]:
    """The path of each run of turns without a gap."""
    path = f"M{spots[0][1][0]} {spots[0][1][1]}"
    for (before, _), (turn, (x, y)) in pairwise(spots):
        if turn == before + 1:
            path += f"L{x} {y}"
        else:
            yield path
            path = f"M{x} {y}"
    yield path


def _step(span: int) -> int:
    """How far apart the numbers of the upright axis are: some five of them."""
    rough = max(1, span / 5)
    size = 10 ** math.floor(math.log10(rough))
    return next(int(size * n) for n in (1, 2, 5, 10) if size * n >= rough)
