"""The Resistance as people play it, seat by seat (Bossle 2018, §4.1), without the votes.

Chance makes some seats spies, and the spies know each other. Each round the resistance picks a mission,
then every spy aboard plays a card in seat order: pass or sabotage. How many sabotaged is public, who did
is not. Enough sabotages give the spies a point, else the resistance gets it; three points win.

The votes are left out because they decide nothing (§4.2): the resistance is the majority and agrees
beforehand, with dice if need be, and a spy who votes otherwise only gives itself away. The spies share
what they know and their dice, so they are one side.

Sign convention: side 0 is the resistance, +1 when it wins and -1 when the spies do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import ClassVar, NamedTuple

from ruse.core.capabilities import Symmetric, Teamed
from ruse.core.game import CHANCE, END, GameError, Titled
from ruse.games.resistance import notation
from ruse.games.resistance.table import Table

Seats = tuple[int, ...]  # sorted
WON, LOST = Fraction(1), Fraction(-1)
PASS, SABOTAGE = 0, 1
RESISTANCE, SPIES = 0, 1


@lru_cache(maxsize=64)
def subsets(players: int, size: int) -> tuple[Seats, ...]:
    """Every set of so many seats."""
    return tuple(combinations(range(players), size))


class Mission(NamedTuple):
    seats: Seats
    cards: tuple[int, ...]  # of the spies aboard, in seat order; to the resistance, only their sum


class ResistancePlay(NamedTuple):
    """A state, and what a side knows of it: the resistance sees no spies, and sums instead of cards."""

    spies: Seats | None
    done: tuple[Mission, ...]
    out: Mission | None  # the mission whose cards are being played
    score: tuple[int, int] = (0, 0)  # points of the resistance and of the spies


class ResistanceRules(Titled):
    name = "resistance"
    sides = ("resistance", "spies")
    wins = ("resistance", "spies")
    provides: ClassVar[tuple[type, ...]] = (Symmetric, Teamed)

    def __init__(self, table: Table) -> None:
        self.table = table
        self.title = table.title
        self.parameters = table.parameters

    def start(self) -> ResistancePlay:
        return ResistancePlay(None, (), None)

    def turn(self, state: ResistancePlay) -> int:
        if state.spies is None:
            return CHANCE
        if state.out is not None:
            return SPIES
        return END if self.table.is_over(state.score) else RESISTANCE

    def moves(self, state: ResistancePlay) -> Sequence[Seats] | Sequence[int]:
        if state.spies is None:
            return subsets(self.table.players, self.table.spies)
        if state.out is not None:
            return (PASS, SABOTAGE)
        return subsets(self.table.players, self.table.missions[len(state.done)])

    def odds(self, state: ResistancePlay) -> Sequence[Fraction]:
        return [Fraction(1, self.table.spy_sets)] * self.table.spy_sets

    def play(self, state: ResistancePlay, move: Seats | int) -> ResistancePlay:
        if state.spies is None:
            assert isinstance(move, tuple)
            return state._replace(spies=move)
        if isinstance(move, tuple):
            out = Mission(move, ())
        else:
            assert state.out is not None
            out = Mission(state.out.seats, (*state.out.cards, move))
        spies = state.spies
        if len(out.cards) < sum(seat in spies for seat in out.seats):
            return ResistancePlay(spies, state.done, out, state.score)
        passed, failed = state.score
        fails = sum(out.cards) >= self.table.sabotages[len(state.done)]
        score = (passed, failed + 1) if fails else (passed + 1, failed)
        return ResistancePlay(spies, (*state.done, out), None, score)

    def knows(self, state: ResistancePlay, side: int) -> ResistancePlay:
        if side == SPIES:
            return state
        done = tuple(Mission(mission.seats, (sum(mission.cards),)) for mission in state.done)
        return ResistancePlay(None, done, state.out and Mission(state.out.seats, ()), state.score)

    def payoff(self, state: ResistancePlay) -> Fraction:
        return WON if state.score[RESISTANCE] == self.table.points else LOST

    def label(self, move: Seats | int) -> str:
        return notation.seats(move) if isinstance(move, tuple) else ("pass", "sabotage")[move]

    def format_position(self, knowledge: ResistancePlay) -> str:
        text = "" if knowledge.spies is None else f"@{notation.seats(knowledge.spies)}"
        for mission, fails in zip(knowledge.done, self.table.sabotages, strict=False):
            count = sum(mission.cards)
            text += f"/{notation.seats(mission.seats)}" + ("-" if count >= fails else "+")
            if knowledge.spies is None:
                text += str(count) if count not in (0, fails) else ""
            elif mission.cards not in self._ordered(len(mission.cards), fails).values():
                aboard = [seat for seat in mission.seats if seat in knowledge.spies]
                text += notation.seats([seat for seat, card in zip(aboard, mission.cards, strict=True) if card])
        if knowledge.out is not None:
            text += f"/{notation.seats(knowledge.out.seats)}?" + "".join(
                "/" + self.label(card) for card in knowledge.out.cards
            )
        return text

    # Symmetry: seats can be renamed. Cards stay in their order: the i-th spy aboard in the new seat order
    # is then taken to have played the i-th card, which changes nothing that anybody can see.

    def labels(self) -> Sequence[Seats]:
        return (tuple(range(self.table.players)),)

    def record(self, state: ResistancePlay, label: int, side: int | None) -> tuple[bool, ...]:
        aboard = [label in mission.seats for mission in state.done]
        if state.out is not None:
            aboard.append(label in state.out.seats)
        # The seats most often aboard get the first letters; a spy goes before a loyal seat of the same record.
        if side != RESISTANCE and state.spies is not None:
            aboard.append(label in state.spies)
        return tuple(not bit for bit in aboard)

    def relabel(self, state: ResistancePlay, names: Mapping[int, int]) -> ResistancePlay:
        def renamed(mission: Mission) -> Mission:
            return mission._replace(seats=tuple(sorted(names[seat] for seat in mission.seats)))

        return ResistancePlay(
            state.spies and tuple(sorted(names[seat] for seat in state.spies)),
            tuple(renamed(mission) for mission in state.done),
            state.out and renamed(state.out),
            state.score,
        )

    def rename(self, move: Seats | int, names: Mapping[int, int]) -> Seats | int:
        return tuple(sorted(names[seat] for seat in move)) if isinstance(move, tuple) else move

    def mark(self, move: Seats | int, label: int) -> bool:
        return isinstance(move, tuple) and label not in move

    # Teams: the spies aboard act as one. All that they can bring about is that the mission passes or fails.

    def orders(self, state: ResistancePlay) -> Mapping[str, tuple[int, ...]]:
        """What a coordinator of the spies can order here, with the cards that carry it out."""
        if state.out is None or state.spies is None:
            raise GameError("expected a mission under way")
        aboard = len(set(state.out.seats).intersection(state.spies))
        return self._ordered(aboard, self.table.sabotages[len(state.done)])

    @staticmethod
    def _ordered(aboard: int, fails: int) -> dict[str, tuple[int, ...]]:
        orders = {"pass": (PASS,) * aboard}
        if aboard >= fails:
            orders["sabotage"] = (SABOTAGE,) * fails + (PASS,) * (aboard - fails)
        return orders

    def played(self, state: ResistancePlay) -> tuple[int, ...]:
        """The cards that are down already."""
        return state.out.cards if state.out is not None else ()

    def coordinated(self, state: ResistancePlay) -> ResistancePlay:
        """The state that a coordinated team would have brought about with the same passes and failures."""
        spies = state.spies or ()
        done = []
        for mission, fails in zip(state.done, self.table.sabotages, strict=False):
            aboard = len(set(mission.seats).intersection(spies))
            order = "sabotage" if sum(mission.cards) >= fails else "pass"
            done.append(mission._replace(cards=self._ordered(aboard, fails)[order]))
        return state._replace(done=tuple(done), out=state.out and state.out._replace(cards=()))
