"""What pages load: built from the sources as they are now, and nothing from another host."""

import re
from pathlib import Path

from app import assets
from app.settings import resource

ROOT = Path(__file__).parent.parent.parent


def test_the_scripts_that_are_served_are_those_that_the_sources_make(tmp_path: Path) -> None:
    assets.build(ROOT, tmp_path)
    for name in assets.SCRIPTS:
        served = resource("static") / "built" / f"{name}.js"
        assert served.read_bytes() == (tmp_path / f"{name}.js").read_bytes(), f"run make: {name}"


def test_a_built_script_is_whole_and_asks_no_other_host() -> None:
    """No chain of imports, and no address: a club without internet plays."""
    for name in assets.SCRIPTS:
        script = (resource("static") / "built" / f"{name}.js").read_text("utf-8")
        assert not re.search(r'\bimport\s*["{]|\bfrom\s*"', script)
        assert re.findall(r"https?://[^\"'`\s]+", script) in ([], ["http://www.w3.org/2000/svg"])
