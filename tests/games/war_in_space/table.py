"""A table for tests: any position of this game, played through the engine with dice that are given."""

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from app.engine import sequence
from app.engine.dice import Pool, Rolled
from app.engine.log import Event
from app.engine.sequence import (
    Advance,
    Answer,
    Decision,
    Effect,
    Happening,
    Held,
    Option,
    Roll,
    open_decisions,
)
from app.games import registry
from app.games.war_in_space.model import Ship, State
from app.games.war_in_space.setup import ship_classes

GAME = registry.load("war-in-space")
BOTH = frozenset({"a", "b"})

E = TypeVar("E", bound=Event)


def setup(ships: Sequence[Mapping[str, Any]], **changes: Any) -> dict[str, Any]:
    """A set-up as data: ships a1, a2 ... of side A and b1 ... of side B, Cruisers unless `kind` says so."""
    number: Counter[str] = Counter()
    placed: list[dict[str, Any]] = []
    for ship in ships:
        seat = ship.get("seat", "a")
        number[seat] += 1
        name = f"{seat}{number[seat]}"
        placed.append(
            {
                "id": name,
                "seat": seat,
                "kind": "cruiser",
                "name": name.upper(),
                "hex": "1511",
                "facing": 0,
                "speed": 2,
                **ship,
            }
        )
    return {"title": "Test", "ships": placed, **changes}


def card(suit: str = "spades", *, allout: bool = False, dc: bool = False) -> dict[str, Any]:
    """The choice of an order."""
    return {"suit": suit, "allout": allout, "dc": dc}


KINDS = list(ship_classes())


def squadrons(number: int) -> dict[str, Any]:
    """A set-up of one to three ships a side, damaged at random, on a board that is small so that they meet."""
    rng = random.Random(number)
    ships = [
        {
            "id": f"{seat}{n}",
            "seat": seat,
            "kind": (kind := ship_classes()[rng.choice(KINDS)]).id,
            "name": f"{seat} {n}",
            "hex": f"{rng.randint(1, 12):02}{rng.randint(1, 10):02}",
            "facing": rng.randrange(6),
            "speed": rng.randint(0, 5),
            "crew": rng.choice(("green", "regular", "veteran", "elite")),
            "marked": {
                "hull": rng.choice((0, 0, kind.hull - 1)),
                **{
                    system: rng.choice((0, 0, 1, kind.systems))
                    for system in ("weapon", "shield", "engine", "power")
                },
            },
        }
        for seat in ("a", "b")
        for n in range(rng.randint(1, 3))
    ]
    board = {"columns": 12, "rows": 10}
    return {"title": "x", "board": board, "turns": 6, "ships": ships}


class Table:
    """A game in play. `dice` are the throws to come, in order; when none is left, rolls wait."""

    def __init__(
        self,
        data: Mapping[str, Any],
        dice: Iterable[Sequence[int]] = (),
        rulings: Mapping[str, str] | None = None,
    ) -> None:
        self.dice = [tuple(throw) for throw in dice]
        self.happenings: list[Happening] = []
        self.held: tuple[Held, ...] = ()
        self.start: State = GAME.start(
            msgspec.convert(data, GAME.setup), GAME.rulebook.settle(rulings or {})
        )
        self.state = self.start
        self._keep(sequence.begin(GAME, self.start, self._throw))

    def _throw(self, pool: Pool) -> Rolled | None:
        if not self.dice:
            return None
        return Rolled(pool, pool.check(self.dice.pop(0)))

    def _keep(self, played: sequence.Played) -> None:
        self.happenings += played.happenings
        self.state, self.held = played.state, played.held

    @property
    def step(self) -> Any:
        """What is open."""
        return sequence.todo(GAME, self.state)

    @property
    def decision(self) -> Decision:
        """The first open question that has no sealed answer yet."""
        answered = {one.offer for one in self.held}
        asked = [one for one in open_decisions(self.step) if one.id not in answered]
        assert asked, self.step
        return asked[0]

    def option(self, value: Any) -> Option:
        """What is offered for a value."""
        return next(option for option in self.decision.all_options if option.value == value)

    def choose(self, choice: Any, *dice: Sequence[int], offer: str | None = None) -> None:
        """Answer the first open question, or the one named by `offer`; `dice` fall next."""
        self.dice += [tuple(throw) for throw in dice]
        answer = Answer(offer or self.decision.id, choice)
        self._keep(sequence.play(GAME, self.state, answer, BOTH, self._throw, held=self.held))

    def roll(self, *dice: Sequence[int]) -> None:
        """Let the waiting roll, and what follows, happen."""
        assert isinstance(self.step, Roll | Effect), self.step
        self.dice += [tuple(throw) for throw in dice]
        self._keep(sequence.play(GAME, self.state, Advance(), BOTH, self._throw))

    def ship(self, ship: str = "a1") -> Ship:
        """A ship as it is now."""
        return self.state.ships[ship]

    def energy(self, ship: str = "a1") -> tuple[int, int, int, int]:
        """Attack, defence, movement, Damage Control."""
        known = self.ship(ship)
        return known.has("attack"), known.has("defence"), known.has("movement"), known.has("dc")

    def facts(self, kind: type[E]) -> list[E]:
        """All that happened of a kind, oldest first."""
        return [one.event for one in self.happenings if isinstance(one.event, kind)]

    def refold(self) -> State:
        """The state folded again from every fact, as loading a table does."""
        state = self.start
        for one in self.happenings:
            state = sequence.evolve(GAME, state, one.event)
        return state


Orders = Mapping[str, tuple[dict[str, Any], Sequence[int]]]


def ordered(
    ships: Sequence[Mapping[str, Any]],
    orders: Orders,
    rulings: Mapping[str, str] | None = None,
    **changes: Any,
) -> Table:
    """A table whose ships have their cards and have rolled their energy dice, each as `orders` says."""
    table = Table(setup(ships, **changes), rulings=rulings)
    asked = [decision.unit or "" for decision in open_decisions(table.step)]
    dice = [orders[ship][1] for ship in asked]
    for ship in asked[:-1]:
        table.choose(orders[ship][0], offer=f"order:1:{ship}")
    table.choose(orders[asked[-1]][0], *dice, offer=f"order:1:{asked[-1]}")
    return table


def spending(
    ship: Mapping[str, Any], energy: int, rulings: Mapping[str, str] | None = None
) -> Table:
    """A ship that is alone and has so much movement energy to spend."""
    dice = (energy, 1, 1)
    return ordered([ship], {"a1": (card("diamonds"), dice)}, rulings)


def moving(
    ship: Mapping[str, Any], bonus: int = 0, rulings: Mapping[str, str] | None = None
) -> Table:
    """A ship that is alone and about to move, at the speed that it is given and with a turn bonus."""
    if not bonus:
        return ordered([ship], {"a1": (card("hearts"), (1, 1, 1))}, rulings)
    table = spending(ship, bonus * Table(setup([ship])).ship().size, rulings)
    table.choose({"speed": table.ship().speed, "bonus": bonus})
    return table
