"""The companion for a real evening: `ruse companion`, its page, and the page as one file for a phone without a server.

The scripts are those of the page. In the file, each script is a function that returns its exports, in the order of
their imports. The content policy allows only these scripts, so the file works offline.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

from markupsafe import Markup

from ruse.core import atomic_files
from ruse.core.game import Game, RuseError
from ruse.core.registry import games, make, parameters_of, part
from ruse.explorer import pages
from ruse.solution import store
from ruse.solution.strategy import Solution

STATIC = Path(__file__).parent / "static"
STYLES = ("style.css", "companion.css")
SCRIPTS = tuple(
    f"companion{part}.js"
    for part in (
        *("-cells", "-worth", "-engine", "-record", "-people", "-evening", "-beliefs", "-review", "-store", "-words"),
        *("-elements", "-panels", "-entry", ""),
    )
)
NAMED = re.compile(rb'"game": "([a-z-]+)"')
MOST_BYTES, MOST_READ = 1 << 20, 10_000  # of a file, and of its beginning that names its game
IMPORT = re.compile(r'^import (\{[^}]*\}) from "\./([a-z-]+\.js)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export ((?:async )?(?:const|let|function|class) ([A-Za-z_]\w*))", re.MULTILINE)


class CompanionError(RuseError):
    """A companion that cannot be made."""


def companion(given: argparse.Namespace, out: Path | None) -> int:
    """Run the command. `given` has parameters of the table, source, names, slip and json."""
    if given.source is not None and (given.parameters or given.names):
        raise CompanionError("leave out the table with --from; the file names it")
    if given.source is None and any(option is not None for option in (given.seat, given.role, given.model)):
        raise CompanionError("--seat, --role and --model need a record; add --from FILE")
    loaded = _loaded(given)
    game = make(given.table or _kept_game(given.source), given.parameters) if loaded is None else loaded.game
    if out is not None:
        return _write(given, game, loaded, out)
    source = None if given.source is None else Path(given.source)
    assess = None if source is None else _assessment(given)
    named = game.name if assess is None else default_game()
    solve = partial(_solved, "solving", named) if loaded is None else partial(_as_loaded, loaded)
    if assess is not None:
        return int(assess(source, given.seat, given.role, given.model, given.slip, given.json, solve))
    names = [] if given.names is None else given.names.split(",")
    return int(brought_by(game).converse(game, source, names, given.slip, given.json, solve))


def _write(given: argparse.Namespace, game: Game, loaded: Solution | None, out: Path) -> int:
    """Write the page as one file for a phone."""
    from ruse.present.console import Progress, print_json

    for option in ("source", "slip"):
        if getattr(given, option) is not None:
            raise CompanionError(f"--{option.replace('source', 'from')} does not work with --out")
    plain, roleset = _without_roles(game)
    official, packed = in_one_file(plain)
    names = _names(given.names, plain)
    tables = [plain.parameters] if given.parameters and not roleset else list(official.values())
    with Progress(sys.stderr, "solving"):
        solutions = [_solved("", plain.name, table) for table in tables] if loaded is None or roleset else [loaded]
    strategies = [packed(solution) for solution in solutions]
    fields = {"players": plain.parameters["players"], "roleset": roleset, "names": names}
    atomic_files.replace(out, one_file(strategies, official, **fields).encode())
    if given.json:
        print_json({"written": str(out), "tables": [strategy["table"] for strategy in strategies]})
    else:
        print(f"Written: {out}. Open it in a browser, on a phone too. It works offline.")
    return 0


def _without_roles(game: Game) -> tuple[Game, list[str]]:
    """Return the game whose tables are in the file, and the special roles that the page begins with."""
    roleset = part(game, "companion", "roleset")
    if roleset is None:
        return game, []
    names = {parameter.name for parameter in parameters_of(default_game())}
    table = {name: value for name, value in game.parameters.items() if name in names}
    return make(default_game(), table), [*roleset(game)]


def _names(text: str | None, game: Game) -> list[str]:
    """Return the names that are given, one for each seat."""
    names = [] if text is None else [name.strip() for name in text.split(",")]
    if names and len(names) != game.parameters["players"]:
        raise CompanionError(f"expected {game.parameters['players']} names, got {len(names)}; add --players")
    return names


def _assessment(given: argparse.Namespace) -> Callable[..., int] | None:
    """Return what assesses a record, if the source is one, or a seat or a model is asked for."""
    module = brought_by(make(default_game()))
    wanted = given.seat is not None or given.model is not None or module.holds_record(Path(given.source))
    return module.assess if wanted else None


@cache
def default_game() -> str:
    """Return the first built-in game whose companion fits into one file."""
    return next(name for name in games() if part(make(name), "companion", "packed") is not None)


def brought_by(game: Game) -> Any:
    """Return the companion part of a game."""
    module = part(game, "companion")
    if module is None:
        raise CompanionError(f"{game.title} has no companion; choose another game, such as {default_game()}")
    return module


def in_one_file(game: Game) -> tuple[dict[int, dict[str, object]], Callable[[Solution], dict[str, Any]]]:
    """Return the official tables, and the function that packs a solved one for a phone."""
    module = brought_by(game)
    if part(game, "companion", "packed") is None:
        raise CompanionError(
            f"the companion of {game.title} does not fit into one file; leave out --out, or use ruse explore"
        )
    return module.official(), module.packed


def _loaded(given: argparse.Namespace) -> Solution | None:
    """Load the solution if the table is given as a solution file."""
    if given.table is None or not given.table.endswith(".ruse"):
        return None
    if given.parameters:
        raise CompanionError(f"leave out the table with {given.table}; the file names it")
    return store.load(Path(given.table))


def _kept_game(source: str | None) -> str:
    """Return the game that a saved evening names, or the default game."""
    if (
        source is not None
        and (named := NAMED.search(atomic_files.read(Path(source), MOST_BYTES)[:MOST_READ])) is not None
    ):
        return named[1].decode()
    return default_game()


def _as_loaded(loaded: Solution, parameters: Mapping[str, object]) -> Solution:
    if dict(loaded.game.parameters) != dict(parameters):
        raise CompanionError(f"this evening was not played at the table of {loaded.game.title}")
    return loaded


def _solved(text: str, name: str, parameters: Mapping[str, object]) -> Solution:
    from ruse.present.console import Progress
    from ruse.solving.pipeline import solve

    game = make(name, parameters)
    if not text:
        return solve(game)
    with Progress(sys.stderr, text) as progress:
        return solve(game, report=progress.report)


def setting(official: Mapping[int, Any], **more: object) -> Markup:
    """Return the settings of the scripts as JSON that is safe within a page."""
    people = brought_by(make(default_game())).habits()
    text = json.dumps({"official": official, "players": 5, "people": people, **more}, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c"))


def one_file(strategies: Sequence[Mapping[str, Any]], official: Mapping[int, Any], **more: object) -> str:
    """The page, its scripts, styles and strategies in one file."""
    script, style = joined(SCRIPTS), "\n".join((STATIC / name).read_text(encoding="utf-8") for name in STYLES)
    theme = (STATIC / "theme.js").read_text(encoding="utf-8")
    return (
        pages.environment()
        .get_template("companion-file.html")
        .render(
            policy=f"default-src 'none'; script-src {_hash(theme)} {_hash(script)}; style-src {_hash(style)}; "
            "base-uri 'none'; form-action 'none'",
            style=Markup(style),
            theme=Markup(theme),
            script=Markup(script),
            setting=setting(official, strategies=list(strategies), **more),
        )
    )


def joined(scripts: Sequence[str]) -> str:
    """Join modules into one script: each becomes a function, so that their names do not clash."""
    parts = []
    for name in scripts:
        text = (STATIC / name).read_text(encoding="utf-8")
        exported = [match[1] for match in EXPORT.findall(text)]
        text = IMPORT.sub(lambda match: f'const {match[1]} = modules["{match[2]}"];\n', text)
        text = EXPORT.sub(r"\1", text)
        if re.search(r"^(?:import|export)\b|</script", text, re.MULTILINE):
            raise CompanionError(f"{name} has imports or exports without names")
        parts.append(f'modules["{name}"] = (() => {{\n{text}return {{ {", ".join(exported)} }};\n}})();\n')
    return "".join(['"use strict";\nconst modules = {};\n', *parts])


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
