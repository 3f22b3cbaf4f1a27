"""What a game says of its table: orders of units, facings and terms can be shown as they are."""

import random
from collections.abc import Iterator
from typing import Any

from app.engine.game import Game
from app.engine.secret import Viewer, redact
from app.engine.sequence import Roll, Term, open_decisions, waiting
from app.testing.player import Sitting
from app.testing.test_drafts import asked


def seen(sittings: tuple[Sitting, ...]) -> Iterator[tuple[Sitting, Any, Viewer]]:
    """Some states of each game, as each seat, all seats and a spectator see them."""
    for number, sitting in enumerate(sittings):
        states = list(sitting.states.values())
        chosen = random.Random(number).sample(states, min(25, len(states)))
        for state in chosen:
            for viewer in (frozenset(), frozenset(sitting.seats), *map(_one, sitting.seats)):
                yield sitting, sitting.game.view(redact(state, viewer), viewer), viewer


def _one(seat: str) -> Viewer:
    return frozenset({seat})


def test_an_order_names_only_what_its_viewer_sees(
    game: Game[Any], sittings: tuple[Sitting, ...]
) -> None:
    for sitting, state, viewer in seen(sittings):
        queue = game.queue(state, viewer)
        if queue is None:
            continue
        assert game.has_queue
        assert queue.title
        assert queue.rule in game.rulebook.paragraphs
        known = {unit.id for unit in game.units(state, viewer)}
        hidden = set(game.names(sitting.setup)) - known
        assert hidden.isdisjoint(place.unit for place in queue.places)
        listed = [place.unit for place in queue.places if place.unit in known]
        assert len(listed) == len(set(listed)), "a unit stands in two places"
        assert sum(place.now for place in queue.places) <= 1
        assert not any(place.now and place.done for place in queue.places)
        assert all(place.why for place in queue.places)


def test_facings_are_as_many_as_the_game_says(
    game: Game[Any], sittings: tuple[Sitting, ...]
) -> None:
    assert game.facings in (6, 12)
    for _, state, viewer in seen(sittings):
        assert all(0 <= unit.facing < game.facings for unit in game.units(state, viewer))
    for sitting in sittings:
        for moment in sitting.moments[:60]:
            for decision in open_decisions(moment.step):
                for option in decision.all_options:
                    assert option.facing is None or 0 <= option.facing < game.facings
    for _, _, decision in asked(sittings):
        for option in decision.reading("").next:
            assert option.facing is None or 0 <= option.facing < game.facings


def test_terms_can_be_read(sittings: tuple[Sitting, ...]) -> None:
    for sitting in sittings:
        for moment in sitting.moments[:60]:
            terms: list[Term] = []
            for one in waiting(moment.step):
                if isinstance(one, Roll):
                    terms += one.terms
            for decision in open_decisions(moment.step):
                terms += [term for option in decision.all_options for term in option.terms]
            assert all(term.words and term.amount for term in terms)
