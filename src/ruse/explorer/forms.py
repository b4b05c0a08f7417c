"""What a request sends: a form of a page, or JSON of a program, as texts by name."""

from __future__ import annotations

import json
from typing import Annotated, Any
from urllib.parse import parse_qsl

from fastapi import Depends, Request

from ruse.core.game import RuseError

MOST_FIELDS = 200
BETWEEN = {"seat": "", "part": ","}  # what joins fields that come several times
MOVE = ("move", "seat", "part", "otherwise")  # fields that may hold a move, the first that does


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
    found: dict[str, str] = {}
    for name, value in pairs:
        between = BETWEEN.get(name)
        found[name] = between.join(filter(None, (found.get(name), value))) if between is not None else value
    return found


def chosen_move(fields: dict[str, str]) -> str:
    """A move that was typed, chosen, ticked seat by seat, or put together from parts; nothing if there is none."""
    return next((found for name in MOVE if (found := fields.get(name, "").strip())), "")


def _from_json(found: Any) -> dict[str, str]:
    if not isinstance(found, dict) or len(found) > MOST_FIELDS:
        raise FormError("expected a JSON object of a few fields")
    texts: dict[str, str] = {}
    for name, value in found.items():
        if name == "parameters":
            if not isinstance(value, dict):
                raise FormError(f"expected an object of names and values as parameters, got {str(value)[:40]!r}")
            texts |= {f"p-{one}": _text(more) for one, more in value.items() if more is not None}
        elif value is not None:
            texts[name] = _text(value)
    return texts


def _text(value: Any) -> str:
    """A JSON value as a form would send it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list) and all(isinstance(one, str | int) for one in value):
        return ",".join(str(one) for one in value)
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
        found = float(text)
    except ValueError as error:
        raise FormError(f"expected a number as {name}, got {text[:40]!r}") from error
    if found != found or abs(found) > 1e15:
        raise FormError(f"expected a number as {name}, got {text[:40]!r}")
    return found


def body_of(properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    """How OpenAPI describes such a request."""
    schema = {"type": "object", "properties": properties, "required": required}
    kinds = ("application/json", "application/x-www-form-urlencoded")
    return {"requestBody": {"required": True, "content": {kind: {"schema": schema} for kind in kinds}}}
