"""Plays of a game with hidden roles as numbers, and what is known at the information sets that they come to.

A set of seats is a mask, and a play's missions are one number: of each a mask, and the spies' cards in `CARDS` bits.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from ruse.core.arrays import Array
from ruse.core.game import describe
from ruse.forms.sequence_form import FormArrays, Treeplex
from ruse.games.hidden_roles.orbits import Orbit, Orbits, renamed
from ruse.games.hidden_roles.rules import GOOD, SPIES, Named
from ruse.games.resistance.notation import seats as letters

CARDS = 2  # bits for the sabotages of a mission


class PlaySet(NamedTuple):
    """Plays of a block, all before a mission or all after it."""

    world: Array  # what was dealt and said: a number
    names: Array  # from the good side's to those of the spies: the number of a renaming
    groups: Array  # [2, plays]: what each side cannot tell apart
    sequences: Array  # int32[2, plays]: each side's last
    knows: Array  # int64[plays]: the same number where the spies know the same
    done: Array  # int64[plays]: the missions

    def take(self, chosen: Array) -> PlaySet:
        return PlaySet(*(field.take(chosen, axis=-1) for field in self))

    @property
    def size(self) -> int:
        return len(self.world)


class SetsMet:
    """The information sets of one side as they are met, each with one play that comes there."""

    def __init__(self) -> None:
        self.sequences = 1
        self.parents = [np.zeros(0, dtype=np.int32)]
        self.counts = [np.zeros(0, dtype=np.int32)]
        self.moves = [np.full(1, -1, dtype=np.int16)]  # of each sequence
        self.kept = [np.zeros((4, 0), dtype=np.int64)]  # [4, sets]: world, names, missions, results as a number

    def add(self, plays: PlaySet, side: int, legal: Array, moves: Array, results: int) -> Array:
        """Number the moves of new sets, of which each has a play: int32[moves, sets], from legal bool[moves, sets]."""
        counts = legal.sum(axis=0, dtype=np.int32)
        begins = self.sequences + np.cumsum(counts, dtype=np.int32) - counts
        self.parents.append(plays.sequences[side].copy())
        self.counts.append(counts)
        self.moves.append(moves.T[legal.T].astype(np.int16))
        self.kept.append(
            np.stack([plays.world, plays.names, plays.done, np.full(plays.size, results)]).astype(np.int64)
        )
        self.sequences += int(counts.sum())
        numbers: Array = begins + np.cumsum(legal, axis=0, dtype=np.int32) - 1
        return numbers

    def treeplex(self) -> Treeplex:
        first = np.concatenate([[1], 1 + np.cumsum(np.concatenate(self.counts))])
        return Treeplex(np.concatenate(self.parents).astype(np.int32), first.astype(np.int32))


Sides = tuple[SetsMet, SetsMet]


class WrittenForm:
    """The form, and what is known and can be done at each of its information sets."""

    def __init__(
        self, form: FormArrays, orbits: Orbits, worlds: list[Orbit], renamings: Array, images: Array, sets: Sides
    ) -> None:
        self.form, self.orbits = form, orbits
        self._worlds, self._renamings, self._images = worlds, renamings, images
        self._kept = tuple(np.concatenate(own.kept, axis=1) for own in sets)  # int64[4, sets] a side
        self._moves = tuple(np.concatenate(own.moves) for own in sets)  # int16[sequences] a side
        self._letters = [
            letters([seat for seat in range(orbits.players) if mask >> seat & 1]) for mask in range(1 << orbits.players)
        ]
        self._begun = cache(self._begun_as)

    def position(self, side: int, number: int) -> str:
        """What a side knows at a set, in text."""
        world, names, missions, results = self._kept[side][:, number].tolist()
        if world < 0:
            return describe(self.orbits, self.orbits.start().play)
        text, players = self._begun(side, world, names if side == SPIES else -1), self.orbits.players
        for at, fails in enumerate(self.orbits.game.table.sabotages):
            mission = missions >> (players + CARDS) * at
            mask, cards = mission & (1 << players) - 1, mission >> players & (1 << CARDS) - 1
            if not mask:
                break
            text += f"/{self._letters[mask if side == GOOD else self._images[names, mask]]}"
            passed = results >> at & 1
            if at == results.bit_length() - 1:  # of results there is a bit more
                return f"{text}?"
            text += "-+"[passed]
            if side == SPIES and cards != (0 if passed else fails):
                text += str(cards)
        return text

    def _begun_as(self, side: int, world: int, names: int) -> str:
        """What a side knows before the first mission, in text."""
        play = self._worlds[world].play
        if side == SPIES:
            play = renamed(play, tuple(self._renamings[names].tolist()))
        return describe(self.orbits, self.orbits.game.knows(play, side))

    def labels(self, side: int, number: int) -> list[str]:
        """What can be done there, in the order of its sequences."""
        first, end = self.form.trees[side].first[number : number + 2].tolist()
        world, _, missions, results = self._kept[side][:, number].tolist()
        game, moves = self.orbits.game, self._moves[side][first:end].tolist()
        if world < 0:
            return [game.label(self.orbits.lies[move]) for move in moves]
        if side == GOOD:
            return [self._letters[move] for move in moves]
        out = missions >> (self.orbits.players + CARDS) * (results.bit_length() - 1)
        return [game.label(move if out else Named(move)) for move in moves]
