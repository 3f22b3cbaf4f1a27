"""The guide for authors of games names everything that the shell expects of a game's templates and style sheet."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "adding-a-game.md").read_text("utf-8")
STYLES = ("static/css/contrail.css", "static/css/extra.css")
SCRIPTS = ("static/js/table/*.js", "static/js/common/*.js", "static/js/setup.js")
NAME = r"(?<![\w-])[a-z][\w-]*"


def text_of(*patterns: str) -> str:
    """All files that fit, one after another."""
    files = [file for pattern in patterns for file in sorted(ROOT.glob(pattern)) if file.is_file()]
    assert files, patterns
    return "\n".join(file.read_text("utf-8") for file in files)


def written(templates: str) -> set[str]:
    """The classes that templates write, also by an expression such as `{{ ' acting' if … }}`."""
    found: set[str] = set()
    for value in re.findall(r'class="([^"]*)"', templates):
        for piece in re.split(r"(\{\{.*?\}\}|\{%.*?%\})", value):
            words = " ".join(re.findall(r"'([^']*)'", piece)) if piece.startswith("{") else piece
            found |= set(re.findall(NAME, words))
    return found


def selected() -> set[str]:
    """The classes that the shell's styles and scripts look for."""
    styles = re.sub(r"/\*.*?\*/|\{[^{}]*\}", "{}", text_of(*STYLES), flags=re.DOTALL)
    code = re.sub(
        r"\$\{[^}]*\}", "", text_of(*SCRIPTS)
    )  # what is put into a string is code, not text
    strings = re.findall(r"[\"`'][^\"`'\n]*[\"`']", code)
    scripts = [name for one in strings for name in re.findall(r"\.([a-z][\w-]*)", one)]
    return {*re.findall(r"\.([a-z][\w-]*)", styles), *scripts}


def missing(names: set[str], form: str) -> set[str]:
    """Those that do not stand in the guide as code."""
    code = set(re.findall(r"`([^`\n]+)`", GUIDE))
    return {name for name in names if not any(form.format(name) in one for one in code)}


SHELL = text_of("templates/**/*")
GAMES = text_of("app/games/*/templates/**/*")


def test_every_class_is_named() -> None:
    """What the shell selects, a game writes, and no template of the shell does."""
    set_by_scripts = re.findall(r"body\.classList\.\w+\(\"([\w-]+)\"", text_of(*SCRIPTS))
    expected = (selected() & written(GAMES)) - written(SHELL) - set(set_by_scripts)
    assert {"halo", "acting", "fan", "plate", "e-sky"} <= expected
    assert missing(expected, ".{}") == set()


def test_every_macro_and_constant_is_named() -> None:
    python = (ROOT / "app" / "web" / "templating.py").read_text("utf-8")
    macros = set(re.findall(r"game_macros\([^()]*\)\.(\w+)\(", SHELL + python))
    constants = set(re.findall(r"_game_macros\([^()]*\)(?:\.|, \")([A-Z]+)", python))
    files = set(re.findall(r"game_macros\([^()]*?['\"]([\w.]+)['\"]\)", SHELL + python))
    assert {"counter", "card", "emblem", "mark", "scene"} <= macros
    assert {"FIELDS", "PARTS"} <= constants
    assert missing(macros | {"ground", "defs"}, "{}(") == set()
    assert missing(constants, "{}") == set()
    assert missing(files, "{}") == set()


def test_every_id_and_mark_in_the_data_is_named() -> None:
    scripts = text_of(*SCRIPTS, *STYLES)
    named = set(re.findall(r"\[data-([a-z-]+)", scripts))
    named |= set(re.findall(r"dataset\.([a-z]+)", scripts))
    ours = named & set(re.findall(r"data-([a-z-]+)=", GAMES))
    assert {"unit", "hex", "fly"} <= ours
    assert missing(ours, "data-{}") == set()
    kinds = {kind for kind in ("u-", "card-", "scene-") if f'id="{kind}' in GAMES}
    assert kinds == {"u-", "card-", "scene-"}
    assert missing(kinds, "{}") == set()


def test_colours_that_games_take_from_the_shell_are_named() -> None:
    sheets = text_of("app/games/*/static/*.css")
    own = set(re.findall(r"(--[\w-]+):", sheets))
    taken = set(re.findall(r"var\((--[\w-]+)", sheets)) - own
    given = set(re.findall(r"(--[\w-]+):", text_of(*STYLES)))
    assert missing(taken & given, "{}") == set()


def test_the_acting_counters_ring_is_drawn_by_the_shell() -> None:
    """A game without a word about it would get a black disc."""
    styles = text_of("static/css/contrail.css")
    assert re.search(r"\.halo\s*\{[^}]*fill:\s*none[^}]*stroke:\s*var\(--act\)", styles)
    assert not re.search(r"\.halo[^{}]*\{", text_of("app/games/*/static/*.css"))
