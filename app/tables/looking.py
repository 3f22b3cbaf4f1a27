"""Looking at a table: makes the views of `views` from a position, for one viewer.

Everything here looks at one position: the one that it is given, or that of a desk when it is called. Who is about
to look in a thread takes the position first. It starts from a redacted state and a redacted event; options and
odds are made only for the seats that a viewer holds. Views are kept with their position.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import msgspec

from app.engine.adoption import edition_of, rulings_of
from app.engine.chance import Odds
from app.engine.errors import Missing
from app.engine.game import Mark, Overlay, UnitView
from app.engine.log import Entry, Finished, PhaseBegan
from app.engine.people import Deed
from app.engine.secret import Viewer, redact
from app.engine.sequence import (
    Decision,
    Effect,
    GameState,
    Option,
    Roll,
    canonical,
    open_decisions,
    shortest,
    tokens_of,
    walk,
)
from app.odds import exact
from app.tables.adopting import asked_view, newer_view
from app.tables.damage import Damage
from app.tables.live import LiveTable
from app.tables.position import NOTHING_PENDING, Pending, Position, Present, pending_of
from app.tables.takebacks import plan_takeback
from app.tables.views import (
    AidView,
    AskedView,
    Bar,
    Beside,
    BlockedView,
    DamagedView,
    DebriefView,
    DiceEntry,
    DiceView,
    DraftView,
    EntryView,
    Figure,
    FurtherOdds,
    Heading,
    LineView,
    MarkBeside,
    Named,
    OddsView,
    Offer,
    OptionView,
    Page,
    PhaseView,
    RequestView,
    ResultView,
    SeatView,
    ToggleView,
    TokenView,
    UndoView,
    View,
    WaitingView,
)

Look = LiveTable | Position
"""What can be looked at: a position, or a desk, which is looked at as it stands at that moment."""

OUT_OF_SIGHT = "The game goes on out of your sight"
"""What is said of a step of which a viewer may know nothing: the same whatever waits, and for whom."""


def position_of(table: Look) -> Position:
    """The position that is looked at."""
    return table if isinstance(table, Position) else table.position


def view_of(
    table: Look,
    viewer: Viewer,
    present: Present = frozenset(),
    *,
    seat: str | None = None,
    at: int | None = None,
) -> View:
    """The table as a viewer sees it, now or after entry `at` (then there is nothing to be done).

    `seat` is one of the viewer's, to look through that one alone. Entries are still counted as the whole viewer is
    told of them: so are those of `at`, and so does he count when he answers.
    Raises Missing where there is no such entry.
    """
    now = position_of(table)
    counts = viewer
    if seat is not None:
        viewer = frozenset({seat})
    if at is not None and at == now.count(counts):
        at = None
    if at is not None:  # there are as many past moments as entries: none is kept
        return _make_view(now, viewer, counts, present, at)
    view: View | None = now.looks.get((viewer, counts, present))
    if view is None:
        view = _make_view(now, viewer, counts, present, None)
        now.looks[(viewer, counts, present)] = view
    return view


def _make_view(
    now: Position, viewer: Viewer, counts: Viewer, present: Present, at: int | None
) -> View:
    """The table as `viewer` sees it, its entries numbered as `counts` is told of them."""
    game = now.game
    entries = None if at is None else now.entries_for(counts, 0, at)
    state = now.seen_state(viewer, None if at is None else now.seq_of(at, counts))
    pending = pending_of(now, viewer) if at is None else NOTHING_PENDING
    rank = next((n for n, p in enumerate(game.phases) if p.id == state.phase), -1)
    part = next((one.step for one in pending.steps if one.step), None)
    asked = now.asked if at is None else None
    return View(
        id=now.id,
        game=game.meta.id,
        name=now.name,
        version=now.version_for(counts, at),
        log=now.count(counts),
        seat=_own_seat(now, viewer, pending.seats),
        turn=state.turn,
        phase=Named(state.phase, game.phases[rank].title if rank >= 0 else ""),
        step=_step(game.phases[rank].steps, part) if part else None,
        phases=tuple(
            PhaseView(
                phase.id,
                phase.title,
                "done" if n < rank else "current" if n == rank else "ahead",
                tuple(s.title for s in phase.steps),
                _phase_told(now, viewer, phase.id) if n < rank and at is None else "",
            )
            for n, phase in enumerate(game.phases)
        ),
        prompt=_prompt(now, viewer, counts, state, pending, at),
        offers=_offers(now, viewer, pending),
        units=tuple(game.units(state, viewer)),
        marks=tuple(game.marks(state, viewer)),
        queue=game.queue(state, viewer),
        board=now.board,
        facings=game.facings,
        scene=game.scene(state, viewer),
        seats=tuple(
            SeatView(
                id=s.id,
                label=s.label,
                present=s.id in present,
                to_act=s.id in pending.seats,
                mark=s.mark,
                yours=s.id in viewer,
                taken=now.taken(s.id),
                name=now.claims[s.id].name,
                bot=now.bots[s.id].title if s.id in now.bots else "",
            )
            for s in now.seats
        ),
        rulings=now.rulings if entries is None else rulings_of(entries),
        dice=DiceView(
            mode=now.opened.dice,
            commitment=now.commitment,
            words=now.words,
            thrown=now.thrown_for(counts),
            seed=now.secret,
        ),
        finished=state.result is not None,
        result=None
        if state.result is None
        else ResultView(
            state.result.reason, state.result.text, state.result.winners, state.result.scores
        ),
        awaited=now.awaited if state.result is None and at is None else (),
        waiting=_waiting(now, viewer, pending),
        asked=None if asked is None else RequestView(asked.seat, now.number_of(asked.to, counts)),
        damaged=_damaged(now, viewer),
        detail=_detail(now, viewer),
        edition=now.edition if entries is None else edition_of(entries),
        newer=newer_view(now) if at is None else None,
        rulings_asked=asked_view(now, viewer) if at is None else None,
    )


def _waiting(now: Position, viewer: Viewer, pending: Pending) -> tuple[WaitingView, ...]:
    """Since when each seat has been waited for: since the last move that the viewer may know of."""
    if not pending.seats:
        return ()
    moved = now.seq_of(now.version_for(viewer), viewer)
    return tuple(
        WaitingView(seat, now.entries[(now.version if seat in viewer else moved) - 1].at)
        for seat in pending.seats
    )


def _damaged(now: Position, viewer: Viewer) -> DamagedView | None:
    """What is wrong with a table; how many entries it has is not for everybody where some are hidden."""
    if now.damaged is None:
        return None
    if now.may_show_setup(viewer):
        return DamagedView(now.damaged.why, now.damaged.after)
    return DamagedView("it can't be read to its end")


def _detail(now: Position, viewer: Viewer) -> str:
    """The same in a sentence, with what follows from it; nothing of a table that is whole."""
    if now.damaged is None:
        return ""
    if now.may_show_setup(viewer):
        return now.damaged.text
    return f"This table's record can't be read to its end. {Damage.rest()}"


def _own_seat(now: Position, viewer: Viewer, acting: Sequence[str]) -> str | None:
    for seat in acting:
        if seat in viewer:
            return seat
    return next((seat.id for seat in now.seats if seat.id in viewer), None)


def _step(steps: Sequence[Any], part: str) -> Named | None:
    return next((Named(step.id, step.title) for step in steps if step.id == part), None)


def _phase_told(now: Position, viewer: Viewer, phase: str) -> str:
    """The last thing that was said of a phase of this turn."""
    last = now.last_in(phase, viewer)
    told = None if last is None else now.told(last, viewer)
    return "" if told is None else told.text


def _prompt(
    now: Position,
    viewer: Viewer,
    counts: Viewer,
    state: GameState,
    pending: Pending,
    at: int | None,
) -> str:
    """One sentence: what is to be done now, and by whom. Of what he may not know it says nothing."""
    if at is not None:
        return f"This is the table after entry {at} of {now.count(counts)}."
    if now.damaged:
        return _detail(now, viewer)
    if state.result is not None:
        return state.result.text
    if now.awaited and now.game.people is not None:
        send = ": send the link" if viewer else ""
        return f"Waiting for the {now.game.people.awaited}{send}"
    held = {one.offer for one in now.held}
    decisions = [one for one in pending.steps if isinstance(one, Decision)]
    mine = [one for one in decisions if one.seat in viewer]
    for one in mine:
        if one.id not in held:
            return _named(now.names.get(one.unit, one.unit) if one.unit else "", one.title)
    if mine:
        return "Your sealed answers are in: waiting for the others"
    only = None if isinstance(now.todo, tuple) or not pending.steps else pending.steps[0]
    if isinstance(only, Roll):
        who = now.names.get(only.unit or only.seat, only.seat)
        return f"{_named(who, only.title)}, {only.pool}"
    if isinstance(only, Effect):
        return only.title or "Play on"
    if isinstance(only, Decision) and not now.telling.hides_from(viewer):
        return _waiting_for(now, only)
    if not pending.seats:
        return OUT_OF_SIGHT
    names = ", ".join(now.names.get(seat, seat) for seat in pending.seats)
    return f"Waiting for {names}"


def _waiting_for(now: Position, decision: Decision) -> str:
    """Whom all wait for, and what he is asked."""
    seat = now.names.get(decision.seat, decision.seat)
    bot = now.bots.get(decision.seat)
    if bot is None:
        return f"Waiting for {seat}: {decision.title}"
    if now.stalled is not None:
        return f"{bot.title} can't go on for {seat}: take back, or end the game"
    return f"{bot.title} is deciding for {seat}: {decision.title}"


def _named(who: str, title: str) -> str:
    """What is asked of whom, named once."""
    return title if not who or title.startswith(who) else f"{who}: {title}"


# Offers


def _offers(now: Position, viewer: Viewer, pending: Pending) -> tuple[Offer, ...]:
    held = {one.offer: one for one in now.held}
    made: list[Offer] = []
    for one in pending.steps:
        if isinstance(one, Effect):
            if viewer:
                made.append(_confirm(one, viewer, now))
        elif one.seat in (now.throws_of(viewer) if isinstance(one, Roll) else viewer):
            made.append(
                _roll(one, now) if isinstance(one, Roll) else _decision(one, held.get(one.id))
            )
    return tuple(made)


def _decision(decision: Decision, held: Any) -> Offer:
    options = tuple(_option(option) for option in decision.all_options)
    example = None
    if decision.schema is not None or decision.draft is not None:
        example = next((o.value for o in options if o.blocked is None), None)
    if example is None and decision.draft is not None:
        example = walk(decision, shortest)
    return Offer(
        id=decision.id,
        seat=decision.seat,
        kind="decision",
        title=decision.title,
        unit=decision.unit,
        rule=decision.cite,
        why=decision.why,
        action=decision.action,
        schema=decision.schema,
        options=options,
        draft=decision.draft is not None,
        example=example,
        toggle=None
        if decision.toggle is None
        else ToggleView(decision.toggle.key, decision.toggle.label, decision.toggle.detail),
        initial=decision.initial,
        then=decision.then,
        sealed=decision.sealed,
        held=None if held is None else held.choice,
    )


def _option(option: Option) -> OptionView:
    blocked = option.blocked
    return OptionView(
        value=option.value,
        label=option.label,
        detail=option.detail,
        odds=None if option.odds is None else odds_view(option.odds),
        also=tuple(FurtherOdds(label, odds_view(odds)) for label, odds in option.also),
        cost=option.cost,
        rule=option.cite,
        blocked=None if blocked is None else BlockedView(blocked.reason, blocked.cite),
        place=option.place,
        path=option.path,
        facing=option.facing,
        group=option.group,
        terms=option.terms,
    )


def _roll(roll: Roll, now: Position) -> Offer:
    return Offer(
        id=roll.id,
        seat=roll.seat,
        kind="roll",
        title=roll.title,
        unit=roll.unit,
        rule=roll.cite,
        why=roll.why,
        action=f"Roll {roll.pool}" if now.opened.dice == "server" else "Enter the dice",
        pool=str(roll.pool),
        odds=None if roll.odds is None else odds_view(roll.odds),
        terms=roll.terms,
    )


def _confirm(effect: Effect, viewer: Viewer, now: Position) -> Offer:
    """What anybody who may know of it may let happen."""
    return Offer(
        id=effect.id,
        seat=next(seat.id for seat in now.seats if seat.id in viewer),
        kind="confirm",
        title=effect.title or now.told_of(effect.event, viewer),
        unit=effect.unit,
        rule=effect.cite,
        action="Continue",
    )


_shown: dict[Any, OddsView] = {}


def odds_view(odds: Odds) -> OddsView:
    """An Odds as bars, sorted by result. Those of a keyed chance are made once."""
    key = odds.chance.key
    if key is not None:
        known = _shown.get((odds.label, odds.yes, key))
        if known is not None:
            return known
    distribution, words = exact(odds.chance), dict(odds.words)
    if odds.yes:
        p = distribution.get(True, Fraction(0))
        made = OddsView(odds.label, (Bar(True, "yes", str(p), float(p)),))
    else:
        made = OddsView(
            odds.label,
            tuple(
                Bar(value, words.get(value, str(value)), str(p), float(p))
                for value, p in sorted(distribution.items(), key=lambda item: item[0])
            ),
        )
    if key is not None and len(_shown) < 20_000:
        _shown[(odds.label, odds.yes, key)] = made
    return made


def further_odds(
    table: Look, viewer: Viewer, offer: str, choice: Any
) -> tuple[str, tuple[FurtherOdds, ...]]:
    """What an option of an open decision leads to, choice by choice, under the decision's own words.

    Raises Missing when that is not open to the viewer, or has nothing to show.
    """
    for decision in open_decisions(position_of(table).todo):
        if decision.id == offer and decision.seat in viewer:
            key = canonical(choice)
            option = next((one for one in decision.all_options if one.key == key), None)
            if option is not None and option.then is not None:
                rows = tuple(FurtherOdds(label, odds_view(odds)) for label, odds in option.then())
                return decision.then, rows
    raise Missing("There are no further odds for that choice now.")


def draft_of(table: Look, viewer: Viewer, offer: str, text: str) -> DraftView:
    """A line read for an open decision of the viewer's.

    Raises Missing when there is none: what a line may hold can tell what only the decision's seat knows.
    """
    for decision in open_decisions(position_of(table).todo):
        if decision.id == offer and decision.seat in viewer and decision.draft is not None:
            return _draft(decision, text)
    raise Missing("No line can be read for that now: the question is not open, or not yours.")


def _draft(decision: Decision, text: str) -> DraftView:
    read = decision.reading(text)
    fault = read.fault
    return DraftView(
        text=read.text,
        whole=read.whole and fault is None,
        fault=None if fault is None else BlockedView(fault.reason, fault.cite),
        tokens=tuple(TokenView(one.label, one.before) for one in tokens_of(decision, read.text)),
        next=tuple(_option(option) for option in read.next),
        path=read.path,
        facing=read.facing,
        figures=tuple(Figure(label, value) for label, value in read.figures),
        told=read.told,
    )


# The log


def entry_view(table: Look, entry: Entry, viewer: Viewer) -> EntryView | None:
    """A log entry for the JSON interface; None where the viewer is not told of it."""
    now = position_of(table)
    told, seen = now.told(entry, viewer), now.seen_entry(entry, viewer)
    if told is None or seen is None:
        return None
    dice = seen.dice
    data = msgspec.to_builtins(redact(seen.event, viewer))
    data.pop("type", None)
    return EntryView(
        seq=seen.seq,
        at=seen.at,
        turn=seen.turn,
        phase=seen.phase,
        type=type(seen.event).__name__,
        seat=seen.seat,
        text=told.text,
        data=data,
        unit=seen.unit,
        dice=None
        if dice is None
        else DiceEntry(
            str(dice.pool),
            dice.faces,
            dice.by,
            tuple(d.face for d in told.dice if d.kept) if told.dice else None,
            dice.index,
        ),
        rule=seen.cite,
        struck=now.is_struck(entry.seq),
        hash=entry.hash if now.finished else "",
    )


def entry_views(table: Look, entries: Iterable[Entry], viewer: Viewer) -> tuple[EntryView, ...]:
    """Those of some entries that a viewer is told of."""
    views = (entry_view(table, entry, viewer) for entry in entries)
    return tuple(view for view in views if view is not None)


def lines_of(table: Look, viewer: Viewer, after: int, to: int) -> list[LineView]:
    """Log lines for the page: the entries after `after` up to `to`, as the viewer counts them."""
    now = position_of(table)
    marks = {seat.id: seat.mark for seat in now.seats}
    lines = (_line(now, entry, viewer, marks) for entry in now.entries_for(viewer, after, to))
    return [line for line in lines if line is not None]


def _line(now: Position, whole: Entry, viewer: Viewer, marks: Mapping[str, str]) -> LineView | None:
    told, entry = now.told(whole, viewer), now.seen_entry(whole, viewer)
    if told is None or entry is None:
        return None
    heading = isinstance(entry.event, PhaseBegan)
    title = now.game.phase(entry.phase).title if entry.phase else ""
    name = now.names.get(entry.unit or "", "")
    return LineView(
        seq=entry.seq,
        turn=entry.turn,
        phase_title=title,
        text=f"Turn {entry.turn} · {title}" if heading else told.text.removeprefix(f"{name} "),
        seat=entry.seat,
        mark=marks.get(entry.seat or "", ""),
        unit=entry.unit,
        unit_name=name if told.text.startswith(f"{name} ") else "",
        dice=told.dice,
        steps=told.steps,
        places=told.places,
        rule=entry.cite,
        kind=entry.kind,
        heading=heading,
        struck=now.is_struck(whole.seq),
        by_hand=entry.dice is not None and entry.dice.by == "hand",
        quiet=told.quiet or told.aside or heading,
        aside=told.aside,
    )


# The page


def heading_of(table: Look) -> Heading:
    """What pages about a table say of it."""
    return Heading(table.id, table.name, table.game.meta.id)


def page_of(
    table: Look, viewer: Viewer, present: Present = frozenset(), at: int | None = None
) -> Page:
    """All that the table page shows, now or after entry `at` as the viewer counts. Raises Missing for none."""
    now = position_of(table)
    latest = now.count(viewer)
    past = at if at is not None and at < latest else None
    view = view_of(now, viewer, present, at=past)
    offer = next((o for o in view.offers if o.held is None), None)
    units = {unit.id: unit for unit in view.units}
    pending = pending_of(now, viewer) if past is None else NOTHING_PENDING
    acting = _acting(units, pending)
    beside = beside_of(view, acting)
    plan = plan_takeback(now, viewer)
    asked = _asked(now, viewer) if past is None else None
    return Page(
        view=view,
        meta=now.game.meta,
        seats={seat.id: seat for seat in view.seats},
        yours=tuple(seat.id for seat in now.seats if seat.id in viewer),
        units=units,
        your_turn=past is None and _waits_for(now, view, asked),
        beside=beside,
        marks_beside=_marks_beside(view, units, beside),
        acting=acting,
        waiting_for=", ".join(
            seat.label
            for seat in view.seats
            if (seat.to_act and not seat.yours) or seat.id in view.awaited
        ),
        offer=offer,
        held=tuple(one for one in view.offers if one.held is not None),
        draft=_first_draft(now, offer),
        queues=now.game.has_queue,
        undo=UndoView(plan.how, plan.reason, plan.number, plan.entries),
        asked=asked,
        advance=_advance(now, viewer, pending),
        facts=tuple(
            now.game.facts(
                now.seen_state(viewer, None if past is None else now.seq_of(past, viewer))
            )
        ),
        aids=tuple(AidView(aid.id, aid.title, aid.group) for aid in now.game.aids),
        mode=now.opened.mode,
        pace=now.opened.pace,
        takebacks=now.opened.takebacks,
        past=past,
        latest=latest,
        ending="" if view.result is None else now.game.endings.get(view.result.reason, ""),
        rematch=None if now.rematch is None else now.rematch.table,
        rivals=now.game.rivals,
        debrief=debrief_of(now, viewer) if past is None else (),
    )


def _waits_for(now: Position, view: View, asked: AskedView | None) -> bool:
    """Whether others, people or bots, wait for the viewer: for an answer, dice, or a yes or no to a request.

    What anybody may let happen waits for nobody.
    """
    if view.finished or (now.opened.mode == "solo" and not now.bots):
        return False
    if asked is not None and asked.yours_to_answer:
        return True
    return any(one.kind != "confirm" and one.held is None for one in view.offers)


def _first_draft(now: Position, offer: Offer | None) -> DraftView | None:
    """The line that an offer begins with: what the game suggests, or nothing yet."""
    for decision in open_decisions(now.todo) if offer is not None and offer.draft else ():
        if offer is not None and decision.id == offer.id:
            return _draft(decision, offer.initial or "")
    return None


def debrief_of(table: Look, viewer: Viewer) -> tuple[DebriefView, ...]:
    """What a finished game made of those who sat at the table; nothing where the game has no people."""
    now = position_of(table)
    people, state = now.game.people, now.state
    if people is None or state.result is None:
        return ()
    end = next(one for one in reversed(now.entries) if isinstance(one.event, Finished))
    own = {seat: one.id for seat, one in now.people.items() if seat in viewer}
    if now.borrowed:
        own = {}
    if end.kind == "table":  # somebody ended it, the rules have not
        title = "Ended before its end: nothing is added to the record"
        return tuple(
            DebriefView(seat, one.call_sign, title, kept=True, person=own.get(seat, ""))
            for seat, one in now.people.items()
        )
    return tuple(
        DebriefView(
            one.seat,
            _with_title(now, one),
            one.title,
            one.lines,
            one.tallies,
            one.lost,
            one.seat in now.people and not now.borrowed,
            own.get(one.seat, ""),
        )
        for one in people.deeds(state)
    )


def _with_title(now: Position, deed: Deed) -> str:
    """What somebody is called after a deed."""
    people = now.game.people
    title = "" if people is None else people.title(deed.record)
    return f"{title} {now.names.get(deed.seat, deed.seat)}".strip()


def beside_of(view: View, acting: UnitView | None) -> dict[str, Beside]:
    """What each unit of a view is drawn with besides the unit."""
    marks = {seat.id: seat.mark for seat in view.seats}
    stacks: dict[str, list[str]] = {}
    for unit in sorted(view.units, key=lambda unit: -(unit.altitude or 0)):
        if unit.hex is not None:
            stacks.setdefault(unit.hex, []).append(unit.id)
    made: dict[str, Beside] = {}
    for unit in view.units:
        stack = stacks.get(unit.hex or "", [unit.id])
        made[unit.id] = Beside(
            view.game,
            marks[unit.seat],
            acting is not None and acting.id == unit.id and not view.finished,
            len(stack),
            stack.index(unit.id),
            unit.hex is not None and not stacks.keys().isdisjoint(_above(unit.hex)),
        )
    return made


@cache
def _above(label: str) -> tuple[str, ...]:
    """The hexes north, north-west and north-east of a hex; none for a hexside."""
    if len(label) > 4:
        return ()
    column, row = int(label[:2]), int(label[2:])
    beside = row if column % 2 else row - 1
    return f"{column:02}{row - 1:02}", f"{column - 1:02}{beside:02}", f"{column + 1:02}{beside:02}"


def _marks_beside(
    view: View, units: Mapping[str, UnitView], beside: Mapping[str, Beside]
) -> dict[str, MarkBeside]:
    marks = {seat.id: seat.mark for seat in view.seats}
    lying: dict[str, list[str]] = {}
    for mark in view.marks:
        if mark.to is None:
            lying.setdefault(mark.hex, []).append(mark.id)

    def standing(unit: str | None, hex_: str | None) -> tuple[int, int]:
        if unit is not None and unit in units and units[unit].hex == hex_:
            return beside[unit].stack, beside[unit].place
        return sum(1 for one in view.units if one.hex == hex_), -1

    def start(mark: Mark) -> tuple[int, int]:
        if mark.to is not None:
            return standing(mark.unit, mark.hex)
        return len(lying[mark.hex]), lying[mark.hex].index(mark.id)

    return {
        mark.id: MarkBeside(
            view.game,
            marks.get(mark.side or "", ""),
            start(mark),
            standing(mark.target, mark.to),
        )
        for mark in view.marks
    }


def _acting(units: Mapping[str, UnitView], pending: Pending) -> UnitView | None:
    for one in pending.steps:
        if (
            one.unit is not None
            and one.unit in units
            and not (isinstance(one, Decision) and one.sealed)
        ):
            return units[one.unit]
    return None


def _asked(now: Position, viewer: Viewer) -> AskedView | None:
    asked = now.asked
    if asked is None:
        return None
    to = now.number_of(asked.to, viewer)
    entries = sum(
        1
        for entry in now.entries_for(viewer, to, now.length)
        if entry.kind != "table" and not now.is_struck(entry.seq)
    )
    return AskedView(
        asked.seat,
        now.names.get(asked.seat, asked.seat),
        to,
        entries,
        bool(viewer - {asked.seat}),
        now.number_of(asked.seq, viewer),
    )


def _advance(now: Position, viewer: Viewer, pending: Pending) -> str | None:
    """The label of the phase-advance control; None when there is nothing to advance."""
    if not viewer:
        return None
    for one in pending.steps:
        if isinstance(one, Roll):
            return f"Roll {one.pool}" if now.opened.dice == "server" else None
        if isinstance(one, Effect) or (one.seat not in now.bots and one.forced):
            return "Continue"
    return None


def overlay_of(table: Look, viewer: Viewer, aid: str, unit: str) -> Overlay | None:
    """A planning aid drawn for a unit, from what the viewer may see; None where it does not apply."""
    now = position_of(table)
    found = next((one for one in now.game.aids if one.id == aid), None)
    state = now.seen_state(viewer)
    if found is None or all(seen.id != unit for seen in now.game.units(state, viewer)):
        return None
    return found.draw(state, unit, exact)
