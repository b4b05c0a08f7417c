"""Gambit's .efg files: a game as a tree in prefix order, one node after another.

    EFG 2 R "title" { "first player" "second player" } "comment"
    c "node" 1 "chance set" { "heads" 1/2 "tails" 1/2 } 0
    p "node" 1 1 "information set" { "left" "right" } 0
    t "node" 1 "outcome" { 1, -1 }

A node of a player has the player's number and that of the information set, whose name and moves may be left out
once they are known; then comes the outcome's number, 0 for none, whose name and payoffs may be left out likewise.
Payoffs of outcomes on the way are added up. Read and written are games of two players whose payoffs add
up to the same at every end: 0 (zero-sum), or another constant.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from pathlib import Path
from typing import NamedTuple

from ruse.core import rationals
from ruse.core.capabilities import constant
from ruse.core.clock import tick
from ruse.core.contract import checked, different_moves
from ruse.core.game import CHANCE, END, Game, Knowledge, Move
from ruse.core.plain_games.tree import Did, ExplicitTree, Node, TreeChoice
from ruse.formats import check_written
from ruse.formats.gambit_text import (
    TEXT,
    Tokens,
    distinct,
    opened,
    quoted,
    quoted_names,
    safe,
    safe_position,
)

Payoffs = tuple[Fraction, Fraction]
NOTHING: Payoffs = (Fraction(0), Fraction(0))


def read_efg(source: str | Path, title: str | None = None) -> ExplicitTree:
    """The game in a file, if `source` is a Path, or in a text. Raises FormatError with the line and column."""
    tokens, heading = opened(source, title, "EFG", "2")
    if tokens.kind == TEXT:
        tokens.take_text("a comment")
    reader = _Reader(tokens)
    nodes = reader.read_nodes()
    choices = _choices(reader.sets, heading.players)
    return ExplicitTree("efg", heading.title, heading.players, heading.parameters, choices, nodes, tokens.constant)


@dataclass(frozen=True)
class _Set:
    """An information set of a player or of chance, as the file has it."""

    side: int
    number: int
    name: str
    labels: list[str]
    odds: list[Fraction]  # of chance
    did: Did  # what its side did last, at every node of it
    acts: list[Did]  # its moves, as they will be remembered


class _Open(NamedTuple):
    """A node whose moves are being followed, with the payoffs on the way there."""

    node: Node
    set: _Set
    payoffs: Payoffs


class _Reader:
    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens
        self.sets: list[_Set] = []
        self._places: dict[tuple[int, int], int] = {}  # side and number in the file -> place in `sets`
        self._outcomes: dict[int, Payoffs] = {}

    def read_nodes(self) -> list[Node]:
        """The whole tree. Nodes with moves left to follow wait on a stack, so that no depth is too deep."""
        tokens = self.tokens
        nodes: list[Node] = []
        stack: list[_Open] = []
        while stack or not nodes:
            tick()
            did: tuple[Did, Did] = ((), ())
            payoffs = NOTHING
            if stack:
                before, made, payoffs = stack[-1]
                act = made.acts[len(before.after)]
                did = (act if made.side == 0 else before.did[0], act if made.side == 1 else before.did[1])
                before.after.append(len(nodes))
                if len(before.after) == len(made.acts):
                    stack.pop()
            at = tokens.at
            kind = tokens.take_word("a node that begins with c, p or t", "c", "p", "t")
            tokens.take_text("the name of a node")
            place = END if kind == "t" else self._take_set(kind, did)
            payoffs = self._take_outcome(payoffs)
            if place == END:
                tokens.check_sum(payoffs, at)
                nodes.append(Node(END, [], did, payoffs[0]))
            else:
                nodes.append(Node(place, [], did, None))
                stack.append(_Open(nodes[-1], self.sets[place], payoffs))
        if not tokens.at_end:
            raise tokens.error("the end of the file after the last node of the tree")
        return nodes

    def _take_set(self, kind: str, did: tuple[Did, Did]) -> int:
        """The place of the information set that a node belongs to."""
        tokens = self.tokens
        at = tokens.at
        side = CHANCE if kind == "c" else tokens.take_whole("the number of a player") - 1
        if side not in (CHANCE, 0, 1) or (side == CHANCE and kind == "p"):
            raise tokens.error("player 1 or 2", str(side + 1), at)
        at = tokens.at
        number = tokens.take_whole("the number of an information set")
        set_text = f"information set {number} of " + ("chance" if side == CHANCE else f"player {side + 1}")
        name = tokens.take_text("a name") if tokens.kind == TEXT else ""
        labels, odds = self._take_moves(side == CHANCE) if tokens.is_at("{") else (None, [])
        place = self._places.get((side, number))
        if place is None:
            if labels is None:
                raise tokens.error(f"the moves of {set_text}, which was not mentioned before")
            place = self._places[side, number] = len(self.sets)
            acts: list[Did] = [(place, move) for move in range(len(labels))]
            last = () if side == CHANCE else did[side]
            self.sets.append(_Set(side, number, name, labels, odds, last, acts))
            return place
        known = self.sets[place]
        if labels is not None and len(labels) != len(known.labels):
            raise tokens.error(f"{len(known.labels)} moves, as before, of {set_text}", str(len(labels)), at)
        if labels is not None and (labels, odds) != (known.labels, known.odds):
            changed, got = ("moves", labels) if labels != known.labels else ("odds", map(rationals.brief, odds))
            raise tokens.error(f"the same {changed} as before of {set_text}", ", ".join(got), at)
        if side != CHANCE and known.did != did[side]:
            raise tokens.error(
                f"player {side + 1} to remember its own moves (perfect recall)",
                f"several ways to come to {set_text}",
                at,
            )
        return place

    def _take_moves(self, chance: bool) -> tuple[list[str], list[Fraction]]:
        """The labels of a set's moves, and their odds if it is chance that moves."""
        tokens = self.tokens
        begin = tokens.at
        labels: list[str] = []
        odds: list[Fraction] = []
        for _ in tokens.items():
            labels.append(tokens.take_text("the name of a move"))
            if chance:
                at = tokens.at
                odds.append(tokens.take_number("the odds of a chance move"))
                if odds[-1] < 0:
                    raise tokens.error("odds of at least 0", rationals.brief(odds[-1]), at)
        if not labels:
            raise tokens.error("at least one move", "none", begin)
        if chance:
            common = lcm(*(share.denominator for share in odds))
            total = Fraction(sum(share.numerator * (common // share.denominator) for share in odds), common)
            if total != 1:
                raise tokens.error("odds that add up to 1", rationals.brief(total), begin)
        return labels, odds

    def _take_outcome(self, before: Payoffs) -> Payoffs:
        """The payoffs so far, with those of the outcome at a node."""
        tokens = self.tokens
        at = tokens.at
        number = tokens.take_whole("the number of an outcome, or 0 for none")
        if tokens.kind == TEXT:
            tokens.take_text("a name")
        if tokens.is_at("{"):
            begin = tokens.at
            payoffs = [tokens.take_number("a payoff") for _ in tokens.items()]
            if len(payoffs) != 2:
                raise tokens.error("the payoffs of two players", str(len(payoffs)), begin)
            if number == 0:
                raise tokens.error("an outcome above 0 where there are payoffs", "0", at)
            given = (payoffs[0], payoffs[1])
            if self._outcomes.setdefault(number, given) != given:
                got = " and ".join(map(rationals.brief, given))
                raise tokens.error(f"the payoffs of outcome {number} as before", got, begin)
        if number == 0:
            return before
        known = self._outcomes.get(number)
        if known is None:
            raise tokens.error(f"the payoffs of outcome {number}, which was not mentioned before")
        return (before[0] + known[0], before[1] + known[1]) if before is not NOTHING else known


def _choices(sets: Sequence[_Set], players: tuple[str, str]) -> list[TreeChoice]:
    """The information sets with names of their own: those of the file, made fit for positions."""
    positions = distinct(
        ["" if own.side == CHANCE else safe_position(own.name) or f"@{players[own.side]}-{own.number}" for own in sets]
    )
    return [
        TreeChoice(
            own.side,
            position,
            tuple(distinct([safe(label) or str(number) for number, label in enumerate(own.labels, 1)])),
            tuple(own.odds),
        )
        for own, position in zip(sets, positions, strict=True)
    ]


def write_efg(game: Game) -> str:
    """A game as the text of an .efg file. For a large one: `stream.writelines(efg_lines(game))`."""
    return "".join(efg_lines(game))


def efg_lines(game: Game) -> Iterator[str]:
    """The lines of a game's .efg file, one after another as its tree is walked. Chance moves of odds 0 are left out."""
    check_written(game, "efg")
    game = checked(game)
    yield f"EFG 2 R {quoted(game.title)} {_braces(quoted_names(game.sides))}\n"
    yield '""\n\n'
    sets: tuple[dict[Knowledge, tuple[tuple[Move, ...], str]], ...] = ({}, {})
    draws = ends = 0
    total = constant(game)
    stack = [game.start()]
    while stack:
        state = stack.pop()
        turn = game.turn(state)
        if turn == END:
            ends += 1
            payoff = Fraction(game.payoff(state))
            yield f't "" {ends} "" {{ {rationals.write(payoff)}, {rationals.write(total - payoff)} }}\n'
            continue
        moves = tuple(game.moves(state))
        if turn == CHANCE:
            draws += 1
            drawn = [(move, share) for move, share in zip(moves, game.odds(state), strict=True) if share]
            moves = tuple(move for move, _ in drawn)
            shares = (rationals.write(share) for _, share in drawn)
            listed = map(" ".join, zip(quoted_names(map(game.label, moves)), shares, strict=True))
            yield f'c "" {draws} "" {_braces(listed)} 0\n'
        else:
            knowledge = game.knows(state, turn)
            if knowledge not in sets[turn]:
                labels = _braces(quoted_names(map(game.label, moves)))
                name = quoted(game.format_position(knowledge))
                sets[turn][knowledge] = moves, f'p "" {turn + 1} {len(sets[turn]) + 1} {name} {labels} 0\n'
            known, line = sets[turn][knowledge]
            if known != moves:
                raise different_moves(game, knowledge, state, known, moves)
            yield line
        stack.extend(game.play(state, move) for move in reversed(moves))


def _braces(items: Iterable[str]) -> str:
    return f"{{ {' '.join(items)} }}"
