"""Pages from templates, and the addresses in them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any
from urllib.parse import quote, urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.responses import Response

from ruse.core import rationals
from ruse.core.game import display_name, possessive, with_article
from ruse.explorer import say, tell
from ruse.present.rules import headed

MOST_IN_ADDRESS = 500  # characters of a parameter


@lru_cache(maxsize=1)
def environment() -> Environment:
    made = Environment(
        loader=PackageLoader("ruse.explorer"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(
        fraction=say.fraction,
        exactly=say.exactly,
        decimal=say.decimal,
        percent=say.percent,
        points=say.points,
        sentence=say.sentence,
        headed=headed,
        display_name=display_name,
        with_article=with_article,
        possessive=lambda side: possessive(side, "’"),
        equals=say.equals,
        as_text=rationals.write,
    )
    made.globals.update(say=say, tell=tell, url=url, position_url=position_url)
    return made


def render(template: str, /, path: str = "/", **more: Any) -> str:
    """A page. `path` is its own address, for the menu and the JSON twin."""
    return environment().get_template(template).render(path=path, **more)


def url(path: str, **query: object) -> str:
    """An address on this server; what is None or empty is left out of the query."""
    asked = {name.rstrip("_"): value for name, value in query.items() if value not in (None, "")}
    return quote(path, safe="/@+=,:();") + (f"?{urlencode(asked)}" if asked else "")


def download(content: str, kind: str, name: str, how: str = "attachment") -> Response:
    """A file to save, or to look at `inline`. Its name is that of a position, in which folders mean nothing."""
    safe = quote(name.replace("/", "_"), safe="")
    return Response(content, media_type=kind, headers={"content-disposition": f"{how}; filename*=UTF-8''{safe}"})


def position_url(position: str, carried: Mapping[str, object] | None = None, **query: object) -> str:
    """The page of a position, with what every link carries along (whose side, which file)."""
    return url(f"/p/{position}", **{**(carried or {}), **query})


def solve_url(name: str, parameters: Mapping[str, object], **more: object) -> str:
    """The form to solve a game, filled in; what is too long for an address is left to the reader."""
    texts = {f"p-{key}": _text(value) for key, value in parameters.items()}
    short = {key: text for key, text in texts.items() if len(text) <= MOST_IN_ADDRESS}
    return url("/solve", game=name, **short, **more)


def _text(value: object) -> str:
    """A parameter as a form sends it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
