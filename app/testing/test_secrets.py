"""No seat and no spectator gets what is another's: not the value, nor anything that follows from it.

Two ways to look. *Tokens*: every secret of a real state is swapped for a unique word, and nothing that
leaves for another seat may hold the word. *Twins*: two tables at which one seat chose differently in
secret, everything else being equal, must look alike to all others until a fact reveals the difference.
"""

import random
from collections.abc import Iterator, Mapping
from typing import Any, cast

import msgspec
import pytest

from app import odds
from app.engine.chance import Chain, Odds
from app.engine.game import Game
from app.engine.secret import Secret, Viewer, holds_secrets, redact
from app.engine.sequence import Advance, Answer, Decision, Option, Played, Roll, canonical, waiting
from app.testing.player import Sitting, askable, free_options


def keeps_secrets(game: Game[Any]) -> bool:
    """Whether anything in a game is hidden."""
    return any(holds_secrets(kind) for kind in (game.state, *game.events))


def viewers(sitting: Sitting) -> list[Viewer]:
    """A spectator, and each seat alone."""
    return [frozenset(), *(frozenset({seat}) for seat in sitting.seats)]


def seen(game: Game[Any], state: Any, viewer: Viewer) -> Any:
    """The state as a viewer's page gets it."""
    return game.view(redact(state, viewer), viewer)


class Planter:
    """Swaps secrets for tokens. It walks everything that it meets, whatever types say."""

    def __init__(self, viewer: Viewer) -> None:
        self.viewer = viewer
        self.tokens: list[str] = []

    def plant(self, thing: Any) -> Any:
        if isinstance(thing, Secret):
            secret = cast("Secret[Any]", thing)
            if secret.seats and any(seat in self.viewer for seat in secret.seats):
                return secret
            self.tokens.append(f"token-{len(self.tokens)}-unseen")
            return Secret(self.tokens[-1], secret.seats)
        if isinstance(thing, msgspec.Struct):
            fields = {name: self.plant(getattr(thing, name)) for name in thing.__struct_fields__}
            return type(thing)(**fields)
        if isinstance(thing, tuple | list | set | frozenset):
            return type(thing)(self.plant(one) for one in thing)  # pyright: ignore
        if isinstance(thing, Mapping):
            return {key: self.plant(value) for key, value in thing.items()}
        return thing


def test_no_token_leaves_in_a_state(game: Game[Any], sittings: tuple[Sitting, ...]) -> None:
    planted = 0
    for number, sitting in enumerate(sittings):
        moments = random.Random(number).sample(sitting.moments, min(6, len(sitting.moments)))
        for state in [*(moment.state for moment in moments), sitting.state]:
            for viewer in viewers(sitting):
                planter = Planter(viewer)
                other = planter.plant(state)
                planted += len(planter.tokens)
                sent = seen(game, other, viewer)
                known = seen(game, state, viewer)
                assert sent == known
                units = game.units(sent, viewer)
                assert units == game.units(known, viewer)
                queue = game.queue(sent, viewer)
                assert queue == game.queue(known, viewer)
                out = [sent, units, game.facts(sent), queue]
                # Aids are slow, and where nothing was planted both are the same.
                for aid in game.aids if planter.tokens else ():
                    for unit in units:
                        overlay = aid.draw(sent, unit.id, odds.exact)
                        assert overlay == aid.draw(known, unit.id, odds.exact)
                        out.append(repr(overlay))
                text = msgspec.json.encode(out).decode()
                assert not [token for token in planter.tokens if token in text]
    assert (planted > 0) == holds_secrets(game.state)


def test_no_token_leaves_in_the_log(game: Game[Any], sittings: tuple[Sitting, ...]) -> None:
    planted = 0
    for sitting in sittings:
        names = game.names(sitting.setup)
        for entry in sitting.entries:
            for viewer in viewers(sitting):
                planter = Planter(viewer)
                event = redact(planter.plant(entry.event), viewer)
                planted += len(planter.tokens)
                assert event == redact(entry.event, viewer)
                text = msgspec.json.encode(event).decode()
                if type(event) in game.events:
                    text += msgspec.json.encode(game.tell(event, names)).decode()
                assert not [token for token in planter.tokens if token in text]
    assert (planted > 0) == any(holds_secrets(kind) for kind in game.events)


def test_a_seat_sees_its_own(sittings: tuple[Sitting, ...]) -> None:
    """Hiding everything from everyone would pass all the other tests."""
    for sitting in sittings:
        everyone = frozenset(sitting.seats)
        for entry in sitting.entries:
            assert _for_somebody(redact(entry.event, everyone)) == _for_somebody(entry.event)
        assert redact(sitting.state, everyone) == sitting.state


def _for_somebody(thing: Any) -> Any:
    """A fact as plain values, without what is for nobody's eyes: bookkeeping that a fold needs."""
    plain = msgspec.to_builtins(thing)

    def kept(value: Any) -> Any:
        if isinstance(value, dict):
            return None if value.get("seats") == () else {k: kept(v) for k, v in value.items()}
        return [kept(one) for one in value] if isinstance(value, list | tuple) else value

    return kept(plain)


@pytest.mark.parametrize("seed", range(12))
def test_twins_look_alike(game: Game[Any], seed: int) -> None:
    if not keeps_secrets(game):
        return  # test_no_token_leaves_* hold that this is so
    compared = 0
    for scenario in game.scenarios.values():
        compared += _twins(game, scenario.setup, seed)
    assert compared > 0


def _twins(game: Game[Any], setup: Mapping[str, Any], seed: int) -> int:
    """Play twins until they may differ or the game ends; how many moments were compared."""
    rng = random.Random(seed)
    one, two = (Sitting.open(game, setup, {}, seed, pace="step") for _ in range(2))
    skip = rng.randrange(4)  # at which secret choice they part
    hidden: str | None = None
    compared = 0
    while one.todo() is not None and two.todo() is not None:
        asked = askable(one)
        if not asked or any(decision.forced is not None for decision in asked):
            done = one.do(one.seats[0], Advance()), two.do(two.seats[0], Advance())
        else:
            decision = rng.choice(asked)
            twin = next(other for other in askable(two) if other.id == decision.id)
            first = second = rng.choice(free_options(decision))
            others = [
                value for value in free_options(decision) if canonical(value) != canonical(first)
            ]
            if hidden is None and others and _in_secret(decision, first):
                skip -= 1
                if skip < 0:
                    hidden, second = decision.seat, rng.choice(others)
            if canonical(second) not in {canonical(value) for value in free_options(twin)}:
                return compared  # what the twin chose before leaves it other choices
            seat = decision.seat
            done = (
                one.do(seat, Answer(decision.id, first)),
                two.do(seat, Answer(decision.id, second)),
            )
        if hidden is None:
            continue
        blind = [viewer for viewer in viewers(one) if hidden not in viewer]
        if _revealed(done, blind):
            return compared
        for viewer in blind:
            assert seen(game, one.state, viewer) == seen(game, two.state, viewer)
            assert _facts(done[0], viewer) == _facts(done[1], viewer)
            assert list(_offers(one, viewer)) == list(_offers(two, viewer))
            compared += 1
    assert (one.todo() is None) == (two.todo() is None)
    return compared


def _in_secret(decision: Decision, value: Any) -> bool:
    return decision.sealed or holds_secrets(type(decision.happen(decision.accept(value))))


def _revealed(done: tuple[Played, Played], blind: list[Viewer]) -> bool:
    """Whether a fact that reveals has just told the twins apart."""
    for a, b in zip(done[0].happenings, done[1].happenings, strict=False):
        shows = a.event.reveals() and b.event.reveals()
        if shows and any(redact(a.event, v) != redact(b.event, v) for v in blind):
            return True
    return False


def _facts(played: Played, viewer: Viewer) -> list[tuple[Any, ...]]:
    return [
        (redact(one.event, viewer), one.kind, one.seat, one.unit, one.cite, one.dice)
        for one in played.happenings
    ]


def _offers(sitting: Sitting, viewer: Viewer) -> Iterator[Any]:
    """What a viewer is offered, and what a page says to one who waits for another's choice."""
    for one in waiting(sitting.todo()):
        told = (type(one).__name__, one.id, one.title, one.seat, one.unit, one.step, one.cite)
        if isinstance(one, Roll):
            yield (*told, one.why, one.pool, _odds(one.odds), one.terms)
        elif isinstance(one, Decision):
            # Whether it answers itself shows in when the table goes on.
            yield (*told, one.why, one.forced is None, one.toggle, one.action)
            if one.seat in viewer:
                yield [_option(option) for option in one.all_options]
                if one.draft is not None:
                    line = one.reading("")
                    yield line.figures, line.path, [_option(option) for option in line.next]
        else:
            yield told


def _option(o: Option) -> Any:
    about = (o.key, o.label, o.detail, o.cost, o.blocked, o.place, o.path, o.group, o.terms)
    return (*about, _odds(o.odds))


def _odds(shown: Odds | None) -> Any:
    if shown is None:
        return None
    kind = "chain" if isinstance(shown.chance, Chain) else "chance"
    return shown.label, kind, sorted((str(k), v) for k, v in odds.exact(shown.chance).items())
