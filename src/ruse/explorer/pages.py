"""Pages from templates, and the addresses in them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any
from urllib.parse import quote, urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.responses import Response

from ruse.core import rationals
from ruse.core.game import display_name, possessive, with_article
from ruse.explorer import position_wording, wording
from ruse.present import scene_svg, seats
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
        brief=wording.brief,
        unbroken=wording.unbroken,
        fraction=wording.fraction,
        exactly=wording.exactly,
        decimal=wording.decimal,
        percent=wording.percent,
        points=wording.points,
        sentence=wording.sentence,
        headed=headed,
        display_name=display_name,
        with_article=with_article,
        possessive=lambda side: possessive(side, "’"),
        equals=wording.equals,
        as_text=rationals.write,
    )
    made.tests["short_fraction"] = wording.short_fraction
    made.globals.update(
        wording=wording,
        position_wording=position_wording,
        seats_at=seats,
        url=url,
        position_url=position_url,
        scene=lambda drawn, label: Markup(scene_svg.draw(drawn, label)),
        sign=lambda name: Markup(scene_svg.sign(name)),
    )
    return made


def render(template: str, /, path: str = "/", **more: Any) -> str:
    """Render a page. `path` is its own address, for the menu and the JSON twin."""
    return environment().get_template(template).render(path=path, **more)


def url(path: str, **query: object) -> str:
    """Return an address on this server; None and empty values are left out of the query."""
    asked = {name.rstrip("_"): value for name, value in query.items() if value not in (None, "")}
    return quote(path, safe="/@+=,:();") + (f"?{urlencode(asked)}" if asked else "")


def download(content: str, kind: str, name: str, how: str = "attachment") -> Response:
    """Return a file to save, or to show `inline`. Slashes in its name, usually a position, become underscores."""
    safe = quote(name.replace("/", "_"), safe="")
    return Response(content, media_type=kind, headers={"content-disposition": f"{how}; filename*=UTF-8''{safe}"})


def position_url(position: str, carried: Mapping[str, object] | None = None, **query: object) -> str:
    """Return the address of a position's page, with the parameters that every link keeps (side, file)."""
    return url(f"/p/{position}", **{**(carried or {}), **query})


def solve_url(name: str, parameters: Mapping[str, object], **more: object) -> str:
    """Return the address of the filled-in form to solve a game, without parameters that are too long."""
    texts = {f"p-{key}": _text(value) for key, value in parameters.items()}
    short = {key: text for key, text in texts.items() if len(text) <= MOST_IN_ADDRESS}
    return url("/solve", game=name, **short, **more)


def _text(value: object) -> str:
    """Format a parameter as a form sends it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
