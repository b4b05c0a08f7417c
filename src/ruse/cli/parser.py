"""All commands of `ruse` and their options, with a sentence on each."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from dataclasses import fields
from fractions import Fraction
from functools import cache
from math import isfinite
from typing import Any

from ruse.core.registry import imported
from ruse.formats.export import FORMATS
from ruse.solving.options import SolveOptions

DECIMAL = re.compile(r"-?[0-9]{0,20}\.[0-9]{1,20}")
SHELLS = ("bash", "zsh", "fish")
CACHES = ("variants", "solutions")  # what `ruse cache` lists; sessions and scores are the user's own, and stay


@cache
def _imported_when_run(place: str) -> Callable[[argparse.Namespace], int]:
    """The function "module:name", whose module is imported only when its command runs."""

    def run(given: argparse.Namespace) -> int:
        status: int = imported(f"ruse.{place}")(given)
        return status

    return run


class Command(argparse.ArgumentParser):
    """A command. Its help is completed when somebody asks for it."""

    def format_help(self) -> str:
        from ruse.cli.examples import complete

        complete(self)
        return super().format_help()


def parser() -> argparse.ArgumentParser:
    """Build the reader of the command line: all commands and their options, without the parameters of games."""
    made = argparse.ArgumentParser(
        prog="ruse",
        description="Optimal strategies for zero-sum games with hidden information, in exact fractions with proofs.",
        epilog="`ruse games` lists the games and their parameters; `ruse COMMAND --help` shows a command's options and "
        "examples. Exit status: 0 done; 1 the answer is no, or the input is wrong; 2 wrong usage.",
        allow_abbrev=False,
    )
    made.add_argument("--version", action="version", version=f"ruse {_version()}")
    parsers = made.add_subparsers(title="commands", metavar="COMMAND", required=True, parser_class=Command)

    def command(name: str, place: str, text: str, **more: Any) -> argparse.ArgumentParser:
        made = parsers.add_parser(
            name, help=text, description=text[0].upper() + text[1:] + ".", allow_abbrev=False, **more
        )
        made.set_defaults(run=_imported_when_run(place))
        made.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
        made.add_argument("--debug", action="store_true", help="show a traceback for errors")
        return made

    def with_game(made: argparse.ArgumentParser, other: str = "") -> argparse.ArgumentParser:
        made.add_argument(
            "game",
            metavar="GAME",
            help=f"{other}a name, with parameters as --name value; FILE.efg, FILE.nfg or openspiel:NAME; "
            "your own game as FILE.py, FILE.py:NAME or package.module:NAME",
        )
        made.set_defaults(takes_parameters=True)
        return made

    def with_own(made: argparse.ArgumentParser) -> None:
        made.add_argument(
            "--game",
            dest="own",
            metavar="FILE.py:NAME",
            help="the file with the rules of your own game; ruse runs only code that you name",
        )

    def with_server(made: argparse.ArgumentParser) -> None:
        made.add_argument("--port", type=int, metavar="N", help="port (default: 8765, or another one if it is in use)")
        made.add_argument("--no-browser", action="store_true", help="only print the address")
        made.add_argument(
            "--host",
            default="127.0.0.1",
            metavar="H",
            help="address to listen on (default: 127.0.0.1, only this machine)",
        )
        made.add_argument(
            "--expose", action="store_true", help="allow access from other machines, with the printed token"
        )

    games = command("games", "cli.listing:games", "list the games and contests, or describe one")
    games.add_argument("name", metavar="NAME", nargs="?", help="a game or contest to describe, such as war")
    new = command("new", "cli.new:new", "write a commented game of your own to start from, and a test of it")
    new.add_argument("what", choices=["game"], metavar="game", help="what to write: always the word game")
    new.add_argument("name", metavar="NAME", help="the name of your game; ruse writes NAME.py and test_NAME.py")
    new.add_argument(
        "--kind", metavar="KIND", help="the kind of game (required): hidden-roles, bluffing, cards or matrix"
    )
    new.add_argument("--force", action="store_true", help="overwrite existing files")
    checking = with_game(command("check", "cli.check:check", "check the rules of a game"))
    checking.add_argument("--time", type=_number, metavar="S", help="give up after S seconds")
    solve = with_game(command("solve", "cli.commands:solve", "find optimal strategies and prove them"))
    solve.add_argument("--solver", default="auto", metavar="NAME", help="the solver")
    _add_options(solve)
    solve.add_argument("--out", metavar="FILE.ruse", help="save the solution")
    solve.add_argument("--plot", metavar="FILE", help="plot the convergence of the gap (.png, .svg or .pdf)")
    show = command("show", "cli.commands:show", "show a solution, or what it does at a position")
    show.add_argument("file", metavar="FILE.ruse")
    show.add_argument("position", metavar="POSITION", nargs="?", help="such as resistance-5/ab+/abc-")
    show.add_argument("--all", action="store_true", help="show the whole strategies, however long")
    show.add_argument(
        "--why",
        metavar="MOVE",
        nargs="?",
        const="",
        help="explain a move at the position; without MOVE, the best one and the wrong one that costs least",
    )
    show.add_argument(
        "--hands",
        metavar="FILE.csv",
        help="write each hand's value, equity and odds at a position without a hand, as CSV or Parquet (hold'em)",
    )
    verify = command(
        "verify",
        "cli.commands:verify",
        "recompute both best responses of a solution exactly, and check the insight file beside it",
    )
    verify.add_argument("file", metavar="FILE", help="a solution (FILE.ruse), or an insight file (FILE.insight)")
    verify.add_argument(
        "--standalone",
        action="store_true",
        help="also write the game, the strategies and the check as one Python file, which needs no ruse",
    )
    verify.add_argument("--out", metavar="FILE.py", help="where --standalone writes it")
    for command_parser in (show, verify):
        with_own(command_parser)
    score = with_game(command("score", "cli.commands:score", "compute what a strategy that you write guarantees"))
    score.add_argument(
        "strategy",
        metavar="STRATEGY",
        help="a rule file, FILE.py[:function], a table (FILE.csv or FILE.parquet), or FILE.ruse",
    )
    score.add_argument("--side", metavar="NAME", help="the side that a Python function plays, or the side to score")
    score.add_argument("--strict", action="store_true", help="refuse a table without odds at some information set")
    into = with_game(
        command("insight", "cli.insight:insight", "show what holds for all optimal strategies"), "FILE.ruse; or "
    )
    into.add_argument("position", metavar="POSITION", nargs="?", help="such as kuhn@J; without it, the whole game")
    into.add_argument("--side", metavar="NAME", help="the side whose view to show, if both sides know the position")
    into.add_argument(
        "--slip",
        type=_probability,
        default=Fraction(0),
        metavar="P/Q",
        help="compute beliefs about an opponent who makes a random move this often at each decision",
    )
    into.add_argument(
        "--time", type=_number, metavar="S", help="stop after S seconds; unproved answers are shown as bounds"
    )
    into.add_argument(
        "--no-symmetry",
        action="store_true",
        help="consider all strategies, not only those that respect the game's symmetry",
    )
    into.add_argument("--simplest", action="store_true", help="find optimal strategies that mix at few positions")
    into.add_argument(
        "--rules",
        metavar="FILE",
        help="compute what it costs to follow a rule file, and the best strategy that follows it",
    )
    into.add_argument(
        "--csv",
        nargs="?",
        const="",
        metavar="FILE.csv",
        help="write ranges and costs, one row per move (into GAME.csv if you name no file); for all positions if you "
        "give none",
    )
    into.add_argument("--parquet", metavar="FILE.parquet", help="write the same table as Parquet")
    measuring = with_game(
        command("metrics", "cli.metrics:metrics", "measure how a game plays: length, decisions, bluffs, drama, skill"),
        "FILE.ruse; or ",
    )
    measuring.add_argument("--only", metavar="NAME,NAME", help="measure only these, such as length,bluffing")
    measuring.add_argument(
        "--metric", metavar="FILE.py", action="append", help="add the metrics in a Python file; may be repeated"
    )
    measuring.add_argument("--simplest", action="store_true", help="also find optimal strategies that mix little")
    measuring.add_argument(
        "--without", action="store_true", help="also solve the game without each role or card in a list parameter"
    )
    measuring.add_argument(
        "--time", type=_number, metavar="S", help="stop after S seconds and print what is measured by then"
    )
    with_own(measuring)
    exploiting = with_game(
        command(
            "exploit", "cli.exploit:exploit", "win most against a model of the other side, at a risk that you choose"
        ),
        "FILE.ruse; or ",
    )
    exploiting.add_argument(
        "--against",
        required=True,
        metavar="MODEL",
        help="what the other side plays: people, uniform, FILE.ruse, a rule file, FILE.csv, "
        "FILE.parquet or FILE.py:function",
    )
    exploiting.add_argument(
        "--risk",
        default="0",
        metavar="P/Q",
        help="give up at most this much of the guarantee (default: 0): a win rate, or a payoff if the game is not won "
        "or lost",
    )
    exploiting.add_argument("--side", default=0, metavar="NAME", help="the side that exploits (default: the first)")
    exploiting.add_argument(
        "--time", type=_number, metavar="S", help="stop after S seconds with the best strategy so far"
    )
    exploiting.add_argument("--curve", action="store_true", help="show how much can be won at every risk")
    exploiting.add_argument("--csv", metavar="FILE.csv", help="write the curve as a table")
    exploiting.add_argument("--plot", metavar="FILE", help="plot the curve (.png, .svg or .pdf)")
    exploiting.add_argument("--out", metavar="FILE.ruse", help="save the strategy with the model, for ruse verify")
    export = with_game(
        command("export", "cli.commands:export", "write a solution or a game for other programs"), "FILE.ruse; or "
    )
    for name, text in FORMATS.items():
        export.add_argument(f"--{name}", metavar="FILE" if name == "card" else f"FILE.{name}", help=text)
    export.add_argument(
        "--site", metavar="FOLDER", help="a page for every position, in a folder that opens without a server"
    )
    play = command("play", "play.terminal:play", "play a game against its solution")
    play.add_argument(
        "game", metavar="GAME", nargs="?", help="FILE.ruse, or a game as for ruse solve; without it, a menu"
    )
    play.add_argument("--side", metavar="NAME", help="your side (default: the first)")
    play.add_argument("--seed", type=int, metavar="K", help="random seed; the same seed and moves give the same game")
    play.add_argument("--coach", action="store_true", help="say after each move what it cost")
    play.add_argument(
        "--opponent",
        choices=("reference", "stored"),
        metavar="WHICH",
        help="what the computer plays: reference (the default), an optimal strategy that lets no mistake pass; "
        "or stored, the strategy in the solution",
    )
    play.add_argument(
        "--drill",
        action="store_true",
        help="practise single decisions, mostly those where mistakes cost most; mistakes come back on later days",
    )
    play.add_argument("--forget", action="store_true", help="with --drill: clear the score of this game's drills")
    play.add_argument("--from", dest="source", metavar="FILE.ruse", help="play against this solution")
    play.add_argument("--at", metavar="POSITION", help="start at this position; ruse draws what is hidden at random")
    play.add_argument("--resume", metavar="ID", help="continue a game that you left")
    play.add_argument(
        "--seat",
        metavar="C",
        nargs="?",
        const="",
        help="sit down at this seat, or at a random one, with leaders and votes; games with seats only",
    )
    play.add_argument(
        "--bots",
        metavar="MODEL",
        help="with --seat: how the others play, people (the default) or optimal; for a different model of each side, "
        "name that of the loyal side first, such as people,optimal",
    )
    play.set_defaults(takes_parameters=True)
    for command_parser in (export, play, into, exploiting):
        with_own(command_parser)
    learn = command("learn", "play.lesson_terminal:learn", "take a ten-minute lesson made of computed facts")
    learn.add_argument("lesson", metavar="LESSON", nargs="?", help="such as kuhn; without it, the list of lessons")
    bot = command("bot", "play.seats:bot", "play one seat for another program, one JSON object per line")
    bot.add_argument("game", metavar="GAME", help="a game with seats, such as resistance or avalon")
    bot.add_argument("--seat", metavar="C", required=True, help="the bot's seat, such as c")
    bot.add_argument("--model", metavar="MODEL", help="how it plays: people (the default) or optimal")
    bot.add_argument("--seed", type=int, metavar="K", help="random seed of the bot's own dice")
    bot.set_defaults(takes_parameters=True)
    explore = command("explore", "explorer.serve:explore", "explore solutions and play in the browser")
    explore.add_argument(
        "games",
        metavar="FILE|GAME|POSITION",
        nargs="*",
        help="what to open; one game may have parameters as --name value",
    )
    with_own(explore)
    studio = with_game(
        command("studio", "explorer.serve:studio", "change the rules of a game in the browser, and see the effect")
    )
    for command_parser in (explore, studio):
        with_server(command_parser)
    serving = command("serve", "cli.serve:serve", "answer an assistant's questions with proved numbers")
    serving.add_argument("files", metavar="FILE.ruse", nargs="*", help="solutions to serve, beside ruse's own games")
    serving.add_argument(
        "--mcp", action="store_true", help="speak the Model Context Protocol over standard input and output"
    )
    serving.add_argument("--time", type=_number, metavar="S", help="the longest that an answer may take (60)")
    with_own(serving)
    companion = command(
        "companion",
        "cli.commands:companion",
        "record a game night of The Resistance or Avalon, and get advice",
        epilog="Parameters of the table: --players N; for your own variant also --spies K --missions 2,3,2,3,3 "
        "--sabotages 1,1,1,2,1; for avalon also --roles.",
    )
    companion.add_argument(
        "table", metavar="GAME|FILE.ruse", nargs="?", help="resistance (the default), avalon, or a solution of either"
    )
    companion.add_argument("--out", metavar="FILE.html", help="write one page for a phone; it works offline")
    companion.add_argument(
        "--from",
        "--record",
        dest="source",
        metavar="FILE",
        help="continue an evening from its file or its summary, or assess a record of proposals and votes (JSON)",
    )
    companion.add_argument(
        "--seat", metavar="C", help="show what the seat with this letter may believe after each mission"
    )
    companion.add_argument("--role", metavar="ROLE", help="the role of that seat, if the record does not say it")
    companion.add_argument(
        "--model", metavar="NAME", help="how the others play: people (the default), facts, perfect or slips"
    )
    companion.add_argument("--names", metavar="A,B,…", help="the players' names, in seat order")
    companion.add_argument(
        "--slip", metavar="P", help="how often spies slip, such as 1/10 (the default); with 0 they play optimally"
    )
    companion.set_defaults(takes_parameters=True)
    evolve = command("evolve", "cli.contests:evolve", "learn a strategy for a contest by playing it")
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
    evolve.add_argument(
        "--seed",
        type=int,
        default=0,
        metavar="K",
        help="random seed; the same seed and iterations give the same strategy",
    )
    evolve.add_argument(
        "--risk", type=_number, default=0.05, metavar="D", help="the probability of a wrong decision in a race"
    )
    evolve.add_argument(
        "--precision",
        type=_number,
        default=0.01,
        metavar="E",
        help="end a race once its win rate is known to within E",
    )
    evolve.add_argument("--runs", type=int, default=1, metavar="N", help="run N searches at once and keep the best")
    evolve.add_argument("--checkpoint", metavar="FILE", help="save the search to a file about once a second")
    evolve.add_argument("--resume", action="store_true", help="continue from the checkpoint, if there is one")
    evolve.add_argument("--out", metavar="FILE.ruse", help="save the strategy")
    tournament = command(
        "tournament", "cli.contests:tournament", "play a round-robin tournament between strategies for a contest"
    )
    tournament.add_argument("contest", metavar="CONTEST")
    tournament.add_argument(
        "strategies",
        metavar="STRATEGY",
        nargs="+",
        help="FILE.ruse from `ruse evolve`, baseline, or a named strategy of the contest",
    )
    tournament.add_argument("--games", type=int, default=10_000, metavar="N", help="matches per pair (10,000)")
    tournament.add_argument(
        "--seed", type=int, default=0, metavar="K", help="random seed; the same seed gives the same matches"
    )
    tournament.add_argument("--plot", metavar="FILE", help="plot the win rates (.png, .svg or .pdf)")
    tournament.add_argument("--csv", metavar="FILE.csv", help="write the win rates, one row per pair")
    tournament.add_argument("--parquet", metavar="FILE.parquet", help="write the same table as Parquet")
    sweep = with_game(command("sweep", "cli.studio:sweep", "solve every variant of a game in ranges of its parameters"))
    sweep.epilog = (
        "A range is 2..4, 0..1..1/4 with a step, or '2|3|5'. An entry of a list may be a range, too: "
        "--missions 2,2..3,2,3,3."
    )
    sweep.add_argument("--out", metavar="FILE", help="write the rows as they come in (.csv, .parquet, .json, .html)")
    sweep.add_argument("--plot", metavar="FILE", help="plot a curve or a map (.png, .svg or .pdf)")
    sweep.add_argument("--yes", action="store_true", help="solve all variants, however many, without asking")
    sweep.add_argument("--most", type=int, metavar="N", help="solve only the first N variants")
    sweep.add_argument(
        "--around", action="store_true", help="show one variant and the effect of each single change, largest first"
    )
    sweep.add_argument(
        "--lines", action="store_true", help="count how many lines of text every strategy takes, not only simple ones"
    )
    sweep.add_argument("--fresh", action="store_true", help="solve everything again, even what earlier sweeps solved")
    sweep.add_argument(
        "--metrics", action="store_true", help="measure how each variant plays: length, decisions, bluffs, drama, skill"
    )
    balance = with_game(
        command(
            "balance", "cli.studio:balance", "find the variants closest to a target, and prove that no other is closer"
        )
    )
    balance.epilog = "Give ranges as for sweep. Without any, balance searches the ranges that the game declares."
    balance.add_argument(
        "--target", required=True, metavar="P/Q", help="the win rate or the value that the first side should have"
    )
    balance.add_argument(
        "--near",
        metavar="official|TITLE",
        help="prefer variants with few changes from the official one, or from a title such as resistance-7",
    )
    balance.add_argument("--changes", type=int, metavar="N", help="allow at most N changes")
    balance.add_argument(
        "--pareto",
        action="store_true",
        help="show all variants that no other beats in both distance and changes (Pareto front)",
    )
    balance.add_argument(
        "--free", action="store_true", help="require that both sides have a choice somewhere in optimal play"
    )
    balance.add_argument("--lines", type=int, metavar="N", help="require strategies that take at most N lines of text")
    compare = command("compare", "cli.studio:compare", "show variants of a game side by side")
    compare.add_argument(
        "variants",
        metavar="FILE.ruse|TITLE",
        nargs="+",
        help="solutions, or games by title, such as resistance-5 'resistance(players=5,spies=1)'",
    )
    compare.add_argument(
        "--at",
        metavar="POSITION",
        action="append",
        help="a position of the first variant to compare in all; may be repeated",
    )
    compare.add_argument("--no-positions", action="store_true", help="compare only values and rules, which is faster")
    compare.add_argument("--full", action="store_true", help="show all rules and positions, not ten lines")
    with_own(compare)
    for command_parser in (sweep, balance, compare):
        command_parser.add_argument(
            "--report",
            metavar="FILE.html",
            help="write one page to share: tables, pictures, rules and proof",
        )
    for command_parser in (sweep, balance):
        command_parser.add_argument(
            "--where",
            metavar="CONDITION",
            action="append",
            help="keep only variants that satisfy a condition on parameters or metrics, such as 'spies*2 < players' or "
            "'metric.length >= 4'; may be repeated",
        )
        command_parser.add_argument(
            "--metric", metavar="FILE.py", action="append", help="add the metrics in a Python file; may be repeated"
        )
        command_parser.add_argument(
            "--time", type=_number, metavar="S", help="stop after S seconds and keep what is solved by then"
        )
        command_parser.add_argument(
            "--time-each", type=_number, metavar="S", help="give each variant S seconds, then keep its bounds"
        )
    for command_parser in (evolve, tournament, sweep):
        command_parser.add_argument(
            "--engine", default="local", metavar="NAME", help="where to run: local (all cores) or dask"
        )
        command_parser.add_argument(
            "--address", metavar="HOST:PORT", help="the address of a Dask scheduler; without it, ruse starts one here"
        )
        command_parser.add_argument("--workers", type=int, metavar="N", help="run at most N processes at once")
    papers = command(
        "reproduce",
        "cli.reproduce:reproduce",
        "recompute the tables, figures, examples and claims of five papers",
        epilog="If it stops early, run the same command again: finished items are kept in the folder.",
    )
    papers.add_argument(
        "paper",
        metavar="PAPER",
        nargs="?",
        help="bossle, johansson, kubicek, cauwet-teytaud or dohmatob (default: all)",
    )
    effort = papers.add_mutually_exclusive_group()
    effort.add_argument("--quick", action="store_true", help="take at most five minutes on two cores (the default)")
    effort.add_argument(
        "--full", action="store_true", help="include everything that takes long; ruse first estimates how long"
    )
    papers.add_argument(
        "--out", metavar="FOLDER", default="reproduced", help="the folder for the reports (default: ./reproduced)"
    )
    papers.add_argument(
        "--item", metavar="NUMBER", help='print one item of a paper, such as "Table 6.1", and write no report'
    )
    caches = command("cache", "cli.cache:cache", "list or clear what ruse has saved: solved variants and solutions")
    caches.add_argument("action", metavar="ACTION", choices=("list", "clear"), help="list or clear")
    caches.add_argument("kind", metavar="KIND", nargs="?", choices=CACHES, help="only variants, or only solutions")
    sizes = with_game(command("sizes", "cli.commands:sizes", "count a game's states, information sets and sequences"))
    sizes.epilog = "With a range, as for sweep, ruse says which variants fit: ruse sizes mygame.py --faces 4..12."
    complete = command("completion", "cli.completion:completion", "print a completion script for your shell")
    complete.add_argument("shell", metavar="SHELL", choices=SHELLS, help="bash, zsh or fish")
    complete.add_argument(
        "--words", metavar="LINE", help="print completions for the last word of LINE (words separated by tabs)"
    )
    return made


def _number(text: str) -> float:
    """Read a limit: 1e-6, 0.001 or 1/1000."""
    try:
        number = float(Fraction(text)) if "/" in text else float(text)  # Fraction("1e999999999") would take for ever
        if isfinite(number) and text.isascii() and "_" not in text:
            return number
    except (ValueError, ArithmeticError):
        pass
    raise argparse.ArgumentTypeError(f"invalid number {text!r}")


def _probability(text: str) -> Fraction:
    """Read how often somebody slips: 0, 1/10 or 0.1."""
    from ruse.core import rationals

    try:
        slip = Fraction(text) if DECIMAL.fullmatch(text) else rationals.read(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"expected a probability such as 1/10, got {text[:40]!r}") from error
    if not 0 <= slip <= 1:
        raise argparse.ArgumentTypeError(f"expected a probability from 0 to 1, got {text[:40]}")
    return slip


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
