"""Searches over many variants that the studio page starts, and the reports that they leave."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from ruse.core import atomic_files, named_games, registry
from ruse.core.game import RuseError
from ruse.core.types import Report
from ruse.explorer.errors import NotHere
from ruse.explorer.forms import FormError, number, whole, yes
from ruse.studio.around import around
from ruse.studio.balance import balance
from ruse.studio.compare import compare
from ruse.studio.report import (
    StudioReport,
    command_line,
    of_balance,
    of_comparison,
    of_sensitivity,
    of_sweep,
)
from ruse.studio.sweep import sweep

KINDS = {
    "around": "the effect of each single change",
    "sweep": "every variant in ranges",
    "balance": "the variants closest to a target",
    "compare": "variants side by side",
}
KEPT = 100  # reports in the folder
MOST_COMPARED = 6
MOST_TEXT = 2_000  # characters of all ranges


def spec_of(fields: Mapping[str, str], name: str, known: list[str]) -> dict[str, Any]:
    """Read the form. Raise RuseError for what cannot be asked; ranges and conditions are read by the worker."""
    kind = fields.get("kind", "around")
    if kind not in KINDS:
        raise FormError(f"expected one of {', '.join(KINDS)}, got {kind[:40]!r}")
    fixed = variant_in(fields.get("variant", ""), known)
    ranges = {key.removeprefix("r-"): text.strip() for key, text in fields.items() if key.startswith("r-") and text}
    if stray := [key for key in ranges if key not in known]:
        raise FormError(f"expected one of the parameters {', '.join(known)}, got {stray[0][:40]!r}")
    if sum(map(len, (*fixed.values(), *ranges.values()))) > MOST_TEXT:
        raise FormError(f"expected at most {MOST_TEXT:,} characters of parameters")
    seconds = number(dict(fields), "time")
    if seconds is not None and seconds <= 0:
        raise FormError(f"expected a time above 0 seconds, got {seconds:g}")
    changes, pareto = whole(dict(fields), "changes"), yes(dict(fields), "pareto")
    compared = re.split(r",(?=/)", fields.get("compared", ""))[:MOST_COMPARED]
    return {
        "name": name,
        "ask": kind,
        "parameters": fixed if kind == "around" else {**fixed, **ranges},
        "compared": [variant_in(page, known) for page in compared],  # without any, the default one
        "where": [text.strip() for text in fields.get("where", "").split(";") if text.strip()] or None,
        "metrics": yes(dict(fields), "metrics"),
        "target": fields.get("target", "").strip() or None,
        "near": "official" if yes(dict(fields), "near") or pareto or changes is not None else None,
        "changes": changes,
        "pareto": pareto,
        "free": yes(dict(fields), "free"),
        "time": seconds,
    }


def variant_in(page: str, known: list[str]) -> dict[str, str]:
    """Return the parameters in the address of a variant, as far as the game has them."""
    given = parse_qsl(urlsplit(page).query)
    return {key.removeprefix("p-"): text for key, text in given if key.startswith("p-") and key[2:] in known}


def make(spec: Mapping[str, Any], report: Report) -> StudioReport:
    """Do what was asked, with the numbers and proofs of the command line."""
    name, parameters = spec["name"], spec["parameters"]
    own = named_games.OWN.get(name)
    game = name if own is None else own.origin
    options = {key: spec[key] for key in ("where", "time")}
    if spec["ask"] == "around":
        command = command_line("sweep", [game], {**parameters, "around": True, "time": spec["time"]})
        return of_sensitivity(around(name, parameters, time=spec["time"], report=report), command)
    if spec["ask"] == "sweep":
        swept = sweep(name, parameters, **options, metrics=spec["metrics"], yes=False, report=report)
        if not swept.rows:
            raise RuseError(next(iter(swept.failed.values()), "stopped before the first variant was solved"))
        return of_sweep(swept, command_line("sweep", [game], {**parameters, **options, "metrics": spec["metrics"]}))
    if spec["ask"] == "balance":
        options |= {key: spec[key] for key in ("near", "changes", "pareto", "free")}
        target = spec["target"] or "1/2"
        balanced = balance(name, parameters, target=target, **options, report=report)
        return of_balance(balanced, command_line("balance", [game], {**parameters, "target": target, **options}))
    return _comparison(name, spec, report)


def _comparison(name: str, spec: Mapping[str, Any], report: Report) -> StudioReport:
    from ruse.solving.pipeline import solve

    games = {}
    for parameters in (*spec["compared"], spec["parameters"]):
        made = registry.make(name, parameters)
        games[made.title] = made
    if len(games) < 2:
        raise RuseError("expected two different variants to compare; change a field, or pin variants in the history")
    solutions = []
    for game in games.values():
        report(f"solving {game.title}", None, None)
        solutions.append(solve(game))
    own = named_games.OWN.get(name)
    command = command_line("compare", list(games), {"game": None if own is None else own.origin})
    return of_comparison(compare(solutions, report=report), command)


# Saved reports.


def save(folder: Path, id_: str, report: StudioReport) -> None:
    """Save a report: the page to share, and what the explorer shows of it. The oldest make room."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        report.write(folder / f"{id_}.html")
        shown = {"title": report.title, "body": report.body(), "data": report.data}
        atomic_files.replace(folder / f"{id_}.json", json.dumps(shown, ensure_ascii=False).encode())
        pages = sorted(folder.glob("*.html"), key=lambda path: path.stat().st_mtime)
        for path in pages[:-KEPT]:
            path.unlink(missing_ok=True)
            path.with_suffix(".json").unlink(missing_ok=True)
    except OSError as error:
        raise RuseError(f"cannot save the report: {atomic_files.reason(error)}") from error


def load(folder: Path, id_: str) -> dict[str, Any]:
    """Return what `save` wrote. Raise NotHere if there is no such report."""
    return dict(json.loads(_read(folder / f"{id_}.json")))


def page(folder: Path, id_: str) -> str:
    """Return the page to share."""
    return _read(folder / f"{id_}.html")


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise NotHere("this report was deleted; the studio makes it again") from error
