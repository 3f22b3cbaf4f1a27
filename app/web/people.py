"""Who comes to a seat: what forms say of it, and what they offer.

Belongs here: what the pages that open tables and take seats share. Does not belong here: the book's own
pages (`book`), or whether somebody can come (app.records).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from app.games import registry
from app.records.book import Kept, people_in
from app.records.crew import Wish, suggestion
from app.tables.live import Caller, LiveTable
from app.tables.orders import Order, seats_to_fill
from app.tables.persons import Coming
from app.web.deps import Site

NEW = "new"
"""What a form's `person.<n>` says for a newcomer, beside `person_name.<n>` and `call_sign.<n>`."""


@dataclass(frozen=True)
class Hand:
    """Somebody of the book as a choice; `why_not` says why he can't be chosen."""

    id: str
    text: str
    why_not: str = ""


@dataclass(frozen=True)
class Choices:
    """What can be chosen for a seat: the form's fields end with `place`. `name` and `call_sign` are suggested."""

    place: int
    noun: str
    hands: tuple[Hand, ...]
    chosen: str
    name: str
    call_sign: str


async def choices(
    site: Site, who: Caller, game: str, places: int = 1, beside: Iterable[str] = ()
) -> list[Choices]:
    """For each of so many seats who can be chosen, where these call signs are taken; () without people."""
    loaded = registry.load(game)
    if loaded.people is None:
        return []
    taken = {sign.casefold() for sign in beside}
    kept = [one for one in await site.book.of(who, game) if one.free]
    signs = taken | {one.call_sign.casefold() for one in kept}
    free = [one for one in kept if one.call_sign.casefold() not in taken]
    made: list[Choices] = []
    for place in range(1, places + 1):
        name, sign = suggestion(loaded, signs)
        signs.add(sign.casefold())
        first = free[place - 1].id if place <= len(free) else NEW
        hands = tuple(_hand(one, taken) for one in kept)
        made.append(Choices(place, loaded.people.noun, hands, first, name, sign))
    return made


def _hand(one: Kept, taken: set[str]) -> Hand:
    there = one.call_sign.casefold() in taken
    return Hand(one.id, called(one), "that call sign is taken there" if there else "")


def called(one: Kept) -> str:
    """A person's whole name."""
    people = people_in(registry.load(one.game))
    title = people.title(people.read(one.record)) if people.legible(one.record) else ""
    return f"{title} {one.name} “{one.call_sign}”".strip()


def wish_of(fields: Mapping[str, str], place: int) -> Wish:
    """What a form says of the seat at a place."""
    person = fields.get(f"person.{place}", "")
    if person and person != NEW:
        return Wish(person)
    if person != NEW:
        return Wish()
    return Wish(
        "", True, fields.get(f"person_name.{place}", ""), fields.get(f"call_sign.{place}", "")
    )


async def manned(site: Site, who: Caller, order: Order, fields: Mapping[str, str]) -> Order:
    """The order with somebody in each of the opener's seats, where the game has people."""
    seats = seats_to_fill(order)
    if not seats:
        return order
    wishes = {seat: wish_of(fields, place) for seat, place in seats.items()}
    comings = await site.crew.comings(who, registry.load(order.game), wishes)
    return replace(order, people=comings)


async def manned_again(site: Site, who: Caller, order: Order, table: LiveTable) -> Order:
    """The order for a game like that table's, with the same persons where they can come."""
    if not table.opened.people:
        return order
    seats = list(seats_to_fill(order))
    return replace(order, people=await site.crew.again(who, table, seats))


async def coming_to(
    site: Site, who: Caller, table: LiveTable, seat: str, wish: Wish
) -> Coming | None:
    """Who comes to a seat that is to be taken; None where the table waits for nobody there."""
    if seat not in table.awaited:
        return None
    there = list(table.people.values())
    return (await site.crew.comings(who, table.game, {seat: wish}, there))[seat]
