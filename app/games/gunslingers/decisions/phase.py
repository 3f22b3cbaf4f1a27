"""The Aircraft Decisions Phase (GS-DEC): GS-DEC-1 to GS-DEC-6 in one go.

Belongs here: what the phase has still to do. Does not belong here: bookkeeping (`facts`), what may be decided
(`wishes`).

Both sides decide everything at the same time, in secret, and nothing shows until both have. So a shoot-out
(GS-DEC-2b) needs no round of its own. Each side with anybody awake is asked in every turn, whether missiles fly at
it or not: an aircraft always has a transponder to switch. Being asked therefore tells nothing. Where nobody is awake,
programs go on. In fog such a side is asked too, as it may not show that nobody is.
Laser designators (GS-DEC-4) and marking (GS-DEC-5) have nothing to aim at as long as there are no ground units.
"""

from functools import partial

from app.engine.secret import Secret
from app.engine.sequence import Decision, Effect, Todo
from app.games.gunslingers.decisions import wishes
from app.games.gunslingers.decisions.facts import Decided
from app.games.gunslingers.lines import Orders
from app.games.gunslingers.model import State
from app.games.gunslingers.radar.receivers import silenced
from app.games.gunslingers.steps import Step, phase


def _decide(state: State) -> Todo:
    """GS-DEC-1 to GS-DEC-6: one sealed answer of each side with somebody awake to decide for (GS-0-2)."""
    waiting = [s for s in state.sides if s not in state.done and any(state.flying(s))]
    asked = [side for side in waiting if state.foggy or wishes.deciding(state, side)]
    if asked:
        return tuple(_ask(state, side) for side in asked)
    for side in waiting:
        event = _decided(state, side, wishes.orders(state, side), "")
        return Effect(event, "GS-DEC-1", f"{state.sides[side]} decides nothing", side)
    return None


def _ask(state: State, side: str) -> Decision:
    orders = wishes.orders(state, side)
    return Decision(
        id=f"decide:{side}",
        seat=side,
        title="Decisions",
        options=partial(orders.options, partial(_words, state)),
        happen=partial(_decided, state, side, orders),
        cite="GS-DEC-1",
        why="both sides in secret",
        sealed=True,
        initial="",
        draft=orders.draft,
    )


def _words(state: State, plan: wishes.Wishes) -> tuple[str, str]:
    """No change, and which missiles go on being illuminated."""
    lit = [
        f"{state.aircraft[id].name} illuminates {state.aircraft[one.illuminating].name}"
        for id, one in plan.items()
        if one.illuminating is not None
    ]
    return "No change", "; ".join(lit)


def _decided(state: State, side: str, orders: Orders[wishes.Wishes], line: str) -> Decided:
    shown, hidden = wishes.outcome(state, side, orders.plan(line))
    lost = silenced(state, side, {id: one.locks for id, one in hidden.items()})
    return Decided(side, shown, Secret(hidden, (side,)), Secret(lost, (state.other(side),)))


PHASE = phase(
    "decisions",
    "Aircraft Decisions",
    (Step("GS-DEC-1", "Programs, IFF, engaging, illuminating, modes", _decide),),
    "GS-DEC-1",
)
