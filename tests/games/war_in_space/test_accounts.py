"""An accountant who trusts nobody: it reads the facts of whole games and works each of them out anew.

All it has is the set-up, the rulings, and the numbers of the rules, written down here a second time, with a geometry
of its own. It imports none of the game's rules. Every number of every kind of fact counts, which
`test_no_number_can_be_changed` shows by changing them.
"""

import copy
import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import msgspec
import pytest

from app import bots
from app.engine.sequence import Answer
from app.testing.player import Sitting, askable, at_random, pairwise, settlement
from tests.games.war_in_space.table import GAME, squadrons

Fact = Mapping[str, Any]
Place = tuple[int, int]
"""Column, and half hexes from the north edge: steps on such a grid need no cases."""

STEPS: Sequence[Place] = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))
DICE = (4, 6, 8, 10, 12)
CREWS = ("green", "regular", "veteran", "elite")
ACTIONS = ("attack", "defence", "movement")
SYSTEM_OF = {"attack": "weapon", "defence": "shield", "movement": "engine"}
SYSTEMS = ("hull", "weapon", "shield", "engine", "power")
STRUCK = (None, "hull", "hull", "weapon", "shield", "engine", "power")
"""What each face of a damage die marks."""
PHASES = ("energy", "fire", "movement", "repair")
SUITS = {
    "line": {"spades": "AD", "clubs": "AM", "hearts": "DA", "diamonds": "MD"},
    "raider": {"spades": "AM", "clubs": "MA", "hearts": "DM", "diamonds": "MD"},
}
LETTERS = {"A": "attack", "D": "defence", "M": "movement"}
# Size Class, turn die, energy die, points, pattern.
CLASSES = {
    "corvette": (1, 12, 4, 3, "raider"),
    "frigate": (2, 10, 6, 5, "raider"),
    "cruiser": (3, 8, 8, 8, "line"),
    "battlecruiser": (4, 6, 10, 11, "line"),
    "dreadnought": (5, 4, 12, 15, "line"),
}


@dataclass
class Account:
    """What the accountant knows of a ship. All but the first block is of one turn."""

    id: str
    seat: str
    kind: str
    crew: int
    place: Place
    facing: int
    speed: int
    marked: Counter[str]
    status: str = "fighting"

    card: Fact | None = None
    dice: list[int] = field(default_factory=list[int])
    again: set[int] = field(default_factory=set[int])
    lifted: int | None = None
    energy: Counter[str] | None = None
    spent: bool = False
    bonus: int = 0
    aim: Fact | None = None
    silent: bool = False
    flown: int = 0
    trying: tuple[str, int] | None = None
    tried: bool = False
    stopped: bool = False
    mended: bool = False

    def __post_init__(self) -> None:
        self.size, self.turn_die, self.energy_die, self.points, pattern = CLASSES[self.kind]
        self.suits = SUITS[pattern]

    def rested(self) -> "Account":
        """The ship at the beginning of a turn."""
        return Account(
            self.id,
            self.seat,
            self.kind,
            self.crew,
            self.place,
            self.facing,
            self.speed,
            self.marked,
            self.status,
        )

    def total(self, system: str) -> int:
        return 2 * self.size + 1 if system == "hull" else self.size + 1

    def left(self, system: str) -> int:
        return self.total(system) - self.marked[system]

    @property
    def sides(self) -> int:
        """EA-11: those of its energy dice."""
        return DICE[max(0, DICE.index(self.energy_die) - self.marked["power"])]

    @property
    def steps(self) -> int:
        return 0 if self.stopped or self.status != "fighting" else self.speed - self.flown

    @property
    def key(self) -> tuple[int, int, int]:
        return self.crew, self.speed, -self.size

    def serves(self, suit: str) -> list[str]:
        """The Primary, the Secondary and the third action of a suit."""
        first = [LETTERS[letter] for letter in self.suits[suit]]
        return first + [action for action in ACTIONS if action not in first]

    def may_play(self, card: Fact) -> bool:
        """EA-10."""
        if card["allout"] and 2 * self.marked["power"] >= self.total("power"):
            return False
        open_ = [suit for suit in self.suits if self.left(SYSTEM_OF[self.serves(suit)[0]])]
        return card["suit"] in open_ if open_ else card["dc"]

    def shares(self) -> list[Fact]:
        """EA-3, EA-4, EA-5 and EA-8: who gets which dice, and what of them can be used."""
        assert self.card is not None
        served = (["dc"] if self.card["dc"] else []) + self.serves(self.card["suit"])
        high, middle, low = sorted(self.dice, reverse=True)
        parts = [[high, middle], [low]] if self.card["allout"] else [[high], [middle], [low]]
        shares: list[Fact] = []
        for use, dice in zip(served, parts, strict=False):
            most = None if use == "dc" else 2 * self.left(SYSTEM_OF[use])
            number = served.index(use) - len(served) + 3
            shares.append(
                {
                    "use": use,
                    "role": "dc" if use == "dc" else ("primary", "secondary", "third")[number],
                    "dice": dice,
                    "most": most,
                    "gained": sum(dice) if most is None else min(sum(dice), most),
                }
            )
        return shares


def place_of(axial: Sequence[int]) -> Place:
    q, r = axial
    return q + 1, 2 * r + q + 3


def place_named(label: str) -> Place:
    column, row = int(label[:2]), int(label[2:])
    return column, 2 * row + column % 2


def span(a: Place, b: Place) -> int:
    across, down = abs(a[0] - b[0]), abs(a[1] - b[1])
    return across + max(0, down - across) // 2


class Accountant:
    """The books of one game. `enter` raises AssertionError for a fact that does not follow from those before."""

    def __init__(self, setup: Fact, rulings: Mapping[str, str]) -> None:
        self.board: Fact = setup["board"]
        self.turns: int = setup["turns"]
        self.rulings = rulings
        self.ships = {
            one["id"]: Account(
                one["id"],
                one["seat"],
                one["kind"],
                CREWS.index(one["crew"]) + 1,
                place_named(one["hex"]),
                one["facing"],
                one["speed"],
                Counter(one["marked"]),
            )
            for one in setup["ships"]
        }
        self.turn, self.phase = 0, "repair"
        self.shown = False
        self.ties: dict[int, str] = {}
        self.orders: dict[str, list[str]] = {}
        self.salvos: list[dict[str, Any]] | None = None
        self.struck: set[str] = set()
        self.over = False

    def enter(self, fact: Fact) -> None:
        """Check a fact against the books, then book it."""
        assert not self.over
        kind = fact["type"]
        if kind != "Finished":
            assert self._end() is None, "the game is over"
        getattr(self, "on" + re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", kind))(fact)

    def fighting(self, seat: str | None = None) -> list[Account]:
        found = [ship for ship in self.ships.values() if ship.status == "fighting"]
        return [ship for ship in found if seat in (None, ship.seat)]

    def foes(self, ship: Account) -> list[Account]:
        return [other for other in self.fighting() if other.seat != ship.seat]

    def on_board(self, place: Place) -> bool:
        column, half = place
        row = (half - column % 2) // 2
        return 1 <= column <= self.board["columns"] and 1 <= row <= self.board["rows"]

    def ahead(self, ship: Account, hexes: int) -> list[Place]:
        (x, y), (dx, dy) = ship.place, STEPS[ship.facing]
        path = [(x + n * dx, y + n * dy) for n in range(1, hexes + 1)]
        return [place for place in path if self.on_board(place)]

    # The turn (SQ-1): what must be done before the next phase begins.

    def on_phase_began(self, fact: Fact) -> None:
        number = (PHASES.index(self.phase) + 1) % 4
        self.phase = PHASES[number]
        if number == 0:
            self.turn += 1
            assert not self._menders()
            self.ships = {name: ship.rested() for name, ship in self.ships.items()}
            self.ties, self.orders, self.salvos, self.struck = {}, {}, None, set()
            self.shown = False
        elif self.phase == "fire":
            assert all(ship.energy is not None for ship in self.fighting())
            assert not self._spenders()
        elif self.phase == "movement":
            assert self._fire_is_over()
        else:
            assert not any(ship.steps for ship in self.fighting())
        assert (fact["turn"], fact["phase"]) == (self.turn, self.phase)

    # Energy Allocation.

    def on_order_given(self, fact: Fact) -> None:
        ship = self.ships[fact["ship"]]
        assert (self.phase, self.shown, ship.card) == ("energy", False, None)
        assert ship.left("power") > 0
        assert fact["card"]["seats"] == [ship.seat]
        ship.card = fact["card"]["value"]
        assert ship.card is not None
        assert ship.may_play(ship.card)

    def on_orders_shown(self, fact: Fact) -> None:
        powered = [ship for ship in self.fighting() if ship.left("power")]
        assert fact["cards"] == {ship.id: ship.card for ship in powered}
        assert all(ship.card for ship in powered)
        self.shown = True

    def on_no_power(self, fact: Fact) -> None:
        ship = self.ships[fact["ship"]]
        assert (self.phase, ship.left("power"), ship.energy) == ("energy", 0, None)
        ship.energy = Counter()

    def on_energy_rolled(self, fact: Fact) -> None:
        ship = self.ships[fact["ship"]]
        assert self.shown
        assert (ship.energy, fact["card"]) == (None, ship.card)
        assert (fact["sides"], fact["full"]) == (ship.sides, ship.energy_die)
        assert len(fact["dice"]) == 3
        assert all(1 <= face <= ship.sides for face in fact["dice"])
        ship.dice = list(fact["dice"])
        self._gains(ship, fact)

    def _gains(self, ship: Account, fact: Fact) -> None:
        shares = ship.shares()
        assert fact["shares"] == shares
        ship.energy = Counter({share["use"]: share["gained"] for share in shares})

    def on_die_lifted(self, fact: Fact) -> None:
        ship = self.ships[fact["ship"]]
        assert self.rulings["xp_effects"] == "on"
        assert len(ship.again) < {3: 1, 4: 2}.get(ship.crew, 0)
        assert fact["die"] not in ship.again
        assert fact["face"] == ship.dice[fact["die"]]
        ship.lifted = fact["die"]

    def on_die_rerolled(self, fact: Fact) -> None:
        ship = self.ships[fact["ship"]]
        die = ship.lifted
        assert die is not None
        assert (fact["die"], fact["before"]) == (die, ship.dice[die])
        assert fact["crew"] == CREWS[ship.crew - 1]
        assert fact["card"] == ship.card
        assert 1 <= fact["face"] <= ship.sides
        ship.dice[die] = fact["face"]
        ship.again.add(die)
        ship.lifted = None
        assert fact["dice"] == ship.dice
        self._gains(ship, fact)

    def on_die_kept(self, fact: Fact) -> None:
        assert self.rulings["xp_effects"] == "on"
        assert self.ships[fact["ship"]].dice

    def _spenders(self) -> list[Account]:
        return [
            ship
            for ship in self.fighting()
            if not ship.spent and (ship.energy or Counter())["movement"] >= ship.size
        ]

    def on_energy_spent(self, fact: Fact) -> None:
        ship = self.ships[fact["ship"]]
        able = self._spenders()
        order = self.orders.get("spending")
        first = able[0] if order is None else min(able, key=lambda one: order.index(one.id))
        assert first is ship
        assert order is not None or len(able) == 1
        assert ship.energy is not None
        assert fact["bonus"] >= 0
        cost = (abs(fact["change"]) + fact["bonus"]) * ship.size
        assert cost <= ship.energy["movement"]
        assert (fact["size"], fact["before"]) == (ship.size, ship.speed)
        assert (fact["cost"], fact["left"]) == (cost, ship.energy["movement"] - cost)
        ship.speed += fact["change"]
        assert fact["speed"] == ship.speed >= 0
        ship.bonus, ship.spent = fact["bonus"], True

    # Orders (MO-1 to MO-4), place by place, from dice where ships are alike.

    def _arranged(self) -> tuple[list[str], list[str]]:
        """The order as far as it is known, and the ships among which a die has to choose next."""
        waiting = {seat: self.fighting(seat) for seat in {s.seat for s in self.ships.values()}}
        most = max(len(side) for side in waiting.values())
        able = [ship for side in waiting.values() if len(side) == most for ship in side]
        order: list[str] = []
        while able:
            lowest = min(ship.key for ship in able)
            alike = [ship.id for ship in self.ships.values() if ship in able and ship.key == lowest]
            if len(alike) > 1 and len(order) not in self.ties:
                return order, alike
            ship = self.ships[self.ties[len(order)] if len(alike) > 1 else alike[0]]
            order.append(ship.id)
            waiting[ship.seat].remove(ship)
            other = [seat for seat in waiting if seat != ship.seat and waiting[seat]]
            able = waiting[other[0] if other else ship.seat]
        return order, []

    def on_tie_rolled(self, fact: Fact) -> None:
        order, alike = self._arranged()
        assert fact["purpose"] == ("spending" if self.phase == "energy" else "movement")
        assert (fact["place"], fact["among"]) == (len(order), alike)
        assert 1 <= fact["face"] <= len(alike)
        assert fact["ship"] == alike[fact["face"] - 1]
        self.ties[len(order)] = fact["ship"]

    def on_order_set(self, fact: Fact) -> None:
        order, alike = self._arranged()
        assert not alike
        assert fact["purpose"] == ("spending" if self.phase == "energy" else "movement")
        assert fact["purpose"] not in self.orders
        for name, place in zip(order, fact["places"], strict=True):
            ship = self.ships[name]
            told = (place["ship"], place["crew"], place["speed"], place["size"])
            assert told == (name, CREWS[ship.crew - 1], ship.speed, ship.size)
        self.orders[fact["purpose"]] = order
        self.ties = {}

    # Weapons Fire.

    def _can_hit(self, ship: Account, foe: Account, aim: int) -> bool:
        """WF-1 to WF-3: in front, not in the same hex, with a charge of 1, and not beyond every die."""
        (dx, dy), (nx, ny) = (
            (foe.place[0] - ship.place[0], foe.place[1] - ship.place[1]),
            STEPS[ship.facing],
        )
        # On the plane a column is as wide as the square root of 3 half hexes.
        in_front = 3 * dx * nx + dy * ny >= 0
        assert ship.energy is not None
        charge = ship.energy["attack"] - aim * ship.size
        far = span(ship.place, foe.place)
        return in_front and far > 0 and charge >= 1 and aim >= 0 and 10 + aim > far

    def _shooters(self) -> list[Account]:
        armed = [ship for ship in self.fighting() if ship.left("weapon")]
        return [ship for ship in armed if (ship.energy or Counter())["attack"] > 0]

    def on_no_shot(self, fact: Fact) -> None:
        ship = self.ships[fact["ship"]]
        assert self.phase == "fire"
        assert ship in self._shooters()
        foes = self.foes(ship)
        assert not any(self._can_hit(ship, foe, aim) for foe in foes for aim in range(25))
        near = min((span(ship.place, foe.place) for foe in foes), default=None)
        told = self.ships[fact["target"]] if fact["target"] else None
        assert near == (span(ship.place, told.place) if told in foes and told else None)
        ship.silent = True

    def on_fire_declared(self, fact: Fact) -> None:
        ship = self.ships[fact["ship"]]
        assert (self.phase, self.rulings["weapons"], ship.aim) == ("fire", "on", None)
        assert fact["aim"]["seats"] == [ship.seat]
        aim: dict[str, Any] = {"target": None, "aim": 0, **fact["aim"]["value"]}
        assert ship in self._shooters()
        if aim["target"] is not None:
            foe = self.ships[aim["target"]]
            assert foe in self.foes(ship)
            assert self._can_hit(ship, foe, aim["aim"])
        ship.aim = aim

    def on_fire_shown(self, fact: Fact) -> None:
        shooters = self._shooters()
        assert all(ship.aim or ship.silent for ship in shooters)
        declared = [ship for ship in shooters if ship.aim]
        self.salvos = []
        for ship in declared:
            assert ship.aim is not None
            assert ship.energy is not None
            if ship.aim["target"] is not None:
                charge = ship.energy["attack"] - ship.aim["aim"] * ship.size
                self.salvos.append(
                    {
                        "ship": ship.id,
                        "target": ship.aim["target"],
                        "aim": ship.aim["aim"],
                        "charge": charge,
                        "range": span(ship.place, self.ships[ship.aim["target"]].place),
                        "damage": charge + ship.size,
                    }
                )
        assert [{"aim": 0, **salvo} for salvo in fact["salvos"]] == self.salvos
        fired = {salvo["ship"] for salvo in self.salvos}
        assert fact["held"] == [ship.id for ship in declared if ship.id not in fired]

    def on_shot_rolled(self, fact: Fact) -> None:
        salvo = next(one for one in self.salvos or () if "hit" not in one)
        hit = fact["face"] + salvo["aim"] > salvo["range"]
        assert 1 <= fact["face"] <= 10
        for key in ("ship", "target", "aim", "range", "charge"):
            assert fact[key] == salvo[key]
        ship, target = self.ships[salvo["ship"]], self.ships[salvo["target"]]
        assert (fact["hit"], fact["damage"]) == (hit, salvo["damage"] if hit else 0)
        assert fact["size"] == ship.size
        assert (place_of(fact["start"]), place_of(fact["end"])) == (ship.place, target.place)
        salvo["hit"] = hit

    def _hits(self, target: str) -> list[dict[str, Any]]:
        return [one for one in self.salvos or () if one["target"] == target and one.get("hit")]

    def _stopped_and_left(self, fact: Fact) -> int:
        """WF-5: the points of damage on a ship that its defence leaves, below 0 when it takes more."""
        ship = self.ships[fact["ship"]]
        assert all("hit" in one for one in self.salvos or ())
        assert ship.id not in self.struck
        self.struck.add(ship.id)
        assert fact["hits"] == [one["damage"] for one in self._hits(ship.id)] != []
        assert ship.energy is not None
        assert fact["defence"] == ship.energy["defence"]
        return sum(fact["hits"]) - fact["defence"]

    def on_fire_stopped(self, fact: Fact) -> None:
        assert self._stopped_and_left(fact) <= 0

    def on_damage_rolled(self, fact: Fact) -> None:
        ship = self.ships[fact["ship"]]
        assert self._stopped_and_left(fact) == len(fact["dice"]) > 0
        boxes: Counter[str] = Counter()
        moved: Counter[str] = Counter()
        beyond = 0
        for face in fact["dice"]:
            system = STRUCK[face]
            assert system is not None
            place = system if ship.left(system) else "hull"
            if not ship.left(place):
                beyond += 1
                continue
            ship.marked[place] += 1
            boxes[place] += 1
            moved[system] += place != system
        assert (fact["boxes"], fact["moved"]) == (
            dict(boxes),
            {s: n for s, n in moved.items() if n},
        )
        assert (fact["beyond"], fact["hull_left"]) == (beyond, ship.left("hull"))

    def _fire_is_over(self) -> bool:
        """WF-5, WF-6: every shot has fallen, all damage is dealt, and who has no Hull is gone."""
        if self.rulings["weapons"] == "off":
            return self.salvos is None
        if self.salvos is None:
            return all(ship.silent for ship in self._shooters())
        struck = {one["target"] for one in self.salvos if one.get("hit")}
        rolled = all("hit" in one for one in self.salvos) and struck == self.struck
        return rolled and all(ship.left("hull") for ship in self.fighting())

    def on_destroyed(self, fact: Fact) -> None:
        ship = self.ships[fact["ship"]]
        assert all("hit" in one for one in self.salvos or ())
        assert {one["target"] for one in self.salvos or () if one["hit"]} == self.struck
        assert (ship.status, ship.left("hull")) == ("fighting", 0)
        assert fact["by"] == [one["ship"] for one in self._hits(ship.id)]
        assert place_of(fact["hex"]) == ship.place
        ship.status = "destroyed"

    # Movement.

    def _mover(self) -> Account:
        """MO-4: the first of the order that has still to move."""
        assert self.phase == "movement"
        return next(
            self.ships[name] for name in self.orders["movement"] if self.ships[name].steps > 0
        )

    def on_turn_tried(self, fact: Fact) -> None:
        ship = self._mover()
        assert (fact["ship"], ship.trying) == (ship.id, None)
        assert fact["side"] in ("left", "right")
        assert fact["sides"] in (1, 2, 3)
        if fact["sides"] > 1:
            assert ship.left("power") > 0
            free = self.rulings["hard_turn_without_engine"] == "yes"
            assert free or ship.left("engine") > 0
        ship.trying = fact["side"], fact["sides"]

    def on_turn_rolled(self, fact: Fact) -> None:
        ship = self._mover()
        assert (fact["ship"], ship.tried) == (ship.id, False)
        assert (fact["side"], fact["sides"]) == ship.trying
        assert (fact["die"], fact["bonus"], fact["speed"]) == (
            ship.turn_die,
            ship.bonus,
            ship.speed,
        )
        assert len(fact["dice"]) == fact["sides"]
        assert all(1 <= face <= ship.turn_die for face in fact["dice"])
        good = all(face + ship.bonus > ship.speed for face in fact["dice"])
        lost = not good and fact["sides"] > 1 and ship.left("engine") > 0
        assert (fact["success"], fact["engine"]) == (good, lost)
        if good:
            ship.facing += fact["sides"] if fact["side"] == "right" else -fact["sides"]
            ship.facing %= 6
        assert fact["facing"] == ship.facing
        ship.marked["engine"] += lost
        if self.rulings["bonus_scope"] == "attempt":
            ship.bonus = 0
        assert fact["bonus_left"] == ship.bonus
        ship.tried = True

    def on_moved(self, fact: Fact) -> None:
        ship = self._mover()
        path = [place_of(one) for one in fact["path"]]
        assert (fact["ship"], fact["facing"]) == (ship.id, ship.facing)
        assert 1 <= len(path) <= ship.steps
        assert path == self.ahead(ship, len(path))
        if ship.trying:
            assert ship.tried
            assert len(path) == 1
        ship.place = path[-1]
        ship.flown += len(path)
        ship.trying, ship.tried = None, False
        assert fact["left"] == ship.steps

    def on_withdrew(self, fact: Fact) -> None:
        ship = self._mover()
        path = [place_of(one) for one in fact["path"]]
        assert (fact["ship"], fact["facing"]) == (ship.id, ship.facing)
        assert len(path) < ship.steps
        assert path == self.ahead(ship, len(path) + 1)
        if ship.trying:
            assert ship.tried
            assert not path
        ship.place = [ship.place, *path][-1]
        assert place_of(fact["hex"]) == ship.place
        ship.status = "withdrawn"

    def on_stopped(self, fact: Fact) -> None:
        ship = self._mover()
        assert self.rulings["whole_distance"] == "may"
        assert (fact["ship"], fact["left"], ship.trying) == (ship.id, ship.steps, None)
        ship.stopped = True

    # Damage Control.

    def _mendable(self, ship: Account) -> bool:
        energy = (ship.energy or Counter())["dc"]
        return any(
            ship.marked[s] and energy >= ship.size * (2 if s == "hull" else 1) for s in SYSTEMS
        )

    def _menders(self) -> list[Account]:
        return [ship for ship in self.fighting() if not ship.mended and self._mendable(ship)]

    def on_repaired(self, fact: Fact) -> None:
        ship = self.ships[fact["ship"]]
        assert self.phase == "repair"
        assert ship in self._menders()
        assert ship.energy is not None
        cost = ship.size * (2 if fact["system"] == "hull" else 1)
        assert ship.marked[fact["system"]] > 0
        assert ship.energy["dc"] >= cost
        ship.marked[fact["system"]] -= 1
        ship.energy["dc"] -= cost
        assert (fact["cost"], fact["left"]) == (cost, ship.energy["dc"])
        assert fact["over"] is not self._mendable(ship)

    def on_repairs_ended(self, fact: Fact) -> None:
        ship = self.ships[fact["ship"]]
        assert self.phase == "repair"
        assert ship in self._menders()
        assert ship.energy is not None
        assert fact["lost"] == ship.energy["dc"]
        ship.mended = True

    # The end (VC-1 to VC-3).

    def _end(self) -> str | None:
        """Why the game is over; None while it is not. Fire is at the same time, so nobody looks before it is over."""
        if self.turn == 0 or (self.phase == "fire" and not self._fire_is_over()):
            return None
        sides = {ship.seat for ship in self.ships.values()}
        left = {ship.seat for ship in self.fighting()}
        if not left:
            return "empty"
        if left < sides and self.rulings["victory"] == "on":
            return "side-out"
        over = self.phase == "repair" and self.turn == self.turns and not self._menders()
        return "turns" if over else None

    def _given(self, ship: Account) -> int:
        if ship.status == "destroyed":
            return ship.points
        half = ship.status == "withdrawn" or 2 * ship.marked["hull"] >= ship.total("hull")
        return -(-ship.points // 2) if half else 0

    def on_finished(self, fact: Fact) -> None:
        result = fact["result"]
        assert result["reason"] == self._end()
        if self.rulings["victory"] == "off":
            assert result.keys() & {"winners", "scores"} == set()
        else:
            points = Counter(dict.fromkeys(("a", "b"), 0))
            for ship in self.ships.values():
                points["b" if ship.seat == "a" else "a"] += self._given(ship)
            assert result["scores"] == points
            best = [seat for seat in points if points[seat] == max(points.values())]
            assert result.get("winners", []) == (best if len(best) == 1 else [])
        self.over = True


# Games for the books: half of all choices are the captain's, so that ships meet, and half fall as they may.

ROWS = pairwise(GAME)
GAMES = len(ROWS) + 24


@cache
def played(number: int) -> tuple[dict[str, Any], dict[str, str], list[dict[str, Any]], Any]:
    """Set-up, rulings, the facts in their order, and the last state."""
    rng = random.Random(number)
    setup, rulings = squadrons(number), dict(settlement(GAME, number, ROWS))
    sitting = Sitting.open(GAME, setup, rulings, number)
    captain = GAME.bots[0]
    while asked := askable(sitting):
        decision = rng.choice(asked)
        value = at_random(rng, decision)
        if rng.random() < 0.5:
            value = bots.answer(GAME, sitting.state, decision, captain, rng).choice
        sitting.do(decision.seat, Answer(decision.id, value))
    facts = [msgspec.to_builtins(entry.event) for entry in sitting.entries[1:]]
    # Tuples are no lists, and other than those the books have what a stored log has.
    return setup, rulings, msgspec.json.decode(msgspec.json.encode(facts)), sitting.state


def audited(setup: Fact, rulings: Mapping[str, str], facts: Sequence[Fact]) -> Accountant:
    """The books after all facts, the last of which must end the game."""
    books = Accountant(setup, rulings)
    for fact in facts:
        books.enter(fact)
    assert books.over
    return books


@pytest.mark.parametrize("number", range(GAMES))
def test_every_fact_follows_from_the_rules(number: int) -> None:
    setup, rulings, facts, state = played(number)
    books = audited(setup, rulings, facts)
    for name, ship in state.ships.items():
        mine = books.ships[name]
        assert (ship.status, ship.facing, ship.speed) == (mine.status, mine.facing, mine.speed)
        assert place_named(ship.hex.label) == mine.place
        assert {s: ship.marked.of(s) for s in SYSTEMS} == {s: mine.marked[s] for s in SYSTEMS}


def test_the_games_have_every_kind_of_fact_and_of_end() -> None:
    facts = [fact for number in range(GAMES) for fact in played(number)[2]]
    assert {fact["type"] for fact in facts} == {*(kind.__name__ for kind in GAME.events), *TABLE}
    ends = {fact["result"]["reason"] for fact in facts if fact["type"] == "Finished"}
    assert ends == set(GAME.endings)


TABLE = ("PhaseBegan", "Finished")
"""What every game has."""


def numbers(fact: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every number and every yes or no in a fact."""
    match fact:
        case dict():
            for key, value in fact.items():
                yield from numbers(value, (*path, key))
        case list():
            for n, value in enumerate(fact):
                yield from numbers(value, (*path, n))
        case bool() | int():
            yield path
        case _:
            return


def changed(fact: Fact, path: tuple[Any, ...]) -> Fact:
    """The fact with a yes for a no, or a number so much more that a die has no such face."""
    other = copy.deepcopy(fact)
    within: Any = other
    for key in path[:-1]:
        within = within[key]
    value = within[path[-1]]
    within[path[-1]] = not value if isinstance(value, bool) else value + 12
    return other


def test_no_number_can_be_changed() -> None:
    """Each number of each kind of fact, changed where it first stands, is found out by the end of the game."""
    found: set[tuple[Any, ...]] = set()
    for number in range(GAMES):
        setup, rulings, facts, _ = played(number)
        for n, fact in enumerate(facts):
            for path in numbers(fact):
                # A list's numbers are all alike.
                name = (fact["type"], *(key for key in path if not isinstance(key, int)))
                if name in found:
                    continue
                found.add(name)
                with pytest.raises((AssertionError, KeyError, IndexError)):
                    audited(setup, rulings, [*facts[:n], changed(fact, path), *facts[n + 1 :]])
    assert len(found) > 60
