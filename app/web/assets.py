"""Static files, kept by browsers for ever where their address changes with their content."""

from os import PathLike, stat_result

from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

FOR_EVER = "public, max-age=31536000, immutable"


class Assets(StaticFiles):
    """A folder of files. Addresses with a content mark (`?v=`) or a version in the path never change."""

    def file_response(
        self,
        full_path: str | PathLike[str],
        stat_result: stat_result,
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        """The file, or 304."""
        response = super().file_response(full_path, stat_result, scope, status_code)
        marked = scope["query_string"].startswith(b"v=") or "/vendor/" in scope["path"]
        response.headers["cache-control"] = FOR_EVER if marked else "no-cache"
        return response
