"""`ruse insight`: what holds for all optimal strategies, of a game, at a position, of a rule."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from ruse import start
from ruse.cli.commands import UsageError, all_writable, game_of, load_solution, not_verified
from ruse.core import atomic_files, clock, rationals
from ruse.core.game import RuseError, side_number
from ruse.core.interrupts import answering
from ruse.present.console import Progress, print_json

if TYPE_CHECKING:
    from ruse.insight.model import Insight, RuleInsight, Simplest
    from ruse.insight.tables import InsightRow
    from ruse.solution.strategy import Solution

KINDS = ("csv", "parquet")
NAMED_AFTER_GAME = ""  # what --csv is without a file name
SAVE_EVERY = 5.0  # seconds, while a table of all positions grows


def insight(given: argparse.Namespace) -> int:
    if given.csv == NAMED_AFTER_GAME:
        given.csv = f"{Path(given.game).stem}.csv"
    paths = dict(zip(KINDS, all_writable(given, KINDS), strict=True))
    if given.side is not None and given.position is None:
        raise UsageError("--side needs a position")
    time = given.time if given.time and given.time > 0 else None
    answers = Answers()
    with clock.deadline(time, start.first_moment), answering(time), Progress(sys.stderr, "solving") as progress:
        solution, file = _solution(given)
        if file is None and not (solution.certificate.exact or solution.solver_finished):
            return _unsolved(given, solution)
        progress.report("comparing all optimal strategies", None, None)
        explained = solution.insight(symmetry=not given.no_symmetry, file=file)
        explained.watched(_estimating(progress))
        try:
            _answer(given, solution, explained, paths, progress, answers)
        except clock.TimeIsUp:
            if not answers.texts:
                raise
            answers.late = True
        finally:
            with clock.regardless():
                explained.keep()
    if given.json:
        print_json({**answers.fields, "complete": not answers.late})
    else:
        print("\n\n".join(answers.texts))
    if answers.late:
        print("ruse: stopped before all answers were found; give it more time for the rest", file=sys.stderr)
    return 0


@dataclass
class Answers:
    """The answers so far, as JSON and as texts, and whether time ran out before the rest."""

    fields: dict[str, Any] = field(default_factory=dict)
    texts: list[str] = field(default_factory=list)
    late: bool = False


def _unsolved(given: argparse.Namespace, solution: Solution) -> int:
    """Print the bounds of a game that was not solved in time: there is no insight without optimal strategies."""
    from ruse.present.report import ending

    if given.json:
        print_json({**solution.to_json(), "complete": False})
    else:
        print(f"{solution.headline()}\n\n{ending(solution)}")
    print("ruse: out of time before the game was solved; give it more time", file=sys.stderr)
    return 1


def _estimating(progress: Progress) -> Callable[[int, int], None]:
    """A callback that reports how many answers are done, and about how long the others will take."""
    began = perf_counter()

    def watch(done: int, of: int) -> None:
        nonlocal began
        if done == 1:
            began = perf_counter()  # the first one reads and writes down what all of them need
        took = perf_counter() - began
        seconds = took / (done - 1) * (of - done) if done > 1 else 0.0
        left = f", about {seconds:.0f} s more" if seconds >= 1 else ""
        progress.report(f"{done} of {of} answers{left}", None, None)

    return watch


def _solution(given: argparse.Namespace) -> tuple[Solution, Path | None]:
    """A saved solution with its file, or a new solution without one."""
    if given.game.endswith(".ruse"):
        return load_solution(given.game, given), Path(given.game)
    from ruse.core.registry import part
    from ruse.insight.engine import check_game
    from ruse.solving.pipeline import solve

    game = game_of(given)
    if part(game, "insight") is None:
        check_game(game)
    return solve(game), None


def _answer(
    given: argparse.Namespace,
    solution: Solution,
    insight: Insight,
    paths: dict[str, Path | None],
    progress: Progress,
    answers: Answers,
) -> None:
    """Fill in the answers, the most important one first."""
    from ruse.insight import insight_text, tables
    from ruse.insight.costs import add_costs, costs_of
    from ruse.insight.engine import TreeInsight

    game, fields, texts = solution.game, answers.fields, answers.texts
    fields |= {"game": game.name, "parameters": dict(game.parameters), "value": rationals.write(insight.value)}
    if given.position is not None:  # first of all, where there is little time
        costs = None
        with suppress(clock.TimeIsUp), clock.leaving(clock.left()):  # half of it
            costs = costs_of(insight).at(given.position, _side(given, solution))
        there = insight.at(given.position, _side(given, solution), given.slip)
        fields.update(there.to_json(game.sides))
        add_costs(fields, costs)
        texts.append(insight_text.format_position(game, there, insight.value, costs))
        if isinstance(insight, TreeInsight) and there.moves and all(move.range is None for move in there.moves):
            with suppress(clock.TimeIsUp):
                coming = insight.coming(there.position, there.side)
                fields["coming"] = coming.to_json()
                texts.append(insight_text.format_coming(coming))
        _write(tables.rows_at(there, costs), paths, texts)
    else:
        texts.append(insight_text.format_game(game, insight))
        fields["unique"] = {game.sides[answer.side]: answer.unique for answer in insight.unique()}
        if any(paths.values()):
            _write_all(insight, paths, progress, texts)
    progress.report("looking for a second optimal strategy", None, None)
    fields["unique"] = {game.sides[answer.side]: answer.unique for answer in insight.unique()}
    if given.simplest:
        simple: list[Simplest] = [insight.simplest(side) for side in (0, 1)]
        fields["simplest"] = {game.sides[answer.side]: answer.to_json() for answer in simple}
        texts.extend(insight_text.format_simplest(game, answer) for answer in simple)
    if given.rules is not None:
        priced = _rules(given, solution, insight)
        fields["rules"] = {game.sides[answer.side]: answer.to_json() for answer in priced}
        texts.extend(insight_text.format_rule(game, answer) for answer in priced)


def _write(rows: Iterable[InsightRow], paths: Mapping[str, Path | None], texts: list[str], part: str = "") -> None:
    """Write rows to each file that was asked for, and say so; `part` says how much of the game they are."""
    from ruse.insight import tables

    table_rows = list(rows)
    for kind, path in paths.items():
        if path is not None:
            tables.write(table_rows, path, kind)
            texts.append(f"Written: {path}{part}")


def _write_all(insight: Insight, paths: Mapping[str, Path | None], progress: Progress, texts: list[str]) -> None:
    """Write the rows of all positions, and now and then those found so far, so that a long run loses nothing.

    Raises TimeIsUp after it has written what there was time for.
    """
    from ruse.insight import tables

    positions = list(insight.positions())
    rows: list[InsightRow] = []
    done, saved = 0, perf_counter()
    try:
        for side, position in positions:
            clock.tick()
            progress.report(f"position {done + 1:,} of {len(positions):,}", None, None)
            rows.extend(tables.rows_of(insight, position, side))
            done += 1
            if perf_counter() - saved > SAVE_EVERY:
                with clock.regardless():
                    _write(rows, paths, [])
                    insight.keep()
                saved = perf_counter()
    finally:
        whole = done == len(positions)
        written: list[str] = []
        with clock.regardless():
            _write(rows, paths, written, "" if whole else f" ({done:,} of {len(positions):,} positions)")
        if whole:
            texts.extend(written)
        else:
            print("\n".join(f"ruse: {line[0].lower()}{line[1:]}" for line in written), file=sys.stderr)


def _side(given: argparse.Namespace, solution: Solution) -> int | None:
    return None if given.side is None else side_number(solution.game, given.side)


def _rules(given: argparse.Namespace, solution: Solution, insight: Insight) -> list[RuleInsight]:
    from ruse.insight.rules_of_thumb import rules
    from ruse.present.rules import read_file

    return rules(insight, solution.game, read_file(given.rules))


def checked_beside(given: argparse.Namespace) -> dict[str, Any] | None:
    """Check the insight file beside a solution file; None if there is none. Raises VerifyError.

    An insight file that belongs to an earlier solution of that name is ignored.
    """
    from ruse.insight import insight_file
    from ruse.insight.check import check
    from ruse.solution import container
    from ruse.verify import VerifyError

    path = Path(given.file)
    beside = insight_file.insight_path(path)
    if not beside.exists():
        return None
    try:
        content = container.read(beside)
        if insight_file.unpacked(content).get("digest") != insight_file.digest(path):
            atomic_files.warn(f"{beside} belongs to another solution; ruse did not check it")
            return None
        with Progress(sys.stderr, "checking every certificate"):
            checked = check(content, given.own)
    except RuseError as error:
        raise VerifyError(f"{error} ({beside})") from error
    return {"file": str(beside), "certificates": checked.certificates}


def verify(given: argparse.Namespace) -> int:
    """`ruse verify FILE.insight`."""
    from ruse.insight.check import check
    from ruse.solution import container
    from ruse.verify import VerifyError

    content = container.read(Path(given.file))
    try:
        with Progress(sys.stderr, "checking every certificate"):
            checked = check(content, given.own)
    except VerifyError as error:
        return not_verified(given, error)
    except RuseError as error:
        raise type(error)(f"{error} ({given.file})") from error
    if given.json:
        value = rationals.write(checked.value)
        print_json({"file": given.file, "verified": True, "value": value, "certificates": checked.certificates})
        return 0
    print(f"{given.file}: verified. All {checked.certificates:,} certificates for {checked.game.title} are correct.")
    print("ruse checked each with best responses from the rules, in exact arithmetic, without a linear program.")
    return 0
