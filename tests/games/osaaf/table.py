"""A table for tests: any position of this game, played through the engine with dice that are given."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import cycle
from typing import Any, TypeVar

import msgspec

from app.engine import sequence
from app.engine.dice import Pool, Rolled
from app.engine.hexes import parse_label
from app.engine.log import Event
from app.engine.sequence import Advance, Answer, Decision, Effect, Happening, Option, Roll
from app.games import registry
from app.games.osaaf.model import Jet, State

GAME = registry.load("osaaf")
BOTH = frozenset({"blue", "red"})

E = TypeVar("E", bound=Event)


def setup(jets: Sequence[Mapping[str, Any]], **changes: Any) -> dict[str, Any]:
    """A set-up as data. Each jet flies an aircraft of its own, whose card can be given as `card`."""
    cards = [
        {
            "id": f"card-{n}",
            "name": f"Test {n}",
            "maneuverability": "medium",
            "energy_factor": 3,
            "max_speed": 8,
            "afterburner": True,
            **jet.get("card", {}),
        }
        for n, jet in enumerate(jets)
    ]
    placed = [
        {
            "id": chr(ord("a") + n),
            "seat": "blue",
            "aircraft": f"card-{n}",
            "name": f"Jet {chr(ord('A') + n)}",
            "hex": "1010",
            "facing": 0,
            "altitude": 5,
            "speed": 4,
            **{key: value for key, value in jet.items() if key != "card"},
        }
        for n, jet in enumerate(jets)
    ]
    return {"title": "Test", "sun": "N", "jets": placed, "aircraft": cards, **changes}


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
        self.state = played.state

    @property
    def step(self) -> Any:
        """What is open."""
        return sequence.todo(GAME, self.state)

    @property
    def decision(self) -> Decision:
        """The open question."""
        assert isinstance(self.step, Decision), self.step
        return self.step

    def choose(self, choice: Any, *dice: Sequence[int], offer: str | None = None) -> None:
        """Answer the open question, or the one named by `offer`; `dice` fall next."""
        self.dice += [tuple(throw) for throw in dice]
        answer = Answer(offer or self.decision.id, choice)
        self._keep(sequence.play(GAME, self.state, answer, BOTH, self._throw))

    def roll(self, *dice: Sequence[int]) -> None:
        """Let the waiting roll, and what follows, happen."""
        assert isinstance(self.step, Roll | Effect), self.step
        self.dice += [tuple(throw) for throw in dice]
        self._keep(sequence.play(GAME, self.state, Advance(), BOTH, self._throw))

    def jet(self, jet: str = "a") -> Jet:
        """A jet as it is now."""
        return self.state.jets[jet]

    def facts(self, kind: type[E]) -> list[E]:
        """All that happened of a kind, oldest first."""
        return [one.event for one in self.happenings if isinstance(one.event, kind)]

    def refold(self) -> State:
        """The state folded again from every fact, as loading a table does."""
        state = self.start
        for one in self.happenings:
            state = sequence.evolve(GAME, state, one.event)
        return state


def plan(
    hard_turns: int = 0, jink: bool = False, aim: bool = False, lit: bool = False
) -> dict[str, Any]:
    """The choice of a plan."""
    return {"hard_turns": hard_turns, "jink": jink, "aim": aim, "afterburner": lit}


def flying(
    speed: int,
    hard_turns: int = 0,
    *,
    card: Mapping[str, Any] | None = None,
    rulings: Mapping[str, str] | None = None,
    **changes: Any,
) -> Table:
    """A table with one jet that has come through Energy with this Speed and is about to move.

    Every energy die shows 1, so drag takes 1 off the Speed it starts with.
    """
    jet = {
        "speed": speed + 1,
        "card": {"energy_factor": 5, "max_speed": 12, **(card or {})},
        **changes,
    }
    table = Table(setup([jet]), [(1,)], rulings)
    table.choose(plan(hard_turns), (1,) * max(2, 5 - hard_turns))
    table.choose(0)
    return table


def in_combat(
    jets: Sequence[Mapping[str, Any]],
    *,
    initiative: Sequence[int] = (),
    rulings: Mapping[str, str] | None = None,
    **changes: Any,
) -> Table:
    """A table whose jets have flown and are about to fight, each at the hex and altitude that it is given.

    Each flies one hex straight on to get there; a `stalled` one has run out of Speed and fallen one level.
    `plan` is what it chose before. With the dice of `initiative` the order is rolled for, else it is that
    of the list; in Combat the last one of it comes first.
    """
    plans: dict[str, dict[str, Any]] = {}
    begin: list[dict[str, Any]] = []
    for n, jet in enumerate(jets):
        end, facing, stalled = jet.get("hex", "1010"), jet.get("facing", 0), jet.get("stalled")
        place = parse_label(end) if stalled else parse_label(end).ahead(facing + 3)
        plans[chr(ord("a") + n)] = plan(**jet.get("plan", {}))
        begin.append(
            {
                **{key: value for key, value in jet.items() if key not in ("plan", "stalled")},
                "hex": place.label,
                "altitude": jet.get("altitude", 5) + (1 if stalled else 0),
                "speed": 1 if stalled else 2,
                "card": {"energy_factor": 5, **jet.get("card", {})},
            }
        )
    how = {**(rulings or {}), "initiative": "on" if initiative else "off"}
    table = Table(setup(begin, **changes), [(face,) for face in initiative], how)
    ties = cycle(range(1, 7))
    while table.state.turn == 1 and table.state.phase in ("energy", "movement"):
        if isinstance(table.step, Roll):
            table.roll((next(ties),))
            continue
        jet = table.decision.unit or ""
        match table.decision.id.partition(":")[0]:
            case "plan":
                # Ones are above no factor, so drag takes 1 off the Speed of every jet.
                left = 5 - sum(int(plans[jet][kind]) for kind in ("hard_turns", "jink", "aim"))
                table.choose(plans[jet], (1,) * max(2, left))
            case "altitude":
                table.choose(0)
            case _:
                table.choose("ahead")
    return table


def shots(table: Table) -> dict[tuple[str, str], Option]:
    """What is offered to the jet that is asked to attack: by weapon and target."""
    return {
        (option.value["arm"], option.value["target"]): option
        for option in table.decision.all_options
        if isinstance(option.value, dict)
    }


def attack(arm: str, target: str = "b") -> dict[str, str]:
    """The choice of an attack."""
    return {"arm": arm, "target": target}
