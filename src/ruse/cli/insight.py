"""`ruse insight`: what holds for all optimal strategies, of a game, at a position, of a rule."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from ruse import start
from ruse.cli.commands import UsageError, _loaded, all_writable, game_of, not_verified
from ruse.core import atomic_files, clock, rationals
from ruse.core.game import PositionError, RuleError, RuseError
from ruse.core.interrupts import answering
from ruse.present.console import Progress, print_json

if TYPE_CHECKING:
    from ruse.insight.model import Insight, RuleInsight, Simplest
    from ruse.solution.strategy import Solution

KINDS = ("csv", "parquet")
DECIMAL = re.compile(r"-?[0-9]{0,20}\.[0-9]{1,20}")
MOST_BYTES = 64_000_000  # of a rule file


def a_slip(text: str) -> Fraction:
    """How often somebody slips: 0, 1/10 or 0.1."""
    try:
        found = Fraction(text) if DECIMAL.fullmatch(text) else rationals.read(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"expected a probability such as 1/10, got {text[:40]!r}") from error
    if not 0 <= found <= 1:
        raise argparse.ArgumentTypeError(f"expected a slip from 0 to 1, got {text[:40]}")
    return found


def insight(given: argparse.Namespace) -> int:
    paths = dict(zip(KINDS, all_writable(given, KINDS), strict=True))
    if given.side is not None and given.position is None:
        raise UsageError("expected a position for --side")
    time = given.time if given.time and given.time > 0 else None
    answer = Answer()
    with clock.deadline(time, start.first_moment), answering(time), Progress(sys.stderr, "solving") as progress:
        solution, file = _solution(given)
        if file is None and not (solution.certificate.exact or solution.solver_finished):
            return _unsolved(given, solution)
        progress.report("comparing all optimal strategies", None, None)
        found = solution.insight(symmetry=not given.no_symmetry, file=file)
        found.watched(_estimating(progress))
        try:
            _ask(given, solution, found, paths, progress, answer)
        except clock.TimeIsUp:
            if not answer.texts:
                raise
            answer.late = True
        finally:
            with clock.regardless():
                found.keep()
    if given.json:
        print_json({**answer.said, "complete": not answer.late})
    else:
        print("\n\n".join(answer.texts))
    if answer.late:
        print("ruse: out of time; give it more time for the remaining answers", file=sys.stderr)
    return 0


@dataclass
class Answer:
    """What has been answered so far, as JSON and as texts, and whether the time was up before the rest."""

    said: dict[str, Any] = field(default_factory=dict)
    texts: list[str] = field(default_factory=list)
    late: bool = False


def _unsolved(given: argparse.Namespace, solution: Solution) -> int:
    """Tell the bounds of a game that was not solved in time: there is no insight without optimal strategies."""
    from ruse.present.report import ending

    if given.json:
        print_json({**solution.to_json(), "complete": False})
    else:
        print(f"{solution.headline()}\n\n{ending(solution)}")
    print("ruse: out of time before the game was solved; give it more time", file=sys.stderr)
    return 1


def _estimating(progress: Progress) -> Callable[[int, int], None]:
    """Says how many answers there are, and about how long the others will take."""
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
    """A saved solution, and its file, or one that is found now."""
    if given.game.endswith(".ruse"):
        return _loaded(given.game, given), Path(given.game)
    from ruse.core.registry import part
    from ruse.insight.engine import check_game
    from ruse.solving.pipeline import solve

    game = game_of(given)
    if part(game, "insight") is None:
        check_game(game)
    return solve(game), None


def _ask(
    given: argparse.Namespace,
    solution: Solution,
    found: Insight,
    paths: dict[str, Path | None],
    progress: Progress,
    answer: Answer,
) -> None:
    """Fill in the answer, the most important part first."""
    from ruse.insight import tables, words
    from ruse.insight.engine import TreeInsight

    game, said, texts = solution.game, answer.said, answer.texts
    said |= {"game": game.name, "parameters": dict(game.parameters), "value": rationals.write(found.value)}
    rows: list[tables.Row] = []
    if given.position is not None:  # first of all, where there is little time
        there = found.at(given.position, _side(given, solution), given.slip)
        said.update(there.to_json(game.sides))
        texts.append(words.told_position(game, there, found.value))
        if isinstance(found, TreeInsight) and there.moves and all(one.range is None for one in there.moves):
            with suppress(clock.TimeIsUp):
                coming = found.coming(there.position, there.side)
                said["coming"] = coming.to_json()
                texts.append(words.told_coming(coming))
        rows = list(tables.rows_at(there))
    else:
        texts.append(words.told_game(game, found))
        if any(paths.values()):
            rows = tables.rows(found, progress.report)
    progress.report("looking for a second optimal strategy", None, None)
    said["unique"] = {game.sides[one.side]: one.unique for one in found.unique()}
    if given.simplest:
        simple: list[Simplest] = [found.simplest(side) for side in (0, 1)]
        said["simplest"] = {game.sides[one.side]: one.to_json() for one in simple}
        texts.extend(words.told_simplest(game, one) for one in simple)
    if given.rules is not None:
        priced = _rules(given, solution, found)
        said["rules"] = {game.sides[one.side]: one.to_json() for one in priced}
        texts.extend(words.told_rule(game, one) for one in priced)
    for kind, path in paths.items():
        if path is not None:
            tables.write(rows, path, kind)
            texts.append(f"Written: {path}")


def _side(given: argparse.Namespace, solution: Solution) -> int | None:
    sides = solution.game.sides
    if given.side is None:
        return None
    if given.side not in sides:
        raise PositionError(f"expected side {sides[0]} or {sides[1]}, got {given.side!r}")
    return sides.index(given.side)


def _rules(given: argparse.Namespace, solution: Solution, found: Insight) -> list[RuleInsight]:
    from ruse.insight.thumb import rules

    try:
        text = atomic_files.read(Path(given.rules), MOST_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RuleError(f"the rule file {given.rules} is not text in UTF-8") from error
    except (OSError, ValueError) as error:
        raise RuleError(f"cannot read the rule file {given.rules}: {atomic_files.reason(error)}") from error
    return rules(found, solution.game, text)


def checked_beside(given: argparse.Namespace) -> dict[str, Any] | None:
    """What is kept beside a solution file, once it is checked; None where there is nothing. Raises VerifyError.

    Insight into what another file of that name once held counts for nothing, and is no part of this solution.
    """
    from ruse.insight import kept
    from ruse.insight.check import check
    from ruse.solution import container
    from ruse.verify import VerifyError

    path = Path(given.file)
    beside = kept.beside(path)
    if not beside.exists():
        return None
    try:
        content = container.read(beside)
        if kept.unpacked(content).get("digest") != kept.digest(path):
            atomic_files.warn(f"{beside} belongs to another solution; ruse did not check it")
            return None
        with Progress(sys.stderr, "checking every certificate"):
            found = check(content, given.own)
    except RuseError as error:
        raise VerifyError(f"{error} ({beside})") from error
    return {"file": str(beside), "certificates": found.certificates}


def verify(given: argparse.Namespace) -> int:
    """`ruse verify FILE.insight`."""
    from ruse.insight.check import check
    from ruse.solution import container
    from ruse.verify import VerifyError

    content = container.read(Path(given.file))
    try:
        with Progress(sys.stderr, "checking every certificate"):
            found = check(content, given.own)
    except VerifyError as error:
        return not_verified(given, error)
    except RuseError as error:
        raise type(error)(f"{error} ({given.file})") from error
    if given.json:
        value = rationals.write(found.value)
        print_json({"file": given.file, "verified": True, "value": value, "certificates": found.certificates})
        return 0
    print(
        f"{given.file}: verified. {found.certificates:,} certificates of insight into {found.game.title} are correct."
    )
    print("Each was checked with best responses from the rules, in exact arithmetic, without a linear program.")
    return 0
