"""The OpenAPI document: FastAPI's, with the schemas of our answers added from their structs."""

from typing import Any

import msgspec
from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from app.archive.document import Document
from app.tables.views import DraftView, EntryView, FurtherOdds, View
from app.web.api.after import AfterGame
from app.web.api.archive import Imported
from app.web.api.games import GameView
from app.web.api.people import PersonBook, PersonView
from app.web.api.planning import OverlayView
from app.web.api.play import CommandDone
from app.web.api.tables import SeatTaken, TableLine, TableOpened
from app.web.api.token import PersonalToken
from app.web.errors import Problem


def install(app: FastAPI) -> None:
    """Let /openapi.json describe every call and every answer."""

    def document() -> dict[str, Any]:
        if app.openapi_schema is None:
            made = get_openapi(
                title=app.title,
                version=app.version,
                description=app.description,
                routes=app.routes,
                tags=TAGS,
            )
            made["components"]["schemas"].update(answer_schemas())
            made["components"]["securitySchemes"] = {
                "cookie": {"type": "apiKey", "in": "cookie", "name": "contrail"},
                "token": {"type": "http", "scheme": "bearer"},
            }
            made["security"] = [{}, {"cookie": []}, {"token": []}]
            app.openapi_schema = made
        return app.openapi_schema

    app.openapi = document


TAGS = [
    {"name": "games", "description": "What can be played, and who you are."},
    {"name": "tables", "description": "Opening, finding, seating and looking."},
    {"name": "people", "description": "Your campaign book: those who outlive a table."},
    {"name": "play", "description": "What can be done at a table."},
    {"name": "archive", "description": "Tables as files, and other ways from a moment."},
    {"name": "server", "description": "Is it well?"},
]


ANSWERS: tuple[type[msgspec.Struct], ...] = (
    GameView,
    TableOpened,
    SeatTaken,
    TableLine,
    View,
    EntryView,
    CommandDone,
    OverlayView,
    FurtherOdds,
    DraftView,
    AfterGame,
    Document,
    Imported,
    PersonView,
    PersonBook,
    PersonalToken,
    Problem,
)
"""What calls answer; what is part of these comes along."""


def answer_schemas() -> dict[str, Any]:
    """JSON Schemas of the answers, by name."""
    _, schemas = msgspec.json.schema_components(ANSWERS, ref_template="#/components/schemas/{name}")
    return schemas
