"""Replaying: a log decided again. Its own choices and dice go through this version's rules, fact by fact.

Each entry is held against what the rules make of the state before it, as the log has it; so one difference
does not make the rest differ. Belongs here: that comparison. Does not belong here: what follows from it.
"""

from collections.abc import Iterator
from typing import Any, cast

import msgspec

from app.engine.errors import Refused
from app.engine.log import Entry
from app.engine.sequence import Decision, Effect, Roll, Todo, canonical, open_decisions, todo
from app.tables.live import LiveTable


class Difference(msgspec.Struct, frozen=True):
    """An entry that the rules would not make so: what the log has, and what this version makes there."""

    seq: int
    kept: str
    now: str


class Replay(msgspec.Struct, frozen=True):
    """How a replay went. `decided` entries were made again; of `unknown` decisions the choice is not kept, and no option makes them.

    `first` is the first difference, if there is one.
    """

    decided: int
    unknown: int
    first: Difference | None


def replay(table: LiveTable) -> Replay:
    """Decide a table's log again, struck entries too, up to the first difference."""
    decided = unknown = 0
    for entry, now in _decided_again(table):
        if now is None:
            unknown += 1
        elif now != _kept(entry.event):
            return Replay(decided, unknown, Difference(entry.seq, _kept(entry.event), now))
        else:
            decided += 1
    return Replay(decided, unknown, None)


def _decided_again(table: LiveTable) -> Iterator[tuple[Entry, str | None]]:
    """Each entry of the game with what the rules make there; None where that can't be told."""
    asked: tuple[int, tuple[Decision, ...]] = (0, ())
    for entry in table.entries[1:]:
        if entry.kind == "table":
            continue
        step = todo(table.game, table.state_at(entry.seq - 1))
        if (
            asked[0] != entry.command
        ):  # sealed answers of one command were all given to its first question
            asked = (entry.command, open_decisions(step))
        try:
            yield entry, _made(entry, step, asked[1])
        except Refused as refused:
            yield entry, f"a refusal: {refused.detail}"
        except Exception as error:  # rules that fall over on a fact do not make it
            yield entry, f"an error of the rules: {error!r}"


def _made(entry: Entry, step: Todo, asked: tuple[Decision, ...]) -> str | None:
    match entry.kind:
        case "roll":
            if not isinstance(step, Roll) or entry.dice is None:
                return _instead(step)
            if (step.seat, step.unit, step.pool) != (entry.seat, entry.unit, entry.dice.pool):
                return _instead(step)
            return _kept(step.happen(step.pool.check(entry.dice.faces)))
        case "effect":
            return _effect(entry, step)
        case _:
            return _decision(entry, step, asked)


def _effect(entry: Entry, step: Todo) -> str:
    if isinstance(step, Effect):
        return _kept(step.event)
    made = [
        _kept(decision.happen(decision.forced.value))
        for decision in open_decisions(step)
        if decision.forced is not None
    ]
    kept = _kept(entry.event)
    return kept if kept in made else made[0] if made else _instead(step)


def _decision(entry: Entry, step: Todo, asked: tuple[Decision, ...]) -> str | None:
    open_ = [one for one in (*open_decisions(step), *asked) if _is_of(one, entry)]
    if not open_:
        return _instead(step)
    kept = _kept(entry.event)
    if entry.choice is not None:
        made = [_of_choice(one, entry.choice) for one in open_]
        return kept if kept in made else made[0]
    if any(_kept(event) == kept for one in open_ for event in _events(one)):
        return kept
    listed = all(one.schema is None and one.draft is None for one in open_)
    return "none of the choices that there are" if listed else None


def _of_choice(decision: Decision, choice: Any) -> str:
    try:
        return _kept(decision.happen(decision.accept(choice)))
    except Refused as refused:
        return f"a refusal: {refused.detail}"


def _kept(event: Any) -> str:
    """An event as it would be kept: read back from its JSON, in which 0 and 0.0 are the same."""
    kind = cast("type[Any]", type(event))
    return canonical(msgspec.json.decode(canonical(event), type=kind))


def _is_of(decision: Decision, entry: Entry) -> bool:
    return (decision.seat, decision.unit) == (entry.seat, entry.unit)


def _events(decision: Decision) -> Iterator[Any]:
    """What each listed answer would make."""
    for option in decision.all_options:
        if option.blocked is None:
            try:
                yield decision.happen(decision.accept(option.value))
            except Refused:
                continue


def _instead(step: Todo) -> str:
    """What the rules ask in place of what the log has."""
    match step:
        case Roll():
            return f"a roll of {step.pool} by {step.seat}: {step.title}"
        case Effect():
            return _kept(step.event)
        case None:
            return "nothing: the game is over"
        case _:
            asked = (f"{one.seat}: {one.title}" for one in open_decisions(step))
            return f"a question to {'; '.join(asked)}"
