"""Whether a public tree says what the rules of its game say, by a plain walk of them."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from ruse.core.arrays import Array
from ruse.core.capabilities import Public, PublicRules
from ruse.core.clock import tick
from ruse.core.game import CHANCE, END, GameError, Move, State
from ruse.forms.public_tree import PublicTree, TooManyStates, node_of, public_tree

PLAYS = 1_000  # random ones
FEW_STATES = 20_000  # different public ones: seconds


def check_public(game: Public, whole: bool) -> None:
    """Compare public rules with the rules: at every state, or along random plays. Raises GameError."""
    if whole:
        against_rules(game)
        return
    with suppress(TooManyStates):  # what is too large to solve so need not be compared
        along_plays(game, public_tree(game, FEW_STATES))


def against_rules(game: Public, tree: PublicTree | None = None) -> None:
    """Compare the public tree with a plain walk of the game. Raises GameError that says where they differ.

    Every state has to stand at its node: the same turn, the same moves for those hands, sides that know their own hand
    and the node and nothing else; and what an end pays, times the odds of coming there, is the entry of its matrix.
    """
    tree = public_tree(game) if tree is None else tree
    rules = game.public()
    public_nodes: dict[tuple[Move, ...], tuple[int, State]] = {}
    sets: dict[tuple[int, Any], tuple[int, int]] = {}  # by side and knowledge: the node and the hand
    paid: dict[int, dict[tuple[int, int], Fraction]] = {}  # what hands get at an end
    met: tuple[set[tuple[int, int]], set[tuple[int, int]]] = (set(), set())  # hands that come to nodes
    stack: list[tuple[State, Fraction]] = [(game.start(), Fraction(1))]
    while stack:
        tick()
        state, odds = stack.pop()
        turn = game.turn(state)
        options = list(game.moves(state)) if turn != END else []
        if turn == CHANCE:
            stack += [
                (game.play(state, move), odds * share)
                for move, share in zip(options, game.odds(state), strict=True)
                if share
            ]
        else:
            stack += [(game.play(state, move), odds) for move in options]
        here = _here(game, tree, rules, state, options, public_nodes)
        if here is None:
            continue
        first, second, node, public = here
        for side, hand in enumerate((first, second)):
            met[side].add((node, hand))
            if sets.setdefault((side, game.knows(state, side)), (node, hand)) != (node, hand):
                raise _contradiction(game, public, f"{game.sides[side]} knows less than its hand and what is public")
        if turn == END:
            hands = paid.setdefault(node, {})
            hands[first, second] = hands.get((first, second), Fraction(0)) + odds * Fraction(game.payoff(state))
    for side in (0, 1):
        if len(met[side]) != sum(1 for owner, _ in sets if owner == side):
            raise GameError(f"{game.sides[side]} knows more than its hand and what is public in {game.title}")
    for node, public in public_nodes.values():
        if tree.turn[node] == END:
            _check_end(game, tree, node, public, paid.get(node, {}))
    unmet = np.setdiff1d(np.flatnonzero(tree.turn == END), [node for node, _ in public_nodes.values()])
    something = np.asarray(tree.matrices.any(axis=(1, 2)))
    paying = tree.scale[tree.pay[unmet]].astype(bool) & something[tree.matrix[tree.pay[unmet]]]
    if paying.any():
        raise GameError(
            f"the public tree of {game.title} contradicts its rules at node {int(unmet[np.argmax(paying)]):,}: "
            "hands get something at an end that the rules never come to"
        )


def _here(
    game: Public,
    tree: PublicTree,
    rules: PublicRules,
    state: State,
    options: list[Move],
    public_nodes: dict[tuple[Move, ...], tuple[int, State]],
) -> tuple[int, int, int, State] | None:
    """Both hands, the node and the public state of a state that stands where it should; None before all is dealt."""
    place = rules.place(state)
    if place is None:
        if (turn := game.turn(state)) != CHANCE and not tree.chosen:
            raise GameError(f"expected hands to be dealt by chance in {game.title}, got a turn of {turn} at {state!r}")
        return None
    first, second, moves = place
    if tuple(moves) not in public_nodes:
        public_nodes[tuple(moves)] = node_of(tree, rules, moves)
    node, public = public_nodes[tuple(moves)]
    _check_state(game, tree, rules, state, (node, public), (first, second), options)
    return first, second, node, public


def _contradiction(game: Public, public: State, detail: str) -> GameError:
    return GameError(f"the public tree of {game.title} contradicts its rules at {public!r}: {detail}")


def _check_state(
    game: Public,
    tree: PublicTree,
    rules: PublicRules,
    state: State,
    at: tuple[int, State],
    hands: tuple[int, int],
    options: list[Move],
) -> None:
    node, public = at
    turn = game.turn(state)
    if tree.turn[node] != turn:
        raise _contradiction(game, public, f"expected the turn {turn}, got {tree.turn[node]}")
    for side in (0, 1):
        if not tree.masks[side][tree.mask[side][node], hands[side]]:
            name = tree.names[side][hands[side]]
            raise _contradiction(
                game, public, f"{game.sides[side]} can hold {name} there, which is not among its hands"
            )
    low, high = int(tree.first[node]), int(tree.first[node + 1])
    moves = list(rules.moves(public)) if turn != END else []
    if turn in (CHANCE, END):
        known = [move for move in options if move in moves]
        if len(known) != len(options):
            raise _contradiction(game, public, f"expected moves {options!r}, got {moves!r}")
        return
    mine = tree.masks[turn][tree.mask[turn][low:high], hands[turn]]
    actual = [move for move, can in zip(moves, mine.tolist(), strict=True) if can]
    if actual != options:
        raise _contradiction(game, public, f"expected moves {options!r}, got {actual!r}")


def _check_end(game: Public, tree: PublicTree, node: int, public: State, paid: dict[tuple[int, int], Fraction]) -> None:
    pay = int(tree.pay[node])
    table, scale = tree.matrices[tree.matrix[pay]], int(tree.scale[pay])
    given_up = [_given_up(tree, node, side) for side in (0, 1)]
    for first in np.flatnonzero(~given_up[0]).tolist():
        for second in np.flatnonzero(~given_up[1]).tolist():
            actual = Fraction(int(table[first, second]) * scale, tree.denominator)
            expected = paid.get((first, second), Fraction(0))
            if actual != expected:
                names = f"{tree.names[0][first]} and {tree.names[1][second]}"
                dealt = "" if (first, second) in paid else f", as {names} are never dealt together"
                raise _contradiction(game, public, f"expected {expected} for the hands {names}, got {actual}{dealt}")


def _given_up(tree: PublicTree, node: int, side: int) -> Array:
    """Hands that moves of their own side have ruled out on the way to a node: they weigh nothing there."""
    ruled_out = np.zeros(tree.hands[side], dtype=bool)
    while node:
        parent = int(np.searchsorted(tree.first, node, side="right")) - 1
        if tree.turn[parent] == side:
            before, after = (tree.masks[side][tree.mask[side][at]] for at in (parent, node))
            ruled_out |= before & ~after
        node = parent
    return ruled_out


def along_plays(game: Public, tree: PublicTree, plays: int = PLAYS) -> None:
    """Compare the public tree with the rules along random plays, where a walk of all of them would take too long.

    What an end says of two hands has to be at least what this play adds to it.
    """
    rules, random = game.public(), Random(0)
    for _ in range(plays):
        tick()
        state, odds = game.start(), Fraction(1)
        while (turn := game.turn(state)) != END:
            options = list(game.moves(state))
            _here(game, tree, rules, state, options, {})
            shares = list(game.odds(state)) if turn == CHANCE else [Fraction(1)] * len(options)
            number = random.choice([number for number, share in enumerate(shares) if share])
            odds *= shares[number]
            state = game.play(state, options[number])
        here = _here(game, tree, rules, state, [], {})
        assert here is not None
        first, second, node, public = here
        pay = int(tree.pay[node])
        entry = Fraction(int(tree.matrices[tree.matrix[pay], first, second]) * int(tree.scale[pay]), tree.denominator)
        expected = odds * Fraction(game.payoff(state))
        if entry * expected < 0 or abs(entry) < abs(expected):
            names = f"{tree.names[0][first]} and {tree.names[1][second]}"
            raise _contradiction(game, public, f"expected {expected} for the hands {names}, got {entry}")
