"""An aircraft leaves the fight: shot down, crashed or away.

Belongs here: what everybody else forgets of it. Does not belong here: why it is gone, or who is credited.
"""

from msgspec.structs import replace

from app.games.gunslingers.model import Aircraft, State, Status, with_own


def gone(state: State, unit: str, status: Status) -> State:
    """The position without an aircraft: nobody tracks, tails or watches it, and missiles at it are lost."""
    lost = state.aircraft[unit]
    lost = with_own(
        replace(
            lost,
            status=status,
            engaged=False,
            illuminating=None,
            tailing=None,
            padlocked_by=(),
            vas_by=(),
        ),
        contacts=(),
        locks=(),
        saw=(),
    )
    others = {one.id: _forget(one, unit) for one in state.aircraft.values() if one.id != unit}
    return replace(
        state,
        aircraft={one: others.get(one, lost) for one in state.aircraft},
        missiles={
            key: replace(
                one,
                padlocked_by=_without(one.padlocked_by, unit),
                vas_by=_without(one.vas_by, unit),
            )
            for key, one in state.missiles.items()
            if one.target != unit
        },
        wounds=tuple(wound for wound in state.wounds if wound.target != unit),
        shaken=tuple(one for one in state.shaken if one != unit),
    )


def _forget(one: Aircraft, unit: str) -> Aircraft:
    own = one.o
    if unit in own.contacts or unit in own.locks or unit in own.saw:
        one = with_own(
            one,
            contacts=_without(own.contacts, unit),
            locks=_without(own.locks, unit),
            saw=_without(own.saw, unit),
        )
    return replace(
        one,
        illuminating=None if one.illuminating == unit else one.illuminating,
        tailing=None if one.tailing == unit else one.tailing,
        padlocked_by=_without(one.padlocked_by, unit),
        vas_by=_without(one.vas_by, unit),
    )


def _without(ids: tuple[str, ...], unit: str) -> tuple[str, ...]:
    return tuple(one for one in ids if one != unit)
