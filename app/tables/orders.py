"""Orders: what a new table should be, and whether it can be. No storage here."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec

from app.bots import bot_of
from app.engine.adoption import rulings_of
from app.engine.errors import Illegal, Missing
from app.engine.game import Game, Seat
from app.engine.log import Takebacks
from app.engine.secret import Viewer
from app.games import registry
from app.tables.codec import encode
from app.tables.live import LiveTable, setup_of
from app.tables.persons import Coming

MOST_SETUP_BYTES = 65_536
MOST_NAME = 60
MOST_WORD = 40


@dataclass(frozen=True)
class Order:
    """What a new table should be. `setup` is plain data; without it the scenario's is taken.

    `word` is what the opener adds to the dice. `bots` says which seats play by themselves: seat and the
    id of one of the game's bots. `people` are brought to the opener's seats, one to each; without them the
    set-up's own play, and nothing is kept of them.
    """

    game: str
    mode: Literal["solo", "shared"] = "solo"
    scenario: str | None = None
    setup: Mapping[str, Any] | None = None
    rulings: Mapping[str, str] = field(default_factory=lambda: dict[str, str]())
    dice: Literal["server", "hand"] = "server"
    pace: Literal["flow", "step"] = "flow"
    takebacks: Takebacks | None = None
    name: str | None = None
    word: str | None = None
    listed: bool = True
    bots: Mapping[str, str] = field(default_factory=lambda: dict[str, str]())
    people: Mapping[str, Coming] = field(default_factory=lambda: dict[str, Coming]())


def known_setup(table: LiveTable, viewer: Viewer) -> Mapping[str, Any]:
    """The set-up of a table, for those who may know it. Every door that hands it on asks here.

    Raises Missing where it would tell a viewer what the sides hide from each other.
    """
    if not table.may_show_setup(viewer):
        raise Missing(
            "The set-up of this table tells what its sides hide from each other. "
            "It can be seen, and played again, when the game is over."
        )
    return table.opened.setup


def again_like(table: LiveTable, viewer: Viewer) -> Order:
    """An order for a table like this one: the same set-up, rulings and ways to play.

    Raises Missing where the viewer may not know the set-up.
    """
    opened = table.opened
    return Order(
        game=opened.game,
        mode=opened.mode,
        setup=known_setup(table, viewer),
        rulings=rulings_of(table.entries),
        dice=opened.dice,
        pace=opened.pace,
        takebacks=opened.takebacks,
        name=table.name,
        listed=table.listed,
        bots=opened.bots,
    )


def setup_for(game: Game[Any], order: Order) -> tuple[Mapping[str, Any], str]:
    """The set-up to play and a name for it."""
    if order.setup is not None:
        if order.scenario is not None:
            raise Illegal("Give a scenario or a setup, not both.")
        if len(encode(order.setup)) > MOST_SETUP_BYTES:
            raise Illegal(f"A set-up has at most {MOST_SETUP_BYTES // 1024} KiB.")
        return order.setup, f"{game.meta.title}: own set-up"
    scenario = order.scenario or next(iter(game.scenarios))
    if scenario not in game.scenarios:
        known = ", ".join(game.scenarios)
        raise Missing(f"{game.meta.title} has the scenarios {known}; not {scenario!r}.")
    chosen = game.scenarios[scenario]
    return chosen.setup, chosen.title


def checked_seats(
    game: Game[Any], data: Mapping[str, Any], rulings: Mapping[str, str]
) -> tuple[Seat, ...]:
    """The seats of a set-up that can be played. Raises Illegal, naming the field that is wrong."""
    try:
        setup = setup_of(game, data)
    except msgspec.ValidationError as error:
        raise Illegal(f"The set-up can't be read: {error}") from None
    game.start(setup, rulings)
    return game.seats(setup)


def checked_bots(
    game: Game[Any], seats: Sequence[Seat], bots: Mapping[str, str]
) -> Mapping[str, str]:
    """The bots that an order names by their seats, each by the id it has now. Raises Illegal, naming what there is."""
    known = {seat.id for seat in seats}
    found: dict[str, str] = {}
    for seat, bot in bots.items():
        if seat not in known:
            listed = ", ".join(one.id for one in seats)
            raise Illegal(f"This set-up has the seats {listed}; a bot can't take {seat!r}.")
        found[seat] = bot_of(game, bot).id
    if len(bots) == len(seats):
        raise Illegal(
            "At least one seat must be a person's. Bots against each other are for simulations."
        )
    return found


def plays_alone(order: Order, seats: Sequence[Seat], bots: Mapping[str, str]) -> bool:
    """Whether nobody else takes part: all seats are the opener's or bots'.

    Raises Illegal where take-backs would be free though somebody does.
    """
    alone = order.mode == "solo" or len(bots) == len(seats) - 1
    if order.takebacks == "free" and not alone:
        raise Illegal(
            "Free take-backs are for playing alone: a shared table has own, consent or none."
        )
    return alone


def openers_seats(order: Order, seats: Sequence[Seat], bots: Mapping[str, str]) -> tuple[str, ...]:
    """The seats that are the opener's: all that no bot has, at a shared table the first of them."""
    own = tuple(seat.id for seat in seats if seat.id not in bots)
    return own if order.mode == "solo" else own[:1]


def seats_to_fill(order: Order) -> Mapping[str, int]:
    """The seats to which the opener of such a table can bring persons, each with its place from 1.

    There are none where the game has no persons. Raises Missing and Illegal as opening it would.
    """
    game = registry.load(order.game)
    if game.people is None:
        return {}
    setup, _ = setup_for(game, order)
    seats = checked_seats(game, setup, game.rulebook.settle(order.rulings))
    places = {seat.id: place for place, seat in enumerate(seats, start=1)}
    own = openers_seats(order, seats, checked_bots(game, seats, order.bots))
    return {seat: places[seat] for seat in own}


def checked_people(
    game: Game[Any], seats: Sequence[str], people: Mapping[str, Coming]
) -> Mapping[str, Coming]:
    """Who was brought to these seats. Raises Illegal unless there is one for each, or nobody at all."""
    if people and game.people is None:
        raise Illegal(f"{game.meta.title} has nobody who could be brought.")
    if people and set(people) != set(seats):
        raise Illegal(f"Bring one each to the seats {', '.join(seats)}, and to no other.")
    return people


def one_line(text: str | None, most: int, what: str) -> str:
    """One line of a person's text, without control characters. Raises Illegal when it is too long."""
    line = "".join(c for c in " ".join((text or "").split()) if c.isprintable())
    if len(line) > most:
        raise Illegal(f"{what} has at most {most} characters; this one has {len(line)}.")
    return line


def word_of(text: str | None) -> str:
    """A word for the dice; "" for none. Raises Illegal when it is too long."""
    return one_line(text, MOST_WORD, "A word for the dice")
