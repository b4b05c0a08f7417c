"""What each command of the command line does: about one function call, and how its answer is told.

Heavy modules are imported where they are used, so that `ruse --help` is instant.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ruse import start
from ruse.core import atomic_files, clock, rationals
from ruse.core.game import Game, RuseError
from ruse.core.jsonable import jsonable
from ruse.formats.export import FORMATS
from ruse.present.console import print_json

if TYPE_CHECKING:
    from ruse.solution.strategy import Solution


class UsageError(Exception):
    """A command line that makes no sense."""


def game_of(given: argparse.Namespace) -> Game:
    from ruse.core.registry import find

    return find(given.game, given.parameters)


def _loaded(path: str, given: argparse.Namespace) -> Solution:
    """The solution in a file; one of a game that is not ruse's own is of the game that --game names."""
    from ruse.solution.store import load

    return load(path, given.own)


def solve(given: argparse.Namespace) -> int:
    out, plot, log, checkpoint = all_writable(given, ("out", "plot", "log", "checkpoint"))
    from ruse.core.interrupts import answering

    time = given.time if given.time and given.time > 0 else None
    with clock.deadline(time, start.first_moment), answering(time):
        solution = _solved(given, plot, log, checkpoint)
    from ruse.core.registry import is_own
    from ruse.present.report import ending, reductions, told
    from ruse.solving.options import STOPPED
    from ruse.verify.dispatch import refusal

    if given.gap and solution.certificate.gap > given.gap:
        print(
            f"ruse: stopped with a gap of {rationals.above(solution.certificate.gap, 3)}, above {given.gap:g}",
            file=sys.stderr,
        )
    again = f" --game {given.game}" if is_own(solution.game.name) else ""
    saves: list[Callable[[], object]] = []
    if out is not None:
        saves.append(partial(solution.save, out))
    if plot is not None:
        saves.append(partial(solution.plot, plot))
    with saved_or_told(saves):
        if given.json:
            print_json(solution.to_json())
        else:
            print(told(solution, everything=False, hint=f"ruse show {given.out or 'FILE.ruse'} --all{again}"))
    if given.json:
        return _status(given, solution)
    note = "; ".join(part for part in solution.note.split("; ") if part not in STOPPED.values())
    note = f" {note[0].upper()}{note[1:]}." if note else ""
    print(f"\n{ending(solution)}{note}" + (f" Saved to {out}." if out else ""))
    if solution.judged and not refusal(solution):
        keep = "Save it with --out FILE.ruse, then check it with ruse verify."
        print(f"Check it: ruse verify {out}{again}" if out else keep)
    if reduced := reductions(solution):
        print(reduced)
    return _status(given, solution)


def _status(given: argparse.Namespace, solution: Solution) -> int:
    """1 where nothing is proved, or exactness was asked for and is not there.

    `--gap 0`, `--polish` and a solver that ends with it ask for exactness.
    """
    from ruse.solvers import find

    if not solution.judged:
        print("ruse: no bounds proved yet; give it more time, or a smaller game", file=sys.stderr)
        return 1
    unlimited = given.gap is None and given.time is None and given.iterations is None
    if solution.certificate.exact or not (given.gap == 0 or given.polish or (unlimited and find(given.solver).exact)):
        return 0
    print("ruse: you asked for an exact solution, but the bounds are not equal; give it more time", file=sys.stderr)
    return 1


def _solved(given: argparse.Namespace, plot: Path | None, log: Path | None, checkpoint: Path | None) -> Solution:
    """All that `--time` is for: to read the game is part of it, and to import what solves it."""
    from dataclasses import fields

    from ruse.present.console import Progress
    from ruse.present.figures import check_picture
    from ruse.solving.options import SolveOptions
    from ruse.solving.pipeline import solve

    if plot is not None:
        check_picture(plot)
    with Progress(sys.stderr, "solving") as progress:
        options = {one.name: getattr(given, one.name) for one in fields(SolveOptions) if one.metadata["flag"]}
        options |= {"checkpoint": checkpoint, "log": log}
        return solve(game_of(given), given.solver, **options, report=progress.report)


@contextmanager
def saved_or_told(saves: Sequence[Callable[[], object]]) -> Iterator[None]:
    """Save, then tell; what cannot be saved is still told, and then the trouble."""
    trouble: RuseError | OSError | None = None
    for save in saves:
        try:
            save()
        except (RuseError, OSError) as error:
            trouble = error
    yield
    sys.stdout.flush()
    if trouble is not None:
        raise trouble


def all_writable(given: argparse.Namespace, options: Sequence[str]) -> list[Path | None]:
    """Places to save to, where they are given, checked before the work rather than after."""
    found: dict[Path, str] = {}
    paths: list[Path | None] = []
    for option in options:
        path: str | None = getattr(given, option)
        paths.append(None if path is None else Path(path))
        if path is None:
            continue
        if not path or not Path(path).parent.is_dir():
            raise RuseError(f"the folder of {path!r} for --{option} does not exist; create it, or choose another file")
        try:
            atomic_files.check_writable(Path(path))
            other = found.setdefault(Path(path).resolve(), option)
        except (OSError, ValueError) as error:
            raise RuseError(f"cannot write to {path} for --{option}: {atomic_files.reason(error)}") from error
        if other != option:
            raise RuseError(f"--{option} and --{other} name the same file, {path!r}; choose two")
    return paths


def show(given: argparse.Namespace) -> int:
    from ruse.present.report import ending, texts, told
    from ruse.present.rules import outline
    from ruse.solution.container import OtherKind
    from ruse.verify.dispatch import refusal
    from ruse.verify.exploitability import as_json
    from ruse.verify.exploitability import told as exploited_told

    try:
        solution = _loaded(given.file, given)
    except OtherKind:
        from ruse.cli.contests import show_learned

        return show_learned(given)
    if given.position:
        return _show_position(given, solution)
    if given.json:
        strategies = {
            name: {position: texts(odds) for position, odds in table.items()}
            for name, table in zip(solution.game.sides, solution.tables, strict=True)
        }
        more: dict[str, Any] = {
            "exploitability": as_json(solution.exploitability),
            "versions": dict(solution.versions),
        }
        if solution.written and (told_in := [list(outline(solution, side)) for side in (0, 1)])[0]:
            more["outline"] = dict(zip(solution.game.sides, told_in, strict=True))
        claimed = {**solution.certificate.to_json(), "standing": "claimed"}
        print_json({**solution.to_json(), "certificate": claimed, **more, "strategies": strategies})
        return 0
    named = "" if given.own is None else f" --game {given.own}"
    print(told(solution, given.all, f"ruse show {given.file} --all{named}"))
    print("".join(f"{one[0].upper()}{one[1:]}.\n" for one in exploited_told(solution.exploitability)), end="")
    if solution.judged and solution.written:
        print(f"These are the file's own claims{'.' if refusal(solution) else '; check them with ruse verify.'}")
    versions = ", ".join(f"{name} {version}" for name, version in solution.versions.items())
    print(f"\n{ending(solution).removesuffix('.')}, with {versions}.")
    return 0


def _show_position(given: argparse.Namespace, solution: Solution) -> int:
    from ruse.core.game import PositionError
    from ruse.core.registry import presentation
    from ruse.present.finding import unlisted
    from ruse.present.report import position_told, texts
    from ruse.present.seats import seats_told
    from ruse.solution.strategy import Unlisted

    found: dict[str, dict[str, Any]] = {}
    reason: PositionError | None = None
    for side, name in enumerate(solution.game.sides):
        strategy = solution.strategy(side)
        try:
            odds = strategy.at(given.position)
        except Unlisted:
            continue
        except PositionError as error:
            reason = error
            continue
        found[name] = {"odds": odds, "stored": strategy.covers(given.position)}
    if not found:
        example = next((place for table in solution.tables for place in table), solution.game.title)
        raise unlisted(solution.game, given.position, reason, example)
    view = presentation(solution.game).roles_at(solution, given.position)
    if given.json:
        moves = {name: {"odds": texts(one["odds"]), "stored": one["stored"]} for name, one in found.items()}
        seats = [] if view is None else jsonable(view.seats)
        print_json({"position": given.position, "moves": moves, **({"seats": seats} if seats else {})})
        return 0
    print(position_told(solution, given.position, found))
    if view is not None and view.seats:
        print("\n".join(["", *seats_told(view)]))
    return 0


def not_verified(given: argparse.Namespace, error: RuseError) -> int:
    """Say that a file does not hold what it says."""
    if given.json:
        print_json({"file": given.file, "verified": False, "reason": str(error)})
    else:
        print(f"{given.file}: NOT verified: {error}")
    return 1


def verify(given: argparse.Namespace) -> int:
    from ruse.cli import insight
    from ruse.core.certificate import proof_sentence
    from ruse.formats import standalone
    from ruse.present.console import Progress
    from ruse.verify import VerifyError

    if given.standalone == (given.out is None):
        raise UsageError("--standalone and --out FILE.py belong together: give both, or neither")
    (out,) = all_writable(given, ("out",))
    if given.file.endswith(".insight"):
        if given.standalone:
            raise UsageError("--standalone needs a solution (FILE.ruse)")
        return insight.verify(given)
    solution = _loaded(given.file, given)
    if out is not None:
        standalone.check_size(solution)
    try:
        with Progress(sys.stderr, "recomputing both best responses"):
            certificate = solution.verify()
            if out is not None:
                standalone.write_standalone(replace(solution, certificate=certificate), out)
        beside = insight.checked_beside(given)
    except VerifyError as error:
        return not_verified(given, error)
    if given.json:
        bounds = certificate.to_json()
        told = {name: bounds[name] for name in ("lower", "upper", "proof")}
        more = {} if out is None else {"written": str(out)}
        print_json({"file": given.file, "verified": True, **told, "certificate": bounds, "insight": beside, **more})
        return 0
    print(f"{given.file}: verified. {replace(solution, certificate=certificate).headline()}")
    print(
        "Both best responses were recomputed in exact arithmetic: "
        f"{' <= value <= '.join(rationals.bounds(certificate.lower, certificate.upper))}."
    )
    print(proof_sentence(certificate))
    if out is not None:
        print(f"Written: {out}. Run it with any Python: python {out}")
    if beside is not None:
        print(f"{beside['file']}: {beside['certificates']:,} certificates of insight are correct, too.")
    return 0


def score(given: argparse.Namespace) -> int:
    from ruse.cli.score import is_policy_file, score_policy

    if is_policy_file(given.strategy):
        return score_policy(game_of(given), given)
    from ruse.present.console import Progress
    from ruse.present.rules import score_file
    from ruse.verify.exploitability import as_json, beside_the_value, told

    with Progress(sys.stderr, "computing the best response"):
        scores = score_file(game_of(given), given.strategy, given.side)
    game = scores[0].game
    exploited = beside_the_value(game, {score.side: score.payoff for score in scores})
    if given.json:
        found = {side: {"exploitability": one} for side, one in as_json(exploited).items()}
        print_json({"scores": [{**score.to_json(), **found.get(game.sides[score.side], {})} for score in scores]})
        return 0
    for score in scores:
        print(score.told())
    for sentence in told(exploited):
        print(sentence)
    return 0


def export(given: argparse.Namespace) -> int:
    from ruse.formats.export import export
    from ruse.present.console import Progress

    paths = all_writable(given, tuple(FORMATS))
    asked = {name: path for name, path in zip(FORMATS, paths, strict=True) if path is not None}
    if not asked:
        raise UsageError(f"expected one of {', '.join(f'--{name}' for name in FORMATS)}")
    if given.own is not None and not given.game.endswith(".ruse"):
        given.parameters["game"] = given.own  # as for openspiel
    source = _loaded(given.game, given) if given.game.endswith(".ruse") else game_of(given)
    with Progress(sys.stderr, "writing"):
        file = Path(given.game) if given.game.endswith(".ruse") else None
        written = {name: str(export(source, name, path, file)) for name, path in asked.items()}
    if given.json:
        print_json({"written": written})
    else:
        print("\n".join(f"Written: {name}" for name in written.values()))
    return 0


def play(given: argparse.Namespace) -> int:
    from ruse.play.terminal import play

    return play(given)


def explore(given: argparse.Namespace) -> int:
    from ruse.explorer.serve import explore

    return explore(given)


def companion(given: argparse.Namespace) -> int:
    from ruse.explorer.companion import companion

    paths = all_writable(given, ("out",))
    return companion(given, paths[0])


def sizes(given: argparse.Namespace) -> int:
    from ruse.core.capabilities import ByClass, Memoryless
    from ruse.forms.reductions.refined import counted
    from ruse.present.console import Progress
    from ruse.reproduce.paper_sizes import sizes
    from ruse.solvers import AUTO, find
    from ruse.solving import form_memory

    game = game_of(given)
    with Progress(sys.stderr, "counting"):
        found, sequences = sizes(game), counted(game)
        small = sequences is not None or isinstance(game, ByClass)  # or is solved without its tree
        needed = None if small or isinstance(game, Memoryless) else form_memory.needs(game, find(AUTO))
    if given.json:
        counts = dict(zip(("sequences", "refined"), map(list, sequences or ()), strict=False))
        print_json(found.to_json() | counts | ({} if needed is None else needed.to_json()))
        return 0
    print(found.text())
    if needed is not None and needed.form is not None:
        print(f"\nits sequence form: {needed},\n{needed.memory}")
    if sequences is not None:
        whole, left = (" + ".join(f"{many:,}" for many in pair) for pair in sequences)
        print(f"\n{whole} sequences; {left} after symmetry reduction")
    return 0
