"""Plots: the charts of results as one SVG file that needs nothing beside it, for light and dark screens.

Belongs here: the file. Does not belong here: which charts there are (`charts`).
"""

import re
from collections.abc import Sequence
from functools import cache

from app.games import registry
from app.settings import resource
from app.simulation.figures import Figure
from app.simulation.results import Result, counted


def svg_of(results: Sequence[Result], figures: Sequence[Figure]) -> str:
    """The figures under the name of what they show."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # most runs draw nothing

    environment = Environment(
        loader=FileSystemLoader(resource("templates")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    order = results[0].order
    meta = registry.load(order.game).meta
    template = environment.get_template("simulations/plot.svg.jinja")
    return template.render(
        title=f"{meta.title}: {order.scenario or 'own set-up'}",
        subtitle=f"{counted(results)}, seed {order.seed}" + _cut_short(results),
        figures=figures,
        style=standalone_style(),
    )


def _cut_short(results: Sequence[Result]) -> str:
    whole = all(result.whole for result in results)
    return "" if whole else f", cut short of {results[0].order.games}"


@cache
def standalone_style() -> str:
    """The pages' style for charts with every colour written out: not all viewers know variables."""
    tokens = (resource("static") / "css/contrail.css").read_text(encoding="utf-8")
    css = (resource("static") / "css/charts.css").read_text(encoding="utf-8")
    css = re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)
    colours: list[tuple[str, str, str]] = re.findall(
        r"--([\w-]+):\s*light-dark\((#\w+),\s*(#\w+)\)", tokens
    )
    light = {name: value for name, value, _ in colours}
    dark = {name: value for name, _, value in colours}
    return (
        f"{_written_out(css, light)}@media(prefers-color-scheme:dark){{{_written_out(css, dark)}}}"
    )


def _written_out(css: str, colours: dict[str, str]) -> str:
    def colour(match: re.Match[str]) -> str:
        return colours[match[1]]

    return re.sub(r"var\(--([\w-]+)\)", colour, css).strip()
