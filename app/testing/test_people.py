"""Games whose persons outlive a table: what they say of them fits together."""

from typing import Any

import msgspec

from app.engine.game import Game
from app.engine.people import MOST_CALL_SIGN, MOST_NAME, People, Person, plain
from app.tables.live import setup_of
from app.testing.fixtures import played
from app.testing.test_bots import most_seats


def people_of(game: Game[Any]) -> People:
    """What a game says of its persons."""
    assert game.people is not None
    return game.people


def test_a_newcomer_is_json_and_comes_back_from_it(peopled: Game[Any]) -> None:
    people = people_of(peopled)
    fresh = people.fresh()
    assert people.read(fresh) == people.record()
    assert plain(people.read(fresh)) == fresh
    assert not people.legible({**fresh, "no field of it": 1})


def test_suggestions_can_be_kept_and_differ(peopled: Game[Any]) -> None:
    people = people_of(peopled)
    signs = {sign.casefold() for _, sign in people.suggestions}
    assert len(signs) == len(people.suggestions) >= most_seats(peopled)
    for name, sign in people.suggestions:
        assert 0 < len(name) <= MOST_NAME
        assert 0 < len(sign) <= MOST_CALL_SIGN
    assert not any(sign.startswith(people.awaited.casefold()) for sign in signs)


def test_they_sit_in_the_scenarios_and_nothing_else_changes(peopled: Game[Any]) -> None:
    """In each seat alone, and in all at once; the same set-up when they take the places again."""
    people = people_of(peopled)
    for scenario in peopled.scenarios.values():
        setup = setup_of(peopled, scenario.setup)
        seats = [seat.id for seat in peopled.seats(setup)]
        crew = {
            seat: Person(str(n), *people.suggestions[n], people.fresh())
            for n, seat in enumerate(seats)
        }
        for some in ({}, crew, *({seat: crew[seat]} for seat in seats)):
            seated = people.seated(setup, some)
            assert [seat.id for seat in peopled.seats(seated)] == seats
            assert people.seated(seated, some) == seated
            peopled.start(seated, peopled.rulebook.settle({}))
            msgspec.convert(msgspec.to_builtins(seated), peopled.setup)
        assert people.seated(setup, {}) == setup


def test_stand_ins_may_sit_everywhere(peopled: Game[Any]) -> None:
    people = people_of(peopled)
    for scenario in peopled.scenarios.values():
        setup = setup_of(peopled, scenario.setup)
        free = {seat.id: people.stand_in(n) for n, seat in enumerate(peopled.seats(setup))}
        peopled.start(people.seated(setup, free), peopled.rulebook.settle({}))


def test_each_game_that_is_over_tells_each_seats_deed(peopled: Game[Any]) -> None:
    people = people_of(peopled)
    for sitting in played(peopled.meta.id):
        deeds = people.deeds(sitting.state)
        assert sorted(deed.seat for deed in deeds) == sorted(sitting.seats)
        for deed in deeds:
            assert deed.title
            assert people.read(plain(deed.record)) == deed.record
            assert all(len(line) <= 200 for line in (deed.title, *deed.lines))
            assert people.told(deed.record)
            assert people.order(deed.record) >= people.order(people.record())
