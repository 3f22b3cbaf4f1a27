"""Gunslingers: the expanded sequence of play, twelve phases of air combat in the jet age.

Belongs here: what the home page shows, and the parts of the game put together in the order of the turn. Each
phase is a module or a package of its own: `phase` has its numbered steps, `facts` what can happen in it, `tell`
its log lines. `model` has the nouns, `geometry` the map, `steps` how a phase walks its steps.
"""

from typing import TYPE_CHECKING

from app.engine.game import Game, Meta

if TYPE_CHECKING:
    from app.games.gunslingers.model import State

META = Meta(
    id="gunslingers",
    title="Gunslingers",
    summary="Jet against jet in twelve phases: sight them, lock them, out-turn them, and shoot first.",
    credit="After J.D. Webster's expanded sequence of play in Air Power no. 13, 1990",
    players="1-2",
    minutes="60-180",
)

RULES = 2
"""2 brought cards that are kept with the table, and facts that say all that was found."""


def load() -> "Game[State]":
    """The game, with its rules and data read. Raises ValueError when a data file is broken."""
    from app.games.gunslingers import (
        aids,
        anti_air,
        data,
        earlier,
        editing,
        events,
        fog,
        ground,
        hearing,
        sams,
        view,
    )
    from app.games.gunslingers.admin import ending
    from app.games.gunslingers.admin import phase as admin
    from app.games.gunslingers.decisions import phase as decisions
    from app.games.gunslingers.flight import phase as flight
    from app.games.gunslingers.missiles import phase as missiles
    from app.games.gunslingers.model import State, adopted
    from app.games.gunslingers.order import phase as order
    from app.games.gunslingers.radar import phase as radar
    from app.games.gunslingers.setup import Setup, board, cards, names, seats, start
    from app.games.gunslingers.sighting import phase as sighting
    from app.games.gunslingers.stalls import phase as stalls
    from app.games.gunslingers.tell import tell

    return Game(
        meta=META,
        rules=RULES,
        rulebook=data.rulebook(),
        scenarios=data.scenarios(),
        setup=Setup,
        state=State,
        seats=seats,
        start=start,
        phases=(
            anti_air.PHASE,
            sams.PHASE,
            stalls.PHASE,
            sighting.PHASE,
            decisions.PHASE,
            order.PHASE,
            flight.PHASE,
            missiles.PHASE,
            radar.PHASE,
            ground.PHASE,
            admin.AIRCRAFT,
            admin.END,
        ),
        events=events.EVENTS,
        evolve=events.evolve,
        tell=tell,
        units=view.units,
        names=names,
        board=board,
        endings=ending.ENDINGS,
        view=fog.view,
        hides=fog.hides,
        tells=hearing.told,
        asks=hearing.asks,
        facings=12,
        facts=view.facts,
        marks=view.marks,
        queue=view.queue,
        fates=view.fates,
        aids=aids.AIDS,
        editor=editing.EDITOR,
        cards=cards,
        upcasters=earlier.UPCASTERS,
        adopt=adopted,
    )
