"""How templates become Python: as Jinja does it, with less around each value and each call.

Two frames are made for every command, while people wait for them. Most of their time is not the templates' own work but
what Jinja does around each `{{ … }}` and each call of a macro, for cases that our templates do not have. Belongs
here: that, and nothing of what a page shows.

The cases given up: escaping is always on, functions that ask for the context (`pass_context` and the like) can't be
called, and an inline `if` without `else` gives an empty text instead of something undefined.
"""

import re
from collections.abc import Iterator
from typing import Any

from jinja2 import Environment, nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream
from jinja2.runtime import Macro
from jinja2.utils import missing
from markupsafe import Markup, escape


def shown(value: object) -> str:
    """What `{{ value }}` adds to a page. As `escape`, but a plain text for what is only joined to other texts."""
    if type(value) is str:
        plain = not ("&" in value or "<" in value or ">" in value or "'" in value or '"' in value)
        return value if plain else escape(value)
    if type(value) is Markup:
        return value
    return str(value) if type(value) is int else escape(value)


class LightMacro(Macro):
    """A macro that is called at once where it is called by place alone; else in Jinja's way."""

    def __init__(self, environment: Environment, func: Any, *about: Any) -> None:
        super().__init__(environment, func, *about)
        self._plain = not (self.caller or self.catch_kwargs or self.catch_varargs)
        if self._plain:
            func.__defaults__ = (missing,) * self._argument_count

    def __call__(self, *args: Any, **kwargs: Any) -> str:
        """The text that it makes."""
        if self._plain and not kwargs:
            return str.__new__(Markup, self._func(*args))  # Markup() first asks what it is given
        return super().__call__(*args, **kwargs)


class LightCode(CodeGenerator):
    """Writes the Python of a template: `Environment.code_generator_class`."""

    def write_commons(self) -> None:
        """The names that all code of a template is written with."""
        super().write_commons()
        self.writeline("escape, Macro = environment.light")

    def visit_CondExpr(self, node: nodes.CondExpr, frame: Frame) -> None:  # noqa: N802 - by Jinja
        """An inline `if`."""
        if node.expr2 is None:
            node.expr2 = nodes.Const("", lineno=node.lineno)
        super().visit_CondExpr(node, frame)

    def visit_Call(  # noqa: N802 - by Jinja
        self, node: nodes.Call, frame: Frame, forward_caller: bool = False
    ) -> None:
        """A call; without keywords it is one of Python's."""
        if node.kwargs or node.dyn_args or node.dyn_kwargs or forward_caller:
            super().visit_Call(node, frame, forward_caller=forward_caller)
            return
        self.visit(node.node, frame)
        self.write("(")
        for argument in node.args:
            self.visit(argument, frame)
            self.write(", ")
        self.write(")")


class OneSpace(Extension):
    """Takes the line breaks and indents of the source for the single spaces that browsers show them as."""

    def filter_stream(self, stream: TokenStream) -> Iterator[Token]:
        """The tokens of a template, its text with single spaces."""
        for token in stream:
            one = re.sub(r"\s+", " ", token.value) if token.type == "data" else token.value
            yield Token(token.lineno, token.type, one)


class LightEnvironment(Environment):
    """Jinja's environment with such code. `light` is what that code calls by the names `escape` and `Macro`."""

    code_generator_class = LightCode
    light = (shown, LightMacro)
