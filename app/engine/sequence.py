"""The sequence: what must happen next, and what a command makes of it.

A game's phases say, for a state, what is to be done first: a `Decision` by a seat (or several at once,
as a tuple), a `Roll`, or an `Effect` that nobody chooses. `play` takes one command, lets happen what it
chose and, in pace "flow", everything after it that needs no choice. What comes back are facts; storing
them is the table's business. What is offered is what is accepted: both are read off the same Decision.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import msgspec

from app.engine.chance import Odds
from app.engine.dice import Pool, Rolled
from app.engine.errors import BrokenGame, Illegal, NotYourSeat, Refused, Stale
from app.engine.log import Event, Finished, Kind, PhaseBegan, Result, RulingsAdopted
from app.engine.numbers import whole

if TYPE_CHECKING:
    from app.engine.game import Game

Pace = Literal["flow", "step"]
Throw = Callable[[Pool], Rolled | None]
"""Throws a pool, or returns None when the dice are real ones and somebody must enter the faces."""

MOST_STEPS = 10_000
MOST_LINE = 2_000
"""Characters of a line of text that can be an answer."""
_LINES_KEPT = 512


class GameState(msgspec.Struct, frozen=True, kw_only=True):
    """What every game's state has. `phase` is "" before the first phase, `result` set when it is over."""

    turn: int = 0
    phase: str = ""
    result: Result | None = None


S = TypeVar("S", bound=GameState)


@dataclass(frozen=True, slots=True)
class Blocked:
    """Why an option is shown but can't be chosen, and the rule that says so."""

    reason: str
    cite: str


@dataclass(frozen=True, slots=True)
class Term:
    """A row of the table that a number is made from: a modifier, in a few words, and how much it adds.

    `lit` says whether it applies here; the others are shown beside it, so that the table can be read whole.
    """

    words: str
    amount: str
    lit: bool = True


@dataclass(frozen=True, slots=True)
class Option:
    """One way to answer a Decision.

    Args:
        value: what a command's choice must equal: a string, a number, or a dict of such.
        label: a few words.
        detail: what it means or leads to, in a few more.
        cost: what it costs, if anything ("-2 fuel").
        odds: the exact chances of what follows.
        also: further chances in view beside it, each of yes or no, under a word or two ("120°").
        blocked: set when it is not allowed now.
        place: the label of the hex that it leads to, lit on the board.
        path: labels of the hexes entered, for a preview.
        facing: the facing at `place`, from 0 clockwise; see Game.facings.
        then: the chances for each further choice that this one leads to, label and odds. Asked for
            only when somebody wants to see them.
        group: the heading that it stands under with its neighbours ("Speed 4"); "" for none.
        terms: what its number is made from.
    """

    value: Any
    label: str
    detail: str = ""
    cost: str = ""
    cite: str | None = None
    odds: Odds | None = None
    also: tuple[tuple[str, Odds], ...] = ()
    blocked: Blocked | None = None
    place: str | None = None
    path: tuple[str, ...] = ()
    facing: int | None = None
    then: Callable[[], Sequence[tuple[str, Odds]]] | None = None
    group: str = ""
    terms: tuple[Term, ...] = ()

    @property
    def key(self) -> str:
        """The value as canonical JSON: two values are the same choice when their keys are."""
        return canonical(self.value)


@dataclass(frozen=True, slots=True)
class Toggle:
    """A switch that many options share: each comes with `key` true and false in its value (a dict)."""

    key: str
    label: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Draft:
    """What a line of text would do, read as far as it goes. Nothing has happened yet.

    A line is made of tokens. Those that are offered each lead on to a whole line, and the tokens of a line are
    found again by following `next` from the empty one. Reading is pure, and `text` reads as itself.

    Args:
        text: the line in its normal form, as far as it is legal.
        next: what may follow: each an Option whose value is `text` with a token added, and whose label is the
            token; the blocked say why.
        whole: whether the line can be the answer as it stands.
        fault: why what was typed beyond `text` can't be.
        path: labels of the places that it leads through, in order; the last is where it ends.
        facing: the facing there.
        figures: what it leads to, label and value ("Speed next turn", "5.5").
        told: what happens, token by token, in a few words each.
    """

    text: str
    next: tuple[Option, ...] = ()
    whole: bool = False
    fault: Blocked | None = None
    path: tuple[str, ...] = ()
    facing: int | None = None
    figures: tuple[tuple[str, str], ...] = ()
    told: tuple[str, ...] = ()


@dataclass(frozen=True)
class Decision:
    """A question to one seat.

    Args:
        id: names the question; the same while it stays open.
        options: all answers, the blocked ones too. Asked for only when somebody looks or answers.
        happen: the fact that an answer makes.
        cite: the rule that asks.
        why: why this unit, why now, in a few words.
        sealed: answered in secret. Answers are held outside the log until every sealed Decision open
            at the same time has one, then they happen at once; until then nobody else learns anything,
            not even that it was answered.
        initial: the value selected at first.
        toggle: see Toggle.
        then: what the options' `then` shows ("Speed by altitude"); "" where they have none.
        schema: JSON Schema of the choice where there are too many options to list; `read` then turns
            a choice into what `happen` takes (raising Illegal), and `options` holds examples.
        draft: reads a line of text that is put together token by token or typed. The choice is such a line,
            of at most MOST_LINE characters; `options` holds whole lines to choose at once.
    """

    id: str
    seat: str
    title: str
    options: Callable[[], Sequence[Option]]
    happen: Callable[[Any], Event]
    cite: str
    unit: str | None = None
    why: str = ""
    step: str | None = None
    sealed: bool = False
    initial: Any = None
    toggle: Toggle | None = None
    then: str = ""
    action: str = "Confirm"
    schema: Mapping[str, Any] | None = None
    read: Callable[[Any], Any] | None = None
    draft: Callable[[str], Draft] | None = None

    @cached_property
    def all_options(self) -> tuple[Option, ...]:
        """The options, made once."""
        return tuple(self.options())

    @cached_property
    def reading(self) -> Callable[[str], Draft]:
        """`draft`, remembering what it has read: each token that is added reads the line before it again."""
        if self.draft is None:
            raise BrokenGame(f"{self.id} is not answered by a line of text")
        return lru_cache(_LINES_KEPT)(self.draft)

    @property
    def forced(self) -> Option | None:
        """The only possible answer, if there is just one."""
        if self.sealed or self.schema is not None or self.draft is not None:
            return None
        free = (option for option in self.all_options if option.blocked is None)
        first, second = next(free, None), next(free, None)
        return first if second is None else None

    def accept(self, choice: Any) -> Any:
        """The value that `choice` stands for. Raises Illegal, citing the rule where one forbids it."""
        choice = whole(choice)
        if self.draft is not None:
            return self._drafted(choice)
        if self.read is not None:
            return self.read(choice)
        key = canonical(choice)
        for option in self.all_options:
            if option.key == key:
                if option.blocked is not None:
                    raise Illegal(f"{option.label}: {option.blocked.reason}", option.blocked.cite)
                return option.value
        raise Illegal(f"{self.title}: that is not one of the choices.", self.cite)

    def _drafted(self, choice: Any) -> str:
        if not isinstance(choice, str) or len(choice) > MOST_LINE:
            raise Illegal(
                f"{self.title}: give a line of text, at most {MOST_LINE} characters.", self.cite
            )
        read = self.reading(choice)
        if read.fault is not None:
            raise Illegal(f"{self.title}: {read.fault.reason}", read.fault.cite)
        if not read.whole:
            raise Illegal(f"{self.title}: the line is not complete.", self.cite)
        return read.text


@dataclass(frozen=True, slots=True)
class Token:
    """A token of a line. `before` is the line without it and without what follows it."""

    label: str
    before: str


def tokens_of(decision: Decision, text: str) -> tuple[Token, ...]:
    """The tokens of a line that a Decision with a draft has read as legal, first to last."""
    found: list[Token] = []
    at = ""
    while at != text:
        ways = [
            option
            for option in decision.reading(at).next
            if option.blocked is None
            and text.startswith(option.value)
            and len(option.value) > len(at)
        ]
        if not ways:  # a game that breaks the rule: the rest counts as one
            return (*found, Token(text[len(at) :], at))
        way = max(ways, key=lambda option: len(option.value))
        found.append(Token(way.label, at))
        at = way.value
    return tuple(found)


def walk(decision: Decision, pick: Callable[[Draft], Option | None]) -> str:
    """A whole line for a Decision with a draft, put together token by token.

    `pick` takes one of the `next` of what there is so far, or None to leave it at that. Raises BrokenGame
    where that does not come to a whole line.
    """
    line = decision.reading("")
    while len(line.text) <= MOST_LINE:
        option = pick(line)
        if option is None:
            break
        line = decision.reading(option.value)
    if not line.whole or len(line.text) > MOST_LINE:
        raise BrokenGame(f"{decision.id}: {line.text!r} leads to no whole line")
    return line.text


def shortest(line: Draft) -> Option | None:
    """For `walk`: the first token that is allowed, until the line is whole."""
    if line.whole:
        return None
    return next((option for option in line.next if option.blocked is None), None)


@dataclass(frozen=True)
class Roll:
    """Dice to be thrown for a seat. `happen` is pure in the faces: the odds are computed with it too.

    `terms`: what the number is made from that the dice are compared with or added to. `cited`: the rule
    that the fact follows, where it depends on the dice; else it is `cite`.
    """

    id: str
    seat: str
    title: str
    pool: Pool
    happen: Callable[[tuple[int, ...]], Event]
    cite: str
    unit: str | None = None
    why: str = ""
    step: str | None = None
    odds: Odds | None = None
    terms: tuple[Term, ...] = ()
    cited: Callable[[tuple[int, ...]], str] | None = None


@dataclass(frozen=True)
class Effect:
    """Something that happens by itself.

    One that is `passing` is nothing to look at (a step begins, a phase is over) and waits for nobody, in any pace.
    """

    event: Event
    cite: str
    title: str = ""
    seat: str | None = None
    unit: str | None = None
    step: str | None = None
    passing: bool = False

    @property
    def id(self) -> str:
        """Names the pending step in an offer."""
        return "continue"


Step = Decision | tuple[Decision, ...] | Roll | Effect
Todo = Step | None


@dataclass(frozen=True, slots=True)
class Happening:
    """A fact and where it came from. The table makes a log entry of it. `choice` is the answer that it was made of,
    `receipt` that of a sealed answer."""

    event: Event
    kind: Kind
    turn: int
    phase: str
    seat: str | None
    unit: str | None
    cite: str | None
    dice: Rolled | None = None
    choice: Any = None
    receipt: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """A choice for an open Decision, or the faces thrown by hand for an open Roll. `receipt` is what it is found by
    when it comes again."""

    offer: str
    choice: Any = None
    faces: tuple[int, ...] | None = None
    receipt: str | None = None


@dataclass(frozen=True, slots=True)
class Advance:
    """Play on: in pace "step" the next roll, effect or forced answer; in "flow" all of them.

    Any seat may ask for it, also where the server rolls for another: nothing is chosen.
    """


class Held(msgspec.Struct, frozen=True):
    """A sealed answer that waits for the others, with the receipt that it came with."""

    offer: str
    seat: str
    choice: Any
    receipt: str | None = None


@dataclass(frozen=True)
class Played:
    """What a command did: facts in order, the state after them and what is to be done then.

    `held` are the sealed answers that still wait.
    """

    happenings: tuple[Happening, ...]
    state: Any
    todo: Todo
    held: tuple[Held, ...] = field(default=())


def todo(game: "Game[S]", state: S) -> Todo:
    """What must happen next; None when the game is over."""
    if state.result is not None:
        return None
    if state.phase:
        step = game.phase(state.phase).todo(state)
        if step is not None and step != ():
            return step
    following = game.phase_after(state.phase)
    turn = state.turn + 1 if following is game.phases[0] else state.turn
    return Effect(PhaseBegan(turn, following.id), following.cite, following.title)


def evolve(game: "Game[S]", state: S, event: Event) -> S:
    """The state after a fact. Runs no rule: it writes down what the fact says."""
    if isinstance(event, PhaseBegan):
        state = msgspec.structs.replace(state, turn=event.turn, phase=event.phase)
    elif isinstance(event, Finished):
        return msgspec.structs.replace(state, result=event.result)
    elif isinstance(event, RulingsAdopted):
        return game.adopt(state, event.rulings)
    return game.evolve(state, event)


def open_decisions(step: Todo) -> tuple[Decision, ...]:
    """The Decisions that are open now."""
    if isinstance(step, Decision):
        return (step,)
    return step if isinstance(step, tuple) else ()


def play(
    game: "Game[S]",
    state: S,
    command: Answer | Advance,
    seats: frozenset[str],
    throw: Throw,
    *,
    pace: Pace = "flow",
    held: tuple[Held, ...] = (),
    known: Todo = None,
) -> Played:
    """Carry out one command of somebody who holds `seats`.

    `known` is what `todo` says of this state, from whoever has asked it already. Raises Refused (Illegal,
    NotYourSeat, Stale), and then nothing has happened.
    """
    if not seats:
        raise NotYourSeat("Spectators watch. Take a free seat to play.")
    step = known or todo(game, state)
    if step is None:
        raise Stale("The game is over.")
    run = _Run(game, state, throw)
    if isinstance(command, Advance):
        if not run.one(step):
            raise Refused(_why_waiting(step, seats))
    elif isinstance(step, Effect) and command.offer == step.id:
        run.one(step)
    elif isinstance(step, Roll):
        run.by_answer(step, command, seats)
    else:
        held = run.answer(step, command, seats, held)
        if not run.happenings:
            return Played((), state, step, held)
    step = run.on(pace)
    return Played(tuple(run.happenings), run.state, step, _still_open(step, held))


def withdraw(
    step: Todo, offer: str, seats: frozenset[str], held: tuple[Held, ...]
) -> tuple[Held, ...]:
    """The sealed answers that wait on when the one to `offer` is withdrawn, so that it is asked again.

    Raises NotYourSeat for another seat's question, in the same words whether it has an answer or not, and
    Stale where the question is not open any more or no answer to it waits.
    """
    if not seats:
        raise NotYourSeat("Spectators watch. Take a free seat to play.")
    decision = next((one for one in open_decisions(step) if one.id == offer), None)
    if decision is None:
        raise Stale("That question is not open any more: the position has changed.")
    if decision.seat not in seats:
        raise NotYourSeat("That is another seat's decision.", decision.cite)
    left = tuple(one for one in held if one.offer != offer)
    if left == held:
        raise Stale("There is no answer to withdraw: that question is still to be answered.")
    return left


def begin(game: "Game[S]", state: S, throw: Throw, *, pace: Pace = "flow") -> Played:
    """What happens at a new table before the first choice: in "flow" everything, in "step" nothing."""
    run = _Run(game, state, throw)
    step = run.on(pace)
    return Played(tuple(run.happenings), run.state, step)


def _still_open(step: Todo, held: tuple[Held, ...]) -> tuple[Held, ...]:
    ids = {decision.id for decision in open_decisions(step)}
    return tuple(one for one in held if one.offer in ids)


def _why_waiting(step: Step, seats: frozenset[str]) -> str:
    if isinstance(step, Roll):
        mine = step.seat in seats
        return "Enter the dice you threw." if mine else f"{step.seat} has dice to throw and enter."
    return "There is a decision to be made first."


class _Run:
    """One command on its way: the state so far and what has happened."""

    def __init__(self, game: "Game[S]", state: S, throw: Throw) -> None:
        self.game: Any = game
        self.state: Any = state
        self.throw = throw
        self.happenings: list[Happening] = []

    def happen(
        self,
        event: Event,
        kind: Kind,
        seat: str | None,
        unit: str | None,
        cite: str,
        dice: Rolled | None = None,
        choice: Any = None,
        receipt: str | None = None,
    ) -> None:
        after = evolve(self.game, self.state, event)
        self.happenings.append(
            Happening(event, kind, after.turn, after.phase, seat, unit, cite, dice, choice, receipt)
        )
        self.state = after
        if len(self.happenings) > MOST_STEPS:
            raise BrokenGame("the sequence does not come to an end")

    def answer(
        self, step: Step, command: Answer, seats: frozenset[str], held: tuple[Held, ...]
    ) -> tuple[Held, ...]:
        decisions = open_decisions(step)
        decision = next((one for one in decisions if one.id == command.offer), None)
        if decision is None:
            raise Stale("That question is not open any more: the position has changed.")
        if decision.seat not in seats:
            raise NotYourSeat("That is another seat's decision.", decision.cite)
        value = decision.accept(command.choice)
        if not decision.sealed:
            self._decided(decision, value, command.choice)
            return held
        ids = {one.id for one in decisions if one.sealed}
        held = tuple(one for one in held if one.offer in ids and one.offer != decision.id)
        held += (Held(decision.id, decision.seat, command.choice, command.receipt),)
        if len(held) == len(ids):
            given = {one.offer: one for one in held}
            for one in decisions:
                if one.sealed:
                    choice = given[one.id].choice
                    self._decided(one, one.accept(choice), choice, given[one.id].receipt)
            held = ()
        return held

    def _decided(
        self, decision: Decision, value: Any, choice: Any, receipt: str | None = None
    ) -> None:
        event = decision.happen(value)
        seat, unit = decision.seat, decision.unit
        self.happen(event, "decision", seat, unit, decision.cite, None, choice, receipt)

    def by_answer(self, roll: Roll, command: Answer, seats: frozenset[str]) -> None:
        if command.offer != roll.id:
            raise Stale("That question is not open any more: the position has changed.")
        if roll.seat not in seats:
            raise NotYourSeat("That is another seat's roll.", roll.cite)
        rolled = self.throw(roll.pool)
        if rolled is None:
            if command.faces is None:
                raise Illegal(f"Give the faces of {roll.pool}.", roll.cite)
            rolled = Rolled(roll.pool, roll.pool.check(command.faces), "hand")
        elif command.faces is not None:
            raise Illegal("The server rolls the dice at this table.", roll.cite)
        self._rolled(roll, rolled)

    def _rolled(self, roll: Roll, rolled: Rolled) -> None:
        event = roll.happen(rolled.faces)
        cite = roll.cite if roll.cited is None else roll.cited(rolled.faces)
        self.happen(event, "roll", roll.seat, roll.unit, cite, rolled)

    def one(self, step: Step) -> bool:
        """Let the next thing happen, if it needs no choice. Says whether it did."""
        if isinstance(step, Effect):
            self.happen(step.event, "effect", step.seat, step.unit, step.cite)
            return True
        if isinstance(step, Roll):
            rolled = self.throw(step.pool)
            if rolled is None:
                return False
            self._rolled(step, rolled)
            return True
        for decision in open_decisions(step):
            option = decision.forced
            if option is not None:
                event = decision.happen(option.value)
                self.happen(event, "effect", decision.seat, decision.unit, decision.cite)
                return True
        return False

    def on(self, pace: Pace) -> Todo:
        """In "flow", let everything happen that needs no choice, in "step" what is passing. Returns what is to be done then."""
        while True:
            step = todo(self.game, self.state)
            waits = pace == "step" and not (isinstance(step, Effect) and step.passing)
            if waits or step is None or not self.one(step):
                return step


def same_question(one: Decision, other: Decision) -> bool:
    """Whether two Decisions ask the same: of the same seat, with the same answers, the same of them blocked."""
    return _asked(one) == _asked(other)


def _asked(decision: Decision) -> Any:
    options = [(option.key, option.blocked is not None) for option in decision.all_options]
    line = None
    if decision.draft is not None:
        read = decision.reading("")
        line = [(option.key, option.blocked is not None) for option in read.next]
    return decision.id, decision.seat, decision.unit, decision.schema, options, line


def to_act(step: Todo) -> tuple[str, ...]:
    """The seats that something waits for, in the order of the game."""
    if isinstance(step, Roll):
        return (step.seat,)
    return tuple(dict.fromkeys(decision.seat for decision in open_decisions(step)))


def waiting(step: Todo) -> Iterator[Decision | Roll | Effect]:
    """What is open now, one by one, for offers."""
    if isinstance(step, tuple):
        yield from step
    elif step is not None:
        yield step


def canonical(value: Any) -> str:
    """JSON with sorted keys: tells 1 from true, not 1 from 1.0, and does not mind the order of keys."""
    return msgspec.json.encode(whole(value), order="sorted").decode()
