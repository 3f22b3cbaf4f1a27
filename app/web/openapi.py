"""The OpenAPI document: FastAPI's, with the schemas of our answers added from their structs."""

from typing import Any

import msgspec
from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from app.web.api import ANSWERS


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
    {"name": "server", "description": "Is it well?"},
]


def answer_schemas() -> dict[str, Any]:
    """JSON Schemas of the answers, by name."""
    _, schemas = msgspec.json.schema_components(ANSWERS, ref_template="#/components/schemas/{name}")
    return schemas
