"""Where the server's time goes: py-spy on the running server, and its samples added up by function.

py-spy is no dependency of the project: `pip install py-spy` where a profile is wanted.
"""

import contextlib
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Generator
from pathlib import Path

from tests.load.server import Server
from tests.load.wire import BenchError

RATE = 250
TOP = 40
WAITING = frozenset(
    {
        "Condition.wait (threading.py)",
        "Store._write_all (app/tables/store.py)",
        "_worker (concurrent/futures/thread.py)",
    }
)
"""Where threads wait for something to do."""
ENTRIES = frozenset(
    {
        "Runner.run",
        "FastAPI.__call__",
        "APIRoute.handle",
        "solve_dependencies",
        "RequestResponseCycle.run_asgi",
        "RequestResponseCycle.send",
        "Connection.execute",
        "DefaultDialect.do_commit",
    }
)
"""Functions of the libraries whose share says what a layer costs."""


def py_spy() -> str | None:
    """The program, beside this Python or on the path."""
    beside = Path(sys.executable).parent / "py-spy"
    return str(beside) if beside.exists() else shutil.which("py-spy")


@contextlib.contextmanager
def profiled(server: Server, folder: Path, name: str, seconds: int) -> Generator[None]:
    """Take a profile of the server while the block runs, at most `seconds` long, and print its top."""
    program = py_spy()
    if program is None:
        raise BenchError("py-spy is not installed; get it with: pip install py-spy")
    folder.mkdir(parents=True, exist_ok=True)
    out = folder / f"{name}.collapsed.txt"
    command = [program, "record", "--pid", str(server.pid), "--rate", str(RATE)]
    command += ["--duration", str(seconds), "--format", "raw", "--output", str(out)]
    with (folder / f"{name}.log").open("wb") as log:
        recorder = subprocess.Popen(command, stdout=log, stderr=log)
        try:
            yield
            recorder.wait(seconds + 30)
        finally:
            if recorder.poll() is None:
                recorder.kill()
                recorder.wait()
    if not out.exists():
        raise BenchError(f"py-spy made no profile: {(folder / f'{name}.log').read_text()}")
    text = summary(out.read_text("utf-8", "replace"))
    (folder / f"{name}.top.txt").write_text(text)
    print(f"\nprofile of {name} ({out})\n{text}")


def summary(collapsed: str) -> str:
    """The functions with the largest shares: alone, and ours with all that they call.

    Threads that wait for work are left out; the event loop's own waiting can't be told from its work
    and is in `Runner.run` alone.
    """
    own: Counter[str] = Counter()
    files: Counter[str] = Counter()
    total: Counter[str] = Counter()
    samples = 0
    for line in collapsed.splitlines():
        stack, _, number = line.rpartition(" ")
        frames = [_function(frame) for frame in stack.split(";")]
        if not number.isdigit() or frames[-1] in WAITING:
            continue
        count = int(number)
        samples += count
        own[frames[-1]] += count
        files[frames[-1].rpartition(" (")[2].rstrip(")")] += count
        for function in set(frames):
            if "(app/" in function or function.partition(" (")[0] in ENTRIES:
                total[function] += count
    lines = [f"{samples} samples in which some thread worked"]
    for title, counter in (("by file", files), ("alone", own), ("with callees", total)):
        lines.append(f"  {title}")
        lines += [f"  {100 * n / max(1, samples):6.1f} %  {f}" for f, n in counter.most_common(TOP)]
    return "\n".join(lines)


def _function(frame: str) -> str:
    """`name (file)`: without the line, and the file only as far as it says which one it is."""
    name, _, place = frame.partition(" (")
    file = place.rstrip(")")
    return f"{name} ({file.rpartition(':')[0] or file})"
