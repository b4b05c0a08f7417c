"""Strategies as text: written for people, read back by the program, and scored.

A rule file has a line `side: NAME` for each side it speaks of, then one rule a line, and comments after #. In
most games a rule is a position and its odds, `kuhn@J: check 2/3 or bet 1/3`; the last may be `otherwise: fold or
check`, the first of these that is possible, or `otherwise: evenly`. A game may have rules of another form
(Presentation.write_rules).
"""

from __future__ import annotations

import re
import runpy
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any, overload

from ruse.core import atomic_files, rationals
from ruse.core.game import CHANCE, END, Game, RuleError, describe, display_name
from ruse.core.own import as_game
from ruse.core.presentation import Presentation
from ruse.core.registry import presentation
from ruse.core.types import Digested, Lookup, Odds, StrategyTable
from ruse.solution.strategy import Solution
from ruse.verify.dispatch import verifier

MOST_BYTES = 64_000_000  # of a rule file
PYTHON_FILE = re.compile(r"(.+\.py)(?::(\w+))?")


@dataclass(frozen=True)
class Score:
    """What a strategy guarantees its side: the payoff to side 0 against the best answer to it."""

    game: Game
    side: int
    payoff: Fraction

    @property
    def win(self) -> Fraction | None:
        """How often the side wins at least, in a game that one of two sides wins."""
        if len(self.game.wins) != 2:
            return None
        return (1 + self.payoff) / 2 if self.side == 0 else (1 - self.payoff) / 2

    def told(self) -> str:
        name = display_name(self.game.sides[self.side])
        if self.win is not None:
            share = f"{rationals.below(100 * self.win, rationals.PERCENT)}% ({rationals.brief(self.win)})"
            also = presentation(self.game).rules_note(self.side)
            return f"this strategy of {name} wins at least {share} against any opponent" + (f", {also}" if also else "")
        bound = "gets at least" if self.side == 0 else f"concedes {display_name(self.game.sides[0])} at most"
        rounded = (rationals.below, rationals.above)[self.side](self.payoff, rationals.USUAL)
        about = "" if self.payoff.denominator == 1 else f" {'=' if Fraction(rounded) == self.payoff else '≈'} {rounded}"
        return f"this strategy of {name} {bound} {rationals.brief(self.payoff)}{about} against any opponent"

    def to_json(self) -> dict[str, Any]:
        rounded = (rationals.float_below, rationals.float_above)[self.side]
        return {
            "game": self.game.name,
            "parameters": dict(self.game.parameters),
            "side": self.game.sides[self.side],
            "guarantee": {"exact": rationals.write(self.payoff), "float": rounded(self.payoff)},
            **({} if self.win is None else {"win": {self.game.sides[self.side]: rationals.write(self.win)}}),
        }


def headed(name: str) -> str:
    """A side's name at the head of a line: McRae stays McRae, and first is Player 1."""
    return display_name(name)[:1].upper() + display_name(name)[1:]


def words(solution: Solution) -> str:
    """Both strategies as rules that `read` understands."""
    game = solution.game
    blocks = [f"# {solution.headline()}"]
    for side in (0, 1):
        preface, lines = rules_of(solution, side)
        first = [f"# {line}" for line in (preface, *outline(solution, side)) if line]
        blocks.append("\n".join([f"\nside: {game.sides[side]}", *first, *lines]))
    return "\n".join(blocks) + "\n"


class _Looked(Sequence[str]):
    """The rules of a strategy that is looked up: written as they are read, early positions first."""

    def __init__(self, table: StrategyTable) -> None:
        self._table = table

    def __len__(self) -> int:
        return len(self._table)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        wanted = range(len(self))[index]
        if isinstance(wanted, int):
            return next(iter(self[wanted : wanted + 1]))
        found = islice(self._table, wanted.start, wanted.stop, wanted.step)
        return [f"{position}: {_told(self._table[position])}" for position in found]

    def __iter__(self) -> Iterator[str]:
        return (f"{position}: {_told(odds)}" for position, odds in self._table.items())


def rules_of(solution: Solution, side: int) -> tuple[str, Sequence[str]]:
    """What to know before reading a side's rules, and the rules."""
    game, table = solution.game, solution.tables[side]
    shown = presentation(game)
    if not shown.rules_by_position and solution.by_class:
        return shown.write_rules(table, side)
    if isinstance(table, Digested):
        return "", _Looked(table)
    early_first = sorted(table, key=lambda position: (position.count("/"), position))
    return "", [f"{position}: {_told(table[position])}" for position in early_first]


@dataclass(frozen=True)
class Told:
    """A side's rules as a page shows them."""

    side: str
    preface: str
    outline: Sequence[str]  # what it comes to, in some sentences, where the rules are too many to read
    table: Sequence[str]  # some of the strategy at a glance, line by line, where the game draws one
    rules: Sequence[str]
    same: str  # the other side, if that has the very same rules, as in Pig


def told(solution: Solution, side: int) -> Told:
    """A side's rules, with the table among them apart: files have it as comments."""
    (preface, lines), (first, second) = rules_of(solution, side), solution.game.sides
    if isinstance(lines, _Looked):
        return Told((first, second)[side], preface, [], [], lines, "")
    table = [line.removeprefix("#").removeprefix(" ") for line in lines if line.startswith("#")]
    rules = [line for line in lines if not line.startswith("#")]
    same = first if side == 1 and (preface, lines) == rules_of(solution, 0) else ""
    return Told((first, second)[side], preface, outline(solution, side), table, rules, same)


def outline(solution: Solution, side: int) -> Sequence[str]:
    """What a side's strategy comes to, where the game tells it."""
    return presentation(solution.game).outline(solution.tables, side)


def _told(odds: Odds) -> str:
    options = [(move, share) for move, share in odds.items() if share]
    if len(options) == 1:
        return options[0][0]
    return " or ".join(f"{move} {rationals.write(share)}" for move, share in options)


def sections(game: Game, text: str) -> dict[int, list[str]]:
    """The rules for each side that a rule file speaks of."""
    found: dict[int, list[str]] = {}
    side: int | None = None
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.partition("#")[0].strip()
        if not line:
            continue
        key, _, value = (part.strip() for part in line.partition(":"))
        if key == "side":
            if value not in game.sides:
                raise RuleError(f"expected side {game.sides[0]} or {game.sides[1]} on line {number}, got {value!r}")
            side = game.sides.index(value)
            if side in found:
                raise RuleError(f"line {number} begins a second part for {value}; join it with the first")
            found[side] = []
        elif side is None:
            raise RuleError(f"expected 'side: {game.sides[0]}' or 'side: {game.sides[1]}' first, got {line!r}")
        else:
            found[side].append(line)
    if not found:
        raise RuleError("the rule file is empty; write a line such as 'side: NAME' and rules after it")
    return found


def score_rules(game: Game, text: str, only: str | None = None) -> list[Score]:
    """What the strategies of a rule file guarantee.

    Parameters
    ----------
    game
        The game that the rules are for.
    text
        The text of a rule file (docs/reference/rules.md).
    only
        The name of a side, to leave out the other's rules.

    Returns
    -------
    list of Score
        One a side.

    Raises
    ------
    RuleError
        The rules do not say what to do somewhere, or say what cannot be done.

    Examples
    --------
    >>> import ruse
    >>> (score,) = ruse.score_rules(ruse.games.kuhn(), "side: second\\notherwise: fold or check")
    >>> score.payoff
    Fraction(1, 1)
    """
    game = as_game(game)
    found = sections(game, text)
    if only is not None and (only not in game.sides or game.sides.index(only) not in found):
        raise RuleError(
            f"expected rules for a side out of {', '.join(game.sides[side] for side in found)}, got {only!r}"
        )
    scores, shown = [], presentation(game)
    for side, lines in found.items():
        if only not in (None, game.sides[side]):
            continue
        lookup = _read_lines(game, lines) if shown.rules_by_position else _read_own(shown, lines, side)
        scores.append(Score(game, side, verifier(game).score(side, lookup)))
    return scores


def score_function(game: Game, side: int, function: Callable[[str, Sequence[str]], Any]) -> Score:
    """What a Python function guarantees.

    Parameters
    ----------
    game
        The game that it plays.
    side
        The side that it plays for, 0 or 1.
    function
        Is given a position and the moves there, and returns a move, or the odds of each. In a game that files positions
        it is the filed one: in The Resistance seats are named afresh, those most often aboard first, and a mission
        stands for all that take as many from each group of seats with the same record.

    Returns
    -------
    Score
        What it is sure of against any opponent.

    Examples
    --------
    >>> import ruse
    >>> ruse.score_function(ruse.games.kuhn(), 1, lambda position, moves: moves[-1]).payoff
    Fraction(1, 3)
    """
    game = as_game(game)

    def lookup(position: str, moves: Sequence[str]) -> Odds:
        try:
            with redirect_stdout(sys.stderr):
                answer = function(position, list(moves))
        except Exception as error:  # whatever somebody else's code may raise
            raise RuleError(f"the strategy raises {type(error).__name__} at {position}: {error}") from error
        odds = answer if isinstance(answer, Mapping) else {str(answer): 1}
        unknown = [move for move in odds if move not in moves]
        if unknown:
            raise RuleError(f"expected a move out of {', '.join(moves)} at {position}, got {unknown[0]!r}")
        try:
            return {str(move): Fraction(share) for move, share in odds.items()}
        except (TypeError, ValueError, OverflowError) as error:
            raise RuleError(f"expected odds that are numbers at {position}, got {dict(odds)!r}") from error

    return Score(game, side, verifier(game).score(side, lookup))


def score_file(game: Game, path: str, side: str | None = None) -> list[Score]:
    """What a strategy in a file guarantees: rules, or a Python function of one side."""
    if PYTHON_FILE.fullmatch(path):
        function, own = load_function(path)
        name = side or own
        if name not in game.sides:
            raise RuleError(
                f"expected --side {game.sides[0]} or --side {game.sides[1]} (or side = … in the file), got {name!r}"
            )
        return [score_function(game, game.sides.index(name), function)]
    try:
        text = atomic_files.read(Path(path), MOST_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RuleError(f"the rule file {path} is not text in UTF-8") from error
    except (OSError, ValueError) as error:
        raise RuleError(f"cannot read the rule file {path}: {atomic_files.reason(error)}") from error
    return score_rules(game, text, side)


def load_function(path: str) -> tuple[Callable[[str, Sequence[str]], Any], str | None]:
    """The function `strategy` of a Python file, or the one named after a colon, and its side if it says one."""
    found = PYTHON_FILE.fullmatch(path)
    file, name = (found[1], found[2]) if found else (path, None)
    if not Path(file).is_file():
        raise RuleError(f"there is no file {file!r}")
    try:
        with redirect_stdout(sys.stderr):
            names = runpy.run_path(file)
    except (Exception, SystemExit) as error:  # whatever somebody else's code may raise
        raise RuleError(f"{file} raises {type(error).__name__}: {error}") from error
    function = names.get(name or "strategy")
    if not callable(function):
        raise RuleError(f"there is no function {name or 'strategy'!r} in {file}")
    side = names.get("side")
    return function, side if isinstance(side, str) else None


def _read_own(shown: Presentation[Any], lines: Sequence[str], side: int) -> Lookup:
    odds = shown.read_rules(lines, side)
    return lambda position, _: odds(position)


def stated(game: Game, lines: Iterable[str]) -> tuple[dict[str, dict[str, Fraction]], list[str]]:
    """The odds that rules state by position, and the words of their last line, for all other positions."""
    table: dict[str, dict[str, Fraction]] = {}
    otherwise: list[str] = []
    for line in lines:
        head, colon, told = (part.strip() for part in line.partition(": "))
        if not colon or not told:
            raise RuleError(f"expected a position, a colon and odds, such as {_example(game)!r}, got {line!r}")
        if head == "otherwise":
            otherwise = [word.strip() for word in told.split(" or ")]
        else:
            table[head] = _read_odds(told, line)
    return table, otherwise


def _read_lines(game: Game, lines: Iterable[str]) -> Lookup:
    table, otherwise = stated(game, lines)

    def lookup(position: str, moves: Sequence[str]) -> Odds:
        if position in table:
            return table[position]
        if otherwise == ["evenly"]:
            return dict.fromkeys(moves, Fraction(1, len(moves)))
        for move in otherwise:
            if move in moves:
                return {move: Fraction(1)}
        raise RuleError(f"there is no rule for {position}; end with 'otherwise: evenly'")

    return lookup


def _example(game: Game) -> str:
    """A rule for the first position that comes up."""
    state = game.start()
    while game.turn(state) == CHANCE:
        state = game.play(state, game.moves(state)[0])
    if game.turn(state) == END:
        return "POSITION: MOVE"
    labels = [game.label(move) for move in game.moves(state)[:2]]
    told = labels[0] if len(labels) == 1 else f"{labels[0]} 2/3 or {labels[1]} 1/3"
    return f"{describe(game, game.knows(state, game.turn(state)))}: {told}"


def _read_odds(told: str, line: str) -> dict[str, Fraction]:
    options = [part.split() for part in told.split(" or ")]
    odds: dict[str, Fraction] = {}
    for part in options:
        if not 1 <= len(part) <= 2:
            raise RuleError(f"expected a move and its odds, such as 'bet 1/3', got {' '.join(part)!r} in {line!r}")
        try:
            share = Fraction(part[1]) if len(part) == 2 else Fraction(1, len(options))
        except (ValueError, ZeroDivisionError) as error:
            raise RuleError(f"expected odds such as 1/3, got {part[1]!r} in {line!r}") from error
        odds[part[0]] = share
    return odds
