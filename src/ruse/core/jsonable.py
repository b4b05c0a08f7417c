"""Dataclasses as JSON: each field is declared once, and Python, the command line, pages and OpenAPI read it there.

A field's description is the docstring below it. `Exact` says that a number is a fraction, which JSON holds as a text;
`field(metadata=HIDDEN)` keeps a field out of JSON. FastAPI and pydantic read such a dataclass as it stands, so that no
room below the explorer has to import them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

from ruse.core import rationals

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
    from pydantic_core import CoreSchema

HIDDEN = {"exclude": True}


class _FractionText:
    """How pydantic checks, writes and describes a fraction."""

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        from pydantic_core import core_schema

        text = core_schema.plain_serializer_function_ser_schema(
            rationals.write, return_schema=core_schema.str_schema(), when_used="json"
        )
        return core_schema.is_instance_schema(Fraction, serialization=text)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return {"type": "string", "format": "fraction", "examples": ["7/10"], "description": "a fraction"}


Exact = Annotated[Fraction, _FractionText()]


def jsonable(value: object) -> Any:
    """Return what JSON holds of a value: dataclasses and mappings as objects, sequences as arrays."""
    if is_dataclass(value):
        shown = [field.name for field in fields(value) if not field.metadata.get("exclude")]
        return {name: jsonable(getattr(value, name)) for name in shown}
    if isinstance(value, Fraction):
        return rationals.write(value)
    if isinstance(value, Mapping):
        return {key: jsonable(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [jsonable(item) for item in value]
    return value
