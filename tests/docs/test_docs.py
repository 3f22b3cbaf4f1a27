"""The docs name what there is: settings, commands, modules, folders.

Belongs here: names that stand in both, read off the code. Does not belong here: whether a sentence is true.
"""

import re
from pathlib import Path

import pytest
import typer

from app.cli import cli
from app.settings import PREFIX, Settings

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
HOSTING = (DOCS / "hosting.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = (*sorted(DOCS.glob("*.md")), ROOT / "README.md", ROOT / "CHANGELOG.md")


def rows(text: str, heading: str) -> list[list[str]]:
    """The cells of the table below a heading, without its head."""
    part = text.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    lines = [line for line in part.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[2:]]


def test_every_setting_is_in_the_table_and_no_other() -> None:
    told = {row[0].strip("`") for row in rows(HOSTING, "Settings")}
    assert told == {f"{PREFIX}{name.upper()}" for name in Settings.model_fields}


@pytest.mark.parametrize("row", rows(HOSTING, "Settings"), ids=lambda row: row[0].strip("`"))
def test_a_default_that_is_told_is_the_default(row: list[str]) -> None:
    """Numbers, and words that stand there as such; "none" is no value, others say what is done without one."""
    default = Settings.model_fields[row[0].strip("`").removeprefix(PREFIX).lower()].default
    told = row[1].strip("`")
    if isinstance(default, int | float):
        assert float(told) == default
    elif isinstance(default, str | Path):
        assert told == str(default)
    else:
        assert default in (None, ()), "a kind of default that this test does not know"


@pytest.mark.parametrize("doc", PAGES, ids=lambda doc: doc.name)
def test_no_page_names_a_setting_that_there_is_not(doc: Path) -> None:
    known = {f"{PREFIX}{name.upper()}" for name in Settings.model_fields}
    named = set(re.findall(rf"{PREFIX}[A-Z][A-Z_]*[A-Z]", doc.read_text(encoding="utf-8")))
    assert named <= known


def test_every_command_is_in_the_table_and_no_other() -> None:
    there = typer.main.get_command(cli)
    told = {row[0].strip("`").split()[0] for row in rows(HOSTING, "Commands")}
    assert told == set(vars(there)["commands"])


@pytest.mark.parametrize("doc", PAGES, ids=lambda doc: doc.name)
def test_no_page_names_a_command_that_there_is_not(doc: Path) -> None:
    there = vars(typer.main.get_command(cli))["commands"]
    named = set(re.findall(r"python -m app ([a-z][a-z-]*)", doc.read_text(encoding="utf-8")))
    named |= set(re.findall(r"/contrail ([a-z][a-z-]*)", doc.read_text(encoding="utf-8")))
    assert named <= set(there)


@pytest.mark.parametrize("part", ["Words of the table", "Words of the code"])
def test_every_word_lives_where_it_is_said_to(part: str) -> None:
    found = rows((DOCS / "words.md").read_text(encoding="utf-8"), part)
    assert found
    for word, meaning, where in found:
        module, *names = re.findall(r"`([^`]+)`", where)
        path = ROOT / module
        assert path.is_file(), f"{word}: there is no {module}"
        text = path.read_text(encoding="utf-8")
        for name in names:
            assert re.search(rf"\b{name}\b", text), f"{word}: there is no {name} in {module}"
        assert meaning.endswith(".")
        assert ". " not in meaning, f"{word}: a sentence each"


def test_no_word_has_two_meanings() -> None:
    text = (DOCS / "words.md").read_text(encoding="utf-8")
    words = [
        word
        for part in ("Words of the table", "Words of the code")
        for row in rows(text, part)
        for word in row[0].split(", ")
    ]
    assert sorted(words) == sorted(set(words))


def test_every_place_that_the_readme_names_is_there() -> None:
    tree = README.split("\n## Where things are\n", 1)[1].split("```")[1]
    named = [
        path
        for line in tree.strip().splitlines()
        for path in re.split(r"\s{2,}", line, maxsplit=1)[0].split()
    ]
    assert named
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_the_readme_names_every_folder_of_the_server() -> None:
    tree = README.split("\n## Where things are\n", 1)[1].split("```")[1]
    folders = [path.parent.name for path in ROOT.glob("app/*/__init__.py")]
    assert [name for name in folders if f"app/{name}/" not in tree] == []


@pytest.mark.parametrize("doc", PAGES, ids=lambda doc: doc.name)
def test_links_between_pages_lead_somewhere(doc: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)", doc.read_text(encoding="utf-8"))
    here = [link for link in links if "://" not in link]
    assert [link for link in here if not (doc.parent / link).exists()] == []


@pytest.mark.parametrize("doc", PAGES, ids=lambda doc: doc.name)
def test_files_that_pages_name_are_there(doc: Path) -> None:
    """Paths of this project that stand as such in the text."""
    named = re.findall(
        r"`((?:app|tests|docs|static|templates|migrations)/[\w./-]*\w)`",
        doc.read_text(encoding="utf-8"),
    )
    # What a reader is to make, and what `make` makes.
    own = ("tests/games/mygame", "static/built", "static/vendor", "static/mygame.css")
    assert [path for path in named if path not in own and not (ROOT / path).exists()] == []


@pytest.mark.parametrize("doc", PAGES, ids=lambda doc: doc.name)
def test_no_line_of_prose_is_too_long(doc: Path) -> None:
    prose, code = doc.read_text(encoding="utf-8").splitlines(), False
    long: list[int] = []
    for number, line in enumerate(prose, 1):
        code ^= line.lstrip().startswith("```")
        if len(line) > 120 and not code and not line.startswith("|"):
            long.append(number)
    assert long == []
