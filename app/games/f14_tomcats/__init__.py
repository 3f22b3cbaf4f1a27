"""F-14 Tomcats: a bombing mission along a line of waypoints, alone or as leader and wingman.

Belongs here: what the home page shows, and the parts of the game put together in the order of the turn.
Read the rules beside `rulebook.toml`: `briefing`, `flight`, `contact`, `sam`, `migs`, `bombing`, `ending`,
`careers`, in that order. `model` has the nouns, `tables` the printed tables, `setup` builds the first
position, `events` are the facts and the bookkeeping they make, `tell` and `view` are for people. `policy`
says how a mission may be flown, `bots` fly so, `foresight` tells what comes of it by the sums of `road`, and
`measures` what many missions are compared by. `people` are the pilots who outlive a mission.
"""

from typing import TYPE_CHECKING

from app.engine.game import Game, Meta, Phase

if TYPE_CHECKING:
    from app.games.f14_tomcats.model import State

META = Meta(
    id="f14-tomcats",
    title="F-14 Tomcats",
    summary="Two targets, missiles, MiGs and a long way home: a bombing mission for one pilot or a team.",
    credit="After the solo dice game by Markus Salo",
    players="1-2",
    minutes="10-20",
)

RULES = 2
"""2 brought tables of the rules that are kept with the mission."""


def load() -> "Game[State]":
    """The game, with its rules and data read. Raises ValueError when a data file is broken."""
    from app.games.f14_tomcats import bombing, data, earlier, ending, events, flight, measures, view
    from app.games.f14_tomcats.bots import BOTS
    from app.games.f14_tomcats.model import State
    from app.games.f14_tomcats.people import PILOTS
    from app.games.f14_tomcats.setup import EDITOR, Setup, board, cards, names, seats, start
    from app.games.f14_tomcats.tell import tell

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
            Phase("flight", "Flight", flight.todo, "F14-TN-1", flight.STEPS),
            Phase("bombing", "Bombing", bombing.todo, "F14-TN-3", bombing.STEPS),
            Phase("ending", "Landing", ending.todo, "F14-TN-2", ending.STEPS),
        ),
        events=events.EVENTS,
        evolve=events.evolve,
        tell=tell,
        units=view.units,
        names=names,
        board=board,
        endings=ending.ENDINGS,
        facts=view.facts,
        fates=view.fates,
        scene=view.scene,
        bots=BOTS,
        editor=EDITOR,
        rivals=False,
        people=PILOTS,
        measures=measures.measures,
        next_setup=measures.next_setup,
        standings=measures.standings,
        cards=cards,
        upcasters=earlier.UPCASTERS,
    )
