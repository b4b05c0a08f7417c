"""Mafia against closed forms, and against a game seat by seat, in which nothing is assumed to be alike."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import prod

import pytest

import ruse
from ruse.core.game import CHANCE, END, GameError
from ruse.games import mafia


class Seats:
    """The same evening seat by seat: who is dealt what, who is voted out, whom the mafia kills, who is checked."""

    name = "mafia-seats"
    wins = ("town", "mafia")

    def __init__(self, players: int, mafia: int, detective: bool) -> None:
        self.players, self.size, self.detective = players, mafia, detective

    def start(self):  # type: ignore[no-untyped-def]
        return None, ()

    def _living(self, state):  # type: ignore[no-untyped-def]
        gone = {seat for kind, seat in state[1] if kind != "check"}
        return [seat for seat in range(self.players) if seat not in gone]

    def turn(self, state):  # type: ignore[no-untyped-def]
        if state[0] is None:
            return CHANCE
        living = self._living(state)
        evil = sum(seat in state[0][0] for seat in living)
        if evil == 0 or 2 * evil >= len(living):
            return END
        return 1 if state[1] and state[1][-1][0] == "vote" else 0

    def moves(self, state):  # type: ignore[no-untyped-def]
        if state[0] is None:
            sets = list(combinations(range(self.players), self.size))
            if not self.detective:
                return [(evil, None) for evil in sets]
            return [(evil, seat) for evil in sets for seat in range(self.players) if seat not in evil]
        (evil, detective), past = state
        living = self._living(state)
        if past and past[-1][0] == "vote":
            return [("kill", seat) for seat in living if seat not in evil]
        if past and past[-1][0] == "kill" and detective in living:
            checked = {seat for kind, seat in past if kind == "check"}
            return [("check", seat) for seat in living if seat != detective and seat not in checked] or [("check", -1)]
        return [("vote", seat) for seat in living]

    def odds(self, state):  # type: ignore[no-untyped-def]
        moves = self.moves(state)
        return [Fraction(1, len(moves))] * len(moves)

    def play(self, state, move):  # type: ignore[no-untyped-def]
        return (move, ()) if state[0] is None else (state[0], (*state[1], move))

    def knows(self, state, side):  # type: ignore[no-untyped-def]
        dealt, past = state
        if dealt is None:
            return ()
        evil, detective = dealt
        if side == 1:
            shown = [(kind, seat, seat == detective) for kind, seat in past if kind != "check"]
            return (evil, *shown)
        return (detective, *((kind, seat, seat in evil) for kind, seat in past))

    def payoff(self, state):  # type: ignore[no-untyped-def]
        return -1 if any(seat in state[0][0] for seat in self._living(state)) else 1


@pytest.mark.cases(3)
@pytest.mark.parametrize(
    ("players", "size", "detective"), [(3, 1, False), (5, 1, False), (4, 1, True), (5, 2, False), (5, 1, True)]
)
def test_counting_seats_is_as_good_as_naming_them(players: int, size: int, detective: bool) -> None:
    counted, named = ruse.solve(mafia(players, size, detective)), ruse.solve(Seats(players, size, detective))
    assert counted.certificate.exact and named.certificate.exact
    assert counted.value == named.value


def town(players: int, size: int, **more: object) -> Fraction:
    return (1 + ruse.solve(mafia(players, size, **more)).value) / 2  # type: ignore[arg-type]


def test_one_of_the_mafia_wins_as_often_as_the_closed_form_says() -> None:
    """Migdał 2010: (n-1)!!/n!! for n players, an odd number; twice that for an even one, where 1 : 1 is no tie here."""
    for players in range(3, 21):
        closed = Fraction(prod(range(players - 1, 0, -2)), prod(range(players, 0, -2)))
        assert 1 - town(players, 1) == (closed if players % 2 else 2 * closed)


def recursion(players: int, size: int) -> Fraction:
    """How often the town wins, by day: written down again."""
    if size == 0:
        return Fraction(1)
    if 2 * size >= players:
        return Fraction(0)
    hit = Fraction(size, players)

    def night(players: int, size: int) -> Fraction:
        if size == 0 or 2 * size >= players:
            return Fraction(size == 0)
        return recursion(players - 1, size)

    return hit * night(players - 1, size - 1) + (1 - hit) * night(players - 1, size)


def test_the_recursion_up_to_twenty_players() -> None:
    for players, size in ((7, 2), (12, 3), (17, 4), (20, 5), (20, 9)):
        assert town(players, size) == recursion(players, size)


def test_a_detective_changes_what_size_is_fair() -> None:
    """The theorems of Braverman, Etesami and Mossel: about the square root without her, a share of all with her."""
    alone = [float(1 - town(players, size)) for players, size in ((9, 3), (25, 5), (49, 7))]
    assert all(0.8 < chance < 0.95 for chance in alone) and max(alone) - min(alone) < 0.1
    with_her = [float(town(players, players // 5, detective=True)) for players in (10, 20, 30, 40)]
    assert all(0.5 < chance < 1 for chance in with_her) and sorted(with_her) == with_her


def test_sparing_somebody_mends_an_even_number() -> None:
    assert town(8, 2) < town(8, 2, skip="day") == town(7, 2)


def test_nonsense_is_refused() -> None:
    with pytest.raises(GameError, match="expected 1 to 4 of the mafia among 5 players, got 5"):
        mafia(5, 5)
    with pytest.raises(GameError, match="expected no --skip night with a detective"):
        mafia(7, 2, True, skip="night")
