"""The past of a table: its entries and the states after them.

It only grows, and what it says of an entry never changes: so all positions of a table share it, and a thread may
ask it anything while it grows. Belongs here: folding. Does not belong here: what is so now (position), who may
know of it (telling).
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, overload

from app.engine.game import Game
from app.engine.log import Entry, Finished, Rewound, RulingsAdopted
from app.engine.sequence import GameState, evolve

CHECKPOINT = 64
"""A state is kept every so many entries, so that any past moment is a short fold away."""


class Log(Sequence[Entry]):
    """The first entries of a list that only grows: a value, though nothing was copied."""

    __slots__ = ("_all", "_length")

    def __init__(self, entries: Sequence[Entry], length: int) -> None:
        self._all = entries
        self._length = length

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> Entry: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Entry]: ...
    def __getitem__(self, index: int | slice) -> Entry | Sequence[Entry]:
        if isinstance(index, slice):
            return [self._all[n] for n in range(self._length)[index]]
        return self._all[range(self._length)[index]]

    def __iter__(self) -> Iterator[Entry]:
        return islice(self._all, self._length)

    def __reversed__(self) -> Iterator[Entry]:
        for n in range(self._length - 1, -1, -1):
            yield self._all[n]


class Past:
    """Everything that has happened at a table.

    Args:
        game: its rules.
        first: the state before the first entry.
        entries: what there is already, none of which the rules made happen.
    """

    def __init__(self, game: Game[Any], first: GameState, entries: Sequence[Entry] = ()) -> None:
        self._game = game
        self.first = first
        self.entries: list[Entry] = list(entries)
        self._checkpoints: list[GameState] = [first] * (len(entries) // CHECKPOINT)
        # The newest states, and after which entry the first of them stood; lists that only grow.
        self._recent: tuple[int, list[GameState]] = (len(entries), [first])
        self._near: tuple[int, GameState] | None = None  # the past moment that was asked for last

    def begin(self, state: GameState) -> None:
        """More entries come: the states of those before are no longer the newest."""
        self._recent = (len(self.entries), [state])

    def add(self, entry: Entry, state: GameState) -> None:
        """An entry, and the state after it."""
        self.entries.append(entry)
        since, states = self._recent
        states.append(state)
        if len(states) > 4 * CHECKPOINT:
            self._recent = (since + len(states) - CHECKPOINT, states[-CHECKPOINT:])
        if entry.seq % CHECKPOINT == 0:
            self._checkpoints.append(state)

    def after(self, state: GameState, entry: Entry) -> GameState:
        """The state after an entry, from the one before it. Raises ValueError for one that can't follow it."""
        event = entry.event
        if isinstance(event, Rewound):
            if not 0 <= event.to < entry.seq:
                raise ValueError(f"there is no moment {event.to} before entry {entry.seq}")
            return self.state_at(event.to)
        if entry.kind == "table" and not isinstance(event, Finished | RulingsAdopted):
            return state
        return evolve(self._game, state, event)

    def state_at(self, seq: int) -> GameState:
        """The state after entry `seq`, which there must be; 0 is the beginning."""
        since, states = self._recent
        if 0 <= seq - since < len(states):
            return states[seq - since]
        kept = min(seq // CHECKPOINT, len(self._checkpoints))
        done, state = kept * CHECKPOINT, self._checkpoints[kept - 1] if kept else self.first
        near = self._near
        if near is not None and done <= near[0] <= seq:
            done, state = near
        for entry in self.entries[done:seq]:
            state = self.after(state, entry)
        self._near = (seq, state)
        return state
