"""Golden texts: what each seat and a spectator saw of a stored table, and what today's rules make of it.

A table is loaded as a server loads it, and played on command by command as its log has it: at each moment the
lines, the questions and the units are written down as every viewer gets them. Then each fact is asked of
today's rules again, with the same choices and dice. `python -m tests.golden` writes the texts anew; the diff is to
be read. Belongs here: making a text. Does not belong here: comparing it (test_golden), reading rows (stored).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import structs

from app import schema
from app.engine import sequence
from app.engine.errors import BrokenGame, Refused
from app.engine.game import UnitView
from app.engine.log import Entry
from app.engine.secret import Viewer
from app.engine.sequence import Decision, Effect, Roll, open_decisions
from app.tables.codec import event_decoder, from_row
from app.tables.live import Claim, LiveTable
from app.tables.looking import lines_of, view_of
from tests.golden.stored import Stored

TEXTS = Path(__file__).with_name("texts")


def path_of(name: str) -> Path:
    """Where a table's text is."""
    return TEXTS / f"{name}.txt"


def text_of(one: Stored) -> str:
    """All of it."""
    return "\n".join([*_seen(one), "", *_decided_again(one)]) + "\n"


# What was seen


def _seen(one: Stored) -> Iterator[str]:
    groups = _commands(_entries(one))
    claims = [
        Claim(str(seat), f"invite-{seat}", who, None, name or "") for seat, who, name in one.claims
    ]
    table = LiveTable(one.loaded, one.about, claims, one.seed, groups[0])
    viewers: dict[str, Viewer] = {"spectator": frozenset()}
    viewers |= {claim.seat: frozenset({claim.seat}) for claim in claims}
    yield f"{one.name}: {table.game.meta.title}, opened by edition {one.edition}"
    rulings = (f"{key} {value}" for key, value in sorted(table.opened.rulings.items()))
    yield f"rulings: {', '.join(rulings)}"
    yield f"told to all, or to those in brackets: {', '.join(viewers)}"
    yield ""
    asked: dict[str, list[str]] = {}
    units: dict[str, Mapping[str, str]] = {name: {} for name in viewers}
    for number, group in enumerate(groups):
        before = dict.fromkeys(viewers, 0)
        if number:
            before = {name: table.position.count(viewer) for name, viewer in viewers.items()}
            table.added(group)
        if table.finished:  # all is told from now on, in the record's own numbers
            before = dict.fromkeys(viewers, group[0].seq - 1)
        yield from _told({name: _lines(table, viewers[name], before[name]) for name in viewers}, "")
        views = {name: view_of(table, viewer) for name, viewer in viewers.items()}
        now = {name: {unit.id: _unit(unit) for unit in view.units} for name, view in views.items()}
        changed = {
            name: [line for unit, line in lines.items() if units[name].get(unit) != line]
            + [f"{unit} is out of sight" for unit in units[name] if unit not in lines]
            for name, lines in now.items()
        }
        units = dict(now)
        yield from _told(changed, "  = ")
        prompts = {name: _prompt(view) for name, view in views.items()}
        news = {name: one for name, one in prompts.items() if asked.get(name) != one}
        yield from _told(news, "  ? ", len(viewers))
        asked = prompts


def _entries(one: Stored) -> list[Entry]:
    decoder = event_decoder(one.loaded, one.rows[0]["event"])
    return [from_row(row, decoder) for row in one.rows]


def _commands(entries: Sequence[Entry]) -> list[list[Entry]]:
    """The entries by the command that made them."""
    groups: list[list[Entry]] = []
    for entry in entries:
        if groups and entry.command and groups[-1][0].command == entry.command:
            groups[-1].append(entry)
        else:
            groups.append([entry])
    return groups


def _lines(table: LiveTable, viewer: Viewer, after: int) -> list[str]:
    to = table.position.count(viewer)
    return [f"{line.seq} {_whole(line)}" for line in lines_of(table, viewer, after, to)]


def _whole(line: Any) -> str:
    return f"{line.unit_name} {line.text}" if line.unit_name else line.text


def _unit(unit: UnitView) -> str:
    where = "off the board" if unit.hex is None else f"{unit.hex} facing {unit.facing}"
    parts = [f"{unit.name} {where}"]
    parts += [f"altitude {unit.altitude}"] if unit.altitude is not None else []
    parts += [f"speed {unit.speed:g}"] if unit.speed is not None else []
    return ", ".join([*parts, *unit.states])


def _prompt(view: Any) -> list[str]:
    own = [offer for offer in view.offers if view.seat is not None and offer.seat == view.seat]
    return [
        view.prompt,
        *(
            f"{'' if offer.title in view.prompt else f'{offer.title}: '}{_ways(offer)}"
            for offer in own
        ),
    ]


def _ways(offer: Any) -> str:
    free = sum(option.blocked is None for option in offer.options)
    return f"{free} of {len(offer.options)} ways"


def _told(lines: Mapping[str, Sequence[str]], mark: str, everybody: int = 0) -> Iterator[str]:
    """Each line once, with those who are told it in brackets where not all are."""
    who: dict[str, list[str]] = {}
    for name, one in lines.items():
        for line in dict.fromkeys(one):
            who.setdefault(line, []).append(name)
    for line, names in who.items():
        to = "" if len(names) == (everybody or len(lines)) else f"[{' '.join(names)}] "
        yield f"{mark}{to}{line}"


# What today's rules make of the same choices and dice


def _decided_again(one: Stored) -> Iterator[str]:
    """How many facts come out as they are in the log, and those that do not."""
    table = one.live()
    game, forms = table.game, schema.kept(one.game)
    assert forms is not None
    then = partial(_as_then, forms.types_of(one.edition))
    same = unknown = 0
    others: list[str] = []
    for before, entry, _ in table.course():
        if entry.kind == "table":
            continue
        try:
            made = list(_facts(sequence.todo(game, before), entry, then))
        except Refused as refused:
            made = [refused.detail]
        if entry.event in made:
            same += 1
        elif made:
            others.append(
                f"{entry.seq} {type(entry.event).__name__}: {_difference(entry, made[0])}"
            )
        else:
            unknown += 1
    yield f"Asked of today's rules again: {same} facts are the same, {len(others)} are not."
    if unknown:
        yield f"{unknown} answers are kept only as what came of them."
    yield from others


def _as_then(forms: schema.Types, fact: Any) -> Any:
    """A fact without what its form of an edition could not say yet."""
    form = forms.get(type(fact).__name__)
    if form is None:
        return fact
    new = [one for one in structs.fields(fact) if one.name not in form["properties"]]
    return structs.replace(fact, **{one.name: one.default for one in new if not one.required})


Then = Callable[[Any], Any]


def _facts(step: sequence.Todo, entry: Entry, then: Then) -> Iterator[Any]:
    """What could have been the fact of an entry: of its dice, or of its question by what it says."""
    if isinstance(step, Effect):
        yield then(step.event)
    elif isinstance(step, Roll) and entry.dice is not None:
        yield then(step.happen(entry.dice.faces))
    for decision in open_decisions(step):
        if decision.seat == entry.seat and decision.unit == entry.unit:
            yield from _answers(decision, entry, then)


def _answers(decision: Decision, entry: Entry, then: Then) -> Iterator[Any]:
    """The fact of the answer that says what the entry does, if it is found."""
    values = (
        []
        if decision.schema
        else [one.value for one in decision.all_options if one.blocked is None]
    )
    for value in [*values, *(_words(entry.event) if decision.draft else ())]:
        with suppress(Refused, BrokenGame):
            if (fact := then(decision.happen(value))) == entry.event:
                yield fact
                return


def _words(event: Any) -> Iterator[str]:
    """The texts of a fact: one of them may be the line that was answered."""
    for name in event.__struct_fields__:
        value = getattr(event, name)
        value = getattr(value, "value", value)
        if isinstance(value, str):
            yield value
        elif hasattr(value, "__struct_fields__"):
            yield from _words(value)


def _difference(entry: Entry, made: Any) -> str:
    if type(made) is not type(entry.event):
        return f"now {type(made).__name__}" if not isinstance(made, str) else made
    parts = [
        f"{name} {getattr(entry.event, name)!r}, now {getattr(made, name)!r}"
        for name in made.__struct_fields__
        if getattr(entry.event, name) != getattr(made, name)
    ]
    return "; ".join(parts)
