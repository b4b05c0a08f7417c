"""OpenSpiel's games by name (Lanctot et al. 2019).

`load("leduc_poker")` makes a `Game` of any two-player zero-sum game that OpenSpiel can play: its player 0 is
side 0, what a side knows is its information state, and simultaneous moves are made one after the other, unseen.
OpenSpiel computes in floats: odds and payoffs become the fractions that they stand for, or the game is refused.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from fractions import Fraction
from functools import lru_cache
from math import isfinite
from random import Random
from typing import Annotated, Any, ClassVar, NamedTuple
from urllib.parse import quote, unquote_plus

from ruse.core.capabilities import Ranged
from ruse.core.game import CHANCE, END, GameError, Titled
from ruse.core.parameters import game_factory
from ruse.core.presentation import Presentation
from ruse.core.registry import imported

MOST_DENOMINATOR = 1_000_000  # of odds and payoffs: hardly any other float lies NEAR one
NEAR = 1e-15
MOST_TEXT = 1_000  # characters of a game's name and parameters
TRIAL_SECONDS = 20
PLAYS = 20  # at random, of a game that does not say that it is zero-sum
FILE = re.compile(r"file\w*\s*=")  # a parameter that makes OpenSpiel open a file
PLACE = re.compile(r"/\S+\.(?:cc|h):\d+ ")  # where OpenSpiel's source found fault
MARKS = {" ": "+", "\n": "|", **{mark: f"%{ord(mark):02X}" for mark in "+|%/@"}}

# Bad parameters can crash OpenSpiel, fill the memory or run for ever, so a separate process tries them first.
TRIAL = """
import sys
try:
    import resource
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
except (ImportError, ValueError, OSError):
    pass
import pyspiel
try:
    game = pyspiel.load_game(sys.argv[1])
    if game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        game = pyspiel.convert_to_turn_based(game)
    state = game.new_initial_state()
    for _ in range(100):
        if state.is_terminal():
            break
        if not state.legal_actions():
            raise ValueError("there is a state without moves")
        state.apply_action(state.legal_actions()[0])
except Exception as error:
    print(str(error) or type(error).__name__)
    sys.exit(1)
"""


class OpenSpielError(GameError):
    """A game that OpenSpiel does not have, or that ruse cannot solve."""


class Action(NamedTuple):
    """A move: OpenSpiel's number for it, and its text as a step of a position."""

    number: int
    text: str


HIDDEN = Action(-1, "?")


class OpenSpielNode:
    """A state of OpenSpiel, which is never changed, identified by the moves that led to it."""

    __slots__ = ("board", "draws", "known_moves", "path", "shown", "state", "turn")

    def __init__(self, state: Any, path: tuple[Action, ...], shown: int, draws: int = 0) -> None:
        self.state, self.path = state, path
        self.draws = draws  # how many of the moves were chance's
        self.board: str | None = None  # as it was told first
        self.known_moves: tuple[Action, ...] | None = None
        self.shown = shown  # how many of the moves are no longer secret, where no more than the open round can be
        self.turn: int = END if state.is_terminal() else CHANCE if state.is_chance_node() else state.current_player()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OpenSpielNode) and self.path == other.path

    def __hash__(self) -> int:
        return hash(self.path)

    def __repr__(self) -> str:
        return "/".join(action.text for action in self.path) or "the start"


class OpenSpielPresentation(Presentation["OpenSpielGame"]):
    def openspiel_name(self) -> str:
        return str(self.game.parameters["game"])


class OpenSpielGame(Titled):
    """One of OpenSpiel's games. `spiel` is OpenSpiel's own, with simultaneous moves made one after the other."""

    name = "openspiel"
    outside = ("spiel",)  # OpenSpiel's own object, which the parameters name: ruse.core.identity
    sides = ("first", "second")
    wins = ()
    provides: ClassVar[tuple[type, ...]] = (Ranged,)
    presentation = OpenSpielPresentation

    def __init__(self, loaded: Any, spiel: Any) -> None:
        self.spiel = spiel
        text = str(loaded).removesuffix("()")
        self.parameters: dict[str, object] = {"game": text}
        self.title = f"openspiel:{_safe(text)}"
        kind = loaded.get_type()
        self.open = kind.information == type(kind.information).PERFECT_INFORMATION
        self._in_rounds = self.open and loaded is not spiel

    def start(self) -> OpenSpielNode:
        return OpenSpielNode(self.spiel.new_initial_state(), (), 0)

    def turn(self, state: OpenSpielNode) -> int:
        return state.turn

    def moves(self, state: OpenSpielNode) -> Sequence[Action]:
        if state.known_moves is None:
            state.known_moves = self._moves(state)
        return state.known_moves

    def _moves(self, state: OpenSpielNode) -> tuple[Action, ...]:
        spiel = state.state
        numbers = [number for number, _ in spiel.chance_outcomes()] if state.turn == CHANCE else spiel.legal_actions()
        texts = [_safe(spiel.action_to_string(number)) for number in numbers]
        if len(set(texts)) < len(texts):
            texts = [f"{text}+{number}" for text, number in zip(texts, numbers, strict=True)]
        return tuple(map(Action, numbers, texts))

    def odds(self, state: OpenSpielNode) -> Sequence[Fraction]:
        odds = [_fraction(share) for _, share in state.state.chance_outcomes()]
        if sum(odds) != 1 or min(odds) < 0:
            listed = ", ".join(map(str, odds))
            raise OpenSpielError(f"expected odds that sum to 1 at {state!r} in {self.title}, got {listed}")
        return odds

    def play(self, state: OpenSpielNode, move: Action) -> OpenSpielNode:
        after, path = state.state.child(move.number), (*state.path, move)
        waits = self._in_rounds and _done(after) == _done(state.state)
        return OpenSpielNode(after, path, state.shown if waits else len(path), state.draws + (state.turn == CHANCE))

    def knows(self, state: OpenSpielNode, side: int) -> str | tuple[Action, ...]:
        """The information state, or all moves in games of perfect information: some information states forget moves."""
        if not self.open:
            known: str = state.state.information_state_string(side)
            return known
        hidden = side == 1 and state.shown < len(state.path)
        return (*state.path[: state.shown], HIDDEN) if hidden else state.path

    def payoff(self, state: OpenSpielNode) -> Fraction:
        first, second = map(_fraction, state.state.returns())
        if first + second:
            raise OpenSpielError(
                f"expected a zero-sum game, got {self.title}, which pays {first} and {second} at {state!r}"
            )
        return first

    def payoff_range(self) -> tuple[Fraction, Fraction]:
        return _fraction(self.spiel.min_utility()), _fraction(self.spiel.max_utility())

    def label(self, move: Action) -> str:
        return move.text

    def format_position(self, knowledge: str | tuple[Action, ...]) -> str:
        if isinstance(knowledge, str):
            return f"@{_safe(knowledge)}"
        return "".join(f"/{action.text}" for action in knowledge)


def _done(state: Any) -> int:
    """How many moves have been made, not counting those of an open round."""
    return len(state.simultaneous_game_state().history())


@lru_cache(maxsize=1 << 16)
def _safe(text: str) -> str:
    """A text as part of a position: one word, without the marks that part steps; different texts stay different."""
    return "".join(MARKS.get(mark) or (mark if mark.isprintable() else quote(mark)) for mark in text)


@lru_cache(maxsize=1 << 16)
def _fraction(number: float) -> Fraction:
    """The fraction that a float stands for."""
    if isfinite(number):
        near = Fraction(number).limit_denominator(MOST_DENOMINATOR)
        if abs(near - Fraction(number)) <= NEAR * max(1.0, abs(number)):
            return near
    raise OpenSpielError(
        f"expected odds and payoffs that are fractions of denominators up to {MOST_DENOMINATOR:,}, got {number!r}"
    )


@game_factory
def openspiel(
    game: Annotated[str | None, 'one of OpenSpiel\'s games, such as "liars_dice(numdice=1,dice_sides=5)"'] = None,
) -> OpenSpielGame:
    """Any two-player zero-sum game of OpenSpiel, by its name there (needs the extra openspiel)."""
    if game is None:
        raise OpenSpielError("expected the name of an OpenSpiel game, such as openspiel:kuhn_poker, got none")
    return load(game)


def refuse(parameters: Mapping[str, str]) -> None:
    """Refuse what a page may not ask for: no game, and one that opens files. OpenSpiel itself is not asked yet."""
    if not parameters.get("game"):
        raise OpenSpielError("expected the name of an OpenSpiel game, such as kuhn_poker, as game, got none")
    if "file" in parameters["game"]:
        raise OpenSpielError("this OpenSpiel game reads a file, which is not allowed here")


def game_of(position: str) -> OpenSpielGame:
    """The game that a position begins with, such as `openspiel:kuhn_poker@0pb`."""
    return load(unquote_plus(re.split("[/@]", position.removeprefix("openspiel:"), maxsplit=1)[0]))


def load(text: str) -> OpenSpielGame:
    """OpenSpiel's game of that name, with parameters in brackets: `load("goofspiel(num_cards=4,imp_info=True)")`."""
    if len(text) > MOST_TEXT or not text.isprintable():
        raise OpenSpielError(f"expected a line of at most {MOST_TEXT:,} characters, got {text[:60]!r}…")
    pyspiel = package("pyspiel", text)
    kinds = {kind.short_name: kind for kind in pyspiel.registered_games()}
    name, bracket, _ = text.partition("(")
    if name not in kinds:
        close = get_close_matches(name, kinds, 1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        raise OpenSpielError(f"expected the name of an OpenSpiel game, got {text!r}{hint}")
    if FILE.search(text):
        raise OpenSpielError(f"expected parameters that name no file, got {text!r}: ruse reads .efg and .nfg itself")
    if bracket or not kinds[name].default_loadable:
        _try(text)
    loaded = pyspiel.load_game(text)
    spiel = loaded
    if loaded.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS and loaded.num_players() == 2:
        spiel = pyspiel.convert_to_turn_based(loaded)
    game = OpenSpielGame(loaded, spiel)
    _check_kind(pyspiel.GameType, game)
    if game.open and loaded is spiel:
        from ruse.formats.openspiel_open import OpenSpielBoards

        return OpenSpielBoards(loaded, spiel)
    return game


def package(name: str, text: str) -> Any:
    """A module of OpenSpiel, which the game of that name needs."""
    try:
        return imported(name)
    except ImportError as error:
        raise OpenSpielError(
            f"openspiel:{text} needs the package open_spiel; install it with pip install 'ruse[openspiel]'"
        ) from error


@lru_cache(maxsize=256)
def _try(text: str) -> None:
    """Refuse parameters that OpenSpiel rejects or that crash it."""
    paths = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", TRIAL, text]
    try:
        done = subprocess.run(command, env=paths, capture_output=True, timeout=TRIAL_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise OpenSpielError(f"OpenSpiel did not load {text!r} within {TRIAL_SECONDS} s") from None
    if done.returncode:
        said = done.stdout.decode(errors="replace").partition("Available games")[0]
        reason = "; ".join(PLACE.sub("", said).split("\n")).strip("; .")[:200]
        raise OpenSpielError(f"expected parameters that OpenSpiel takes, got {text!r}: {reason or 'it crashed'}")


def _check_kind(kinds: Any, game: OpenSpielGame) -> None:
    """Refuse games that are not between two sides with perfect recall, known odds and payoffs that sum to zero."""
    spiel, kind, known = game.spiel, game.spiel.get_type(), f"got openspiel:{game.parameters['game']}"
    if spiel.num_players() != 2:
        raise OpenSpielError(f"expected a game of two players, {known} with {spiel.num_players()}")
    if kind.dynamics != kinds.Dynamics.SEQUENTIAL:
        raise OpenSpielError(f"expected a game whose moves can be made in turn, {known}")
    if kind.chance_mode == kinds.ChanceMode.SAMPLED_STOCHASTIC:
        raise OpenSpielError(f"expected chance with known odds, {known}, which only samples it")
    if not game.open and not kind.provides_information_state_string:
        raise OpenSpielError(
            f"expected a game that tells what each side knows, {known}, which has no information state"
        )
    if kind.utility == kinds.Utility.IDENTICAL:
        raise OpenSpielError(f"expected a zero-sum game, {known}, a common-payoff game")
    if kind.utility != kinds.Utility.ZERO_SUM:  # perhaps with these parameters; each end is checked in any case
        random = Random(0)
        for _ in range(PLAYS):
            node = game.start()
            while node.turn != END:
                node = game.play(node, random.choice(game.moves(node)))
            game.payoff(node)
