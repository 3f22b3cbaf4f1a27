"""What people see: units, names, log lines, facts beside the map, a planning aid."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from app.engine.chance import Chain
from app.engine.game import Cell, DieShown, Exact, Overlay, Place, Queue, Told, UnitView
from app.engine.hexes import COMPASS, Hex
from app.engine.log import Event
from app.engine.secret import Viewer
from tests.skirmish import events as e
from tests.skirmish.model import LABELS, SEATS, Setup, State
from tests.skirmish.rules import next_shot


def units(s: State, viewer: Viewer) -> Sequence[UnitView]:
    """Every plane in the air."""
    return tuple(
        UnitView(
            id=one.id,
            seat=one.seat,
            kind="leader" if one.leader else "wingman",
            name=one.name,
            hex=one.hex.label,
            facing=one.facing,
            glyph="plane",
            states=("shaken",) if one.shaken else (),
            fields={"Snap shot": "spent" if one.fired else "ready"},
            trail=tuple(place.label for place in one.trail),
        )
        for one in s.planes
    )


def names(setup: Setup) -> Mapping[str, str]:
    """Planes and seats."""
    return {**{plane.id: plane.name for plane in setup.planes}, **LABELS}


def view(s: State, viewer: Viewer) -> State:
    """Both reserves together would tell either side the other's."""
    if s.reserves is None and not viewer.issuperset(SEATS):
        return replace(s, stake=None)
    return s


def queue(s: State, viewer: Viewer) -> Queue | None:
    """4.1: the leaders in the order in which they fly; those that have flown first."""
    if s.order is None or s.phase != "flight":
        return None
    flown = [plane.id for plane in s.planes if plane.leader and plane.id not in s.order]
    now = None if s.move is None else s.move.plane
    places = tuple(
        Place(
            unit=plane,
            why="first by the dice" if n == 0 else "then the other side",
            group="Has flown" if n < len(flown) else "To fly",
            done=n < len(flown),
            now=plane == now,
        )
        for n, plane in enumerate((*flown, *s.order))
    )
    return Queue("Order of flight", "skirmish-4.1", places)


def facts(s: State) -> Sequence[tuple[str, str]]:
    """Beside the map."""
    listed = [("Turns", str(s.turns))]
    if s.smoke:
        listed.append(("Smoke", ", ".join(place.label for place in s.smoke)))
    for side in s.sides:
        if side.reserve is not None:
            known = side.reserve.value
            listed.append(
                (f"{LABELS[side.seat]} reserve", "secret" if known is None else str(known))
            )
    return listed


def tell(event: Event, names: Mapping[str, str]) -> Told:
    """The log line of a fact. A secret that the reader may not see is None here."""
    match event:
        case e.ReserveDeclared(seat, reserve):
            known = "" if reserve.value is None else f": {reserve.value}"
            return Told(f"{names[seat]} declares a reserve{known}.")
        case e.Plotted(seat, plot):
            known = "" if plot.value is None else f": {plot.value.plan}"
            return Told(f"{names[seat]} has plotted{known}.")
        case e.PlotsShown(plots):
            shown = (
                f"{names[seat]} {plot.plan}{' with a decoy' if plot.decoy else ''}"
                for seat, plot in plots.items()
            )
            return Told(f"Plots: {', '.join(shown)}.")
        case e.SmokeLaid(seat, place):
            if place is None:
                return Told(f"{names[seat]} lays no smoke.", quiet=True)
            return Told(f"{names[seat]} lays smoke on {place.label}.", places=(place.label,))
        case e.OrderFixed(total, order):
            ordered = ", ".join(names[one] for one in order)
            return Told(f"They fly in this order: {ordered}.", steps=(f"2d6 total {total}",))
        case e.MoveBegan(plane, steps):
            return Told(f"{names[plane]} has {steps} to fly.", quiet=True)
        case e.Stepped(plane, to, facing):
            return Told(
                f"{names[plane]} flies to {to.label}, facing {COMPASS[facing]}.",
                places=(to.label,),
            )
        case e.FlewOff(plane):
            return Told(f"{names[plane]} leaves the map.")
        case e.MoveEnded(plane):
            return Told(f"{names[plane]} has flown.", quiet=True)
        case e.HeldFire(shooter, target):
            return Told(f"{names[shooter]} holds fire at {names[target]}.")
        case e.Fired(shooter, target):
            return Told(f"{names[shooter]} fires at {names[target]}.")
        case e.ShotRolled(shooter, target, needed, total, hit):
            done = "hits" if hit else "misses"
            return Told(
                f"{names[shooter]} {done} {names[target]}.", steps=(f"{total} against {needed}",)
            )
        case e.Damaged(plane, face, lost):
            done = "is lost" if lost else "is shaken"
            return Told(f"{names[plane]} {done}.", dice=(DieShown(face),))
        case e.Followed(plane, to):
            return Told(f"{names[plane]} follows to {to.label}.", places=(to.label,))
        case e.Promoted(plane):
            return Told(f"{names[plane]} leads now.")
        case e.SmokeThinned(gone):
            return Told(f"{gone} smoke gone.", quiet=gone == 0)
        case e.Regrouped(_, plane, facing):
            return Told(f"{names[plane]} turns to {COMPASS[facing]}.")
        case e.Woven(_, plane, line, path):
            if not path:
                return Told(f"{names[plane]} stays.", quiet=True)
            places = tuple(place.label for place in path)
            return Told(f"{names[plane]} weaves {line}, to {places[-1]}.", places=places)
        case e.ReservesShown(left):
            shown = (f"{names[seat]} {number}" for seat, number in left.items())
            return Told(f"Reserves left: {', '.join(shown)}.")
        case _:
            raise AssertionError(f"no log line for {type(event).__name__}")


def danger(s: State, plane: str, exact: Exact) -> Overlay | None:
    """How likely the enemy hits a plane in each hex near it."""
    if all(one.id != plane for one in s.planes):
        return None
    unit = s.plane(plane)
    cells: list[Cell] = []
    for column_off in range(-3, 4):
        for row_off in range(-3, 4):
            place = unit.hex + Hex(column_off, row_off)
            shots = sum(1 for _ in s.threats(unit.seat, place))
            if place not in s.board or not shots:
                continue
            needed = s.needed(unit.seat, place)
            chain = Chain(
                ("left", shots),
                lambda position, needed=needed: next_shot(needed, position),
                ("skirmish", "danger", shots, needed),
            )
            chance = exact(chain).get(True, 0)
            cells.append(Cell(place.label, float(chance), f"{round(float(chance) * 100)}"))
    return Overlay("Danger", tuple(cells), "Chance to be hit if all enemies fire")
