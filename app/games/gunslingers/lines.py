"""A line of orders: a side's plan, taken as it is proposed or changed order by order.

Belongs here: how such a line is read and offered. Does not belong here: any order.

The empty line is the proposal itself, so the usual case is one choice. Orders stand in the line one after the other,
each seen from the plan that those before it lead to.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Generic, TypeVar

from app.engine.chance import Odds
from app.engine.errors import Illegal
from app.engine.sequence import Blocked, Draft, Option, Term

P = TypeVar("P")

_BETWEEN = ", "
_LINES_KEPT = 64


@dataclass(frozen=True)
class Order(Generic[P]):
    """One change of a plan, and the plan `after` it. `text` is how it is written in the line."""

    text: str
    label: str
    after: P
    group: str = ""
    detail: str = ""
    cite: str | None = None
    odds: Odds | None = None
    blocked: Blocked | None = None
    terms: tuple[Term, ...] = ()

    def says(self, word: str) -> bool:
        """Whether it is what a word of a line says."""
        return self.text.casefold() == word.casefold()


@dataclass(frozen=True)
class Orders(Generic[P]):
    """What a side may order: the plan it begins with, and the changes that a plan offers.

    `begin` makes the plan it begins with, asked for only when somebody looks or answers. `figures` are what a plan
    comes to, label and value. An order that is in force changes nothing: it is not offered, and may be given.
    """

    begin: Callable[[], P]
    offered: Callable[[P], Iterable[Order[P]]]
    figures: Callable[[P], tuple[tuple[str, str], ...]]
    cite: str

    @cached_property
    def proposal(self) -> P:
        """The plan it begins with, made once."""
        return self.begin()

    def plan(self, line: str) -> P:
        """The plan that a line comes to. Raises Illegal, citing the rule where one forbids an order."""
        known, fault = self._read(line)
        if fault is not None:
            raise Illegal(fault.reason, fault.cite)
        return self._after(known).plan

    def draft(self, line: str) -> Draft:
        """A line as it is put together or typed."""
        known, fault = self._read(line)
        now = self._after(known)
        return Draft(
            text=_BETWEEN.join(known),
            next=tuple(_option(known, order) for order in now.orders),
            whole=True,
            fault=fault,
            figures=self.figures(now.plan),
            told=known,
        )

    def options(self, words: Callable[[P], tuple[str, str]]) -> tuple[Option, ...]:
        """Whole lines: the proposal under the label and detail that `words` has for it, and each change of it."""
        changes = (_option((), order) for order in self._after(()).orders)
        return (Option("", *words(self.proposal)), *changes)

    def _read(self, line: str) -> tuple[tuple[str, ...], Blocked | None]:
        known: tuple[str, ...] = ()
        for word in filter(None, (" ".join(part.split()) for part in line.split(","))):
            now = self._after(known)
            order = next((o for o in now.orders if o.says(word)), None)
            if order is None and self._in_force(now, word):
                continue
            if order is None:
                return known, Blocked(f"“{word}” is no order that can be given", self.cite)
            if order.blocked is not None:
                return known, order.blocked
            known = (*known, order.text)
        return known, None

    def _in_force(self, now: "_Stand[P]", word: str) -> bool:
        """Whether an order that is not offered says what is so: given after another of the same unit, it undoes that."""
        if any(order.says(word) for order in now.kept):
            return True
        unit = word.split()[0].casefold()
        return any(
            order.says(word) and order.blocked is None and order.after == now.plan
            for other in now.orders
            if other.text.split()[0].casefold() == unit
            for order in self.offered(other.after)
        )

    @cached_property
    def _after(self) -> "Callable[[tuple[str, ...]], _Stand[P]]":
        """Where orders lead, remembered: each order that is added reads those before it again."""

        @lru_cache(_LINES_KEPT)
        def after(known: tuple[str, ...]) -> _Stand[P]:
            plan = self.proposal
            if known:
                before = after(known[:-1]).orders
                plan = next(order.after for order in before if order.text == known[-1])
            changes: list[Order[P]] = []
            kept: list[Order[P]] = []
            for order in self.offered(plan):
                same = order.blocked is None and order.after == plan
                (kept if same else changes).append(order)
            return _Stand(plan, tuple(changes), tuple(kept))

        return after


@dataclass(frozen=True)
class _Stand(Generic[P]):
    """A plan, the orders that change it, and some that are in force."""

    plan: P
    orders: tuple[Order[P], ...]
    kept: tuple[Order[P], ...]


def _option(known: Sequence[str], order: Order[P]) -> Option:
    return Option(
        _BETWEEN.join((*known, order.text)),
        order.label,
        order.detail,
        cite=order.cite,
        odds=order.odds,
        blocked=order.blocked,
        group=order.group,
        terms=order.terms,
    )
