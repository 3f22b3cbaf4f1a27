"""Looking at a table: makes the views of `views` from a live table, for one viewer.

Everything here starts from a redacted state and a redacted event. Options and odds are made only for the
seats that a viewer holds. Views are remembered until the table changes.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import msgspec

from app.engine.adoption import edition_of, rulings_of
from app.engine.chance import Odds
from app.engine.errors import Missing
from app.engine.game import Mark, Overlay, UnitView
from app.engine.log import Entry, Finished, PhaseBegan, Unseen
from app.engine.people import Deed
from app.engine.secret import Viewer, redact
from app.engine.sequence import (
    Decision,
    Effect,
    GameState,
    Option,
    Roll,
    Todo,
    canonical,
    open_decisions,
    shortest,
    to_act,
    tokens_of,
    waiting,
    walk,
)
from app.odds import exact
from app.tables.adopting import asked_view, newer_view
from app.tables.live import LiveTable
from app.tables.takebacks import plan_takeback
from app.tables.views import (
    AidView,
    AskedView,
    Bar,
    Beside,
    BlockedView,
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
    ResultView,
    SeatView,
    ToggleView,
    TokenView,
    UndoView,
    View,
)

Present = frozenset[str]

OUT_OF_SIGHT = "Something happens out of your sight"


def view_of(
    table: LiveTable,
    viewer: Viewer,
    present: Present = frozenset(),
    *,
    seat: str | None = None,
    at: int | None = None,
) -> View:
    """The table as a viewer sees it, now or after entry `at` (then there is nothing to be done).

    `seat` is one of the viewer's, to look through that one alone.
    """
    if seat is not None:
        viewer = frozenset({seat})
    if at == table.version:
        at = None
    if at is not None:  # there are as many past moments as entries: none is kept
        return _make_view(table, viewer, present, at)
    view = table.views.get(viewer)
    if view is None:
        view = table.views[viewer] = _make_view(table, viewer, present, None)
    return view


def _make_view(table: LiveTable, viewer: Viewer, present: Present, at: int | None) -> View:
    game = table.game
    newest = table.opened.rules == game.rules  # then nothing has come since that could be adopted
    entries = table.entries if at is None else table.entries[:at]
    state = table.seen_state(viewer, at)
    step = table.todo if at is None else None
    acting = to_act(step)
    units = tuple(game.units(state, viewer))
    known = {*table.claims, *(unit.id for unit in units)}
    unseen = frozenset(table.names.keys() - known if table.hides else ())
    offers = _offers(table, viewer, step, unseen)
    rank = next((n for n, p in enumerate(game.phases) if p.id == state.phase), -1)
    part = next((one.step for one in waiting(step) if one.step), None)
    return View(
        id=table.id,
        game=game.meta.id,
        name=table.name,
        version=table.version if at is None else at,
        seat=_own_seat(table, viewer, acting),
        turn=state.turn,
        phase=Named(state.phase, game.phases[rank].title if rank >= 0 else ""),
        step=_step(game.phases[rank].steps, part) if part else None,
        phases=tuple(
            PhaseView(
                phase.id,
                phase.title,
                "done" if n < rank else "current" if n == rank else "ahead",
                tuple(s.title for s in phase.steps),
                _phase_told(table, viewer, state, phase.id) if n < rank and at is None else "",
            )
            for n, phase in enumerate(game.phases)
        ),
        prompt=_prompt(table, viewer, state, step, at, unseen),
        offers=offers,
        units=units,
        marks=tuple(game.marks(state, viewer)),
        queue=game.queue(state, viewer),
        board=table.board,
        facings=game.facings,
        scene=game.scene(state, viewer),
        seats=tuple(
            SeatView(
                id=s.id,
                label=s.label,
                present=s.id in present,
                to_act=s.id in acting,
                mark=s.mark,
                yours=s.id in viewer,
                taken=table.taken(s.id),
                name=table.claims[s.id].name,
                bot=table.bots[s.id].title if s.id in table.bots else "",
            )
            for s in table.seats
        ),
        rulings=table.opened.rulings if newest else rulings_of(entries),
        dice=DiceView(
            mode=table.opened.dice,
            commitment=table.opened.commitment,
            words=table.cup.words,
            thrown=table.cup.next_index,
            seed=seed_shown(table),
        ),
        finished=state.result is not None,
        result=None
        if state.result is None
        else ResultView(
            state.result.reason, state.result.text, state.result.winners, state.result.scores
        ),
        awaited=table.awaited if state.result is None and at is None else (),
        edition=table.opened.rules if newest else edition_of(entries),
        newer=newer_view(table) if at is None else None,
        rulings_asked=asked_view(table, viewer) if at is None else None,
    )


def seed_shown(table: LiveTable) -> str | None:
    """The dice secret in hex, once the game is over and the server has rolled."""
    if not table.finished or table.opened.dice == "hand":
        return None
    return table.cup.seed.hex()


def _own_seat(table: LiveTable, viewer: Viewer, acting: Sequence[str]) -> str | None:
    for seat in acting:
        if seat in viewer:
            return seat
    return next((seat.id for seat in table.seats if seat.id in viewer), None)


def _step(steps: Sequence[Any], part: str) -> Named | None:
    return next((Named(step.id, step.title) for step in steps if step.id == part), None)


def _phase_told(table: LiveTable, viewer: Viewer, state: GameState, phase: str) -> str:
    """The last thing that was said of a phase of this turn."""
    last = table.last_in(state.turn, phase)
    return "" if last is None else table.told(last, viewer).text


def _prompt(
    table: LiveTable,
    viewer: Viewer,
    state: GameState,
    step: Todo,
    at: int | None,
    unseen: frozenset[str],
) -> str:
    """One sentence: what is to be done now, and by whom. Of `unseen` units it says nothing."""
    if at is not None:
        return f"This is the table after entry {at} of {table.version}."
    if state.result is not None:
        return state.result.text
    if table.awaited and table.game.people is not None:
        send = ": send the link" if viewer else ""
        return f"Waiting for the {table.game.people.awaited}{send}"
    held = {one.offer for one in table.held}
    mine = [one for one in open_decisions(step) if one.seat in viewer]
    for one in mine:
        if one.id not in held:
            return _named(table.names.get(one.unit, one.unit) if one.unit else "", one.title)
    if mine:
        return "Your sealed answers are in: waiting for the others"
    if isinstance(step, Roll | Decision) and step.unit in unseen:
        return f"Waiting for {table.names.get(step.seat, step.seat)}"
    if isinstance(step, Roll):
        who = table.names.get(step.unit or step.seat, step.seat)
        return f"{_named(who, step.title)}, {step.pool}"
    if isinstance(step, Effect):
        return OUT_OF_SIGHT if step.unit in unseen else step.title or "Play on"
    if isinstance(step, Decision) and (bot := table.bots.get(step.seat)) is not None:
        seat = table.names.get(step.seat, step.seat)
        if table.stalled == table.version:
            return f"{bot.title} can't go on for {seat}: take back, or end the game"
        return f"{bot.title} is deciding for {seat}: {step.title}"
    if isinstance(step, Decision):
        return f"Waiting for {table.names.get(step.seat, step.seat)}: {step.title}"
    names = ", ".join(table.names.get(seat, seat) for seat in to_act(step))
    return f"Waiting for {names}"


def _named(who: str, title: str) -> str:
    """What is asked of whom, named once."""
    return title if not who or title.startswith(who) else f"{who}: {title}"


# Offers


def _offers(
    table: LiveTable, viewer: Viewer, step: Todo, unseen: frozenset[str]
) -> tuple[Offer, ...]:
    held = {one.offer: one for one in table.held}
    made: list[Offer] = []
    for one in waiting(step):
        if isinstance(one, Effect):
            if viewer:
                made.append(_confirm(one, viewer, table, unseen))
        elif one.seat in (table.throws_of(viewer) if isinstance(one, Roll) else viewer):
            made.append(
                _roll(one, table) if isinstance(one, Roll) else _decision(one, held.get(one.id))
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


def _roll(roll: Roll, table: LiveTable) -> Offer:
    return Offer(
        id=roll.id,
        seat=roll.seat,
        kind="roll",
        title=roll.title,
        unit=roll.unit,
        rule=roll.cite,
        why=roll.why,
        action=f"Roll {roll.pool}" if table.opened.dice == "server" else "Enter the dice",
        pool=str(roll.pool),
        odds=None if roll.odds is None else odds_view(roll.odds),
        terms=roll.terms,
    )


def _confirm(effect: Effect, viewer: Viewer, table: LiveTable, unseen: frozenset[str]) -> Offer:
    """What anybody may let happen. Of an `unseen` unit it says only that there is something."""
    seat = next(seat.id for seat in table.seats if seat.id in viewer)
    away = effect.unit in unseen
    return Offer(
        id=effect.id,
        seat=seat,
        kind="confirm",
        title=OUT_OF_SIGHT if away else effect.title or table.told_of(effect.event, viewer),
        unit=None if away else effect.unit,
        rule="" if away else effect.cite,
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
    table: LiveTable, viewer: Viewer, offer: str, choice: Any
) -> tuple[str, tuple[FurtherOdds, ...]]:
    """What an option of an open decision leads to, choice by choice, under the decision's own words.

    Raises Missing when that is not open to the viewer, or has nothing to show.
    """
    for decision in open_decisions(table.todo):
        if decision.id == offer and decision.seat in viewer:
            key = canonical(choice)
            option = next((one for one in decision.all_options if one.key == key), None)
            if option is not None and option.then is not None:
                rows = tuple(FurtherOdds(label, odds_view(odds)) for label, odds in option.then())
                return decision.then, rows
    raise Missing("There are no further odds for that choice now.")


def draft_of(table: LiveTable, viewer: Viewer, offer: str, text: str) -> DraftView:
    """A line read for an open decision of the viewer's.

    Raises Missing when there is none: what a line may hold can tell what only the decision's seat knows.
    """
    for decision in open_decisions(table.todo):
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


def entry_view(table: LiveTable, entry: Entry, viewer: Viewer) -> EntryView:
    """A log entry for the JSON interface."""
    told = table.told(entry, viewer)
    entry = table.seen_entry(entry, viewer)
    dice = entry.dice
    data = msgspec.to_builtins(redact(entry.event, viewer))
    data.pop("type", None)
    return EntryView(
        seq=entry.seq,
        at=entry.at,
        turn=entry.turn,
        phase=entry.phase,
        type=type(entry.event).__name__,
        seat=entry.seat,
        text=told.text,
        data=data,
        unit=entry.unit,
        dice=None
        if dice is None
        else DiceEntry(
            str(dice.pool),
            dice.faces,
            dice.by,
            tuple(d.face for d in told.dice if d.kept) if told.dice else None,
            dice.index,
        ),
        rule=entry.cite,
        struck=table.is_struck(entry.seq),
    )


def lines_of(table: LiveTable, viewer: Viewer, after: int, to: int) -> list[LineView]:
    """Log lines for the page: the entries after `after` up to `to`, of unseen ones in a row only the first."""
    marks = {seat.id: seat.mark for seat in table.seats}
    return [
        _line(table, entry, viewer, marks)
        for entry in table.entries[after:to]
        if not _one_more_unseen(table, entry, viewer)
    ]


def _one_more_unseen(table: LiveTable, entry: Entry, viewer: Viewer) -> bool:
    """Whether a viewer is told neither of an entry nor of the one before it, so that one line says it of both."""
    if not table.hides or entry.seq == 1:
        return False
    before = table.entries[entry.seq - 2]
    return table.is_struck(before.seq) == table.is_struck(entry.seq) and all(
        isinstance(table.seen_entry(one, viewer).event, Unseen) for one in (entry, before)
    )


def _line(table: LiveTable, entry: Entry, viewer: Viewer, marks: Mapping[str, str]) -> LineView:
    told = table.told(entry, viewer)
    entry = table.seen_entry(entry, viewer)
    heading = isinstance(entry.event, PhaseBegan)
    title = table.game.phase(entry.phase).title if entry.phase else ""
    name = table.names.get(entry.unit or "", "")
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
        struck=table.is_struck(entry.seq),
        by_hand=entry.dice is not None and entry.dice.by == "hand",
        quiet=told.quiet or told.aside or heading,
        aside=told.aside,
    )


# The page


def heading_of(table: LiveTable) -> Heading:
    """What pages about a table say of it."""
    return Heading(table.id, table.name, table.game.meta.id)


def page_of(
    table: LiveTable, viewer: Viewer, present: Present = frozenset(), at: int | None = None
) -> Page:
    """All that the table page shows."""
    view = view_of(table, viewer, present, at=at)
    now = view.version == table.version and not (at is not None and at < table.version)
    offer = next((o for o in view.offers if o.held is None), None)
    units = {unit.id: unit for unit in view.units}
    step = table.todo if now else None
    acting = _acting(units, step)
    beside = beside_of(view, acting)
    plan = plan_takeback(table, viewer)
    return Page(
        view=view,
        meta=table.game.meta,
        seats={seat.id: seat for seat in view.seats},
        yours=tuple(seat.id for seat in table.seats if seat.id in viewer),
        units=units,
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
        draft=_first_draft(table, offer) if now else None,
        queues=table.game.has_queue,
        undo=UndoView(plan.how, plan.reason, plan.to, plan.entries),
        asked=_asked(table, viewer) if now else None,
        advance=_advance(table, viewer, step),
        facts=tuple(table.game.facts(table.seen_state(viewer, None if now else at))),
        aids=tuple(AidView(aid.id, aid.title, aid.group) for aid in table.game.aids),
        mode=table.opened.mode,
        pace=table.opened.pace,
        takebacks=table.opened.takebacks,
        past=None if now else at,
        latest=table.version,
        ending="" if view.result is None else table.game.endings.get(view.result.reason, ""),
        rematch=None if table.rematch is None else table.rematch.table,
        rivals=table.game.rivals,
        debrief=debrief_of(table, viewer) if now else (),
    )


def _first_draft(table: LiveTable, offer: Offer | None) -> DraftView | None:
    """The line that an offer begins with: what the game suggests, or nothing yet."""
    for decision in open_decisions(table.todo) if offer is not None and offer.draft else ():
        if offer is not None and decision.id == offer.id:
            return _draft(decision, offer.initial or "")
    return None


def debrief_of(table: LiveTable, viewer: Viewer) -> tuple[DebriefView, ...]:
    """What a finished game made of those who sat at the table; nothing where the game has no people."""
    people, state = table.game.people, table.state
    if people is None or state.result is None:
        return ()
    end = next(one for one in reversed(table.entries) if isinstance(one.event, Finished))
    own = {seat: one.id for seat, one in table.people.items() if seat in viewer}
    if end.kind == "table":  # somebody ended it, the rules have not
        title = "Ended before its end: nothing is added to the record"
        return tuple(
            DebriefView(seat, one.call_sign, title, kept=True, person=own.get(seat, ""))
            for seat, one in table.people.items()
        )
    return tuple(
        DebriefView(
            one.seat,
            _with_title(table, one),
            one.title,
            one.lines,
            one.tallies,
            one.lost,
            one.seat in table.people,
            own.get(one.seat, ""),
        )
        for one in people.deeds(state)
    )


def _with_title(table: LiveTable, deed: Deed) -> str:
    """What somebody is called after a deed."""
    people = table.game.people
    title = "" if people is None else people.title(deed.record)
    return f"{title} {table.names.get(deed.seat, deed.seat)}".strip()


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


def _acting(units: Mapping[str, UnitView], step: Todo) -> UnitView | None:
    for one in waiting(step):
        unit = getattr(one, "unit", None)
        if unit is not None and unit in units and not (isinstance(one, Decision) and one.sealed):
            return units[unit]
    return None


def _asked(table: LiveTable, viewer: Viewer) -> AskedView | None:
    asked = table.asked
    if asked is None:
        return None
    entries = sum(
        1
        for entry in table.entries[asked.to :]
        if entry.kind != "table" and not table.is_struck(entry.seq)
    )
    return AskedView(
        asked.seat,
        table.names.get(asked.seat, asked.seat),
        asked.to,
        entries,
        bool(viewer - {asked.seat}),
    )


def _advance(table: LiveTable, viewer: Viewer, step: Todo) -> str | None:
    """The label of the phase-advance control; None when there is nothing to advance."""
    if not viewer:
        return None
    if isinstance(step, Roll):
        return f"Roll {step.pool}" if table.opened.dice == "server" else None
    if isinstance(step, Effect):
        return "Continue"
    people = [one for one in open_decisions(step) if one.seat not in table.bots]
    if any(one.forced for one in people):
        return "Continue"
    return None


def overlay_of(table: LiveTable, viewer: Viewer, aid: str, unit: str) -> Overlay | None:
    """A planning aid drawn for a unit, from what the viewer may see; None where it does not apply."""
    found = next((one for one in table.game.aids if one.id == aid), None)
    state = table.seen_state(viewer)
    if found is None or all(seen.id != unit for seen in table.game.units(state, viewer)):
        return None
    return found.draw(state, unit, exact)
