"""The fields of a request, from a form or from JSON, as texts by name."""

from __future__ import annotations

import json
from typing import Annotated, Any
from urllib.parse import parse_qsl

from fastapi import Depends, Request

from ruse.core.game import RuseError

MOST_FIELDS = 200
BETWEEN = {"seat": "", "part": ","}  # separator of fields that occur several times
MOVE = ("move", "seat", "part", "otherwise")  # fields that may hold a move; the first non-empty one counts


class FormError(RuseError):
    """A form that cannot be read."""


async def _fields(request: Request) -> dict[str, str]:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    body = await request.body()
    try:
        text = body.decode()
        if kind == "application/json":
            return _from_json(json.loads(text))
        pairs = parse_qsl(text, keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except FormError:
        raise
    except (ValueError, RecursionError) as error:
        raise FormError("the request is neither a form nor a JSON object") from error
    texts: dict[str, str] = {}
    for name, value in pairs:
        between = BETWEEN.get(name)
        texts[name] = between.join(filter(None, (texts.get(name), value))) if between is not None else value
    return texts


def chosen_move(fields: dict[str, str]) -> str:
    """Return the move that was typed, chosen, ticked seat by seat or composed from parts; empty if none."""
    return next((move for name in MOVE if (move := fields.get(name, "").strip())), "")


def _from_json(content: Any) -> dict[str, str]:
    if not isinstance(content, dict) or len(content) > MOST_FIELDS:
        raise FormError("expected a JSON object of a few fields")
    texts: dict[str, str] = {}
    for name, value in content.items():
        if name == "parameters":
            if not isinstance(value, dict):
                raise FormError(f"expected an object of names and values as parameters, got {str(value)[:40]!r}")
            texts |= {f"p-{parameter}": _text(more) for parameter, more in value.items() if more is not None}
        elif value is not None:
            texts[name] = _text(value)
    return texts


def _text(value: Any) -> str:
    """Convert a JSON value to the text that a form would send."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list) and all(isinstance(entry, str | int) for entry in value):
        return ",".join(str(entry) for entry in value)
    if isinstance(value, str | int | float):
        return str(value)
    raise FormError(f"expected text and numbers as fields, got {type(value).__name__}")


async def _body(request: Request) -> bytes:
    return await request.body()


Body = Annotated[bytes, Depends(_body)]
Fields = Annotated[dict[str, str], Depends(_fields)]


def yes(fields: dict[str, str], name: str) -> bool:
    text = fields.get(name, "")
    if text not in ("", "yes", "no"):
        raise FormError(f"expected yes or no as {name}, got {text[:40]!r}")
    return text == "yes"


def whole(fields: dict[str, str], name: str, default: int | None = None) -> int | None:
    text = fields.get(name, "").strip()
    if not text:
        return default
    if not text.isascii() or not text.removeprefix("-").isdigit() or len(text) > 18:
        raise FormError(f"expected a whole number as {name}, got {text[:40]!r}")
    return int(text)


def number(fields: dict[str, str], name: str) -> float | None:
    text = fields.get(name, "").strip()
    if not text:
        return None
    try:
        value = float(text)
    except ValueError as error:
        raise FormError(f"expected a number as {name}, got {text[:40]!r}") from error
    if value != value or abs(value) > 1e15:
        raise FormError(f"expected a number as {name}, got {text[:40]!r}")
    return value


def body_of(properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    """Describe such a request for OpenAPI."""
    schema = {"type": "object", "properties": properties, "required": required}
    kinds = ("application/json", "application/x-www-form-urlencoded")
    return {"requestBody": {"required": True, "content": {kind: {"schema": schema} for kind in kinds}}}
