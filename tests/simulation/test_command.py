"""The command `simulate`, run as a command."""

import csv
import json
import os
import re
import signal
import subprocess
import sys
import tomllib
import xml.etree.ElementTree as ET
from pathlib import Path

import msgspec
import pytest

from app.simulation.counting import Speed, Summary
from app.simulation.plots import standalone_style
from tests.simulation.conftest import ROOT
from tests.simulation.processes import needs_proc, wait_for_players, wait_until_gone

SVG = "{http://www.w3.org/2000/svg}"
PATIENCE = 60


def simulate(
    environment: dict[str, str], *words: str, status: int = 0
) -> subprocess.CompletedProcess[str]:
    """What the command says."""
    command = [sys.executable, "-m", "app", "simulate", *words]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == status, (done.stdout, done.stderr)
    return done


def test_json_is_all_that_is_on_stdout_and_repeats(environment: dict[str, str]) -> None:
    words = ("spar", "--scenario", "duel", "--games", "12", "--json")
    first = simulate(environment, *words, "--jobs", "1")
    second = simulate(environment, *words, "--jobs", "2")
    assert first.stderr == second.stderr == ""
    one, two = (msgspec.json.decode(d.stdout, type=Summary, strict=True) for d in (first, second))
    assert one.games == 12
    assert one.order.scenario == "duel"
    assert one.order.bots == {"red": "any", "blue": "any"}
    untimed = Speed(0, 0, {})
    assert msgspec.structs.replace(one, speed=untimed) == msgspec.structs.replace(
        two, speed=untimed
    )
    assert set(json.loads(first.stdout)) == set(Summary.__struct_fields__)


def test_the_table_names_sides_and_bots(environment: dict[str, str]) -> None:
    said = simulate(
        environment, "spar", "--games", "30", "--a", "any", "--b", "first", "--seed", "4"
    )
    assert "Spar: meeting, 30 games, seed 4" in said.stdout
    rows = {line.split()[0]: line.split()[1:] for line in said.stdout.splitlines() if line.strip()}
    assert rows["Red"][0] == "any"
    assert rows["Blue"][0] == "first"
    assert int(rows["Red"][1]) + int(rows["Blue"][1]) + int(rows["draws"][0]) == 30
    assert re.search(r"Turns: mean \d\.\d, median \d", said.stdout)


def test_csv_has_a_row_for_each_game(environment: dict[str, str], tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    words = ("--games", "40", "--a", "clumsy", "--csv", str(file), "--json")
    summary = json.loads(simulate(environment, "spar", *words, status=1).stdout)
    rows = list(csv.DictReader(file.open(encoding="utf-8")))
    played = [row for row in rows if not row["error"]]
    assert len(rows) == 40
    assert len(played) == summary["games"]
    assert {row["seed"] for row in rows if row["error"]} == {
        str(one["seed"]) for one in summary["failures"]
    }
    for side in summary["sides"]:
        seat = side["seat"]
        assert sum(row["winners"] == seat for row in played) == side["wins"]["count"]
        assert sum(int(row[f"lost {seat}"]) for row in played) == sum(side["lost"].values())


def test_bots_compared_from_end_to_end(environment: dict[str, str], tmp_path: Path) -> None:
    words = ("sortie", "--games", "50", "--compare", "wary,brave", "--seed", "9")
    files = ("--csv", str(tmp_path / "games.csv"), "--plot", str(tmp_path / "plot.svg"))
    said = simulate(environment, *words, *files).stdout
    assert "Sortie: first, 50 games for each bot, seed 9" in said
    assert "wins" not in said
    assert "draws" not in said
    assert re.search(r"^ lost +0\.0% \(0\.0% to 7\.1%\) +\d", said, re.MULTILINE)
    assert re.search(r"^ points, mean +0\.00 \(0\.00 to 0\.00\) +\d\.\d\d", said, re.MULTILINE)
    rows = list(csv.DictReader((tmp_path / "games.csv").open(encoding="utf-8")))
    assert [row["policy"] for row in rows] == ["wary"] * 50 + ["brave"] * 50
    assert [row["seed"] for row in rows[:50]] == [row["seed"] for row in rows[50:]]
    text = "".join(ET.parse(tmp_path / "plot.svg").getroot().itertext())
    assert "wary: 0.0% (0.0% to 7.1%). brave: " in text


def test_careers_from_end_to_end(environment: dict[str, str], tmp_path: Path) -> None:
    words = ("sortie", "--games", "40", "--career", "12", "--a", "wary")
    said = simulate(environment, *words, "--plot", str(tmp_path / "plot.svg")).stdout
    assert "40 careers of up to 12 missions, seed 1" in said
    rows = re.findall(r"^ (\d+) +100% \(91\.2% to 100%\)", said, re.MULTILINE)
    assert rows == ["1", "5", "10", "12"]
    assert "Last missions ended by: back 40" in said
    root = ET.parse(tmp_path / "plot.svg").getroot()
    assert "wary: mission 1: 100% (91.2% to 100%), mission 2: 100%" in "".join(root.itertext())
    assert [one for one in root.iter(f"{SVG}path") if one.get("class") == "ch-band first"]
    data = json.loads(simulate(environment, *words, "--json").stdout)
    assert [part["count"] for part in data["survival"]] == [40] * 12
    both = simulate(environment, *words[:5], "--compare", "wary,brave", "--json")
    compared = json.loads(both.stdout)["compared"]
    assert compared["wary"]["survival"] == data["survival"]
    assert compared["brave"]["survival"][-1]["count"] < 40


def test_games_that_fail_are_shown_with_the_command_that_plays_them_again(
    environment: dict[str, str],
) -> None:
    said = simulate(environment, "spar", "--games", "40", "--a", "clumsy", status=1).stdout
    found = re.search(r"python -m app simulate (spar .*--seed \d+)", said)
    assert found
    assert "stumbled" in said
    again = simulate(environment, *found[1].split(), status=1)
    assert "FAILED: 1 games" in again.stdout


@pytest.mark.parametrize("kind", ["json", "toml"])
def test_a_set_up_from_a_file(environment: dict[str, str], tmp_path: Path, kind: str) -> None:
    """The bare set-up, or a file as a game's scenarios are."""
    scenarios = (ROOT / "tests/skirmish/scenarios.toml").read_text(encoding="utf-8")
    text = "[setup]" + scenarios.rpartition("[scenario.setup]")[2]
    setup = tomllib.loads(text)["setup"]
    file = tmp_path / f"mine.{kind}"
    file.write_text(text if kind == "toml" else json.dumps(setup))
    words = ("--setup", str(file), "--games", "3", "--json", "--ruling", "again=always")
    summary = json.loads(simulate(environment, "spar", *words).stdout)
    assert summary["order"]["scenario"] == ""
    assert summary["order"]["setup"]["columns"] == setup["columns"]
    assert summary["order"]["rulings"] == {"again": "always"}
    assert summary["turns"]["most"] <= 2


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("nothing",), "osaaf"),
        (("spar", "--scenario", "nowhere"), "meeting, duel"),
        (("spar", "--a", "nobody"), "any, first"),
        (("spar", "--b", "nobody"), "any, first"),
        (("spar", "--ruling", "again"), "KEY=VALUE"),
        (("spar", "--ruling", "nothing=on"), "again"),
        (("spar", "--ruling", "again=perhaps"), "again"),
        (("spar", "--setup", "nowhere.json"), "nowhere.json"),
        (("spar", "--setup", "README.md"), ".json or a .toml"),
        (("spar", "--setup", "pyproject.toml"), "set-up can't be read"),
        (("spar", "--setup", "x.json", "--scenario", "duel"), "not both"),
        (("spar", "--csv", "/nowhere/games.csv"), "/nowhere"),
        (("spar", "--compare", "any,first"), "one seat"),
        (("spar", "--career", "3"), "no careers"),
        (("sortie", "--career", "1001"), "1 to 1000"),
        (("sortie", "--compare", "brave"), "two bots"),
        (("sortie", "--compare", "brave,nobody"), "brave, wary"),
        (("sortie", "--compare", "brave,wary", "--a", "brave"), "not both"),
    ],
)
def test_what_can_t_be_is_refused_at_once(
    environment: dict[str, str], words: tuple[str, ...], says: str
) -> None:
    said = simulate(environment, *words, status=1)
    assert says in said.stderr
    assert "Traceback" not in said.stderr
    assert said.stdout == ""


def test_the_plot_needs_nothing_beside_it(environment: dict[str, str], tmp_path: Path) -> None:
    file = tmp_path / "plot.svg"
    words = ("--games", "60", "--a", "any", "--b", "first", "--plot", str(file), "--json")
    summary = json.loads(simulate(environment, "spar", *words).stdout)
    root = ET.parse(file).getroot()
    charts = [one for one in root.iter(f"{SVG}svg") if one.get("role") == "img"]
    # Wins, two measures side by side, lengths and losses.
    assert len(charts) == 5
    for chart in charts:
        labels = (chart.get("aria-labelledby") or "").split()
        told = {one.get("id"): one.text for one in chart if one.get("id")}
        assert all(told[label] for label in labels)
    text = "".join(root.itertext())
    for side in summary["sides"]:
        assert f"{side['label']} ({side['bot']}): {100 * side['wins']['rate']:.1f}%" in text
    source = file.read_text(encoding="utf-8")
    assert "prefers-color-scheme:dark" in source
    assert not re.search(r"var\(|light-dark|href=|https?://(?!www\.w3\.org/2000/svg)", source)
    assert 'style="' not in source


def test_the_style_of_the_plot_has_both_sets_of_colours() -> None:
    light, dark = standalone_style().split("@media(prefers-color-scheme:dark)")
    for part in (light, dark):
        assert ".ch-bar" in part
        assert "var(" not in part
    assert light.count("#") == dark.count("#") > 10
    assert set(re.findall(r"#\w{6}", light)).isdisjoint(re.findall(r"#\w{6}", dark))


@needs_proc
def test_ctrl_c_shows_what_is_finished(environment: dict[str, str], tmp_path: Path) -> None:
    """As in a terminal: the signal goes to all processes of the group."""
    file = tmp_path / "games.csv"
    words = ["spar", "--games", "5000", "--a", "slow", "--jobs", "2", "--csv", str(file)]
    command = [sys.executable, "-m", "app", "simulate", *words]
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        found = wait_for_players(process.pid, 2)
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(4)  # slow bots take a second or two for a game
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    wait_until_gone(found)
    assert process.returncode == 130
    assert err == ""
    finished = re.search(r"CUT SHORT: (\d+) of 5000", out)
    assert finished
    assert len(list(csv.DictReader(file.open(encoding="utf-8")))) == int(finished[1])


def test_help_imports_nothing_of_this() -> None:
    heavy = ("app.games.registry", "jinja2", "msgspec", "multiprocessing", "rich.progress")
    code = f"import app.cli, sys; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
