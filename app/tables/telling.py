"""Telling: what a viewer is told of each entry of a log, and how he counts them.

Where a game keeps whole facts from some viewers, an entry of which a viewer is told nothing takes no number in
what he is given: its number would tell that something happened. He counts the entries that he is told of, and the
dice in them. When the game is over all is told, and the numbers are the record's own.

What is told of an entry follows from the log up to it and never changes before the end. So it is kept here for all
positions, and may be filled from any thread. Belongs here: entries and their sentences. Does not belong here: what
is seen of a position (position), how a line looks (looking).
"""

from bisect import bisect_right
from collections.abc import Collection, Mapping
from threading import Lock
from typing import Any

import msgspec

from app.engine.game import Game, Told
from app.engine.log import (
    Brought,
    Entry,
    Event,
    Finished,
    Forked,
    Opened,
    PhaseBegan,
    Rematched,
    Restored,
    Rewound,
    RulingsAdopted,
    RulingsAsked,
    RulingsRefused,
    TakebackAsked,
    TakebackRefused,
    WordSaid,
)
from app.engine.secret import Viewer, holds_secrets, redact
from app.tables.past import Past


class Numbers:
    """The entries that one viewer is told of, in order. It grows with the log.

    `seqs` are their numbers in the record, `events` their facts without what is hidden from him, `dice` how many
    dice of the server he was shown before each and after the last.
    """

    def __init__(self) -> None:
        self.seqs: list[int] = []
        self.events: list[Event] = []
        self.dice: list[int] = [0]
        self.read = 0
        """How many entries of the record have been looked at."""

    def of(self, seq: int) -> int:
        """How many of the first `seq` entries he is told of."""
        return bisect_right(self.seqs, seq)

    def add(self, entry: Entry, event: Event) -> None:
        """He is told of one more."""
        rolled = entry.dice is not None and entry.dice.index is not None
        more = len(entry.dice.faces) if entry.dice is not None and rolled else 0
        self.events.append(event)
        self.seqs.append(entry.seq)
        self.dice.append(self.dice[-1] + more)


class Telling:
    """What is told of a log.

    Args:
        game: whose facts they are.
        past: the log with its states.
        names: the words for units and seats.
        seats: the ids of all seats: whoever holds them is told everything.
        over: whether the game has ended, so that all are.
    """

    def __init__(
        self,
        game: Game[Any],
        past: Past,
        names: Mapping[str, str],
        seats: Collection[str],
        *,
        over: bool,
    ) -> None:
        self._game = game
        self._past = past
        self._names = names
        self._seats = frozenset(seats)
        self.over = over
        self.hides = game.hides_at(past.first)
        self._secretive = {kind for kind in game.events if holds_secrets(kind)}
        self._lines: dict[tuple[int, Viewer | None], Told] = {}
        self._numbers: dict[Viewer, Numbers] = {}
        self._lock = Lock()

    def hides_from(self, viewer: Viewer) -> bool:
        """Whether a viewer may not be told of every entry."""
        return self.hides and not self.over and not viewer.issuperset(self._seats)

    def may_show_setup(self, viewer: Viewer) -> bool:
        """Whether a viewer may see what the sides began with.

        Where a game ever keeps facts back, it may stand in the set-up what is hidden in the state, in fog or not.
        """
        return not self._game.may_hide or self.over or viewer.issuperset(self._seats)

    def numbers(self, viewer: Viewer, length: int) -> Numbers | None:
        """What a viewer counts of the first `length` entries; None where he counts as the record does."""
        if not self.hides_from(viewer):
            return None
        found = self._numbers.get(viewer)
        if found is None or found.read < length:
            with self._lock:
                found = self._numbers.setdefault(viewer, Numbers())
                for entry in self._past.entries[found.read : length]:
                    event = self._event(entry, viewer)
                    if event is not None:
                        found.add(entry, event)
                    found.read = entry.seq
        return found

    def _event(self, entry: Entry, viewer: Viewer) -> Event | None:
        """A fact without what is hidden from a viewer; None where he is not told of it."""
        event = redact(entry.event, viewer)
        if type(entry.event) not in self._game.events:
            return event
        before, after = self._past.state_at(entry.seq - 1), self._past.state_at(entry.seq)
        return self._game.tells(before, after, event, viewer)

    def entry(self, entry: Entry, viewer: Viewer) -> Entry | None:
        """An entry as a viewer is told it, with his own numbers; None where he is not told of it.

        Secrets that stand in its fact as such may still be there. From which table his parted he is not told: once
        that one is over, all that is hidden here is open there.
        """
        numbers = self.numbers(viewer, entry.seq)
        if numbers is None:
            if isinstance(entry.event, Opened) and not self.may_show_setup(viewer):
                return msgspec.structs.replace(entry, event=_without_setup(entry.event))
            return entry
        number = numbers.of(entry.seq)
        if not number or numbers.seqs[number - 1] != entry.seq:
            return None
        event = numbers.events[number - 1]
        if isinstance(event, Opened):
            event = _without_setup(event)
        elif isinstance(event, Rewound | TakebackAsked):
            event = msgspec.structs.replace(event, to=numbers.of(event.to))
        elif isinstance(event, Forked | Restored):
            event = msgspec.structs.replace(event, table="", at=numbers.of(event.at))
        dice = entry.dice
        if dice is not None and dice.index is not None:
            dice = msgspec.structs.replace(dice, index=numbers.dice[number - 1])
        return msgspec.structs.replace(entry, seq=number, event=event, dice=dice)

    def line(self, entry: Entry, viewer: Viewer) -> Told | None:
        """The sentence of an entry for a viewer; None where he is not told of it."""
        hidden = self.hides_from(viewer)
        apart = hidden or type(entry.event) in self._secretive
        key = (entry.seq, viewer if apart else None)
        line = self._lines.get(key)
        if line is None:
            seen = self.entry(entry, viewer)
            if seen is None:
                return None
            event = redact(seen.event, viewer) if apart else seen.event
            line = self._lines[key] = tell(self._game, event, self._names)
        return line


def _without_setup(opened: Opened) -> Opened:
    return msgspec.structs.replace(opened, setup={}, cards={})


def tell(game: Game[Any], event: Any, names: Mapping[str, str]) -> Told:
    """The log line of any event: the ones every table has here, the game's by the game."""
    name = names.get
    match event:
        case Opened():
            return Told(f"The table opens: {game.meta.title}.", quiet=True)
        case Brought(person=person, instead=instead):
            assert game.people is not None
            who = f"{game.people.title(game.people.read(person.record))} {person.name}".strip()
            place = f", in place of {instead}" if instead else ""
            return Told(f"{person.call_sign} takes the seat: {who}{place}.", quiet=not instead)
        case PhaseBegan(turn=turn, phase=phase):
            return Told(f"Turn {turn}, {game.phase(phase).title}.", quiet=True)
        case WordSaid(seat=seat, word=word):
            return Told(f"{name(seat, seat)} adds a word to the dice: {word}", quiet=True)
        case TakebackAsked(seat=seat, to=to):
            return Told(f"{name(seat, seat)} asks to take back to entry {to}.")
        case TakebackRefused(seat=seat):
            return Told(f"{name(seat, seat)} does not agree to the take-back.")
        case Rewound(to=to, by=by, agreed=agreed):
            yes = f", agreed by {name(agreed, agreed)}" if agreed else ""
            return Told(f"Taken back to entry {to} by {name(by, by)}{yes}.")
        case Finished(result=result):
            return Told(result.text)
        case Rematched(by=by, swapped=swapped):
            return Told(
                f"{name(by, by)} has opened a rematch, {'sides swapped' if swapped else 'same sides'}."
            )
        case RulingsAsked(seat=seat, edition=edition):
            return Told(f"{name(seat, seat)} asks to go on by rules of edition {edition}.")
        case RulingsRefused(seat=seat):
            return Told(f"{name(seat, seat)} stays with the rules that the table has.")
        case RulingsAdopted(rulings=rulings, edition=edition, by=by, agreed=agreed):
            yes = f", agreed by {' and '.join(name(one, one) for one in agreed)}" if agreed else ""
            steps = tuple(_settled(game, key, value) for key, value in rulings.items())
            return Told(
                f"From here on, rules of edition {edition}, asked for by {name(by, by)}{yes}.",
                steps=steps,
            )
        case Forked(at=at):
            return Told(
                f"From here on this is another way than at the table that it was copied from, after entry {at}; the dice are new."
            )
        case Restored(at=at, by=by):
            return Told(f"Restored at entry {at} by {by}; the dice are new from here on.")
        case _:
            return game.tell(event, names)


def _settled(game: Game[Any], key: str, value: str) -> str:
    """A ruling and its value in the words of the rulebook."""
    ruling = game.rulebook.rulings.get(key)
    if ruling is None:
        return f"{key}: {value}"
    label = next((one.label for one in ruling.options if one.value == value), value)
    return f"{ruling.question} {label}"
