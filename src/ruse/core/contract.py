"""What the rules of a game have to keep to, checked answer by answer wherever a game is walked.

Built-in games are checked by the tests. Every other one, from a user's own class, a file or another library, is asked
through `Checked`: whoever walks it gets answers that keep the contract, with Fractions for whole numbers and Decimals,
or a GameError that names the state. That costs no walk of its own. What takes more than one answer to see is checked
by those who walk: perfect recall and the same moves within an information set where information sets are gathered,
and play that never ends by `Line`. What a side knows while it waits decides nothing, and nobody asks for it but
`ruse.core.walk.check`, which notes what is unusual.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from fractions import Fraction
from numbers import Rational
from pathlib import Path
from traceback import extract_tb
from typing import Any, NoReturn

from ruse.core.capabilities import Memoryless
from ruse.core.declared import FORMER_METHODS, check_declared, provided, rule_of
from ruse.core.game import (
    CHANCE,
    END,
    Game,
    GameError,
    Knowledge,
    Move,
    RuseError,
    State,
    Titled,
    describe,
    display_name,
)
from ruse.core.own import Own, unmodified, warn_of_former_methods

BUILT_IN = ("ruse.games.", "ruse.core.plain_games.", "ruse.forms.reductions.")
WRITTEN_OUT = "ruse.core.plain_games.tree"  # whose trees are whatever a file or a caller says
LONGEST_STATE = 60  # characters of a state in an error: states of endless plays are often long
MOST_MOVES = 10_000  # of one play, where the states are not written out
EVERY = 8  # moves of a play, a state is kept: a play that does not end comes back to one of those too
MOST_KEPT = 100_000  # lists of moves that need no second look
LISTS = (tuple, list)
SHOWN = 300  # characters of a value in a sentence
RUSE = str(Path(__file__).parents[1])  # whose own lines say nothing of what is wrong with a rule


def built_in(game: Game) -> bool:
    """Whether the rules come with ruse, and so with its tests."""
    module = type(game).__module__
    return module.startswith(BUILT_IN) and module != WRITTEN_OUT and unmodified(game)


def checked(game: Game) -> Game:
    """The game, asked through the contract unless it is built in."""
    return game if isinstance(game, Checked) or built_in(game) else Checked(game)


def unchecked(game: Game) -> Game:
    """The game without the contract around it."""
    return game.unchecked if isinstance(game, Checked) else game


def rules_of(game: Game) -> Any:
    """The object whose class body counts: the one inside the wrappers, unless a rule was replaced on these."""
    game = unchecked(game)
    return game.rules if isinstance(game, Own) and not game.replaced else game


def asked_by_contract(game: Any) -> bool:
    """Whether the rules under a game's reductions are checked."""
    while not isinstance(game, Checked) and type(game).__module__.startswith("ruse.forms.reductions."):
        game = game.game
    return isinstance(game, Checked)


def shown(value: object) -> str:
    """A value as a sentence shows it, whatever its own text does."""
    try:
        text = repr(value)
    except Exception:  # anybody's code
        text = f"<{type(value).__name__}>"
    return text if len(text) <= SHOWN else text[:SHOWN] + "…"


def exact(number: object) -> Fraction | None:
    """An exact number as a Fraction: a whole number, a Fraction or a Decimal, but no float and no yes or no."""
    if isinstance(number, bool):
        return None
    if isinstance(number, Rational):
        return Fraction(number)
    return Fraction(number) if isinstance(number, Decimal) and number.is_finite() else None


class Checked(Titled):
    """A game whose every answer is checked, and exact. What else it can do, it does itself."""

    name: str
    parameters: Any
    sides: tuple[str, str]
    wins: tuple[str, ...]

    def __init__(self, game: Game) -> None:
        self.unchecked = game
        for name in ("name", "title", "parameters", "sides", "wins"):
            setattr(self, name, getattr(game, name))
        check_declared(rules_of(game))
        if not isinstance(self.title, str) or len(self.sides) != 2 or self.sides[0] == self.sides[1]:
            raise GameError(f"expected a title and two sides, got {shown(self.title)} and {shown(self.sides)}")
        self._turn, self._moves, self._odds, self._play = game.turn, game.moves, game.odds, game.play
        self._knows, self._payoff, self._label = game.knows, game.payoff, game.label
        self._format_position = rule_of(game, "format_position")
        warn_of_former_methods(game)
        self._memoryless = isinstance(game, Memoryless)
        self._good: dict[tuple[Move, ...], list[str]] = {}  # with their labels
        self._whole: dict[int, Fraction] = {}
        self._decided: tuple[dict[Knowledge, State], dict[Knowledge, State]] = ({}, {})  # with a state of each
        self._texts: tuple[dict[str, Knowledge], dict[str, Knowledge]] = ({}, {})

    @property
    def provides(self) -> tuple[type, ...]:
        """What the game declares."""
        return provided(self.unchecked)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        game = self.__dict__["unchecked"]
        return rule_of(game, name) if name in FORMER_METHODS else getattr(game, name)

    # The rules.

    def start(self) -> State:
        try:
            state = self.unchecked.start()
        except RuseError:
            raise
        except Exception as error:
            raise GameError(f"start() of {self.title} failed: {said(error)}") from error
        self._hashed(state, "a state", state)
        return state

    def turn(self, state: State) -> int:
        try:
            turn = self._turn(state)
        except Exception as error:
            self._fail("whose turn it is", state, error)
        if turn.__class__ is int and turn in {0, 1, -1, -2}:
            return turn
        if isinstance(turn, Rational) and turn in (0, 1, CHANCE, END):
            return int(turn)
        details = f"{self._at(state)}, got {shown(turn)}{place(self._turn)}"
        raise GameError(f"expected the turn to be 0, 1, CHANCE or END {details}")

    def moves(self, state: State) -> tuple[Move, ...]:
        try:
            given = self._moves(state)
        except Exception as error:
            self._fail("its moves", state, error)
        moves: tuple[Move, ...] = tuple(given) if given.__class__ in LISTS else self._listed(given, "moves", state)
        try:
            if moves in self._good:
                return moves
        except TypeError:
            for move in moves:
                self._hashed(move, "a move", state)
        labels = self._check_moves(moves, state)
        if len(self._good) >= MOST_KEPT:
            self._good.clear()
        self._good[moves] = labels
        return moves

    def labels_of(self, moves: tuple[Move, ...]) -> list[str]:
        """The labels of the moves of a state."""
        return self._good.get(moves) or [self.label(move) for move in moves]

    def odds(self, state: State) -> tuple[Fraction, ...]:
        try:
            given = self._odds(state)
        except Exception as error:
            self._fail("its odds", state, error)
        odds: tuple[Any, ...] = tuple(given) if given.__class__ in LISTS else self._listed(given, "odds", state)
        count = len(self.moves(state))
        if len(odds) != count:
            raise GameError(f"expected the odds of {count} moves {self._at(state)}, got {len(odds)}")
        total, whole = 0, 0
        for share in odds:
            if share.__class__ is not Fraction or share.numerator < 0 or (whole and share.denominator != whole):
                break
            whole = share.denominator
            total += share.numerator
        else:
            if total == whole:
                return odds
        return self._exact_odds(odds, state)

    def play(self, state: State, move: Move) -> State:
        try:
            after = self._play(state, move)
        except Exception as error:
            self._fail(f"what follows {shown(move)}", state, error)
        try:
            hash(after)
        except TypeError:
            self._hashed(after, "a state", after)
        return after

    def knows(self, state: State, side: int) -> Knowledge:
        try:
            knowledge = self._knows(state, side)
        except Exception as error:
            self._fail(f"what {self.sides[side]} knows", state, error)
        try:
            first = self._decided[side].get(knowledge, self)
        except TypeError:
            self._hashed(knowledge, f"what {self.sides[side]} knows", state)
        if first is self:
            self._meet(state, side, knowledge)
        elif self._memoryless and first != state:
            position = f"at {self.title + self.format_position(knowledge)} (state {shown(state)})"
            raise GameError(f"{self.sides[side]} should know the state {position}, but two states look alike to it")
        return knowledge

    def payoff(self, state: State) -> Fraction:
        try:
            payoff: Any = self._payoff(state)
        except Exception as error:
            self._fail("its payoff", state, error)
        if payoff.__class__ is Fraction and not self.wins:
            return payoff
        known = self._whole.get(payoff) if payoff.__class__ is int else None
        if known is not None:
            return known
        known = exact(payoff)
        if known is None:
            raise GameError(
                "expected an exact payoff (a whole number, a Fraction or a Decimal) "
                f"{self._at(state)}, got {shown(payoff)}{place(self._payoff)}"
            )
        if self.wins and abs(known) > 1:
            raise GameError(
                f"expected a payoff from -1 to 1 in a game that is won or lost, {self._at(state)}, "
                f"got {shown(payoff)}{place(self._payoff)}"
            )
        if payoff.__class__ is int and len(self._whole) < MOST_KEPT:
            self._whole[payoff] = known
        return known

    def payoff_range(self) -> tuple[Fraction, Fraction]:
        """What the game says that it can pay, which must be exact too."""
        game: Any = self.unchecked
        given = game.payoff_range()
        lower, upper = map(exact, given)
        if lower is None or upper is None or lower > upper:
            raise GameError(
                f"expected payoff_range() of {self.title} to give two exact numbers in order, got {shown(given)}"
            )
        return lower, upper

    def label(self, move: Move) -> str:
        return self._text(self._label, move, "a label of the move")

    def format_position(self, knowledge: Knowledge) -> str:
        return self._text(self._format_position, knowledge, "a position for")

    # What is wrong.

    def _meet(self, state: State, side: int, knowledge: Knowledge) -> None:
        """An information set that was not seen before, if the side is to move: with a text of its own."""
        if self.turn(state) != side:
            return
        text = self.title + self.format_position(knowledge)
        if text in self._texts[side]:
            other = self._decided[side][self._texts[side][text]]
            raise GameError(
                f"expected a different position for each information set, got {text!r} for two, "
                f"at state {shown(state)} and at state {shown(other)}"
            )
        self._texts[side][text] = knowledge
        self._decided[side][knowledge] = state

    def _check_moves(self, moves: tuple[Move, ...], state: State) -> list[str]:
        if not moves:
            raise GameError(f"expected at least one move {self._at(state)}, got none{place(self._moves)}")
        if len(set(moves)) < len(moves):
            details = f"{self._at(state)}, got {shown(list(moves))}{place(self._moves)}"
            raise GameError(f"expected different moves {details}")
        labels = [self.label(move) for move in moves]
        if len(set(labels)) < len(labels):
            raise GameError(f"expected different labels of moves {self._at(state)}, got {', '.join(labels)}")
        return labels

    def _exact_odds(self, odds: tuple[Any, ...], state: State) -> tuple[Fraction, ...]:
        shares = tuple(exact(share) for share in odds)
        fractions: list[Fraction] = []
        for given, share in zip(odds, shares, strict=True):
            if share is None:
                raise GameError(
                    "expected exact odds (Fractions, whole numbers or Decimals) "
                    f"{self._at(state)}, got {shown(given)} among {shown(list(odds))}{place(self._odds)}"
                )
            if share < 0:
                raise GameError(f"expected odds of at least 0 {self._at(state)}, got {share}{place(self._odds)}")
            fractions.append(share)
        if sum(fractions) != 1:
            raise GameError(
                f"expected odds that add up to 1 {self._at(state)}, got {sum(fractions)}{place(self._odds)}"
            )
        return tuple(fractions)

    def _listed(self, values: object, kind: str, state: State) -> tuple[Any, ...]:
        if isinstance(values, Collection) and not isinstance(values, (set, frozenset, bytes)):
            return tuple(values)
        rule = self._moves if kind == "moves" else self._odds
        raise GameError(f"expected a list of {kind} {self._at(state)}, got {shown(values)}{place(rule)}")

    def _text(self, call: Callable[[Any], object], value: object, kind: str) -> str:
        try:
            text = call(value)
        except RuseError:
            raise
        except Exception as error:
            raise GameError(f"the rules fail to give {kind} {shown(value)} of {self.title}: {said(error)}") from error
        if not isinstance(text, str):
            raise GameError(f"expected {kind} {shown(value)} of {self.title} as text, got {shown(text)}")
        return text

    def _hashed(self, value: object, kind: str, state: State) -> None:
        try:
            hash(value)
        except TypeError:
            raise GameError(f"expected {kind} to be hashable {self._at(state)}, got {type(value).__name__}") from None

    def _fail(self, subject: str, state: State, error: Exception) -> NoReturn:
        """The game's own rules raised an error; a RuseError is a sentence already."""
        if isinstance(error, RuseError | MemoryError):
            raise error
        raise GameError(f"the rules fail to say {subject} {self._at(state)}: {said(error)}") from error

    def _at(self, state: State) -> str:
        return f"at state {shown(state)} of {self.title}"


def said(error: Exception) -> str:
    """An error of somebody's rules, with the line that raised it."""
    message = f"{type(error).__name__}: {shown(str(error))[1:-1]}" if str(error) else type(error).__name__
    frames = [frame for frame in extract_tb(error.__traceback__) if not frame.filename.startswith(RUSE)]
    return message + (f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else "")


@contextmanager
def declared_by(game: Game, purpose: str) -> Iterator[None]:
    """Turn an error into a GameError that names what somebody's game declares, which may not be as its rules are."""
    try:
        yield
    except (RuseError, MemoryError):
        raise
    except Exception as error:  # anybody's code, or what follows from it
        names = [capability.__name__ for capability in provided(game)]
        if built_in(game) or not names:
            raise
        raise GameError(
            f"{purpose} {game.title} by what it declares ({', '.join(names)}) failed with {said(error)}: "
            "correct it, or do not declare it"
        ) from error


def place(rule: object) -> str:
    """Where a rule is written that is not ruse's: " (mygame.py, line 12)"."""
    code = getattr(rule, "__code__", None)
    foreign = code is not None and str(getattr(rule, "__module__", "")).partition(".")[0] != "ruse"
    return f" ({Path(code.co_filename).name}, line {code.co_firstlineno})" if foreign and code else ""


def most_moves(game: Any) -> int:
    """How many moves a play may have: a tree that is written out cannot have more than nodes."""
    while isinstance(game, Checked) or type(game).__module__.startswith("ruse.forms.reductions."):
        game = game.unchecked if isinstance(game, Checked) else game.game
    return max(MOST_MOVES, len(game.nodes)) if type(game).__module__ == WRITTEN_OUT else MOST_MOVES


def endless(game: Game, state: State) -> GameError:
    text = shown(state)
    text = f"{text[:LONGEST_STATE]}…" if len(text) > LONGEST_STATE else text
    return GameError(f"play in {game.title} goes on for more than {most_moves(game):,} moves at state {text}")


def comes_back(game: Game, state: State) -> GameError:
    return GameError(
        f"expected a game that never returns to a state, got {game.title}, which returns to state {shown(state)}"
    )


def forgets(game: Game, side: int, knowledge: Knowledge, state: State) -> GameError:
    """Two plays in which a side has made different moves of its own look alike to it where it is to move."""
    position = f"{describe(game, knowledge)} (state {shown(state)}{_of_knows(game)})"
    return GameError(f"{display_name(game.sides[side])} forgets its own move (imperfect recall) at {position}")


def different_moves(
    game: Game, knowledge: Knowledge, state: State, known: tuple[Move, ...], moves: tuple[Move, ...]
) -> GameError:
    return GameError(
        f"different moves are offered within the information set {describe(game, knowledge)}, "
        f"{shown(known)} and {shown(moves)} (state {shown(state)}{_of_knows(game)})"
    )


def _of_knows(game: Game) -> str:
    """Where the rule `knows` is written, at the end of a bracket."""
    return place((game.unchecked if isinstance(game, Checked) else game).knows).replace(" (", "; ").removesuffix(")")


class Line:
    """The states on the way from the start to where a walk is, to notice a play that comes back to one of them.

    A walk calls `reach` EVERY so many moves. A play that goes round for ever is at the same state at two of those.
    """

    def __init__(self, game: Game) -> None:
        self._game, self._most = game, most_moves(game)
        self._states: list[Hashable] = []
        self._on: set[Hashable] = set()

    def reach(self, state: State, depth: int) -> None:
        """The walk is at a state after so many moves; what it left is forgotten."""
        while len(self._states) > depth // EVERY:
            self._on.discard(self._states.pop())
        if state in self._on:
            raise comes_back(self._game, state)
        if depth >= self._most:
            raise endless(self._game, state)
        self._states.append(state)
        self._on.add(state)
