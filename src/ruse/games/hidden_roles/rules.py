"""The Resistance with hidden roles, seat by seat: a deal, some talk, up to five missions, and a last guess.

    deal      Chance deals the roles. The spies see each other and their roles, but for one who plays alone.
    talk      none     nothing is said.
              private  every seat reports to a mediator, who keeps it secret: good seats the truth, spies what they
                       like.
              round    everybody points at another seat, all at once and in the open. Who sees evil points, with some
                       odds, at one of the seats that he sees; other good seats point at random; spies as they like.
              vouch    the same, but who sees evil points, with some odds, at one of the seats that he does not see.
    missions  The good side, as one mind that knows no role but what was said, picks who goes. The spies aboard decide
              together how many of them sabotage; a spy who plays alone always does. Everybody hears whether the
              mission passed or failed.
    guess     If three missions have passed and a role is hunted, the spies name a seat: if that is the one, they win.

Sign convention: side 0 is the good side, +1 when it wins and -1 when the spies do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import NamedTuple

from ruse.core.game import CHANCE, END, GameError, Titled
from ruse.games.hidden_roles.reports import Reports
from ruse.games.hidden_roles.roles import EVIL, Cast, Claim, Seats
from ruse.games.resistance.rules import LOST, WON, subsets
from ruse.games.resistance.table import Table

GOOD, SPIES = 0, 1
UNKNOWN = -1  # a kind, or a number of cards, that a side does not see
NONE, PRIVATE, ROUND, VOUCH = TALKS = ("none", "private", "round", "vouch")
POINTING = (ROUND, VOUCH)  # in the open

Words = tuple[Claim | None, ...]  # of each seat; None of one that has not spoken, or that is not heard


class Done(NamedTuple):
    """A mission that is over."""

    seats: Seats
    passed: bool
    cards: int  # sabotages of spies who know each other


@dataclass(frozen=True)  # no tuple, which would equal a mission
class Dealt:
    """A move of chance: the kind of each seat."""

    kinds: tuple[int, ...]


@dataclass(frozen=True)
class Named:
    """A move: the seat that the spies take for the one they hunt."""

    seat: int


class RolesPlay(NamedTuple):
    """A state, and what a side knows of it."""

    deal: tuple[int, ...] | None = None  # the kind of each seat
    said: Words | None = None
    done: tuple[Done, ...] = ()
    out: Seats | None = None  # the mission whose cards are being played
    named: int | None = None

    @property
    def score(self) -> tuple[int, int]:
        """Points of the good side and of the spies."""
        passed = sum(mission.passed for mission in self.done)
        return passed, len(self.done) - passed


class HiddenRoles(Titled):
    sides = ("good", "spies")
    wins = ("good", "spies")

    def __init__(
        self,
        name: str,
        table: Table,
        cast: Cast,
        talk: str = PRIVATE,
        truth: Fraction = Fraction(1),
        title: str | None = None,
        parameters: dict[str, object] | None = None,
    ) -> None:
        if talk not in TALKS:
            raise GameError(f"expected talk to be one of {', '.join(TALKS)}, got {talk!r}")
        if not 0 <= truth <= 1:
            raise GameError(f"expected truth from 0 to 1, got {truth}")
        self.name, self.table, self.cast, self.talk, self.truth = name, table, cast, talk, Fraction(truth)
        self.title = name if title is None else title
        self.parameters = {} if parameters is None else parameters

    @cached_property
    def reports(self) -> Reports:
        """What the mediator heeds where talk is private."""
        return Reports(self)

    def start(self) -> RolesPlay:
        return RolesPlay()

    def turn(self, state: RolesPlay) -> int:
        if state.deal is None or state.said is None:
            return CHANCE
        if None in state.said or state.out is not None:
            return SPIES
        if not self.table.is_over(state.score):
            return GOOD
        return SPIES if self.guesses(state) and state.named is None else END

    def guesses(self, state: RolesPlay) -> bool:
        """Whether the missions are won and the spies have a last guess."""
        return state.score[GOOD] == self.table.points and self.cast.hunted is not None

    def moves(self, state: RolesPlay) -> Sequence[object]:
        if state.deal is None:
            return [Dealt(deal) for deal in self.cast.deals]
        if state.said is None:
            return [words for words, _ in self._pointing(state.deal)]
        if None in state.said:
            return self.lies(self.spies(state.deal))
        if state.out is not None:
            return range(self.aboard(state.deal, state.out) + 1)
        if self.table.is_over(state.score):
            return [Named(seat) for seat, kind in enumerate(state.deal) if kind not in self.cast.known]
        return subsets(self.table.players, self.table.missions[len(state.done)])

    def odds(self, state: RolesPlay) -> Sequence[Fraction]:
        if state.deal is None:
            return [Fraction(1, len(self.cast.deals))] * len(self.cast.deals)
        return [odds for _, odds in self._pointing(state.deal)]

    def play(self, state: RolesPlay, move: object) -> RolesPlay:
        if state.deal is None:
            assert isinstance(move, Dealt)
            return self._dealt(move.kinds)
        if state.said is None:
            assert isinstance(move, tuple)
            return state._replace(said=move)
        if None in state.said:
            assert isinstance(move, tuple)
            return state._replace(said=tuple(lie or claim for lie, claim in zip(move, state.said, strict=True)))
        if isinstance(move, Named):
            return state._replace(named=move.seat)
        if isinstance(move, tuple):
            out = state._replace(out=move)
            return out if self.aboard(state.deal, move) else self._over(out, 0)
        assert isinstance(move, int)
        return self._over(state, move)

    def _dealt(self, deal: tuple[int, ...]) -> RolesPlay:
        """What follows a deal; where there is nothing to choose from, everybody has spoken already."""
        if self.talk == NONE:
            return RolesPlay(deal, ())
        if self.talk in POINTING:
            return RolesPlay(deal)
        spies = self.spies(deal) if self.cast.sights else ()
        return RolesPlay(
            deal, tuple(None if seat in spies else self.cast.true_claim(deal, seat) for seat in range(len(deal)))
        )

    def _over(self, state: RolesPlay, cards: int) -> RolesPlay:
        assert state.deal is not None and state.out is not None
        lone = sum(state.deal[seat] == self.cast.alone for seat in state.out)
        fails = cards + lone >= self.table.sabotages[len(state.done)]
        return state._replace(done=(*state.done, Done(state.out, not fails, cards)), out=None)

    def spies(self, deal: Sequence[int]) -> Seats:
        """The seats of the spies who know each other."""
        return tuple(seat for seat, kind in enumerate(deal) if kind in self.cast.known)

    def aboard(self, deal: Sequence[int], mission: Seats) -> int:
        """How many of them go on a mission."""
        return sum(deal[seat] in self.cast.known for seat in mission)

    def lies(self, spies: Seats) -> list[Words]:
        """All that the spies can say."""
        return list(product(*(self._said_by(seat) if seat in spies else [None] for seat in range(self.table.players))))

    def _said_by(self, seat: int) -> list[Claim]:
        if self.talk == PRIVATE:
            return self.cast.claims(seat)
        return [Claim(self.cast.quiet, (other,)) for other in range(self.table.players) if other != seat]

    def _pointing(self, deal: Sequence[int]) -> list[tuple[Words, Fraction]]:
        """What the good seats point at, and how likely that is."""
        spies = self.spies(deal)
        choices: list[list[tuple[Claim | None, Fraction]]] = []
        for seat in range(len(deal)):
            if seat in spies:
                choices.append([(None, Fraction(1))])
                continue
            anyone = self._said_by(seat)
            hints = self._hints(deal, seat)
            truth = self.truth if hints else Fraction(0)
            choices.append(
                [
                    (claim, (1 - truth) / len(anyone) + (truth / len(hints) if claim.seats[0] in hints else 0))
                    for claim in anyone
                ]
            )
        outcomes: list[tuple[Words, Fraction]] = []
        for combined in product(*choices):
            odds = Fraction(1)
            for _, share in combined:
                odds *= share
            if odds:
                outcomes.append((tuple(claim for claim, _ in combined), odds))
        return outcomes

    def _hints(self, deal: Sequence[int], seat: int) -> Seats:
        """The seats that one who sees evil points at, where he does not point at random."""
        if self.cast.kinds[deal[seat]].sees != EVIL:
            return ()
        seen = self.cast.sees(deal, seat)
        if self.talk == ROUND:
            return seen
        return tuple(other for other in range(len(deal)) if other != seat and other not in seen)

    def knows(self, state: RolesPlay, side: int) -> RolesPlay:
        said, heard = state.said, state.said is not None and None not in state.said
        if side == GOOD:
            done = tuple(mission._replace(cards=UNKNOWN) for mission in state.done)
            return RolesPlay(None, said if heard else None, done, state.out, state.named)
        if state.deal is None:
            return state
        deal = tuple(kind if kind in self.cast.known else UNKNOWN for kind in state.deal)
        if said is not None and not (heard and self.talk in POINTING):
            said = tuple(claim if kind != UNKNOWN else None for claim, kind in zip(said, deal, strict=False))
        return RolesPlay(deal, said if heard else None, state.done, state.out, state.named)

    def payoff(self, state: RolesPlay) -> Fraction:
        assert state.deal is not None
        if state.score[GOOD] < self.table.points:
            return LOST
        return LOST if state.named is not None and state.deal[state.named] == self.cast.hunted else WON

    def label(self, move: object) -> str:
        from ruse.games.hidden_roles import notation  # which imports this module

        return notation.label(self, move)

    def format_position(self, knowledge: RolesPlay) -> str:
        from ruse.games.hidden_roles import notation

        return notation.format_position(self, knowledge)
