"""Battleship in public: where each side has shot, and which fleets the other may still have by what became of it.

A shot is answered by the side that was shot at: miss, hit or sunk, a move that its fleet leaves it no choice of.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ruse.core.arrays import Array
from ruse.core.capabilities import ChosenHands
from ruse.core.game import END
from ruse.games.battleship.rules import Battleship, Sea

ANSWERS = ("miss", "hit", "sunk")


class Firing(NamedTuple):
    fired: tuple[int, int]  # cells that each side has shot at, as bits
    fleets: tuple[bytes, bytes]  # which fleets each side may have, as booleans
    sunk: tuple[int, int]  # ships that each side has lost
    made: int  # shots, with their answers
    shot: int = 0  # a cell that is to be answered for, as a bit


class BattleshipPublic:
    denominator = 1
    provides = (ChosenHands,)

    def __init__(self, game: Battleship) -> None:
        self._game = game
        self._fleets = self._all(())
        names = tuple("+".join(fleet) for fleet in self._fleets)
        self.hands = names, names
        self._number = {fleet: number for number, fleet in enumerate(self._fleets)}
        self._ships = np.array([[game.berths[n][ship] for n, ship in enumerate(fleet)] for fleet in self._fleets])
        self._cells = game.cells_by_name()
        self._values = np.array(game.values, dtype=np.int64)

    def _all(self, fleet: tuple[str, ...]) -> list[tuple[str, ...]]:
        """Every way to place the ships that are left."""
        if len(fleet) == len(self._game.ships):
            return [fleet]
        taken = sum(self._game.berths[number][ship] for number, ship in enumerate(fleet))
        return [whole for ship in self._game.room(len(fleet), taken) for whole in self._all((*fleet, ship))]

    def _answers(self, fired: int, shot: int) -> Array:
        """int[fleets]: the number of the answer that each gives to a shot, with all cells fired at by then."""
        hit = (self._ships & shot) != 0
        afloat = (hit & ((self._ships & ~(fired | shot)) != 0)).any(axis=1)
        return np.where(hit.any(axis=1), np.where(afloat, 1, 2), 0)

    def start(self) -> Firing:
        every = np.ones(len(self._fleets), dtype=bool).tobytes()
        return Firing((0, 0), (every, every), (0, 0), 0)

    def turn(self, state: Firing) -> int:
        shooter = state.made % 2
        if state.shot:
            return 1 - shooter
        over = state.made == 2 * self._game.shots or len(self._game.ships) in state.sunk
        return END if over else shooter

    def moves(self, state: Firing) -> Sequence[str]:
        shooter = state.made % 2
        if not state.shot:
            return [name for name, bit in self._cells.items() if not bit & state.fired[shooter]]
        answers = self._answers(state.fired[shooter], state.shot)[self._left(state, 1 - shooter)]
        return [answer for number, answer in enumerate(ANSWERS) if number in answers]

    def _left(self, state: Firing, side: int) -> Array:
        return np.frombuffer(state.fleets[side], dtype=bool)

    def play(self, state: Firing, move: str) -> Firing:
        shooter = state.made % 2
        if not state.shot:
            return state._replace(shot=self._cells[move])
        other = 1 - shooter
        said = self._answers(state.fired[shooter], state.shot) == ANSWERS.index(move)
        fired, fleets, sunk = list(state.fired), list(state.fleets), list(state.sunk)
        fired[shooter] |= state.shot
        fleets[other] = (self._left(state, other) & said).tobytes()
        sunk[other] += move == "sunk"
        return Firing((fired[0], fired[1]), (fleets[0], fleets[1]), (sunk[0], sunk[1]), state.made + 1)

    def possible(self, state: Firing, side: int) -> Array:
        return self._left(state, side)

    def payoff(self, state: Firing) -> tuple[tuple[bytes, bytes], int]:
        """By what was fired at alone: fleets that have been ruled out weigh nothing, so few matrices are enough."""
        first, second = (self._lost(state.fired[1 - side]).tobytes() for side in (0, 1))
        return (first, second), 1

    def _lost(self, fired: int) -> Array:
        """int64[fleets]: what the ships are worth that so many shots sink."""
        return np.asarray(((self._ships & ~fired) == 0) @ self._values)

    def matrix(self, name: tuple[bytes, bytes]) -> Array:
        mine, its = (np.frombuffer(lost, dtype=np.int64) for lost in name)
        return its[None, :] - mine[:, None]

    def place(self, state: Sea) -> tuple[int, int, Sequence[str]] | None:
        if len(state.ships) < 2 * len(self._game.ships):
            return None
        hands = self._number[state.ships[0::2]], self._number[state.ships[1::2]]
        moves, fired = [], [0, 0]
        for number, cell in enumerate(state.shots):
            shot = self._cells[cell]
            moves += [cell, ANSWERS[self._answers(fired[number % 2], shot)[hands[1 - number % 2]]]]
            fired[number % 2] |= shot
        return *hands, moves

    # Hands are chosen, and answers are told with one's own shots only.

    def choices(self, side: int) -> Sequence[Sequence[str]]:
        return self._fleets

    def format_choice(self, side: int, chosen: Sequence[str], moves: Sequence[str]) -> str | None:
        if len(moves) % 2:
            return None
        pairs = enumerate(zip(moves[::2], moves[1::2], strict=True))
        shots = [f"/{cell}-{answer}" if number % 2 == side else f"/{cell}" for number, (cell, answer) in pairs]
        return f"@{'+'.join(chosen)}" * bool(chosen) + "".join(shots)

    def read(self, side: int, text: str) -> tuple[int, Sequence[str]] | None:
        head, *shots = text.split("/")
        hand = self._number.get(tuple(head.removeprefix("@").split("+")))
        if hand is None or not head.startswith("@"):
            return None
        moves, fired = [], 0
        for number, step in enumerate(shots):
            cell, _, answer = step.partition("-") if number % 2 == side else (step, "", "")
            if cell not in self._cells:
                return None
            if number % 2 != side:
                answer = ANSWERS[self._answers(fired, self._cells[cell])[hand]]
                fired |= self._cells[cell]
            moves += [cell, answer]
        return hand, moves
