"""All commands of `ruse` and their options, with a sentence on each."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import fields
from fractions import Fraction
from math import isfinite
from typing import Any

from ruse import solvers
from ruse.cli import cache, check, commands, completion, contests, examples, insight, listing, reproduce, studio
from ruse.formats.export import FORMATS
from ruse.solving.options import SolveOptions


def parser() -> argparse.ArgumentParser:
    """All commands and their options; a game's own parameters are known only once the game is."""
    made = argparse.ArgumentParser(
        prog="ruse",
        description="Optimal strategies for games of deception, in exact fractions with certificates.",
        epilog="`ruse games` lists the games and their parameters; `ruse COMMAND --help` shows a command's options and "
        "examples. Exit status: 0 done; 1 the answer is no, or the input is wrong; 2 wrong usage.",
        allow_abbrev=False,
    )
    made.add_argument("--version", action="version", version=f"ruse {_version()}")
    parsers = made.add_subparsers(title="commands", metavar="COMMAND", required=True)

    def command(name: str, run: Callable[[argparse.Namespace], int], text: str, **more: Any) -> argparse.ArgumentParser:
        made = parsers.add_parser(
            name, help=text, description=text[0].upper() + text[1:] + ".", allow_abbrev=False, **more
        )
        made.set_defaults(run=run)
        made.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
        made.add_argument("--debug", action="store_true", help="show where in the code an error came from")
        return made

    def with_game(made: argparse.ArgumentParser, other: str = "") -> argparse.ArgumentParser:
        made.add_argument(
            "game",
            metavar="GAME",
            help=f"{other}a name, with parameters as --name value; FILE.efg, FILE.nfg or openspiel:NAME; "
            "your own as FILE.py, FILE.py:NAME or package.module:NAME",
        )
        made.set_defaults(takes_parameters=True)
        return made

    def with_own(made: argparse.ArgumentParser) -> None:
        made.add_argument(
            "--game",
            dest="own",
            metavar="FILE.py:NAME",
            help="where the rules of your own game are: ruse never runs code only because a file names it",
        )

    games = command("games", listing.games, "list the games and contests, or describe one")
    games.add_argument("name", metavar="NAME", nargs="?", help="a game or contest to describe, such as war")
    checking = with_game(command("check", check.check, "check whether a game's rules keep the contract"))
    checking.add_argument("--time", type=_number, metavar="S", help="give up after S seconds")
    solve = with_game(command("solve", commands.solve, "find optimal strategies and prove them"))
    solve.add_argument("--solver", default="auto", metavar="NAME", help=", ".join(solvers.names()))
    _add_options(solve)
    solve.add_argument("--out", metavar="FILE.ruse", help="save the solution")
    solve.add_argument("--plot", metavar="FILE", help="draw how the gap closed (.png, .svg or .pdf)")
    show = command("show", commands.show, "show a solution, or what it does at a position")
    show.add_argument("file", metavar="FILE.ruse")
    show.add_argument("position", metavar="POSITION", nargs="?", help="such as resistance-5/ab+/abc-")
    show.add_argument("--all", action="store_true", help="show the whole strategies, however long")
    verify = command(
        "verify",
        commands.verify,
        "recompute both best responses of a solution exactly, and check the proofs of the insight beside it",
    )
    verify.add_argument(
        "file", metavar="FILE", help="a solution (FILE.ruse), or what ruse insight keeps (FILE.insight)"
    )
    for one in (show, verify):
        with_own(one)
    score = with_game(command("score", commands.score, "work out what a strategy written by hand guarantees"))
    score.add_argument("strategy", metavar="STRATEGY", help="a rule file, or FILE.py[:function]")
    score.add_argument("--side", metavar="NAME", help="which side a Python function plays")
    into = with_game(
        command("insight", insight.insight, "show what holds for all optimal strategies"), "FILE.ruse; or "
    )
    into.add_argument("position", metavar="POSITION", nargs="?", help="such as kuhn@J; without it, the whole game")
    into.add_argument("--side", metavar="NAME", help="which side is looking, at a position that both sides know")
    into.add_argument(
        "--slip",
        type=insight.a_slip,
        default=Fraction(0),
        metavar="P/Q",
        help="beliefs about an opponent who slips this often at each decision, and then picks any move at random",
    )
    into.add_argument(
        "--time", type=_number, metavar="S", help="stop after S seconds; what is not proved by then is bounded"
    )
    into.add_argument(
        "--no-symmetry", action="store_true", help="consider all strategies, not only those that treat all suits alike"
    )
    into.add_argument("--simplest", action="store_true", help="find optimal strategies that mix at few positions")
    into.add_argument(
        "--rules", metavar="FILE", help="what it costs to follow a rule file, and the best strategy that follows it"
    )
    into.add_argument(
        "--csv",
        metavar="FILE.csv",
        help="write ranges and prices, one row per move; for all positions if none is given",
    )
    into.add_argument("--parquet", metavar="FILE.parquet", help="the same, with types")
    export = with_game(
        command("export", commands.export, "write a solution or a game for other programs"), "FILE.ruse; or "
    )
    for name, text in FORMATS.items():
        export.add_argument(f"--{name}", metavar="FILE" if name == "card" else f"FILE.{name}", help=text)
    play = command("play", commands.play, "play a game against its solution")
    play.add_argument("game", metavar="GAME", nargs="?", help="as for solve, or FILE.ruse")
    play.add_argument("--side", metavar="NAME", help="your side; the first one by default")
    play.add_argument("--seed", type=int, metavar="K", help="same seed and moves, same game")
    play.add_argument("--coach", action="store_true", help="say after each move what it cost")
    play.add_argument(
        "--drill", action="store_true", help="practise single decisions, those that cost most; your score is kept"
    )
    play.add_argument("--from", dest="source", metavar="FILE.ruse", help="play against this solution")
    play.add_argument(
        "--at", metavar="POSITION", help="start at this position; what is hidden there is drawn at random"
    )
    play.add_argument("--resume", metavar="ID", help="continue a game that you left")
    play.set_defaults(takes_parameters=True)
    for one in (export, play, into):
        with_own(one)
    explore = command("explore", commands.explore, "look at solutions and play in the browser")
    explore.add_argument(
        "games",
        metavar="FILE|GAME|POSITION",
        nargs="*",
        help="what to open; a single game may have parameters as --name value",
    )
    with_own(explore)
    explore.add_argument("--port", type=int, metavar="N", help="8765 by default, if it is free")
    explore.add_argument("--no-browser", action="store_true", help="only print the address")
    explore.add_argument(
        "--host", default="127.0.0.1", metavar="H", help="at 127.0.0.1, the default, nobody else can reach it"
    )
    explore.add_argument("--expose", action="store_true", help="let others reach it, with the token that is printed")
    companion = command(
        "companion",
        commands.companion,
        "keep the record of a real evening of The Resistance or Avalon, with advice",
        epilog="The table: --players N; for one of your own also --spies K --missions 2,3,2,3,3 --sabotages 1,1,1,2,1; "
        "of avalon also --roles.",
    )
    companion.add_argument(
        "table", metavar="GAME|FILE.ruse", nargs="?", help="resistance, the default, avalon, or a solution of either"
    )
    companion.add_argument("--out", metavar="FILE.html", help="write one file for a phone; it needs no server")
    companion.add_argument("--from", dest="source", metavar="FILE", help="continue a saved evening, or a summary")
    companion.add_argument("--names", metavar="A,B,…", help="who sits at the table, in order")
    companion.add_argument(
        "--slip", metavar="P", help="how often spies slip, such as 1/10 (the default); 0 means solved spies"
    )
    companion.set_defaults(takes_parameters=True)
    evolve = command("evolve", contests.evolve, "learn a strategy for a contest by playing it")
    evolve.add_argument("contest", metavar="CONTEST", help="such as war; `ruse games` lists them")
    evolve.add_argument(
        "--method",
        default="approximate",
        metavar="NAME",
        help="naive, iterative, real, approximate (coevolution), seed or nevergrad:OPTIMISER",
    )
    evolve.add_argument(
        "--time", type=_number, metavar="S", help="stop after S seconds (10 if no other limit is given)"
    )
    evolve.add_argument("--games", type=int, metavar="N", help="stop after N matches")
    evolve.add_argument("--iterations", type=int, metavar="N", help="stop after N iterations")
    evolve.add_argument("--seed", type=int, default=0, metavar="K", help="same seed and iterations, same strategy")
    evolve.add_argument("--risk", type=_number, default=0.05, metavar="D", help="the risk of a wrong verdict in a race")
    evolve.add_argument(
        "--precision",
        type=_number,
        default=0.01,
        metavar="E",
        help="call a race off once its rate is known to within E",
    )
    evolve.add_argument("--runs", type=int, default=1, metavar="N", help="run N searches at once and keep the best")
    evolve.add_argument("--checkpoint", metavar="FILE", help="save the search to a file about once a second")
    evolve.add_argument("--resume", action="store_true", help="continue from the checkpoint, if there is one")
    evolve.add_argument("--out", metavar="FILE.ruse", help="save the strategy")
    tournament = command(
        "tournament", contests.tournament, "let strategies for a contest play each other, all against all"
    )
    tournament.add_argument("contest", metavar="CONTEST")
    tournament.add_argument(
        "strategies",
        metavar="STRATEGY",
        nargs="+",
        help="FILE.ruse from `ruse evolve`, baseline, or a name from the contest's page",
    )
    tournament.add_argument("--games", type=int, default=10_000, metavar="N", help="matches per pair (10,000)")
    tournament.add_argument("--seed", type=int, default=0, metavar="K", help="same seed, same matches")
    tournament.add_argument("--plot", metavar="FILE", help="draw the winning rates (.png, .svg or .pdf)")
    tournament.add_argument("--csv", metavar="FILE.csv", help="write the winning rates, one row per pair")
    tournament.add_argument("--parquet", metavar="FILE.parquet", help="the same, with types")
    sweep = with_game(command("sweep", studio.sweep, "solve every variant of a game whose parameters are ranges"))
    sweep.epilog = "A range is 2..4, 0..1..1/4 with a step, or '2|3|5', also as an entry: --missions 2,2..3,2,3,3."
    sweep.add_argument("--out", metavar="FILE", help="write the rows as they come in (.csv, .parquet, .json, .html)")
    sweep.add_argument("--plot", metavar="FILE", help="draw a curve or a map (.png, .svg or .pdf)")
    sweep.add_argument("--yes", action="store_true", help="solve them all, however many")
    sweep.add_argument("--most", type=int, metavar="N", help="only the first N variants")
    sweep.add_argument(
        "--around", action="store_true", help="one variant, and what each single change of it does, the most first"
    )
    sweep.add_argument(
        "--lines", action="store_true", help="count the lines of all strategies in words, not only of simple ones"
    )
    sweep.add_argument("--fresh", action="store_true", help="solve also what earlier sweeps have solved")
    balance = with_game(
        command("balance", studio.balance, "find the variants nearest to a target, and prove that none is nearer")
    )
    balance.epilog = "Ranges are as for sweep; without any, the game's own are searched."
    balance.add_argument(
        "--target", required=True, metavar="P/Q", help="how often the first side should win, or what it should get"
    )
    balance.add_argument(
        "--near",
        metavar="official|TITLE",
        help="count changes from the official variant, or from one such as resistance-7; fewer are better",
    )
    balance.add_argument("--changes", type=int, metavar="N", help="at most N changes")
    balance.add_argument(
        "--pareto", action="store_true", help="all variants that none beats in both, target and changes"
    )
    balance.add_argument("--free", action="store_true", help="both sides must have a choice somewhere in optimal play")
    balance.add_argument("--lines", type=int, metavar="N", help="the strategies take at most N lines in words")
    compare = command("compare", studio.compare, "show variants of a game side by side")
    compare.add_argument(
        "variants",
        metavar="FILE.ruse|TITLE",
        nargs="+",
        help="solutions, or games by title, such as resistance-5 'resistance(players=5,spies=1)'",
    )
    compare.add_argument(
        "--at", metavar="POSITION", action="append", help="of the first, to look up in all; again for more"
    )
    compare.add_argument("--no-positions", action="store_true", help="only values and rules, which is quicker")
    with_own(compare)
    for one in (sweep, balance):
        one.add_argument("--where", metavar="CONDITION", help="only variants such as 'spies*2 < players'")
        one.add_argument(
            "--time", type=_number, metavar="S", help="stop after S seconds; what is solved by then is kept"
        )
        one.add_argument(
            "--time-each", type=_number, metavar="S", help="give each variant S seconds, then keep its bounds"
        )
    for one in (evolve, tournament, sweep):
        one.add_argument("--engine", default="local", metavar="NAME", help="where to run: local (all cores) or dask")
        one.add_argument(
            "--address", metavar="HOST:PORT", help="where a Dask scheduler is; without it, one is started here"
        )
        one.add_argument("--workers", type=int, metavar="N", help="at most N at once")
    papers = command(
        "reproduce",
        reproduce.reproduce,
        "compute the tables, figures, examples and claims of the papers again, ours beside theirs",
        epilog="Stopped or killed, the same command goes on: what was finished is kept in the folder.",
    )
    papers.add_argument(
        "paper",
        metavar="PAPER",
        nargs="?",
        help="bossle, johansson, kubicek, cauwet-teytaud or dohmatob; all of them by default",
    )
    effort = papers.add_mutually_exclusive_group()
    effort.add_argument("--quick", action="store_true", help="in at most five minutes on two cores (the default)")
    effort.add_argument("--full", action="store_true", help="with all that takes long; how long is said beforehand")
    papers.add_argument("--out", metavar="FOLDER", default="reproduced", help="where reports go (./reproduced)")
    papers.add_argument(
        "--item", metavar="NUMBER", help='print one item of a paper, such as "Table 6.1", and write no report'
    )
    caches = command("cache", cache.cache, "list or empty what ruse keeps for later: solved variants and solutions")
    caches.add_argument("action", metavar="ACTION", choices=("list", "clear"), help="list or clear")
    caches.add_argument("kind", metavar="KIND", nargs="?", choices=cache.KINDS, help="only variants, or only solutions")
    with_game(command("sizes", commands.sizes, "count a game's states, information sets and sequences"))
    complete = command("completion", completion.completion, "print a script that completes commands in your shell")
    complete.add_argument("shell", metavar="SHELL", choices=tuple(completion.SCRIPTS), help="bash, zsh or fish")
    complete.add_argument(
        "--words", metavar="LINE", help="of a line with tabs between its words, print what the last one may become"
    )
    examples.tell(parsers.choices)
    return made


def _number(text: str) -> float:
    """A limit: 1e-6, 0.001 or 1/1000."""
    try:
        found = float(Fraction(text)) if "/" in text else float(text)  # Fraction("1e999999999") would take for ever
        if isfinite(found) and text.isascii() and "_" not in text:
            return found
    except (ValueError, ArithmeticError):
        pass
    raise argparse.ArgumentTypeError(f"invalid number {text!r}")


def _add_options(solve: argparse.ArgumentParser) -> None:
    """The flags of `SolveOptions`."""
    for option in fields(SolveOptions):
        text, settings = option.metadata["text"], option.metadata["flag_settings"]
        if not option.metadata["flag"]:
            continue
        if option.default is True:
            solve.add_argument(f"--no-{option.name}", dest=option.name, action="store_false", help=f"do not {text}")
        elif option.default is False:
            solve.add_argument(f"--{option.name}", action="store_true", help=text)
        else:
            reads = READERS[str(option.type).partition(" ")[0]]
            solve.add_argument(f"--{option.name}", type=reads, default=option.default, help=text, **settings)


READERS: dict[str, Callable[[str], Any]] = {"float": _number, "int": int, "str": str}  # by the type of an option


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("ruse")
    except PackageNotFoundError:  # run from a source tree
        return "source"
