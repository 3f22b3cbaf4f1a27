"""Pages and fragments from Jinja templates.

A club may override any file in `templates/`; each game's own folder comes after it. Fragments are
macros of `table/fragments.html`, one root element each, so that the page and the frames that change it
are made of the same pieces.
"""

import hashlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import segno
from jinja2 import ChoiceLoader, Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from app.engine.game import Overlay
from app.engine.secret import Viewer
from app.games import registry
from app.settings import resource
from app.tables.frames import Fragment, Hub, Renderer
from app.tables.live import LiveTable
from app.tables.looking import lines_of, page_of
from app.tables.views import LineView, Page
from app.web.errors import Problem

MOST_ANNOUNCED = 4


class Pages:
    """Renders everything that is HTML."""

    def __init__(self) -> None:
        folders = [str(resource("templates"))]
        folders += [str(game_folder(game) / "templates") for game in registry.metas()]
        self._environment = Environment(
            loader=ChoiceLoader([FileSystemLoader(folder) for folder in folders]),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
        )
        known: dict[str, Any] = self._environment.globals  # pyright: ignore[reportAssignmentType]
        known.update(asset=asset, game_macros=self._game_macros, new_key=str)
        self._macros: Any = self._environment.get_template("table/fragments.html").module

    def _game_macros(self, game: str, template: str) -> Any:
        return self._environment.get_template(f"{game}/{template}").module

    def page(self, template: str, **context: Any) -> str:
        """A whole page."""
        return self._environment.get_template(template).render(**context)

    def problem(self, problem: Problem, *, partial: bool) -> str:
        """An error, as the content of #notice or as a page."""
        if partial:
            return str(self._macros.notice(problem))
        return self.page("errors/problem.html", problem=problem)

    def line(self, line: LineView) -> str:
        """One log line."""
        return str(self._macros.line(line))

    def overlay(self, overlay: Overlay | None) -> str:
        """A planning aid over the board."""
        return str(self._macros.overlay(overlay))

    def renderer(self, hub: Hub) -> Renderer:
        """What the frames are made with."""

        def fragments(table: LiveTable, viewer: Viewer) -> Mapping[str, Fragment]:
            page = page_of(table, viewer, hub.present(table.id))
            return self.fragments(page)

        def lines(table: LiveTable, viewer: Viewer, after: int, to: int) -> str:
            return "".join(map(self.line, lines_of(table, viewer, after, to)))

        def announce(table: LiveTable, viewer: Viewer, after: int, to: int) -> str:
            said = [line for line in lines_of(table, viewer, after, to) if not line.quiet]
            return str(self._macros.announce(said[-MOST_ANNOUNCED:])) if said else ""

        return Renderer(fragments, lines, announce)

    def fragments(self, page: Page) -> dict[str, Fragment]:
        """The pieces of the table page that can change, by the id of their element."""
        m = self._macros
        made = {
            "version": Fragment(str(m.version(page))),
            "phases": Fragment(str(m.phases(page))),
            "seats": Fragment(str(m.seats(page))),
            "facts": Fragment(str(m.facts(page))),
            "now": Fragment(str(m.now(page))),
            "dice-panel": Fragment(str(m.dice(page))),
        }
        if page.view.board is not None:
            made["trails"] = Fragment(str(m.trails(page)), "svg")
            made["lit"] = Fragment(str(m.lit(page)), "svg")
        for unit in page.view.units:
            if page.view.board is not None:
                made[f"u-{unit.id}"] = Fragment(str(m.counter(unit, page)), "svg", "counters")
            made[f"card-{unit.id}"] = Fragment(str(m.card(unit, page)), "html", "cards")
            made[f"row-{unit.id}"] = Fragment(str(m.row(unit, page)), "html", "rows")
        return made


def game_folder(game: str) -> Path:
    """A game's folder on disk."""
    return Path(str(registry.folder(game)))


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


def qr_svg(url: str) -> Markup:
    """A QR code of a link as an SVG element."""
    code = segno.make(url, error="m", micro=False)
    return Markup(code.svg_inline(scale=4, border=2, svgclass="qr", lineclass="qr-dark"))


def as_json(value: Any) -> bytes:
    """JSON of views and plain values."""
    return msgspec.json.encode(value)
