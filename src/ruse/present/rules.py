"""Strategies as rules: write them for people, read them back, and score them.

A rule file has a line `side: NAME` for each side, then one rule per line, and comments after #. In most games a rule
is a position and its odds, `kuhn@J: check 2/3 or bet 1/3`. The last may be `otherwise: fold or check`, which means the
first possible of these moves, or `otherwise: evenly`. A game may have rules of another form (Presentation.write_rules).
"""

from __future__ import annotations

import re
import runpy
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any, overload

from ruse.core import atomic_files, rationals
from ruse.core.game import (
    CHANCE,
    END,
    Game,
    RuleError,
    Rules,
    describe,
    display_name,
    possessive,
    side_number,
    with_article,
)
from ruse.core.own import as_game
from ruse.core.presentation import Presentation
from ruse.core.registry import presentation
from ruse.core.types import Digested, Lookup, Odds, StrategyTable
from ruse.present.strategy_words import SpokenStrategy, strategies_in_words
from ruse.solution.on_path import NEVER
from ruse.solution.strategy import Solution
from ruse.verify.verifier import verifier

MOST_BYTES = 64_000_000  # of a rule file
PYTHON_FILE = re.compile(r"(.+\.py)(?::(\w+))?")


@dataclass(frozen=True)
class Score:
    """The guarantee of a strategy: the payoff to side 0 against the best response to it."""

    game: Game
    side: int
    payoff: Fraction

    @property
    def win(self) -> Fraction | None:
        """The share of games that the side wins at least, in a game without draws."""
        if len(self.game.wins) != 2:
            return None
        return (1 + self.payoff) / 2 if self.side == 0 else (1 - self.payoff) / 2

    def __getattr__(self, name: str) -> Any:
        """Give `text` under its name up to 0.6.0, with a DeprecationWarning."""
        if name != "told":
            raise AttributeError(f"'Score' object has no attribute {name!r}")
        warnings.warn("the method told of a Score is now text", DeprecationWarning, stacklevel=2)
        return self.text

    def text(self) -> str:
        """The guarantee as a sentence."""
        owner = headed(possessive(self.game.sides[self.side]))
        if self.win is not None:
            share = f"{rationals.below(100 * self.win, rationals.PERCENT)}% ({rationals.brief(self.win)})"
            also = presentation(self.game).rules_note(self.side)
            return f"{owner} strategy wins at least {share} against any opponent" + (f", {also}" if also else "")
        bound = "gets at least" if self.side == 0 else f"concedes {with_article(self.game.sides[0])} at most"
        rounded = (rationals.below, rationals.above)[self.side](self.payoff, rationals.USUAL)
        about = "" if self.payoff.denominator == 1 else f" {'=' if Fraction(rounded) == self.payoff else '≈'} {rounded}"
        return f"{owner} strategy {bound} {rationals.brief(self.payoff)}{about} against any opponent"

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
    """Write a side's name at the head of a line: McRae stays McRae, and first is Player 1."""
    return display_name(name)[:1].upper() + display_name(name)[1:]


def words(solution: Solution) -> str:
    """Write both strategies as a rule file."""
    game = solution.game
    blocks = [f"# {solution.headline()}"]
    for side in (0, 1):
        preface, lines = rules_of(solution, side)
        first = [f"# {line}" for line in (preface, *outline(solution, side)) if line]
        reached, never = parted(solution, side, lines)
        last = [f"# {off_path_heading(solution)}:", *never] if never else []
        blocks.append("\n".join([f"\nside: {game.sides[side]}", *first, *reached, *last]))
    return "\n".join(blocks) + "\n"


class _Looked(Sequence[str]):
    """The rules of a strategy that is looked up by position: each is written when it is read, early positions first."""

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
        positions = islice(self._table, wanted.start, wanted.stop, wanted.step)
        return [f"{position}: {_format_odds(self._table[position])}" for position in positions]

    def __iter__(self) -> Iterator[str]:
        return (f"{position}: {_format_odds(odds)}" for position, odds in self._table.items())


def rules_of(solution: Solution, side: int) -> tuple[str, Sequence[str]]:
    """Write a preface to a side's rules, and the rules."""
    game, table = solution.game, solution.tables[side]
    shown = presentation(game)
    if not shown.rules_by_position and solution.by_class:
        return shown.write_rules(table, side)
    if isinstance(table, Digested):
        return "", _Looked(table)
    early_first = sorted(table, key=lambda position: (position.count("/"), position))
    return "", [f"{position}: {_format_odds(table[position])}" for position in early_first]


def parted(solution: Solution, side: int, lines: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """Rules of positions that play comes to, or may come to, and those of positions that it never reaches."""
    if not presentation(solution.game).rules_by_position or solution.on_path is None:
        return lines, []
    off_path = set(solution.tables[side]) - solution.on_path[side]
    never = [line for line in lines if line.partition(": ")[0] in off_path]
    return [line for line in lines if line.partition(": ")[0] not in off_path], never


def off_path_heading(solution: Solution) -> str:
    """What stands above rules of positions that are never reached."""
    why = "play after a mistake" if solution.mistakes is not None else "no advice"
    return f"{headed(NEVER)} ({why})"


@dataclass(frozen=True)
class SideRules:
    """A side's rules as a page shows them."""

    side: str
    preface: str
    outline: Sequence[str]  # a summary in a few sentences, if there are too many rules to read
    table: Sequence[str]  # the lines of a table of the strategy, if the game draws one
    rules: Sequence[str]
    same: str  # the other side's name, if it has exactly the same rules, as in Pig
    in_words: SpokenStrategy | None = None  # as a person would say it
    never: Sequence[str] = ()  # rules of positions that play never reaches
    never_heading: str = ""  # what stands above them


def side_rules(solution: Solution) -> tuple[SideRules, SideRules]:
    """Write the rules of both sides for a page, with tables separate from them: files hold these as comments."""
    looked_up = any(isinstance(table, Digested) for table in solution.tables)  # by position, too many to put in words
    in_words = (None if looked_up else strategies_in_words(solution)) or (None, None)
    return _side_rules(solution, 0, in_words[0]), _side_rules(solution, 1, in_words[1])


def _side_rules(solution: Solution, side: int, in_words: SpokenStrategy | None) -> SideRules:
    (preface, lines), (first, second) = rules_of(solution, side), solution.game.sides
    if isinstance(lines, _Looked):
        return SideRules((first, second)[side], preface, [], [], lines, "")
    table = [line.removeprefix("#").removeprefix(" ") for line in lines if line.startswith("#")]
    rules: Sequence[str] = [line for line in lines if not line.startswith("#")]
    same = first if side == 1 and (preface, lines) == rules_of(solution, 0) else ""
    rules, never = parted(solution, side, rules)
    heading = off_path_heading(solution) if never else ""
    summary = outline(solution, side)
    return SideRules((first, second)[side], preface, summary, table, rules, same, in_words, never, heading)


def outline(solution: Solution, side: int) -> Sequence[str]:
    """Summarize a side's strategy, if the game can."""
    return presentation(solution.game).outline(solution.tables, side)


def _format_odds(odds: Odds) -> str:
    options = [(move, share) for move, share in odds.items() if share]
    if len(options) == 1:
        return options[0][0]
    return " or ".join(f"{move} {rationals.write(share)}" for move, share in options)


def sections(game: Game, text: str) -> dict[int, list[str]]:
    """Split a rule file into the rules of each side."""
    by_side: dict[int, list[str]] = {}
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
            if side in by_side:
                raise RuleError(f"line {number} begins a second section for {value}; join it with the first")
            by_side[side] = []
        elif side is None:
            raise RuleError(f"expected 'side: {game.sides[0]}' or 'side: {game.sides[1]}' first, got {line!r}")
        else:
            by_side[side].append(line)
    if not by_side:
        raise RuleError("the rule file is empty; write a line such as 'side: NAME' and rules after it")
    return by_side


def score_rules(game: Game, text: str, only: str | None = None) -> list[Score]:
    """Compute what the strategies of a rule file guarantee.

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
        One score per side.

    Raises
    ------
    RuleError
        The rules have no move for some position, or an impossible one.

    Examples
    --------
    >>> import ruse
    >>> (score,) = ruse.score_rules(ruse.games.kuhn(), "side: second\\notherwise: fold or check")
    >>> score.payoff
    Fraction(1, 1)
    """
    game = as_game(game)
    by_side = sections(game, text)
    if only is not None and (only not in game.sides or game.sides.index(only) not in by_side):
        raise RuleError(
            f"expected rules for one of the sides {', '.join(game.sides[side] for side in by_side)}, got {only!r}"
        )
    scores = []
    for side, lines in by_side.items():
        if only in (None, game.sides[side]):
            scores.append(Score(game, side, verifier(game).score(side, lookup_of(game, side, lines))))
    return scores


def lookup_of(game: Game, side: int, lines: Sequence[str]) -> Lookup:
    """The strategy that a side's rules describe: the odds at a position with these moves."""
    shown = presentation(game)
    return _read_lines(game, lines) if shown.rules_by_position else _read_own(shown, lines, side)


def read_file(path: str) -> str:
    """The text of a rule file."""
    try:
        return atomic_files.read(Path(path), MOST_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RuleError(f"the rule file {path} is not text in UTF-8") from error
    except (OSError, ValueError) as error:
        raise RuleError(f"cannot read the rule file {path}: {atomic_files.reason(error)}") from error


def score_function(game: Rules, side: int | str, function: Callable[[str, Sequence[str]], Any]) -> Score:
    """Compute what a Python function guarantees.

    Parameters
    ----------
    game
        The game that it plays.
    side
        The side that it plays for, by number or name.
    function
        Takes a position and its moves, and returns a move or the odds of each. In a game that groups positions by
        class, the position is the representative one: in The Resistance the seats most often aboard come first, and a
        mission stands for all that take as many from each group of seats with the same record.

    Returns
    -------
    Score
        The payoff against the best response.

    Examples
    --------
    >>> import ruse
    >>> ruse.score_function(ruse.games.kuhn(), 1, lambda position, moves: moves[-1]).payoff
    Fraction(1, 3)
    """
    game = as_game(game)
    number = side_number(game, side)

    def lookup(position: str, moves: Sequence[str]) -> Odds:
        try:
            with redirect_stdout(sys.stderr):
                answer = function(position, list(moves))
        except Exception as error:  # whatever somebody else's code may raise
            raise RuleError(f"the strategy raises {type(error).__name__} at {position}: {error}") from error
        odds = answer if isinstance(answer, Mapping) else {str(answer): 1}
        unknown = [move for move in odds if move not in moves]
        if unknown:
            raise RuleError(f"expected one of the moves {', '.join(moves)} at {position}, got {unknown[0]!r}")
        try:
            return {str(move): Fraction(share) for move, share in odds.items()}
        except (TypeError, ValueError, OverflowError) as error:
            raise RuleError(f"expected odds that are numbers at {position}, got {dict(odds)!r}") from error

    return Score(game, number, verifier(game).score(number, lookup))


def score_file(game: Game, path: str, side: str | None = None) -> list[Score]:
    """Compute what a strategy in a file guarantees: rules, or a Python function of one side."""
    if PYTHON_FILE.fullmatch(path):
        function, own = load_function(path)
        name = side or own
        if name not in game.sides:
            raise RuleError(
                f"expected --side {game.sides[0]} or --side {game.sides[1]} (or side = … in the file), got {name!r}"
            )
        return [score_function(game, game.sides.index(name), function)]
    return score_rules(game, read_file(path), side)


def load_function(path: str) -> tuple[Callable[[str, Sequence[str]], Any], str | None]:
    """Load the function `strategy` of a Python file, or the one named after a colon, and the `side` of the file."""
    parts = PYTHON_FILE.fullmatch(path)
    file, name = (parts[1], parts[2]) if parts else (path, None)
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
    """Read the odds of rules by position, and the moves of the last line for all other positions."""
    table: dict[str, dict[str, Fraction]] = {}
    otherwise: list[str] = []
    for line in lines:
        head, colon, odds_text = (part.strip() for part in line.partition(": "))
        if not colon or not odds_text:
            raise RuleError(f"expected a position, a colon and odds, such as {_example(game)!r}, got {line!r}")
        if head == "otherwise":
            otherwise = [word.strip() for word in odds_text.split(" or ")]
        else:
            table[head] = _read_odds(odds_text, line)
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
        raise RuleError(f"no rule covers {position}; add one, or end with 'otherwise: evenly'")

    return lookup


def _example(game: Game) -> str:
    """An example of a rule, for the first position of the game."""
    state = game.start()
    while game.turn(state) == CHANCE:
        state = game.play(state, game.moves(state)[0])
    if game.turn(state) == END:
        return "POSITION: MOVE"
    labels = [game.label(move) for move in game.moves(state)[:2]]
    example = labels[0] if len(labels) == 1 else f"{labels[0]} 2/3 or {labels[1]} 1/3"
    return f"{describe(game, game.knows(state, game.turn(state)))}: {example}"


def _read_odds(text: str, line: str) -> dict[str, Fraction]:
    options = [part.split() for part in text.split(" or ")]
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
