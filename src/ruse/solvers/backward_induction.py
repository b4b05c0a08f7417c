"""Backward induction for games without secrets (Bossle 2018, §3.2; Zermelo 1913).

The value of a state is its payoff at the end, the best move's value at a side's turn, the expected value at chance.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from math import inf

from ruse.core.capabilities import Memoryless, Open, Representatives
from ruse.core.clock import tick
from ruse.core.contract import checked, endless, most_moves, shown
from ruse.core.game import CHANCE, END, Game, GameError, Knowledge, Move, State, describe
from ruse.solvers.plans import Strategies
from ruse.solvers.spec import Task

MOST_STATES = 1_000_000  # of one play of a memoryless game
MOST_BOARDS = 1_000_000  # of another game, which may have a tree of any size
Outcomes = list[tuple[Fraction, State, Hashable]]  # odds, a state where chance is not to move, and its board


@dataclass(frozen=True)
class Induced:
    """The value, and one best move for each board at which a side moves, with a state that has it."""

    value: Fraction
    best: tuple[list[tuple[State, Move]], list[tuple[State, Move]]]
    boards: int


@dataclass
class _Waiting:
    """A state whose value waits for those that its moves lead to."""

    state: State
    board: Hashable
    moves: list[Move]
    outcomes: list[Outcomes]  # of each move


def run(task: Task) -> Strategies:
    """Both strategies, by the positions of boards."""
    game = task.game
    task.report("solving from the end", None, None)
    induced = backward_induction(game)
    files = game if isinstance(game, Representatives) else None  # which is slow to ask
    tables: tuple[dict[str, dict[str, Fraction]], dict[str, dict[str, Fraction]]] = ({}, {})
    for side, best in enumerate(induced.best):
        for state, move in best:
            position = describe(game, game.knows(state, side))
            if files is not None:
                position, _ = files.representative_position(position, side)
            tables[side][position] = {game.label(option): Fraction(option == move) for option in game.moves(state)}
    return Strategies(tables, induced.boards)


def backward_induction(game: Game) -> Induced:
    """Solve from the end. Raises GameError where a side cannot tell two states apart, or play can return to a state."""
    game = checked(game)
    longest = MOST_STATES if isinstance(game, Memoryless) else most_moves(game)
    values: dict[Hashable, Fraction] = {}
    best: tuple[list[tuple[State, Move]], list[tuple[State, Move]]] = ([], [])
    seen: tuple[dict[Knowledge, State], dict[Knowledge, State]] = ({}, {})
    # Boards are merged only where strategies can name what is merged.
    merged = isinstance(game, Memoryless) or (isinstance(game, Open) and isinstance(game, Representatives))
    board = game.board if merged and isinstance(game, Open) else lambda state: state

    def after_chance(state: State) -> Outcomes:
        found: Outcomes = []
        stack = [(Fraction(1), state, 0)]
        while stack:
            share, state, draws = stack.pop()
            if game.turn(state) == CHANCE:
                if draws > longest:
                    raise endless(game, state)
                shares = zip(game.moves(state), game.odds(state), strict=True)
                stack.extend((share * odds, game.play(state, move), draws + 1) for move, odds in shares if odds)
            else:
                found.append((share, state, board(state)))
        return found

    def waiting(state: State, key: Hashable) -> _Waiting:
        """Look at a state where a side moves for the first time."""
        turn = game.turn(state)
        knowledge = game.knows(state, turn)
        if seen[turn].setdefault(knowledge, state) != state:
            raise GameError(
                f"backward-induction needs perfect information, but {game.sides[turn]} does not know the state at "
                f"{describe(game, knowledge)}: use another solver, such as lp"
            )
        moves = list(game.moves(state))
        return _Waiting(state, key, moves, [after_chance(game.play(state, move)) for move in moves])

    def settle(one: _Waiting) -> None:
        turn = game.turn(one.state)
        worth = [sum((share * values[key] for share, _, key in outcomes), Fraction(0)) for outcomes in one.outcomes]
        target = max(worth) if turn == 0 else min(worth)
        best[turn].append((one.state, one.moves[worth.index(target)]))
        values[one.board] = target

    def value(first: State, wanted: Hashable) -> Fraction:
        """Without recursion, so that games may be deeper than Python's stack."""
        most = len(values) + MOST_BOARDS if merged and not isinstance(game, Memoryless) else inf
        opened: set[Hashable] = set()  # boards of the play that wait, to notice one that comes back
        stack: list[_Waiting | tuple[State, Hashable]] = [(first, wanted)]
        while stack:
            tick()
            top = stack.pop()
            if isinstance(top, _Waiting):
                settle(top)
                opened.discard(top.board)
                continue
            state, key = top
            if key in values:
                continue
            if game.turn(state) == END:
                values[key] = game.payoff(state)
                continue
            if key in opened:
                raise GameError(
                    f"backward-induction needs a game that never returns to a state, but {game.title} returns to "
                    f"state {shown(state)}" + ": use value-iteration" * isinstance(game, Memoryless)
                )
            if len(values) > most:
                raise GameError(f"{game.title} has more than {MOST_BOARDS:,} states to visit: use smaller parameters")
            if len(opened) > longest:
                raise endless(game, state)
            opened.add(key)
            found = waiting(state, key)
            stack.append(found)
            stack.extend(
                (following, after)
                for outcomes in found.outcomes
                for _, following, after in outcomes
                if after not in values
            )
        return values[wanted]

    total = sum((share * value(state, key) for share, state, key in after_chance(game.start())), Fraction(0))
    return Induced(total, best, len(values))
