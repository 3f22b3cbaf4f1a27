"""Pages and fragments from Jinja templates.

A club may override any file in `templates/`; each game's own folder comes after it. Fragments are
macros of `table/fragments.html`, one root element each, so that the page and the frames that change it
are made of the same pieces.
"""

import contextlib
import hashlib
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import segno
from jinja2 import ChoiceLoader, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from msgspec.structs import replace

from app.engine.errors import Missing
from app.engine.game import UnitView
from app.engine.secret import Viewer
from app.engine.sequence import MOST_LINE
from app.games import registry
from app.settings import resource
from app.tables.frames import Fragment, Hub, Kind, Renderer
from app.tables.looking import lines_of, page_of
from app.tables.position import Position
from app.tables.views import Beside, LineView, Page, View, sum_of
from app.web.compiling import LightEnvironment, OneSpace
from app.web.entering import fields_of
from app.web.errors import Problem

T = TypeVar("T")

MOST_ANNOUNCED = 4
MOST_PIECES = 20_000
"""Counters, cards, rows and log lines kept ready, about 1 kB each."""


class Pages:
    """Renders everything that is HTML."""

    def __init__(self) -> None:
        folders = [str(resource("templates"))]
        folders += [str(game_folder(game) / "templates") for game in registry.metas()]
        self._environment = LightEnvironment(
            loader=ChoiceLoader([FileSystemLoader(folder) for folder in folders]),
            autoescape=True,
            undefined=StrictUndefined,
            extensions=[OneSpace],
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
        )
        known: dict[str, Any] = self._environment.globals  # pyright: ignore[reportAssignmentType]
        known.update(
            asset=asset,
            centre=centre,
            fields_of=fields_of,
            game_macros=self._game_macros,
            game_of=game_of,
            ground=self._ground,
            MOST_LINE=MOST_LINE,
            has_book=has_book,
            piece=self._piece_in_page,
            scene_part=self._scene_part,
            spot=spot,
            sum_of=sum_of,
        )
        self._pieces: dict[bytes, Any] = {}
        self._macros: Any = self._environment.get_template("table/fragments.html").module

    def _game_macros(self, game: str, template: str) -> Any:
        return self._environment.get_template(f"{game}/{template}").module

    def _ground(self, game: str) -> Any:
        """The macro that draws what lies under a game's hex board: the game's own, or the shell's."""
        ways = [f"{folder}/ground.svg.jinja" for folder in (game, "board")]
        ground: Any = self._environment.select_template(ways).module
        return ground.ground

    def page(self, template: str, **context: Any) -> str:
        """A whole page."""
        return self._environment.get_template(template).render(**context)

    def problem(self, problem: Problem, *, partial: bool) -> str:
        """An error, as the content of #notice or as a page."""
        if partial:
            return str(self._macros.notice(problem))
        return self.page("errors/problem.html", problem=problem)

    def line(self, line: LineView, game: str) -> str:
        """One log line."""
        return self._piece("line", line, game)

    def heading(self, page: Page) -> dict[str, str]:
        """What a tab that shows a table is called, and its icon."""
        return {part: str(getattr(self._macros, part)(page)) for part in ("title", "icon")}

    def renderer(self, hub: Hub) -> Renderer:
        """What the frames are made with."""

        def fragments(position: Position, viewer: Viewer) -> Mapping[str, Fragment]:
            page = page_of(position, viewer, hub.present(position.id))
            return self.fragments(page)

        def news(position: Position, viewer: Viewer, since: int, was: int) -> tuple[str, str]:
            lines = lines_of(position, viewer, since, position.count(viewer))
            game = position.game.meta.id
            said = [
                (line.unit_name, line.text)
                for line in lines
                if line.seq > was and not line.quiet and not line.struck
            ]
            shown = self._piece("announce", said[-MOST_ANNOUNCED:]) if said else ""
            return "".join([self.line(line, game) for line in lines]), shown

        return Renderer(fragments, news)

    def fragments(self, page: Page) -> dict[str, Fragment]:
        """The pieces of the table page that can change, by the id of their element."""
        view = page.view
        marks = {seat.id: seat.mark for seat in view.seats}
        worded = [(mark.words, page.marks_beside[mark.id]) for mark in view.marks]
        made = {
            "version": self._part(
                "version", page, (view.version, page.latest, page.your_turn, view.name)
            ),
            "phases": self._part("phases", page, (view.turn, view.phases, view.step)),
            "seats": self._part("seats", page, (view.seats, page.yours, page.mode)),
            "facts": self._part("facts", page, page.facts),
            "now": Fragment(self._fresh("now", page)),
            "after-link": self._part("after", page, (view.id, view.finished)),
            "dice-panel": self._part("dice", page, (view.id, view.dice)),
            "effects-text": self._part("effects_text", page, worded),
        }
        if page.queues:
            queue = view.queue
            listed = {one.unit for one in queue.places} if queue else set[str]()
            shown = [(u.id, u.name, u.seat) for u in view.units if u.id in listed]
            for macro in ("queue", "queue_text"):
                key = macro.replace("_", "-")
                made[key] = self._part(macro, page, (queue, shown, marks, view.game))
        if view.board:
            made.update(self._on_board(page, marks))
        made.update(self._scene(view))
        facings = view.facings if view.board else 0
        for unit in view.units:
            made.update(self._unit(unit, page.beside[unit.id], facings))
        return made

    def _on_board(self, page: Page, marks: Mapping[str, str]) -> Iterator[tuple[str, Fragment]]:
        """What is drawn on a hex board beside the counters."""
        view = page.view
        trails = [(u.seat, u.trail, u.heights, u.hex) for u in view.units if u.trail]
        yield "trails", self._part("trails", page, (trails, marks), "svg")
        offer = page.offer if page.past is None else None
        lit = [
            (o.key, o.label, o.place, o.facing)
            for o in (offer.options if offer and not offer.draft else ())
            if o.place and not o.blocked
        ]
        yield "lit", self._part("lit", page, (view.facings, lit), "svg")
        for layer, leading in (("below", False), ("above", True)):
            lying = [
                (mark, page.marks_beside[mark.id])
                for mark in view.marks
                if (mark.to is not None) == leading
            ]
            yield f"effects-{layer}", self._part(f"effects_{layer}", page, lying, "svg")

    def _unit(self, unit: UnitView, beside: Beside, facings: int) -> Mapping[str, Fragment]:
        """A unit's counter, where there is a board (`facings` is 0 without), its card and its row."""

        def make() -> Mapping[str, Fragment]:
            made: dict[str, Fragment] = {}
            if facings:
                counter = self._piece("counter", self._on_counter(unit, beside.game), beside)
                made[f"u-{unit.id}"] = Fragment(counter, "svg", "counters")
            card = self._fresh("card", unit, beside)
            made[f"card-{unit.id}"] = Fragment(card, "html", "cards")
            bare = replace(unit, fields={}, trail=(), heights=())
            row = self._piece("row", bare, beside.mark, facings)
            made[f"row-{unit.id}"] = Fragment(row, "html", "rows")
            return made

        return self._once(("unit", unit, beside, facings), make)

    def _on_counter(self, unit: UnitView, game: str) -> UnitView:
        """A unit with no more than its counter shows: of its own fields those that the template names, or all."""
        names = getattr(self._game_macros(game, "counter.svg.jinja"), "FIELDS", unit.fields)
        fields = {name: value for name in names if (value := unit.fields.get(name)) is not None}
        return replace(unit, fields=fields, trail=(), heights=())

    def _scene(self, view: View) -> Iterator[tuple[str, Fragment]]:
        """A game's own picture, part by part."""
        if view.scene:
            for part, (kind, _) in self._scene_parts(view.game).items():
                yield f"scene-{part}", Fragment(self._scene_part(view, part), kind)

    def _scene_part(self, view: View, part: str) -> Markup:
        """A part; drawn again only when one of the values that it names has changed."""
        _, keys = self._scene_parts(view.game)[part]
        named = {key: view.scene[key] for key in keys}
        marks = {seat.id: seat.mark for seat in view.seats}
        return Markup(self._piece("scene_part", view.game, part, named, marks))

    def _scene_parts(self, game: str) -> Mapping[str, tuple[Kind, tuple[str, ...]]]:
        """What the picture of a game is made of: part, how it is written, and the values it is made from."""
        return self._game_macros(game, "scene.html").PARTS

    def _piece(self, macro: str, *about: Any) -> str:
        """What a macro makes of plain values; made once for equal ones, in whatever view or table."""
        return self._once((macro, *about), lambda: self._fresh(macro, *about))

    def _piece_in_page(self, macro: str, *about: Any) -> Markup:
        """The same for a template that is being rendered."""
        return Markup(self._piece(macro, *about))

    def _part(self, macro: str, page: Page, about: Any, kind: Kind = "html") -> Fragment:
        """A macro of the page that depends on no more of it than `about`."""
        return self._once((macro, about), lambda: Fragment(self._fresh(macro, page), kind))

    def _once(self, about: tuple[Any, ...], make: Callable[[], T]) -> T:
        """What `make` makes; made once for equal values of all that it is made from.

        Who looks is none of these values: what is shown to two viewers alike is made once for both, and nothing
        that only one of them may see can come to the other.
        """
        key = msgspec.msgpack.encode(about)
        made = self._pieces.get(key)
        if made is None:
            if len(self._pieces) >= MOST_PIECES:
                self._pieces.clear()
            made = self._pieces[key] = make()
        return made

    def _fresh(self, macro: str, *arguments: Any) -> str:
        """What a macro makes now, with no more white space than shows."""
        html = str(getattr(self._macros, macro)(*arguments)).strip()
        while "  " in html:
            html = html.replace("  ", " ")
        return html


def game_folder(game: str) -> Path:
    """A game's folder on disk."""
    return Path(str(registry.folder(game)))


@cache
def game_of(rule: str) -> str:
    """The id of the game that has a rule; "" when none has. A rule's id need not begin with the game's."""
    for game in registry.metas():
        try:
            if rule in registry.load(game).rulebook.paragraphs:
                return game
        except Missing:  # a game that does not load has no rules to show either
            continue
    return ""


@cache
def has_book() -> bool:
    """Whether some game has persons who outlive a table, so that there is a campaign book."""
    for game in registry.metas():
        with contextlib.suppress(Missing):  # a game that does not load has nobody either
            if registry.load(game).people is not None:
                return True
    return False


@cache
def asset(path: str) -> str:
    """The URL of a static file, with a mark of its content so that it may be cached for ever.

    A path that begins with a game's id names a file of that game.
    """
    game, _, name = path.partition("/")
    folder = game_folder(game) / "static" if game in registry.metas() else None
    file = folder / name if folder else resource("static") / path
    if path.startswith("vendor/"):
        return f"/static/{path}"
    mark = hashlib.sha256(file.read_bytes()).hexdigest()[:10] if file.exists() else "none"
    return f"/static/{path}?v={mark}"


@cache
def centre(label: str) -> tuple[float, float]:
    """Where the middle of a hex ("0712") or hexside ("1115/1215") is drawn; a hex is 52 by 45."""
    one, _, other = label.partition("/")
    column, row = int(one[:2]), int(one[2:])
    x, y = 39.0 * column - 13, 45.0 * row - (0 if column % 2 else 22.5)
    if not other:
        return x, y
    x2, y2 = centre(other)
    return (x + x2) / 2, (y + y2) / 2


@cache
def spot(label: str) -> Markup:
    """The same as text for SVG, "x y"."""
    x, y = centre(label)
    return Markup(f"{x:g} {y:g}")


def qr_svg(url: str) -> Markup:
    """A QR code of a link as an SVG element."""
    code = segno.make(url, error="m", micro=False)
    return Markup(code.svg_inline(scale=4, border=2, svgclass="qr", lineclass="qr-dark"))
