"""One whole game between bots, and what came of it. The same seed plays the same game.

Belongs here: a single game in this process. Does not belong here: many of them (`running`) and counting
(`counting`).
"""

import random
import time
from collections.abc import Mapping
from typing import Any

import msgspec

from app.bots import answer, bot_of
from app.engine.dice import Pool, Rolled
from app.engine.errors import BrokenGame, Illegal
from app.engine.game import Bot, Fate, Game, Measured
from app.engine.sequence import Decision, Played, Todo, begin, open_decisions, play

MOST_COMMANDS = 10_000
"""A game with more commands than this does not end; a real one takes some hundreds."""


class Thinking(msgspec.Struct, frozen=True):
    """What a seat's decisions took: how many, seconds for all of them, seconds for the longest."""

    decisions: int = 0
    seconds: float = 0.0
    longest: float = 0.0


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a game. All but `seconds` and the times in `thinking` follow from the seed."""

    seed: int
    winners: tuple[str, ...]
    reason: str
    turns: int
    scores: Mapping[str, int]
    fates: tuple[Fate, ...]
    decisions: int
    seconds: float
    thinking: Mapping[str, Thinking]
    measures: Mapping[str, Mapping[str, Measured]] = {}


def play_one(
    game: Game[Any],
    setup: Any,
    rulings: Mapping[str, str],
    bots: Mapping[str, str],
    seed: int,
    *,
    most: int = MOST_COMMANDS,
) -> Outcome:
    """A game from its set-up to its end.

    `setup` is plain data, as scenarios have it; `rulings` are those that differ from the defaults; `bots`
    the id of a bot for each seat. Raises Illegal where these can't be, and BrokenGame where the game or
    a bot breaks its contract, also when there is no end after `most` commands.
    """
    return play_to_the_end(game, setup, rulings, bots, seed, most=most)[0]


def play_to_the_end(
    game: Game[Any],
    setup: Any,
    rulings: Mapping[str, str],
    bots: Mapping[str, str],
    seed: int,
    *,
    most: int = MOST_COMMANDS,
) -> tuple[Outcome, Any]:
    """The same, with the final state: for whoever goes on from there."""
    began = time.perf_counter()
    sitting = _Sitting(game, converted(game, setup), rulings, bots, seed)
    decisions = 0
    while sitting.step is not None:
        if decisions == most:
            raise BrokenGame(f"no end after {most} commands, in turn {sitting.state.turn}")
        sitting.decide()
        decisions += 1
    return _outcome(game, sitting, seed, decisions, began), sitting.state


def _outcome(
    game: Game[Any], sitting: "_Sitting", seed: int, decisions: int, began: float
) -> Outcome:
    state = sitting.state
    return Outcome(
        seed=seed,
        winners=state.result.winners,
        reason=state.result.reason,
        turns=state.turn,
        scores=state.result.scores,
        fates=tuple(game.fates(state)),
        decisions=decisions,
        seconds=time.perf_counter() - began,
        thinking=sitting.thinking,
        measures=game.measures(state),
    )


def converted(game: Game[Any], setup: Any) -> Any:
    """A set-up as the game wants it, from plain data. Raises Illegal, naming the field that is wrong."""
    try:
        return msgspec.convert(setup, game.setup)
    except msgspec.ValidationError as error:
        raise Illegal(f"The set-up can't be read: {error}.") from None


class _Sitting:
    """A game on its way, without a log: only the state, and whose bot decides next."""

    def __init__(
        self,
        game: Game[Any],
        setup: Any,
        rulings: Mapping[str, str],
        bots: Mapping[str, str],
        seed: int,
    ) -> None:
        self.game = game
        self.bots: dict[str, Bot] = {}
        self.chances: dict[str, random.Random] = {}
        for seat in game.seats(setup):
            if seat.id not in bots:
                raise Illegal(f"No bot is named for the seat {seat.id}.")
            self.bots[seat.id] = bot_of(game, bots[seat.id])
            # A stream for each bot, so that one that asks for more dice changes nothing for the other,
            # nor for the game's own dice. Text as the seed is hashed the same in every process.
            self.chances[seat.id] = random.Random(f"bot {seat.id} {seed}")
        self.dice = random.Random(f"dice {seed}")
        self.thinking = {seat: Thinking() for seat in self.bots}
        settled = game.rulebook.settle(rulings)
        self.played = begin(game, game.start(setup, settled), self.throw)

    @property
    def state(self) -> Any:
        return self.played.state

    @property
    def step(self) -> Todo:
        return self.played.todo

    def throw(self, pool: Pool) -> Rolled:
        # Nobody has to be able to check these dice, so they need not cost what a table's do.
        return Rolled(pool, tuple(self.dice.choices(range(1, pool.sides + 1), k=pool.count)))

    def decide(self) -> None:
        """The next answer of a bot, and everything that follows by itself."""
        decision = self._asked()
        seat = decision.seat
        began = time.perf_counter()
        said = answer(self.game, self.state, decision, self.bots[seat], self.chances[seat])
        self._thought(seat, time.perf_counter() - began)
        self.played: Played = play(
            self.game,
            self.state,
            said,
            frozenset({seat}),
            self.throw,
            held=self.played.held,
            known=self.step,
        )

    def _asked(self) -> Decision:
        """The first open decision that has no sealed answer yet."""
        answered = {one.offer for one in self.played.held}
        for decision in open_decisions(self.step):
            if decision.id not in answered:
                return decision
        raise BrokenGame(f"nobody can go on in turn {self.state.turn}, phase {self.state.phase}")

    def _thought(self, seat: str, seconds: float) -> None:
        was = self.thinking[seat]
        self.thinking[seat] = Thinking(
            was.decisions + 1, was.seconds + seconds, max(was.longest, seconds)
        )
