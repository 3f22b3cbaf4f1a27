"""The benchmark: `python -m tests.load.bench [scenario …] [--quick] [--json FILE] [--profile FOLDER]`.

Prints a table for each scenario and writes all numbers as JSON when asked. It passes or fails nothing:
docs/performance.md says how to read the numbers.
"""

import argparse
import asyncio
import json
import os
import platform
import resource
import sys
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path

import uvloop

from tests.load import bots, browser, drawing, flying, scenarios, standing
from tests.load.measure import Plan, Row

Scenario = Callable[[Plan], Awaitable[list[Row]]]
SCENARIOS: Mapping[str, Scenario] = {
    "latency": scenarios.latency,
    "tables": scenarios.tables,
    "fan-out": scenarios.fan_out,
    "log": standing.log,
    "page": browser.page,
    "memory": standing.memory,
    "bots": bots.bots,
    "drawing": drawing.drawing,
    "flying": flying.flying,
}
LONGEST = 900.0
"""Seconds after which a scenario is given up."""


def main() -> None:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m tests.load.bench", description=__doc__)
    parser.add_argument("scenario", nargs="*", help=f"of {', '.join(SCENARIOS)}; default: all")
    parser.add_argument("--quick", action="store_true", help="short runs, one of each")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers there")
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="on the disk to measure")
    parser.add_argument("--profile", type=Path, metavar="FOLDER", help="take profiles (py-spy)")
    parser.add_argument(
        "--patience", type=float, default=0.0, metavar="S", help="wait so long for a quiet machine"
    )
    asked = parser.parse_args()
    unknown = set(asked.scenario) - set(SCENARIOS)
    if unknown:
        parser.error(f"no such scenario: {', '.join(sorted(unknown))}")
    _allow_many_files()
    plan = Plan(asked.quick, asked.data, asked.profile, asked.patience)
    results: dict[str, object] = {"machine": machine()}
    print("  ".join(f"{name}: {value}" for name, value in machine().items()))
    for name in asked.scenario or SCENARIOS:
        begin = time.monotonic()
        rows = uvloop.run(_bounded(SCENARIOS[name], plan))
        print(f"\n{name} ({time.monotonic() - begin:.0f} s, load {os.getloadavg()[0]:.1f})")
        print(table(rows), flush=True)
        results[name] = rows
        if asked.json is not None:
            asked.json.parent.mkdir(parents=True, exist_ok=True)
            asked.json.write_text(json.dumps(results, indent=1) + "\n")


async def _bounded(scenario: Scenario, plan: Plan) -> list[Row]:
    async with asyncio.timeout(LONGEST):
        return await scenario(plan)


def machine() -> dict[str, str]:
    """What the numbers were taken on."""
    cpu = "unknown"
    info = Path("/proc/cpuinfo")
    if info.exists():
        lines = info.read_text().splitlines()
        cpu = next((x.partition(": ")[2] for x in lines if x.startswith("model name")), cpu)
    return {
        "processors": f"{os.cpu_count()} x {cpu}",
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "load before": f"{os.getloadavg()[0]:.2f}",
    }


def table(rows: Sequence[Row]) -> str:
    """Rows as text. Columns that only some rows have are left empty in the others."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    lines = [names, *([str(row.get(name, "")) for name in names] for row in rows)]
    widths = [max(len(line[n]) for line in lines) for n in range(len(names))]
    return "\n".join(
        "  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True))
        for line in lines
    )


def _allow_many_files() -> None:
    """Each spectator is a connection."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    want = 8192 if hard == resource.RLIM_INFINITY else min(8192, hard)
    if soft < want:
        resource.setrlimit(resource.RLIMIT_NOFILE, (want, hard))


if __name__ == "__main__":
    sys.exit(main())
