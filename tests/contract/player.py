"""A plain seeded player: plays any game to its end by legal choices and remembers all of it.

`Sitting` is a table without storage, web or people: just the engine's commands and a log of entries. What it
keeps beside the log (the state after each entry) is how the laws of the log are checked.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product
from typing import Any

import msgspec

from app.engine.dice import Cup, Pool, Rolled
from app.engine.game import Game
from app.engine.log import TABLE_EDITION, Entry, Opened, Rewound, live
from app.engine.sequence import (
    Advance,
    Answer,
    Decision,
    Draft,
    Held,
    Option,
    Pace,
    Played,
    Todo,
    begin,
    evolve,
    open_decisions,
    play,
    shortest,
    todo,
    walk,
)

MOST_COMMANDS = 3000
"""More commands than any game may need; a real one takes some hundreds."""

Rulings = Mapping[str, str]
Choose = Callable[[random.Random, Decision], Any]


class DeadEndError(AssertionError):
    """Nothing can be done, and the game is not over."""


class EndlessError(AssertionError):
    """The game goes on and on."""


@dataclass(frozen=True)
class Moment:
    """A command, what was open before it, and what it did."""

    state: Any
    held: tuple[Held, ...]
    step: Todo
    seat: str
    command: Answer | Advance
    played: Played
    next_index: int


@dataclass
class Sitting:
    """A table in memory.

    By the seq of each entry, `states` has the state after it and `heads` the last entry that counted then;
    `before` leads from an entry that counts to the one before it. So a take-back restores what was, and
    that is what the log's own functions, which work otherwise, must come to.
    """

    game: Game[Any]
    setup: Any
    rulings: Rulings
    cup: Cup
    pace: Pace = "flow"
    entries: list[Entry] = field(default_factory=list)
    states: dict[int, Any] = field(default_factory=dict)
    heads: dict[int, int] = field(default_factory=lambda: {0: 0})
    before: dict[int, int] = field(default_factory=dict)
    moments: list[Moment] = field(default_factory=list)
    held: tuple[Held, ...] = ()
    state: Any = None
    _asked: tuple[Any, Todo] | None = None

    @classmethod
    def open(
        cls,
        game: Game[Any],
        setup: Mapping[str, Any],
        rulings: Rulings,
        seed: int,
        *,
        words: Sequence[str] = (),
        pace: Pace = "flow",
    ) -> "Sitting":
        """A new table, played on to its first choice."""
        # As a stored table has it: lists, and no tuples.
        setup = msgspec.json.decode(msgspec.json.encode(setup))
        settled = game.rulebook.settle(rulings)
        sitting = cls(
            game=game,
            setup=msgspec.convert(setup, game.setup),
            rulings=settled,
            cup=Cup(seed.to_bytes(32, "big"), words),
            pace=pace,
        )
        sitting.state = game.start(sitting.setup, settled)
        opened = Opened(
            game=game.meta.id,
            rules=game.rules,
            setup=setup,
            rulings=settled,
            mode="shared",
            dice="server",
            pace=pace,
            takebacks="own",
            table=TABLE_EDITION,
            cards=game.cards_of(sitting.setup),
        )
        sitting.entries.append(Entry(1, 0, 0, "", "table", opened))
        sitting.states[1] = sitting.state
        sitting._counts(1)
        sitting._write(begin(game, sitting.state, sitting.throw, pace=pace), sitting.state)
        return sitting

    @property
    def seats(self) -> tuple[str, ...]:
        """The ids of the sides."""
        return tuple(seat.id for seat in self.game.seats(self.setup))

    def throw(self, pool: Pool) -> Rolled:
        """The table's dice: each number is used once."""
        rolled = self.cup.throw(pool, self.cup.next_index)
        self.cup.next_index += pool.count
        return rolled

    def todo(self) -> Todo:
        """What must happen next; asked of the rules once for each state, as at a table."""
        if self._asked is None or self._asked[0] is not self.state:
            self._asked = (self.state, todo(self.game, self.state))
        return self._asked[1]

    def do(self, seat: str, command: Answer | Advance) -> Played:
        """A command by the holder of one seat."""
        state, held, step, index = self.state, self.held, self.todo(), self.cup.next_index
        played = play(
            self.game,
            state,
            command,
            frozenset({seat}),
            self.throw,
            pace=self.pace,
            held=held,
            known=step,
        )
        self.moments.append(Moment(state, held, step, seat, command, played, index))
        self._write(played, state)
        return played

    def _write(self, played: Played, state: Any) -> None:
        first = len(self.entries) + 1
        for one in played.happenings:
            seq = len(self.entries) + 1
            self.entries.append(
                Entry(
                    seq,
                    seq,
                    one.turn,
                    one.phase,
                    one.kind,
                    one.event,
                    one.seat,
                    one.unit,
                    one.cite,
                    one.dice,
                    first,
                )
            )
            state = evolve(self.game, state, one.event)
            self.states[seq] = state
            self._counts(seq)
        self.state = played.state
        self.held = played.held
        self._asked = (played.state, played.todo)

    @property
    def live(self) -> tuple[int, ...]:
        """The seqs of the entries that count now."""
        seqs: list[int] = []
        head = self.heads[len(self.entries)]
        while head:
            seqs.append(head)
            head = self.before[head]
        return tuple(reversed(seqs))

    def _counts(self, seq: int) -> None:
        self.before[seq] = self.heads[seq - 1]
        self.heads[seq] = seq

    def rewind(self, to: int, by: str) -> None:
        """Go on from the moment after entry `to`, which must be one that counts."""
        seq = len(self.entries) + 1
        event = Rewound(to, by)
        self.state = self.states[to]
        self.entries.append(Entry(seq, seq, self.state.turn, self.state.phase, "table", event, by))
        self.states[seq] = self.state
        self.heads[seq] = self.heads[to]
        self.held = ()

    def fold(self) -> Any:
        """The state from the log alone."""
        return fold(
            self.game, self.setup, self.rulings, (entry.event for entry in live(self.entries))
        )


def fold(game: Game[Any], setup: Any, rulings: Rulings, events: Iterator[Any]) -> Any:
    """The state after the facts of a log; what happens about the table changes nothing."""
    state = game.start(setup, rulings)
    for event in events:
        if not isinstance(event, Opened):
            state = evolve(game, state, event)
    return state


def free_options(decision: Decision) -> list[Any]:
    """The values of the options that may be chosen; for a line of text, the plainest one too."""
    free = [option.value for option in decision.all_options if option.blocked is None]
    if decision.draft is not None and (line := walk(decision, shortest)) not in free:
        free.append(line)
    return free


def at_random(rng: random.Random, decision: Decision) -> Any:
    """Any option that may be chosen, or mostly a line that nobody has written down before."""
    if decision.draft is not None and rng.random() < 0.8:
        return walk(decision, lambda line: any_token(rng, line))
    return rng.choice(free_options(decision))


def any_token(rng: random.Random, line: Draft) -> Option | None:
    """For `walk`: any token that is allowed; a whole line goes on two times of three, if it can."""
    free = [option for option in line.next if option.blocked is None]
    if line.whole and (not free or rng.random() < 1 / 3):
        return None
    return rng.choice(free) if free else None


def askable(sitting: Sitting) -> list[Decision]:
    """The decisions that wait for an answer. Raises DeadEndError where one of them has none."""
    answered = {one.offer for one in sitting.held}
    asked = [one for one in open_decisions(sitting.todo()) if one.id not in answered]
    for decision in asked:
        if not free_options(decision):
            raise DeadEndError(f"{decision.id}: {decision.title} has no answer")
    return asked


def play_game(
    game: Game[Any],
    setup: Mapping[str, Any],
    rulings: Rulings,
    seed: int,
    max_commands: int = MOST_COMMANDS,
    *,
    choose: Choose = at_random,
    pace: Pace = "flow",
    words: Sequence[str] = (),
) -> Sitting:
    """A whole game by random choices; the same seed plays the same game.

    Raises DeadEndError or EndlessError where the game has none of the ends it should have. In pace "step" every
    pending step is advanced, so that choices and dice come out as in "flow".
    """
    rng = random.Random(seed)
    sitting = Sitting.open(game, setup, rulings, seed, words=words, pace=pace)
    choices = 0
    while (step := sitting.todo()) is not None:
        asked = askable(sitting)
        by_itself = not asked or any(one.forced is not None for one in asked)
        if by_itself:
            if pace == "flow":
                raise DeadEndError(f"{step}: play stopped where nobody has a choice")
            sitting.do(sitting.seats[0], Advance())
            continue
        choices += 1
        if choices > max_commands:
            raise EndlessError(f"no end after {max_commands} commands, turn {sitting.state.turn}")
        decision = rng.choice(asked)
        sitting.do(decision.seat, Answer(decision.id, choose(rng, decision)))
    return sitting


def play_tape(
    game: Game[Any],
    setup: Mapping[str, Any],
    rulings: Rulings,
    seed: int,
    tape: Sequence[int],
    *,
    rewinds: bool = False,
) -> Iterator[Sitting]:
    """A game by the numbers of a tape, as far as it goes; yields the table after each command.

    Numbers mean: which of the open decisions, which of its options; with `rewinds`, each number that
    divides by 7 takes back to some entry. Shorter tapes with smaller numbers are simpler games, so that
    Hypothesis finds the shortest one that shows a fault.
    """
    sitting = Sitting.open(game, setup, rulings, seed)
    yield sitting
    for number in tape:
        if rewinds and number % 7 == 0 and number:
            sitting.rewind(sitting.live[number // 7 % len(sitting.live)], sitting.seats[0])
        elif sitting.todo() is None:
            return
        elif asked := askable(sitting):
            decision = asked[number % len(asked)]
            free = free_options(decision)
            choice = free[number // len(asked) % len(free)]
            sitting.do(decision.seat, Answer(decision.id, choice))
        else:  # a take-back may have stopped before something that happens by itself
            sitting.do(sitting.seats[0], Advance())
        yield sitting


def pairwise(game: Game[Any]) -> list[dict[str, str]]:
    """Few settlements of the rulings in which every two values of different rulings meet.

    Greedy: each row begins with a pair that has not met, then takes the values that add most.
    """
    rulings = {key: [o.value for o in one.options] for key, one in game.rulebook.rulings.items()}
    if len(rulings) < 2:
        return [{key: value} for key, values in rulings.items() for value in values] or [{}]
    unmet = {
        frozenset({(a, x), (b, y)})
        for a, b in combinations(rulings, 2)
        for x, y in product(rulings[a], rulings[b])
    }
    rows: list[dict[str, str]] = []
    row = {key: one.default for key, one in game.rulebook.rulings.items()}
    while True:
        rows.append({key: row[key] for key in rulings})
        unmet -= _pairs(row)
        if not unmet:
            return rows
        row = dict(min(unmet, key=sorted))
        for key in rulings:
            if key not in row:
                gains = {v: len(_pairs(row | {key: v}) & unmet) for v in rulings[key]}
                row[key] = max(gains, key=lambda value, gains=gains: gains[value])


def _pairs(row: Mapping[str, str]) -> set[frozenset[tuple[str, str]]]:
    return {frozenset(pair) for pair in combinations(row.items(), 2)}


def settlement(game: Game[Any], number: int, rows: Sequence[Mapping[str, str]]) -> Rulings:
    """The rulings of game number so and so: the pairwise ones first, then random ones."""
    if number < len(rows):
        return rows[number]
    rng = random.Random(number)
    return {key: rng.choice(one.options).value for key, one in game.rulebook.rulings.items()}
