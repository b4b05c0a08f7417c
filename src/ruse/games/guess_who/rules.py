"""Guess Who: who first knows the other's character wins, and whoever is behind must take risks.

A side has n characters left that may be the other's, the other side has m. The mover asks whether the character is
among c of the n: with odds c/n it is, and c are left, else n - c. Any set can be asked about (Cauwet and Teytaud 2018,
§V-B), so only its size matters; to ask about the other n - c is the same question, so those with c up to n/2 are
offered. A side that is down to one character has won at once, without another turn. Nica (2016, arXiv 1509.03327)
found the optimum in closed form.

`guess-who@first/24,24` is the start: first to move, with 24 characters left against 24; the mover's number comes first.
A side that begins with one character has won; if both do, first has.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Annotated, ClassVar, NamedTuple

from ruse.core.capabilities import Memoryless, Ranged
from ruse.core.game import CHANCE, END, GameError, PositionError, Titled
from ruse.core.parameters import game_factory

CHARACTERS = 24
MOST_CHARACTERS = 200  # two minutes
PAIR = re.compile(r"(\d{1,4}),(\d{1,4})", re.ASCII)


class GuessState(NamedTuple):
    turn: int
    mine: int  # characters that may be the other's, of the side to move
    theirs: int
    asked: int = 0  # how many of mine the question is about that has been asked


class GuessWho(Titled):
    name = "guess-who"
    sides = ("first", "second")
    wins = ("first", "second")
    provides = (Memoryless, Ranged)
    parts: ClassVar[Mapping[str, str]] = {"presentation": "ruse.games.guess_who.presentation:GuessWhoPresentation"}

    def __init__(self, mine: int, theirs: int) -> None:
        for number, side in ((mine, "mine"), (theirs, "theirs")):
            if not 1 <= number <= MOST_CHARACTERS:
                raise GameError(f"expected 1 to {MOST_CHARACTERS} characters for --{side}, got {number}")
        self.parameters: dict[str, object] = {"mine": mine, "theirs": theirs}
        changed = [f"{name}={value}" for name, value in self.parameters.items() if value != CHARACTERS]
        self.title = f"{self.name}({','.join(changed)})" if changed else self.name
        self.begin = GuessState(0, mine, theirs)

    def start(self) -> GuessState:
        return self.begin

    def turn(self, state: GuessState) -> int:
        if state.mine == 1 or state.theirs == 1:
            return END
        return CHANCE if state.asked else state.turn

    def moves(self, state: GuessState) -> Sequence[str] | range:
        """The questions, by how many characters they are about, the cautious ones first; the answers."""
        return ("yes", "no") if state.asked else range(state.mine // 2, 0, -1)

    def odds(self, state: GuessState) -> Sequence[Fraction]:
        return Fraction(state.asked, state.mine), Fraction(state.mine - state.asked, state.mine)

    def play(self, state: GuessState, move: str | int) -> GuessState:
        turn, mine, theirs, asked = state
        if isinstance(move, int):
            return GuessState(turn, mine, theirs, move)
        return GuessState(1 - turn, theirs, asked if move == "yes" else mine - asked)

    def knows(self, state: GuessState, side: int) -> GuessState:
        return state

    def payoff(self, state: GuessState) -> Fraction:
        winner = state.turn if state.mine == 1 else 1 - state.turn
        return Fraction(1 if winner == 0 else -1)

    def label(self, move: str | int) -> str:
        return str(move)

    def format_position(self, knowledge: GuessState) -> str:
        turn, mine, theirs, asked = knowledge
        return f"@{self.sides[turn]}/{mine},{theirs}" + (f"/{asked}" if asked else "")

    def board(self, state: GuessState) -> GuessState:
        return state

    def returns(self) -> bool:
        return False

    def read(self, position: str) -> GuessState:
        """The state of a position such as "guess-who@first/24,24"."""
        head, _, steps = position.partition("/")
        numbers = PAIR.fullmatch(steps)
        sides = [f"{self.title}@{side}" for side in self.sides]
        if head not in sides or numbers is None:
            raise PositionError(f"expected a side and two numbers, such as {self.title}@first/12,9, got {position!r}")
        return GuessState(sides.index(head), int(numbers[1]), int(numbers[2]))

    def payoff_range(self) -> tuple[Fraction, Fraction]:
        return Fraction(-1), Fraction(1)

    def known_value(self) -> Fraction:
        ended = self.turn(self.begin) == END
        return self.payoff(self.begin) if ended else 2 * nica(self.begin.mine, self.begin.theirs) - 1

    def known_by(self) -> str:
        return "Nica's formula"


@game_factory
def guess_who(
    mine: Annotated[int, "characters left for the side that moves first"] = CHARACTERS,
    theirs: Annotated[int, "characters left for the other side"] = CHARACTERS,
) -> GuessWho:
    """Guess Who, by numbers of characters left: whoever is behind must take risks."""
    return GuessWho(mine, theirs)


def nica(n: int, m: int) -> Fraction:
    """Nica 2016: how often the mover wins if both play optimally, in closed form, for n and m of at least 2."""
    k = (n - 1).bit_length() - 1  # 2^k < n <= 2^(k+1)
    if m > 2**k:
        return 1 - Fraction(2**k, m) + Fraction(2 ** (2 * k + 1) + 4, 3 * n * m)
    k = (m - 1).bit_length() - 1
    return Fraction(2 ** (k + 1), n) - Fraction(2 ** (2 * k + 2) + 2, 3 * n * m)
