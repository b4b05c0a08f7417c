"""The commands of `ruse` for solutions and games: each calls one function and prints its result.

Heavy modules are imported where they are used, so that `ruse --help` is instant.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ruse import start
from ruse.core import atomic_files, clock, rationals
from ruse.core.game import Game, RuseError
from ruse.core.jsonable import jsonable
from ruse.formats.export import FORMATS
from ruse.present.console import Progress, print_json

ODDS = ("odds", "quasi_perfect")  # fractions by move

if TYPE_CHECKING:
    from ruse.core.types import Report
    from ruse.solution.strategy import Solution


class UsageError(Exception):
    """A wrong use of the command line."""


def game_of(given: argparse.Namespace) -> Game:
    from ruse.core.registry import find

    return find(given.game, given.parameters)


def load_solution(path: str, given: argparse.Namespace) -> Solution:
    """The solution in a file. For your own game, `--game` names the rules."""
    from ruse.solution.store import load

    return load(path, given.own)


def solve(given: argparse.Namespace) -> int:
    out, plot, log, checkpoint = all_writable(given, ("out", "plot", "log", "checkpoint"))
    from ruse.core.interrupts import answering

    time = given.time if given.time and given.time > 0 else None
    with clock.deadline(time, start.first_moment), answering(time):
        solution = _solved(given, plot, log, checkpoint)
    from ruse.core.registry import is_own
    from ruse.present.report import ending, format_solution, reductions
    from ruse.solving.options import STOPPED
    from ruse.verify.verifier import refusal

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
    with saved_before_printing(saves):
        if given.json:
            print_json(solution.to_json())
        else:
            print(
                format_solution(solution, everything=False, hint=f"ruse show {given.out or 'FILE.ruse'} --all{again}")
            )
    if given.json:
        return _status(given, solution)
    note = "; ".join(part for part in solution.note.split("; ") if part not in STOPPED.values())
    note = f" {note[0].upper()}{note[1:]}." if note else ""
    print(f"\n{ending(solution)}{note}" + (f" Saved to {out}." if out else ""))
    checkable = solution.certificate.by_game or not refusal(solution)
    if solution.judged and checkable:
        keep = "Save it with --out FILE.ruse, then check it with ruse verify."
        print(f"Check it: ruse verify {out}{again}" if out else keep)
    if reduced := reductions(solution):
        print(reduced)
    return _status(given, solution)


def _status(given: argparse.Namespace, solution: Solution) -> int:
    """The exit status: 1 if nothing is proved, or if the user asked for an exact solution and the bounds differ.

    `--gap 0`, `--polish` and an exact solver without limits ask for an exact solution.
    """
    from ruse.solvers import find

    if not solution.judged:
        from ruse.core.too_large import how_large, ways_out

        print("ruse: no bounds proved yet; give it more time, or a smaller game", file=sys.stderr)
        if solution.route == "sampling":
            sentence = f"{solution.game.title} was only sampled: {how_large(solution.game)}. What you can do:"
            print("\n  - ".join([sentence, *ways_out(solution.game)]), file=sys.stderr)
        return 1
    unlimited = given.gap is None and given.time is None and given.iterations is None
    if solution.certificate.exact or not (given.gap == 0 or given.polish or (unlimited and find(given.solver).exact)):
        return 0
    print("ruse: you asked for an exact solution, but the bounds are not equal; give it more time", file=sys.stderr)
    return 1


def _solved(given: argparse.Namespace, plot: Path | None, log: Path | None, checkpoint: Path | None) -> Solution:
    """Read the game and solve it, within `--time`."""
    from dataclasses import fields

    from ruse.present.figures import check_picture
    from ruse.solving.options import SolveOptions
    from ruse.solving.pipeline import solve

    if plot is not None:
        check_picture(plot)
    with Progress(sys.stderr, "solving") as progress:
        flags = [option.name for option in fields(SolveOptions) if option.metadata["flag"]]
        options = {name: getattr(given, name) for name in flags} | {"checkpoint": checkpoint, "log": log}
        return solve(game_of(given), given.solver, **options, report=progress.report)


@contextmanager
def saved_before_printing(saves: Sequence[Callable[[], object]]) -> Iterator[None]:
    """Save files first; a file that cannot be saved raises its error only after the result is printed."""
    failure: RuseError | OSError | None = None
    for save in saves:
        try:
            save()
        except (RuseError, OSError) as error:
            failure = error
    yield
    sys.stdout.flush()
    if failure is not None:
        raise failure


def all_writable(given: argparse.Namespace, options: Sequence[str]) -> list[Path | None]:
    """Check the paths to save to before the work begins, and return them in order, None for options not given."""
    named: dict[Path, str] = {}
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
            other = named.setdefault(Path(path).resolve(), option)
        except (OSError, ValueError) as error:
            raise RuseError(f"cannot write to {path} for --{option}: {atomic_files.reason(error)}") from error
        if other != option:
            raise RuseError(f"--{option} and --{other} name the same file, {path!r}; choose two")
    return paths


def show(given: argparse.Namespace) -> int:
    from ruse.present.report import ending, format_solution, texts
    from ruse.present.rules import outline
    from ruse.solution.container import OtherKind
    from ruse.verify.exploitability import as_json, format_exploitability
    from ruse.verify.verifier import refusal

    try:
        solution = load_solution(given.file, given)
    except OtherKind:
        from ruse.cli import exploit
        from ruse.cli.contests import show_learned

        return exploit.show(given) if exploit.is_exploit(given) else show_learned(given)
    if given.why is not None:
        from ruse.cli.why import show_why

        if not given.position:
            raise UsageError("--why needs a position: ruse show FILE.ruse POSITION --why")
        return show_why(given, solution)
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
        if solution.written and (outlines := [list(outline(solution, side)) for side in (0, 1)])[0]:
            more["outline"] = dict(zip(solution.game.sides, outlines, strict=True))
        claimed = {**solution.certificate.to_json(), "standing": "claimed"}
        print_json({**solution.to_json(), "certificate": claimed, **more, "strategies": strategies})
        return 0
    own_rules = "" if given.own is None else f" --game {given.own}"
    print(format_solution(solution, given.all, f"ruse show {given.file} --all{own_rules}"))
    for sentence in format_exploitability(solution.exploitability):
        print(f"{sentence[0].upper()}{sentence[1:]}.")
    if solution.judged and solution.written:
        print(f"These are the file's own claims{'.' if refusal(solution) else '; check them with ruse verify.'}")
    versions = ", ".join(f"{name} {version}" for name, version in solution.versions.items())
    print(f"\n{ending(solution).removesuffix('.')}, with {versions}.")
    return 0


def _show_position(given: argparse.Namespace, solution: Solution) -> int:
    from ruse.core.game import PositionError
    from ruse.core.registry import presentation
    from ruse.present.finding import unlisted
    from ruse.present.report import format_position, texts
    from ruse.present.seats import format_seats
    from ruse.solution.strategy import Unlisted

    if (shown := presentation(solution.game).public_position(solution, given.position)) is not None:
        return _show_public(given, *shown)
    if given.hands is not None:
        raise UsageError("--hands needs a position of hold'em without a hand, such as holdem/check")
    answers: dict[str, dict[str, Any]] = {}
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
        answers[name] = {
            "odds": odds,
            "stored": strategy.covers(given.position),
            **_off_path(solution, given.position, side),
        }
    if answers:
        _add_costs(solution, given, answers)
    if not answers:
        example = next((place for table in solution.tables for place in table), solution.game.title)
        raise unlisted(solution.game, given.position, reason, example)
    view = presentation(solution.game).roles_at(solution, given.position)
    if given.json:
        moves = {
            name: {key: texts(value) if key in ODDS else value for key, value in answer.items()}
            for name, answer in answers.items()
        }
        seats = [] if view is None else jsonable(view.seats)
        print_json({"position": given.position, "moves": moves, **({"seats": seats} if seats else {})})
        return 0
    print(format_position(solution, given.position, answers))
    if view is not None and view.seats:
        print("\n".join(["", *format_seats(view)]))
    return 0


def _show_public(given: argparse.Namespace, text: str, fields: Mapping[str, Any]) -> int:
    """Print a position that names no hand, and write its hands to a file."""
    if given.hands is not None:
        from ruse.formats.frames import write_records

        (path,) = all_writable(given, ("hands",))
        assert path is not None
        write_records(fields["rows"], path)
    if given.json:
        print_json({"position": given.position, **{name: value for name, value in fields.items() if name != "rows"}})
    else:
        print(text)
    return 0


def _add_costs(solution: Solution, given: argparse.Namespace, answers: dict[str, dict[str, Any]]) -> None:
    """Add what moves cost to what sides do at a position, where the game is small enough."""
    from ruse.core.game import GameError
    from ruse.insight.costs import costs_in_time

    with suppress(GameError), Progress(sys.stderr, "comparing all optimal strategies"):
        costs = costs_in_time(solution, given.file)
        for name, answer in answers.items():
            if costs is None:
                answer.update({"moves": {}, "costs": None})
                continue
            answer.update(costs.at(given.position, solution.game.sides.index(name)).to_json())


def _off_path(solution: Solution, position: str, side: int) -> dict[str, Any]:
    """Whether play reaches a position, where that is known, and what to do there if it does not."""
    from ruse.present.model import QUASI_PERFECT_ADVICE
    from ruse.present.off_path import advised
    from ruse.present.viewer import too_large, viewer
    from ruse.solution.on_path import is_reached

    reached = is_reached(solution, side, position)
    if reached is not False or solution.mistakes is not None or too_large(solution.game):
        return {"reached": reached}
    views = viewer(solution)
    view = advised(views, views.at(position, side))
    if view.advice != QUASI_PERFECT_ADVICE:
        return {"reached": reached}
    return {"reached": reached, "quasi_perfect": {option.move: option.odds for option in view.options}}


def not_verified(given: argparse.Namespace, error: RuseError) -> int:
    """Report a file whose claims are wrong."""
    if given.json:
        print_json({"file": given.file, "verified": False, "reason": str(error)})
    else:
        print(f"{given.file}: NOT verified: {error}")
    return 1


def verify(given: argparse.Namespace) -> int:
    from ruse.cli import exploit, insight
    from ruse.core.certificate import proof_sentence
    from ruse.formats import standalone
    from ruse.solution.container import OtherKind
    from ruse.verify import VerifyError

    if given.standalone == (given.out is None):
        raise UsageError("--standalone and --out FILE.py belong together: give both, or neither")
    (out,) = all_writable(given, ("out",))
    if given.file.endswith(".insight"):
        if given.standalone:
            raise UsageError("--standalone needs a solution (FILE.ruse)")
        return insight.verify(given)
    try:
        solution = load_solution(given.file, given)
    except OtherKind:
        if exploit.is_exploit(given):
            return exploit.verify(given)
        raise
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
        announced = {name: bounds[name] for name in ("lower", "upper", "proof")}
        written = {} if out is None else {"written": str(out)}
        print_json(
            {"file": given.file, "verified": True, **announced, "certificate": bounds, "insight": beside, **written}
        )
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
        print(f"{beside['file']}: its {beside['certificates']:,} certificates are correct, too.")
    return 0


def score(given: argparse.Namespace) -> int:
    from ruse.cli.score import is_policy_file, score_policy

    if is_policy_file(given.strategy):
        return score_policy(game_of(given), given)
    from ruse.present.rules import score_file
    from ruse.verify.exploitability import as_json, beside_the_value, format_exploitability

    with Progress(sys.stderr, "computing the best response"):
        scores = score_file(game_of(given), given.strategy, given.side)
    game = scores[0].game
    exploited = beside_the_value(game, {score.side: score.payoff for score in scores})
    if given.json:
        gains = {side: {"exploitability": gain} for side, gain in as_json(exploited).items()}
        print_json({"scores": [{**score.to_json(), **gains.get(game.sides[score.side], {})} for score in scores]})
        return 0
    for score in scores:
        print(score.text())
    for sentence in format_exploitability(exploited):
        print(sentence)
    return 0


def export(given: argparse.Namespace) -> int:
    from ruse.formats.export import export
    from ruse.present.site import check_folder

    paths = all_writable(given, tuple(FORMATS))
    site = None if given.site is None else Path(given.site)
    if site is not None:
        check_folder(site)
    wanted = {name: path for name, path in zip(FORMATS, paths, strict=True) if path is not None}
    if not wanted and site is None:
        raise UsageError(f"choose at least one format: {', '.join(f'--{name}' for name in (*FORMATS, 'site'))}")
    if given.own is not None and not given.game.endswith(".ruse"):
        given.parameters["game"] = given.own  # as for openspiel
    source = load_solution(given.game, given) if given.game.endswith(".ruse") else game_of(given)
    with Progress(sys.stderr, "writing") as progress:
        file = Path(given.game) if given.game.endswith(".ruse") else None
        written = {name: str(export(source, name, path, file)) for name, path in wanted.items()}
        if site is not None:
            written["site"] = _site(source, site, progress.report)
    if given.json:
        print_json({"written": written})
    else:
        print("\n".join(f"Written: {name}" for name in written.values()))
    return 0


def _site(source: Solution | Game, folder: Path, report: Report) -> str:
    """Write the pages of a solution into a folder."""
    from ruse.formats import ExportError
    from ruse.present.site import write_site
    from ruse.solution.strategy import Solution

    if not isinstance(source, Solution):
        raise ExportError(f"expected a solution (FILE.ruse) for --site, got the game {source.title}")
    return str(write_site(source, folder, report) / "index.html")


def companion(given: argparse.Namespace) -> int:
    from ruse.explorer.companion import companion

    paths = all_writable(given, ("out",))
    return companion(given, paths[0])


def has_ranges(given: argparse.Namespace) -> bool:
    """Whether a parameter of the game is a range, or alternatives."""
    from ruse.core.registry import know
    from ruse.studio.variants import parameter_space

    texts = {key: value for key, value in given.parameters.items() if isinstance(value, str)}
    if not any(mark in text for text in texts.values() for mark in ("..", "|", ";")):
        return False
    return bool(parameter_space(know(given.game), given.parameters).axes)


def sizes(given: argparse.Namespace) -> int:
    from ruse.core.capabilities import ByClass, Memoryless
    from ruse.forms.reductions.refined import counted
    from ruse.reproduce.paper_sizes import sizes
    from ruse.solvers import AUTO, find
    from ruse.solving import form_memory
    from ruse.studio.fitting import fitting, format_fitting

    if has_ranges(given):
        with Progress(sys.stderr, "sizing variants") as progress:
            rows = fitting(given.game, given.parameters, report=progress.report)
        if given.json:
            print_json({"game": rows.name, "rows": [row.to_json() for row in rows]})
        else:
            print(format_fitting(rows))
        return 0
    game = game_of(given)
    with Progress(sys.stderr, "counting"):
        size, sequences = sizes(game), counted(game)
        without_form = sequences is not None or isinstance(game, ByClass | Memoryless)
        estimate = None if without_form else form_memory.estimate_memory(game, find(AUTO))
    if given.json:
        counts = dict(zip(("sequences", "refined"), map(list, sequences or ()), strict=False))
        print_json(size.to_json() | counts | ({} if estimate is None else estimate.to_json()))
        return 0
    print(size.text())
    if estimate is not None and estimate.form is not None:
        print(f"\nits sequence form: {estimate},\n{estimate.memory}")
    if sequences is not None:
        whole, left = (" + ".join(f"{many:,}" for many in pair) for pair in sequences)
        print(f"\n{whole} sequences; {left} after symmetry reduction")
    return 0
