"""A line of orders: a side's plan, taken as it is proposed or changed order by order.

Belongs here: how such a line is read and offered. Does not belong here: any order.

The empty line is the proposal itself, so the usual case is one choice. Orders stand in the line one after the other,
each seen from the plan that those before it lead to.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from app.engine.chance import Odds
from app.engine.errors import Illegal
from app.engine.sequence import Blocked, Draft, Option, Term

P = TypeVar("P")

_BETWEEN = ", "


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


@dataclass(frozen=True)
class Orders(Generic[P]):
    """What a side may order: the plan it begins with, and the changes that a plan offers.

    `figures` are what a plan comes to, label and value.
    """

    proposal: P
    offered: Callable[[P], Iterable[Order[P]]]
    figures: Callable[[P], tuple[tuple[str, str], ...]]
    cite: str

    def plan(self, line: str) -> P:
        """The plan that a line comes to. Raises Illegal, citing the rule where one forbids an order."""
        plan, _, fault = self._read(line)
        if fault is not None:
            raise Illegal(fault.reason, fault.cite)
        return plan

    def draft(self, line: str) -> Draft:
        """A line as it is put together or typed."""
        plan, known, fault = self._read(line)
        return Draft(
            text=_BETWEEN.join(known),
            next=tuple(_option(known, order) for order in self.offered(plan)),
            whole=True,
            fault=fault,
            figures=self.figures(plan),
            told=tuple(known),
        )

    def options(self, label: str, detail: str = "") -> tuple[Option, ...]:
        """Whole lines: the proposal under `label`, and each single change of it."""
        changes = (_option((), order) for order in self.offered(self.proposal))
        return (Option("", label, detail), *changes)

    def _read(self, line: str) -> tuple[P, list[str], Blocked | None]:
        plan, known = self.proposal, list[str]()
        for word in filter(None, (" ".join(part.split()) for part in line.split(","))):
            order = next(
                (o for o in self.offered(plan) if o.text.casefold() == word.casefold()), None
            )
            if order is None:
                return plan, known, Blocked(f"“{word}” is no order that can be given", self.cite)
            if order.blocked is not None:
                return plan, known, order.blocked
            plan = order.after
            known.append(order.text)
        return plan, known, None


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
