"""The command line: about one function call a command. Results go to stdout, everything else to stderr.

Exit status 0: done; 1: the answer is no, or the input is wrong; 2: wrong usage of the command line.
Heavy modules are imported where they are used, so that `ruse --help` is instant.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ruse import files
from ruse.export import FORMATS
from ruse.game import Game, RuseError
from ruse.solvers import SOLVERS

if TYPE_CHECKING:
    from ruse.strategy import Solution

WITH_VALUE = ("--out", "--plot", "--log", "--checkpoint", "--solver")  # options whose value may look like a game


class UsageError(Exception):
    """A command line that makes no sense."""


def main(arguments: Sequence[str] | None = None) -> int:
    commands = parser()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without █ still gets the answer
    try:
        words, parameters = _own_parameters(list(sys.argv[1:] if arguments is None else arguments))
        known, rest = commands.parse_known_args(words)
        if rest and not getattr(known, "takes_parameters", False):
            raise UsageError(f"unrecognized arguments: {' '.join(rest)}")
        known.parameters = parameters | _parameters(rest)
        status: int = known.run(known)
        if sys.stdout is not None:
            sys.stdout.flush()
    except UsageError as error:
        commands.error(str(error))
    except RuseError as error:
        print(f"ruse: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("ruse: stopped before the end; no solution was written", file=sys.stderr)
        return 1
    except MemoryError:
        print(
            "ruse: expected to fit in memory, got more than there is: use smaller parameters or mccfr", file=sys.stderr
        )
        return 1
    except BrokenPipeError:  # whoever reads has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        where = f": {error.filename}" if error.filename else ""
        print(f"ruse: {error.strerror or error}{where}", file=sys.stderr)
        return 1
    return status


def parser() -> argparse.ArgumentParser:
    """All commands and their options; a game's own parameters are known only once the game is."""
    made = argparse.ArgumentParser(
        prog="ruse",
        description="Optimal strategies for games of deception, in exact fractions with certificates.",
        epilog="`ruse games` lists the games and their parameters; README.md has a tour.",
        allow_abbrev=False,
    )
    made.add_argument("--version", action="version", version=f"ruse {_version()}")
    commands = made.add_subparsers(title="commands", metavar="COMMAND", required=True)

    def command(name: str, run: Callable[[argparse.Namespace], int], text: str, **more: Any) -> argparse.ArgumentParser:
        made = commands.add_parser(
            name, help=text, description=text[0].upper() + text[1:] + ".", allow_abbrev=False, **more
        )
        made.set_defaults(run=run)
        made.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
        return made

    def with_game(made: argparse.ArgumentParser, other: str = "") -> argparse.ArgumentParser:
        made.add_argument(
            "game",
            metavar="GAME",
            help=f"{other}a name, with parameters as --name value; FILE.efg, FILE.nfg or openspiel:NAME",
        )
        made.set_defaults(takes_parameters=True)
        return made

    command("games", _games, "list the games and their parameters")
    solve = with_game(command("solve", _solve, "find optimal strategies and prove them"))
    solve.add_argument("--solver", default="auto", metavar="NAME", help=", ".join(SOLVERS))
    solve.add_argument("--gap", type=_number, metavar="G", help="stop when the bounds on the value are so far apart")
    solve.add_argument("--time", type=_number, metavar="S", help="stop after so many seconds")
    solve.add_argument("--iterations", type=int, metavar="N", help="stop after so many iterations")
    solve.add_argument("--seed", type=int, default=0, metavar="K", help="of solvers that sample: same seed, same run")
    solve.add_argument("--checkpoint", metavar="FILE", help="keep an iterating run in a file, about every second")
    solve.add_argument("--resume", action="store_true", help="go on from the checkpoint, if it is there")
    solve.add_argument("--polish", action="store_true", help="turn what an iterating solver found into exact fractions")
    solve.add_argument("--out", metavar="FILE.ruse", help="save the solution")
    solve.add_argument("--plot", metavar="FILE", help="draw how the gap closed (.png, .svg or .pdf)")
    solve.add_argument("--log", metavar="FILE.csv", help="write the bounds down as they come together")
    for reduction in ("teams", "symmetry", "forced"):
        solve.add_argument(f"--no-{reduction}", action="store_true", help=f"solve without the reduction '{reduction}'")
    solve.add_argument("--method", choices=("simplex", "ipm"), default="simplex", help="how HiGHS solves an LP")
    solve.add_argument("--side", type=int, choices=(0, 1), default=0, help="from whose side an LP is written")
    show = command("show", _show, "show a solution, or what it does at a position")
    show.add_argument("file", metavar="FILE.ruse")
    show.add_argument("position", metavar="POSITION", nargs="?", help="such as resistance-5/ab+/abc-")
    show.add_argument("--all", action="store_true", help="the whole strategies, however long")
    verify = command("verify", _verify, "recompute both best responses of a solution, exactly")
    verify.add_argument("file", metavar="FILE.ruse")
    score = with_game(command("score", _score, "tell what a strategy written by hand guarantees"))
    score.add_argument("strategy", metavar="STRATEGY", help="a rule file, or FILE.py[:function]")
    score.add_argument("--side", metavar="NAME", help="whose strategy a Python function is")
    export = with_game(command("export", _export, "write a solution or a game for other programs"), "FILE.ruse; or ")
    for name, text in FORMATS.items():
        export.add_argument(f"--{name}", metavar=f"FILE.{name}", help=text)
    with_game(command("sizes", _sizes, "count a game's states, information sets and sequences"))
    return made


def _number(text: str) -> float:
    """A limit: 1e-6, 0.001 or 1/1000."""
    try:
        return float(Fraction(text))
    except (ValueError, ArithmeticError):
        raise argparse.ArgumentTypeError(f"invalid number {text!r}") from None


def _own_parameters(words: list[str]) -> tuple[list[str], dict[str, str]]:
    """Take a game's own parameters, `--players 7` or `--players=7`, out of a command line that names the game."""
    from ruse.games import GAMES, parameters_of

    pairs = zip(["", *words], words, strict=False)
    named = (word for last, word in pairs if word in GAMES and last not in WITH_VALUE)
    game = next(named, None)
    if game is None:
        return words, {}
    names = {f"--{one.name}" for one in parameters_of(game)}
    mine: list[str] = []
    others: list[str] = []
    left = iter(words)
    for word in left:
        name, equals, _ = word.partition("=")
        (mine if name in names else others).append(word)
        if name in names and not equals:
            mine.extend(value for value in [next(left, None)] if value is not None)
    return others, _parameters(mine)


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("ruse")
    except PackageNotFoundError:  # run from a source tree
        return "source"


def _parameters(words: Sequence[str]) -> dict[str, str]:
    """`--players 7 --missions=2,3,2,3,3` as a dict."""
    found: dict[str, str] = {}
    left = iter(words)
    for word in left:
        name, equals, value = word.partition("=")
        if not name.startswith("--") or len(name) == 2:
            raise UsageError(f"unrecognized argument: {word}")
        if not equals:
            following = next(left, None)
            if following is None or following.startswith("--"):
                raise UsageError(f"argument {name}: expected a value")
            value = following
        if name[2:] in found:
            raise UsageError(f"argument {name}: given twice")
        found[name[2:]] = value
    return found


def _game(given: argparse.Namespace) -> Game:
    from ruse.games import find

    return find(given.game, given.parameters)


def _print_json(found: dict[str, Any]) -> None:
    print(json.dumps(found, indent=2, ensure_ascii=False))


def _games(given: argparse.Namespace) -> int:
    from ruse.games import ELSEWHERE, GAMES, parameters_of

    everything = GAMES | ELSEWHERE
    if given.json:
        listed = [
            {"name": name, "summary": _summary(factory), "parameters": [one._asdict() for one in parameters_of(name)]}
            for name, factory in everything.items()
        ]
        print(json.dumps({"games": listed}, indent=2, default=str))
        return 0
    for name, factory in everything.items():
        print(f"{name:<20} {_summary(factory)}")
        for one in parameters_of(name):
            print(f"{'':<20}   --{one.name + ' ' + one.hint:<22} {one.help}")
    return 0


def _summary(factory: Callable[..., Game]) -> str:
    return (factory.__doc__ or "").strip().splitlines()[0]


def _solve(given: argparse.Namespace) -> int:
    from ruse.convergence import check_picture
    from ruse.progress import Progress
    from ruse.run import solve
    from ruse.screen import told

    game = _game(given)
    out, plot, log, checkpoint = (_writable(given, option) for option in ("out", "plot", "log", "checkpoint"))
    if plot is not None:
        check_picture(plot)
    with Progress(sys.stderr, "solving") as progress:
        solution = solve(
            game,
            given.solver,
            gap=given.gap,
            time=given.time,
            iterations=given.iterations,
            seed=given.seed,
            checkpoint=checkpoint,
            resume=given.resume,
            log=log,
            polish=given.polish,
            teams=not given.no_teams,
            symmetry=not given.no_symmetry,
            forced=not given.no_forced,
            method=given.method,
            side=given.side,
            report=progress.report,
        )
    if out:
        solution.save(out)
    if plot:
        solution.plot(plot)
    if given.gap is not None and solution.certificate.gap > given.gap:
        print(
            f"ruse: stopped with a gap of {float(solution.certificate.gap):.3g}, above {given.gap:g}", file=sys.stderr
        )
    if given.json:
        _print_json(solution.to_json())
        return 0
    print(told(solution, everything=False, hint=f"ruse show {given.out or 'FILE.ruse'} --all"))
    why = f", chosen because {solution.why}" if solution.why else ""
    note = f" {solution.note[0].upper()}{solution.note[1:]}." if solution.note else ""
    print(
        f"\nSolved by {solution.solver} in {solution.seconds:.2f} s{why}.{note}" + (f" Saved to {out}." if out else "")
    )
    if solution.judged:
        print(
            f"Check it: ruse verify {out}" if out else "Keep it with --out FILE.ruse, then check it with ruse verify."
        )
    return 0


def _writable(given: argparse.Namespace, option: str) -> Path | None:
    """A place to save to, if one is given, checked before the work rather than after."""
    path: str | None = getattr(given, option)
    if path is None:
        return None
    out = Path(path)
    if not path or files.trouble(out) is not None or not out.parent.is_dir():
        raise RuseError(f"expected a file in an existing folder for --{option}, got {path!r}")
    return out


def _show(given: argparse.Namespace) -> int:
    from ruse.screen import texts, told
    from ruse.store import load

    solution = load(given.file)
    if given.position:
        return _show_position(given, solution)
    if given.json:
        strategies = {
            name: {position: texts(odds) for position, odds in table.items()}
            for name, table in zip(solution.game.sides, solution.tables, strict=True)
        }
        _print_json({**solution.to_json(), "versions": dict(solution.versions), "strategies": strategies})
        return 0
    print(told(solution, given.all, f"ruse show {given.file} --all"))
    print("That is what the file says; ruse verify checks it.")
    versions = ", ".join(f"{name} {version}" for name, version in solution.versions.items())
    print(f"\nSolved by {solution.solver} in {solution.seconds:.2f} s with {versions}.")
    return 0


def _show_position(given: argparse.Namespace, solution: Solution) -> int:
    from ruse.game import PositionError
    from ruse.screen import position_told, texts

    found: dict[str, dict[str, Any]] = {}
    reasons = []
    for side, name in enumerate(solution.game.sides):
        strategy = solution.strategy(side)
        try:
            odds = strategy.at(given.position)
        except PositionError as error:
            reasons.append(str(error))
            continue
        found[name] = {"odds": odds, "stored": strategy.covers(given.position)}
    if not found:
        raise PositionError(reasons[0])
    if given.json:
        moves = {name: {"odds": texts(one["odds"]), "stored": one["stored"]} for name, one in found.items()}
        _print_json({"position": given.position, "moves": moves})
        return 0
    print(position_told(solution, given.position, found))
    return 0


def _verify(given: argparse.Namespace) -> int:
    from ruse import digits
    from ruse.progress import Progress
    from ruse.screen import texts
    from ruse.store import load
    from ruse.verify import VerifyError

    solution = load(given.file)
    try:
        with Progress(sys.stderr, "recomputing both best responses"):
            certificate = solution.verify()
    except VerifyError as error:
        if given.json:
            _print_json({"file": given.file, "verified": False, "reason": str(error)})
        else:
            print(f"{given.file}: NOT verified: {error}")
        return 1
    if given.json:
        bounds = {**texts({"lower": certificate.lower, "upper": certificate.upper}), "exact": certificate.exact}
        _print_json({"file": given.file, "verified": True, "certificate": bounds})
        return 0
    print(f"{given.file}: verified. {solution.headline()}")
    print(
        f"Both best responses were recomputed from the rules in exact arithmetic: "
        f"{digits.brief(certificate.lower)} <= value <= {digits.brief(certificate.upper)}."
    )
    return 0


def _score(given: argparse.Namespace) -> int:
    from ruse.progress import Progress
    from ruse.words import score_file

    with Progress(sys.stderr, "looking for the best answer"):
        scores = score_file(_game(given), given.strategy, given.side)
    if given.json:
        _print_json({"scores": [score.to_json() for score in scores]})
        return 0
    for score in scores:
        print(score.told())
    return 0


def _export(given: argparse.Namespace) -> int:
    from ruse.export import export
    from ruse.progress import Progress
    from ruse.store import load

    asked = {name: path for name in FORMATS if (path := _writable(given, name)) is not None}
    if not asked:
        raise UsageError(f"expected one of {', '.join(f'--{name}' for name in FORMATS)}")
    source = load(given.game) if given.game.endswith(".ruse") else _game(given)
    with Progress(sys.stderr, "writing"):
        written = {name: str(export(source, name, path)) for name, path in asked.items()}
    if given.json:
        _print_json({"written": written})
    else:
        print("\n".join(f"Written: {name}" for name in written.values()))
    return 0


def _sizes(given: argparse.Namespace) -> int:
    from ruse.progress import Progress
    from ruse.sizes import sizes

    with Progress(sys.stderr, "counting"):
        found = sizes(_game(given))
    if given.json:
        _print_json(found.to_json())
    else:
        print(found.text())
    return 0


if __name__ == "__main__":
    sys.exit(main())
