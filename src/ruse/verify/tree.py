"""What a policy guarantees in any small game, by a plain walk of its rules.

Let x be the policy of one side. The other side, who may know x, does best by

    min over y of u(x, y)  against side 0,      max over y of u(x, y)  against side 1,

and that number is what x guarantees. With perfect recall the best y is found one information set at a
time: weigh each of its states by the odds of chance and of x, and take the move whose follow-up is best.
Nothing here comes from a solver, and everything is in whole numbers: weights are n / d, not always in lowest terms.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Hashable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from math import gcd
from numbers import Rational
from typing import TypeVar

from ruse.core import rationals
from ruse.core.capabilities import Memoryless, Open, Representatives
from ruse.core.clock import tick
from ruse.core.contract import Checked, checked, different_moves, endless, most_moves
from ruse.core.game import CHANCE, END, Game, Knowledge, Move, RuseError, State, describe
from ruse.core.types import Lookup, Policy, StrategyTable

Reached = list[tuple[State, int, int, int]]  # states with the odds of chance and of the policy, n / d, and the depth
Parts = list[tuple[Move, int, int]]  # moves with their odds, n / d
M = TypeVar("M", bound=Hashable)

MOST_BITS = 512  # of a weight's denominator before it is put in lowest terms


class VerifyError(RuseError):
    """A strategy that cannot be verified, with the position where it goes wrong."""


def look_up(odds: Callable[[str], Mapping[str, Fraction]], position: str) -> Mapping[str, Fraction]:
    """The odds at a position, which has to be there."""
    try:
        return odds(position)
    except LookupError as error:
        raise VerifyError(f"expected odds at {position}, got none") from error


def check_odds(odds: Mapping[M, Fraction], known: Collection[M] | None, position: Callable[[], str]) -> None:
    """Odds are exact, not negative, on known moves, and sum to 1; `position` names the position if they do not."""
    for move, share in odds.items():
        if known is not None and move not in known:
            raise VerifyError(f"expected one of the moves {', '.join(map(str, known))} at {position()}, got {move!r}")
        if not isinstance(share, Rational):
            raise VerifyError(f"expected exact odds at {position()}, got {share!r} for {move!r}")
        if share < 0:
            raise VerifyError(f"expected odds of at least 0 at {position()}, got {rationals.brief(share)} for {move!r}")
    total = sum(odds.values(), Fraction(0))
    if total != 1:
        raise VerifyError(f"expected odds that sum to 1 at {position()}, got a sum of {rationals.brief(total)}")


def guarantee(game: Game, side: int, policy: Policy) -> Fraction:
    """The payoff to side 0 when the other side answers `side`'s policy as well as it can."""
    game = checked(game)
    if isinstance(game, Memoryless):
        return guarantee_by_states(game, side, policy)
    rival, longest = 1 - side, most_moves(game)
    pick = min if side == 0 else max
    answered: set[Knowledge] = set()
    played: dict[Knowledge, tuple[Mapping[Move, Fraction], tuple[Move, ...], Parts]] = {}

    def own_parts(state: State) -> Parts:
        knowledge, odds, moves = game.knows(state, side), policy(state), tuple(game.moves(state))
        if knowledge not in played:
            check_odds(odds, moves, lambda: describe(game, knowledge))
            played[knowledge] = odds, moves, _parts(odds.items())
        known, offered, parts = played[knowledge]
        if known is not odds and known != odds:
            raise VerifyError(f"the odds are not the same in all states of {describe(game, knowledge)}")
        _check_same(game, knowledge, state, offered, moves)
        return parts

    def best(reached: Reached) -> Generator[Reached, Fraction, Fraction]:
        """Weighted payoff of the best answer from states that share all that the rival chose and knew.

        Yields what each answer leads to and is sent its payoff, so that games may be deeper than Python's stack.
        """
        totals: dict[int, int] = {}  # weighted payoffs, by their denominators
        choices: dict[Knowledge, Reached] = {}
        stack = list(reached)
        while stack:
            tick()
            state, n, d, depth = stack.pop()
            turn = game.turn(state)
            if turn == END:
                payoff = game.payoff(state)
                d *= payoff.denominator
                totals[d] = totals.get(d, 0) + n * payoff.numerator
                continue
            if depth > longest:
                raise endless(game, state)
            if turn == rival:
                choices.setdefault(game.knows(state, rival), []).append((state, n, d, depth + 1))
                continue
            if d.bit_length() > MOST_BITS:
                common = gcd(n, d)
                n, d = n // common, d // common
            parts = _parts(_chance_odds(game, state).items()) if turn == CHANCE else own_parts(state)
            for move, share, whole in parts:
                stack.append((game.play(state, move), n * share, d * whole, depth + 1))
        total = sum((Fraction(n, d) for d, n in totals.items()), Fraction(0))
        while choices:
            knowledge, states = choices.popitem()
            if knowledge in answered:
                raise VerifyError(
                    f"two different histories lead to {describe(game, knowledge)}, so the side that moves "
                    "there has imperfect recall"
                )
            answered.add(knowledge)
            moves = tuple(game.moves(states[0][0]))
            if isinstance(game, Checked):
                for state, *_ in states:
                    _check_same(game, knowledge, state, moves, tuple(game.moves(state)))
            payoffs = []
            for move in moves:
                payoffs.append((yield [(game.play(state, move), n, d, depth) for state, n, d, depth in states]))
            total += pick(payoffs)
        return total

    return _run(best, [(game.start(), 1, 1, 0)])


def _parts(odds: Iterable[tuple[Move, Fraction]]) -> Parts:
    return [(move, share.numerator, share.denominator) for move, share in odds if share]


def _check_same(
    game: Game, knowledge: Knowledge, state: State, known: tuple[Move, ...], moves: tuple[Move, ...]
) -> None:
    if known != moves:
        raise different_moves(game, knowledge, state, known, moves)


def _run(step: Callable[[Reached], Generator[Reached, Fraction, Fraction]], start: Reached) -> Fraction:
    """What a generator returns that asks for its own results."""
    waiting = [step(start)]
    answer: Fraction | None = None
    while waiting:
        try:
            asked = next(waiting[-1]) if answer is None else waiting[-1].send(answer)
        except StopIteration as done:
            answer = done.value
            waiting.pop()
        else:
            answer = None
            waiting.append(step(asked))
    assert answer is not None
    return answer


def outcomes(game: Game, policies: tuple[Policy, Policy]) -> dict[Fraction, Fraction]:
    """How likely each payoff is when both sides follow their policies."""
    game = checked(game)
    shares: dict[Fraction, Fraction] = {}
    stack = [(game.start(), Fraction(1))]
    while stack:
        tick()
        state, weight = stack.pop()
        turn = game.turn(state)
        if turn == END:
            payoff = Fraction(game.payoff(state))
            shares[payoff] = shares.get(payoff, Fraction(0)) + weight
            continue
        if turn == CHANCE:
            odds = _chance_odds(game, state)
        else:
            odds = policies[turn](state)
            check_odds(odds, game.moves(state), partial(describe, game, game.knows(state, turn)))
        stack.extend((game.play(state, move), weight * share) for move, share in odds.items() if share)
    return shares


def _chance_odds(game: Game, state: State) -> Mapping[Move, Fraction]:
    return dict(zip(game.moves(state), game.odds(state), strict=True))


def decisions(
    game: Game, side: int, *, by_class: bool = True, by_board: bool = False
) -> Iterator[tuple[str, list[str]]]:
    """Every position where a side moves, as it is and as it is filed, with its moves.

    With `by_board`, a game in which only the board matters is visited board by board: every representative position
    comes, and one more for each.
    """
    seen: set[object] = set()
    board = game.board if by_board and isinstance(game, Open) else None
    longest = most_moves(game)
    stack = [(game.start(), 0)]
    while stack:
        tick()
        state, depth = stack.pop()
        if board is not None:
            if board(state) in seen:
                continue
            seen.add(board(state))
        turn = game.turn(state)
        if turn == END:
            continue
        if depth > longest:
            raise endless(game, state)
        moves = game.moves(state)
        stack.extend((game.play(state, move), depth + 1) for move in moves)
        if turn == side:
            knowledge = game.knows(state, side)
            if board is None:
                if knowledge in seen:
                    continue
                seen.add(knowledge)
            position = describe(game, knowledge)
            labels = [game.label(move) for move in moves]
            yield position, labels
            if by_class and isinstance(game, Representatives):
                yield game.representative_position(position, side)[0], labels


def table_policy(game: Game, table: StrategyTable, side: int, *, by_class: bool = True) -> Policy:
    """A strategy table as a policy: each position is looked up as it is, or else, if `by_class`, at its representative.

    Not for tables by class of a game whose seats are filed with whole classes of moves: its verifier reads those.
    """
    representatives = game if by_class and isinstance(game, Representatives) else None
    known_odds: dict[Knowledge, dict[Move, Fraction]] = {}

    def policy(state: State) -> Mapping[Move, Fraction]:
        knowledge = game.knows(state, side)
        if knowledge not in known_odds:
            known_odds[knowledge] = read(state, knowledge)
        return known_odds[knowledge]

    def read(state: State, knowledge: Knowledge) -> dict[Move, Fraction]:
        position = describe(game, knowledge)
        calls: Callable[[str], str] = str
        if representatives is not None and position not in table:
            position, calls = representatives.representative_position(position, side)
        shares = look_up(table.__getitem__, position)
        try:
            odds = {calls(label): share for label, share in shares.items()}
        except (LookupError, RuseError) as error:
            raise VerifyError(f"expected moves known at {position}, got {', '.join(shares)}") from error
        moves = {game.label(move): move for move in game.moves(state)}
        check_odds(odds, moves, lambda: position)
        return {moves[label]: share for label, share in odds.items()}

    return policy


def asked_policy(game: Game, side: int, lookup: Lookup) -> Policy:
    """A strategy that is asked, at positions as the game files them, as a policy."""
    representatives = game if isinstance(game, Representatives) else None  # which is slow to ask

    def policy(state: State) -> Mapping[Move, Fraction]:
        moves = {game.label(move): move for move in game.moves(state)}
        position = describe(game, game.knows(state, side))
        if representatives is not None:
            position, _ = representatives.representative_position(position, side)
        odds = lookup(position, list(moves))
        check_odds(odds, moves, lambda: position)
        return {moves[label]: share for label, share in odds.items()}

    return policy


# What a policy guarantees in an open game that never comes back to a state: best responses state by state.
#
# The value of a state to the other side, who knows the policy, is the payoff at the end, the best of its moves where it
# moves itself, and the expected value of what follows at chance and where the policy moves. Each state is visited once,
# in Fractions. States of one board count as one; those of a memoryless game are their own boards.


def guarantee_by_states(game: Open, side: int, policy: Policy) -> Fraction:
    """The payoff to side 0 when the other side answers `side`'s policy as well as it can."""
    best = min if side == 0 else max
    board: Callable[[State], Hashable] = (lambda state: state) if isinstance(game, Memoryless) else game.board
    values: dict[Hashable, Fraction] = {}  # by boards
    following: dict[Hashable, list[tuple[Fraction, Hashable]]] = {}  # of boards that wait for what follows
    start = game.start()
    stack = [(start, board(start))]
    while stack:
        tick()
        state, here = stack[-1]
        if here in values:
            stack.pop()
            continue
        turn = game.turn(state)
        if turn == END:
            values[here] = Fraction(game.payoff(state))
            continue
        if here not in following:
            states = [(share, game.play(state, move)) for move, share in _weights(game, side, policy, state)]
            boards = [(share, board(after)) for share, after in states]
            following[here] = boards
            stack.extend(
                (after, there) for (_, after), (_, there) in zip(states, boards, strict=True) if there not in values
            )
            continue
        try:
            parts = [(share, values[after]) for share, after in following.pop(here)]
        except KeyError:
            raise VerifyError(f"expected a game that never returns to a state, got {game.title}") from None
        if turn == 1 - side:
            values[here] = best(value for _, value in parts)
        else:
            values[here] = sum((share * value for share, value in parts), Fraction(0))
    return values[board(start)]


def _weights(game: Open, side: int, policy: Policy, state: State) -> list[tuple[Move, Fraction]]:
    """The moves that can be made at a state, with their odds; 1 for each where the other side chooses."""
    turn = game.turn(state)
    if turn == CHANCE:
        pairs = list(zip(game.moves(state), game.odds(state), strict=True))
    elif turn == side:
        odds: Mapping[Move, Fraction] = policy(state)
        check_odds(odds, game.moves(state), lambda: describe(game, game.knows(state, side)))
        pairs = list(odds.items())
    else:
        return [(move, Fraction(1)) for move in game.moves(state)]
    return [(move, share) for move, share in pairs if share]
