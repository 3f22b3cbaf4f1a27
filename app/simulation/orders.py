"""Orders: which games are to be played, between whom, and whether they can be. Nothing is played here."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from app.bots import bot_of
from app.engine.errors import Illegal, Missing
from app.engine.game import Game, Seat
from app.games import registry
from app.simulation.playing import MOST_COMMANDS, converted

MOST_SEED = 2**53 - 1
"""Seeds stay exact in JSON, wherever that is read."""

MOST_MISSIONS = 1000
"""The longest career."""


class Order(msgspec.Struct, frozen=True, kw_only=True):
    """Many games of one set-up. Plain data, so that any process can carry it out.

    `scenario` is only a name, "" for a set-up of one's own; `bots` has the id of a bot for each seat.
    With `missions` each of the games is a career: so many in a row for the same persons.
    """

    game: str
    scenario: str
    setup: Any
    rulings: Mapping[str, str]
    bots: Mapping[str, str]
    games: int
    seed: int
    most: int = MOST_COMMANDS
    missions: int = 0

    def seed_of(self, number: int) -> int:
        """The seed of game number so and so, from 0. The same however the games are shared out.

        Game 0 has the order's own seed: any single game is played again by an order for one game with
        its seed. The others' are far apart, so that orders with neighbouring seeds have no game in common.
        """
        return derived_seed(self.seed, "", number)

    @property
    def all_games(self) -> int:
        """The most games that this can come to, those of careers counted one by one."""
        return self.games * max(1, self.missions)


def derived_seed(seed: int, what: str, number: int) -> int:
    """Seed number so and so that comes of another one; number 0 is that one. `what` keeps uses apart."""
    if number == 0:
        return seed
    digest = hashlib.sha256(f"{seed} {what}{number}".encode()).digest()
    return int.from_bytes(digest[:8], "big") & MOST_SEED


def order_for(
    game_id: str,
    *,
    scenario: str | None = None,
    setup: Any = None,
    bots: Sequence[str | None] = (),
    rulings: Mapping[str, str] | None = None,
    games: int,
    seed: int,
    missions: int = 0,
) -> Order:
    """An order that can be carried out. `bots` are for the seats in their order; None: the game's first.

    Raises Missing and Illegal for what there is not, saying what there is.
    """
    game = registry.load(game_id)
    if not game.bots:
        raise Illegal(f"{game.meta.title} has no bots, so nobody could play these games.")
    if missions:
        _check_career(game, missions)
    name = "" if setup is not None else _known_scenario(game, scenario)
    data = setup if setup is not None else game.scenarios[name].setup
    seats = game.seats(converted(game, data))
    if len(bots) > len(seats):
        has = "1 seat" if len(seats) == 1 else f"{len(seats)} seats"
        raise Illegal(f"This set-up has {has}; {len(bots)} bots were named.")
    named = [*bots, *[None] * (len(seats) - len(bots))]
    chosen = [game.bots[0] if bot is None else bot_of(game, bot) for bot in named]
    order = Order(
        game=game.meta.id,
        scenario=name,
        setup=data,
        rulings=rulings or {},
        bots={seat.id: bot.id for seat, bot in zip(seats, chosen, strict=True)},
        games=games,
        seed=seed,
        missions=missions,
    )
    game.start(converted(game, data), game.rulebook.settle(order.rulings))
    return order


def compared(order: Order, bots: Sequence[str]) -> tuple[Order, ...]:
    """The same games once for each of these bots, in the one seat that there is. Raises Illegal.

    The seeds are the same for all of them, so that no bot has the kinder dice to begin with.
    """
    game = registry.load(order.game)
    if len(order.bots) != 1:
        raise Illegal(f"Bots are compared in one seat; this set-up has {len(order.bots)} seats.")
    ids = [bot_of(game, bot).id for bot in bots]
    if len(set(ids)) < max(2, len(ids)):
        raise Illegal("To compare, name two bots or more, each of them once.")
    (seat,) = order.bots
    return tuple(msgspec.structs.replace(order, bots={seat: bot}) for bot in ids)


def seats_of(order: Order) -> tuple[Seat, ...]:
    """The sides of an order's set-up."""
    game = registry.load(order.game)
    return game.seats(converted(game, order.setup))


def _check_career(game: Game[Any], missions: int) -> None:
    if game.next_setup is None:
        raise Illegal(f"{game.meta.title} has no careers: each game stands alone.")
    if not 1 <= missions <= MOST_MISSIONS:
        raise Illegal(f"A career has 1 to {MOST_MISSIONS} missions; not {missions}.")


def _known_scenario(game: Game[Any], scenario: str | None) -> str:
    if scenario is None:
        return next(iter(game.scenarios))
    if scenario not in game.scenarios:
        known = ", ".join(game.scenarios)
        raise Missing(f"{game.meta.title} has the scenarios {known}; not {scenario!r}.")
    return scenario
