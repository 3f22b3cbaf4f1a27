"""Templates compiled in the light way show what Jinja's own code shows."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import DictLoader, Environment, StrictUndefined, UndefinedError
from markupsafe import Markup, escape

from app.web.compiling import LightEnvironment, OneSpace, shown

MACROS = """
{% macro two(a, b='<b>') %}{{ a }}-{{ b }}{% endmacro %}
{% macro around(a) %}{{ a }}[{{ caller() }}]{% endmacro %}
{% macro any() %}{{ varargs|join('+') }}/{{ kwargs.get('k', '') }}{% endmacro %}
{% macro outer(a) %}{% for n in range(2) %}{{ two(a, n) }}{{ loop.last }} {% endfor %}{% endmacro %}
"""
WRITTEN = (
    "{{ m.two(x) }}",
    "{{ m.two(x, y) }}",
    "{{ m.two(b=x, a=y) }}",
    "{{ m.two(x, b=y) }}",
    "{{ m.two(m.two(x, 1), '&') }}",
    "{{ m.outer(x) }}",
    "{{ m.any(x, y, k=3) }}",
    "{% call m.around(x) %}{{ y }}{% endcall %}",
    "{{ 'yes' if y }}|{{ x if not y }}|{{ ('<' ~ x ~ '>') if y }}",
    "{% set text %}{{ x }}<i>{% endset %}{{ text }}{{ text|length }}",
    "{{ none }}{{ true }}{{ 1.50 }}{{ [x] }}{{ {'k': x} }}",
    "{{ x|upper }}{{ '%s'|format(x) }}{{ x|e }}{{ x|safe }}",
    "{% for n in y %}{{ loop.index }}{{ n }}{{ loop.changed(n) }}{{ loop.cycle('a', 'b') }}{% endfor %}",
)
VALUES = ("plain", "<a href='\"'>&amp;", "", Markup("<b>safe</b>"), 7, -1.5, None, True, ())


def environments() -> list[Environment]:
    return [
        kind(autoescape=True, undefined=StrictUndefined, loader=DictLoader({"macros": MACROS}))
        for kind in (Environment, LightEnvironment)
    ]


@pytest.mark.parametrize("written", WRITTEN)
def test_every_way_to_write_shows_the_same(written: str) -> None:
    source = "{% import 'macros' as m %}" + written
    jinja, light = (environment.from_string(source) for environment in environments())
    for x in VALUES:
        for y in ((), "ab", "<&>", Markup("<i>")):
            assert light.render(x=x, y=y) == jinja.render(x=x, y=y), (x, y)


def test_what_a_macro_makes_can_be_shown_again_as_it_is() -> None:
    for environment in environments():
        macros: Any = environment.get_template("macros").module
        assert escape(macros.two("<", 1)) == "&lt;-1"


def test_line_breaks_of_the_source_become_spaces_and_those_of_values_stay() -> None:
    light = LightEnvironment(autoescape=True, extensions=[OneSpace])
    written = light.from_string("<p>\n\t one  two {{ x }}{{ '\n  ' }}</p>")
    assert written.render(x="a\n  b") == "<p> one two a\n  b\n  </p>"


def test_what_is_not_there_is_an_error() -> None:
    macros: Any = environments()[1].get_template("macros").module
    with pytest.raises(UndefinedError, match="parameter 'a' was not provided"):
        macros.two()
    with pytest.raises(TypeError, match="takes no keyword argument 'c'"):
        macros.two(1, c=2)
    with pytest.raises(TypeError, match="3 were given"):
        macros.two(1, 2, 3)
    with pytest.raises(UndefinedError):
        environments()[1].from_string("{{ nobody(1) }}").render()


@given(
    st.one_of(st.text(), st.text("&<>'\"a"), st.integers(), st.floats(), st.booleans(), st.none())
)
def test_any_value_is_escaped_as_by_jinja(value: Any) -> None:
    assert str(shown(value)) == str(escape(value))
    assert shown(Markup(value)) == Markup(value)
