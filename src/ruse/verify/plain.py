"""What a policy guarantees in any small game, by a plain walk of its rules.

Let x be the policy of one side. The other side, who may know x, does best by

    min over y of u(x, y)  against side 0,      max over y of u(x, y)  against side 1,

and that number is what x guarantees. With perfect recall the best y is found one information set at a
time: weigh each of its states by the odds of chance and of x, and take the move whose follow-up is best.
Nothing here comes from a solver, and everything is a Fraction.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Hashable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from numbers import Rational
from typing import TypeVar

from ruse import digits
from ruse.clock import tick
from ruse.game import CHANCE, END, Filed, Game, Knowledge, Memoryless, Move, RuseError, State, describe

Policy = Callable[[State], Mapping[Move, Fraction]]
Reached = list[tuple[State, Fraction]]  # states with the odds of chance and of the policy
M = TypeVar("M", bound=Hashable)
StrategyTable = Mapping[str, Mapping[str, Fraction]]  # position -> move as people write it -> odds


class VerifyError(RuseError):
    """A strategy that cannot be verified, with the position where it goes wrong."""


def look_up(odds: Callable[[str], Mapping[str, Fraction]], position: str) -> Mapping[str, Fraction]:
    """The odds at a position, which has to be there."""
    try:
        return odds(position)
    except LookupError as error:
        raise VerifyError(f"expected odds at {position}, got none") from error


def check_odds(odds: Mapping[M, Fraction], known: Collection[M] | None, where: Callable[[], str]) -> None:
    """Odds are exact, not negative, on known moves, and sum to 1; `where` says the position if they do not."""
    for move, share in odds.items():
        if known is not None and move not in known:
            raise VerifyError(f"expected a move out of {', '.join(map(str, known))} at {where()}, got {move!r}")
        if not isinstance(share, Rational):
            raise VerifyError(f"expected exact odds at {where()}, got {share!r} for {move!r}")
        if share < 0:
            raise VerifyError(f"expected odds of at least 0 at {where()}, got {digits.brief(share)} for {move!r}")
    total = sum(odds.values(), Fraction(0))
    if total != 1:
        raise VerifyError(f"expected odds that sum to 1 at {where()}, got a sum of {digits.brief(total)}")


def guarantee(game: Game, side: int, policy: Policy) -> Fraction:
    """The payoff to side 0 when the other side answers `side`'s policy as well as it can."""
    if isinstance(game, Memoryless):
        from ruse.verify import by_state  # which builds on this module

        return by_state.guarantee(game, side, policy)
    rival = 1 - side
    pick = min if side == 0 else max
    answered: set[Knowledge] = set()
    played: dict[Knowledge, Mapping[Move, Fraction]] = {}

    def own_odds(state: State) -> Mapping[Move, Fraction]:
        knowledge = game.knows(state, side)
        odds = policy(state)
        if knowledge not in played:
            check_odds(odds, game.moves(state), lambda: describe(game, knowledge))
            played[knowledge] = odds
        elif played[knowledge] != odds:
            raise VerifyError(f"expected the same odds in all states of {describe(game, knowledge)}, got others")
        return odds

    def best(reached: Reached) -> Generator[Reached, Fraction, Fraction]:
        """Weighted payoff of the best answer from states that share all that the rival chose and knew.

        Yields what each answer leads to and is sent its payoff, so that games may be deeper than Python's stack.
        """
        total = Fraction(0)
        choices: dict[Knowledge, list[tuple[State, Fraction]]] = {}
        stack = list(reached)
        while stack:
            tick()
            state, weight = stack.pop()
            turn = game.turn(state)
            if turn == END:
                total += weight * game.payoff(state)
            elif turn == rival:
                choices.setdefault(game.knows(state, rival), []).append((state, weight))
            else:
                odds = _chance_odds(game, state) if turn == CHANCE else own_odds(state)
                stack.extend((game.play(state, move), weight * share) for move, share in odds.items() if share)
        for knowledge, states in choices.items():
            if knowledge in answered:
                raise VerifyError(f"expected perfect recall, got {describe(game, knowledge)} in two ways")
            answered.add(knowledge)
            payoffs = []
            for move in game.moves(states[0][0]):
                payoffs.append((yield [(game.play(state, move), weight) for state, weight in states]))
            total += pick(payoffs)
        return total

    return _run(best, [(game.start(), Fraction(1))])


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
    found: dict[Fraction, Fraction] = {}
    stack = [(game.start(), Fraction(1))]
    while stack:
        tick()
        state, weight = stack.pop()
        turn = game.turn(state)
        if turn == END:
            payoff = Fraction(game.payoff(state))
            found[payoff] = found.get(payoff, Fraction(0)) + weight
            continue
        if turn == CHANCE:
            odds = _chance_odds(game, state)
        else:
            odds = policies[turn](state)
            check_odds(odds, game.moves(state), partial(describe, game, game.knows(state, turn)))
        stack.extend((game.play(state, move), weight * share) for move, share in odds.items() if share)
    return found


def _chance_odds(game: Game, state: State) -> Mapping[Move, Fraction]:
    return dict(zip(game.moves(state), game.odds(state), strict=True))


def decisions(game: Game, side: int, *, filed: bool = True, by_board: bool = False) -> Iterator[tuple[str, list[str]]]:
    """Every position where a side moves, as it is and as it is filed, with its moves.

    With `by_board`, a game in which only the board matters is visited board by board: every filed position comes,
    and one more for each.
    """
    seen: set[object] = set()
    board = getattr(game, "board", None) if by_board else None
    stack = [game.start()]
    while stack:
        tick()
        state = stack.pop()
        if board is not None:
            if board(state) in seen:
                continue
            seen.add(board(state))
        turn = game.turn(state)
        if turn == END:
            continue
        moves = game.moves(state)
        stack.extend(game.play(state, move) for move in moves)
        if turn == side:
            position = describe(game, game.knows(state, side))
            labels = [game.label(move) for move in moves]
            yield position, labels
            if filed and isinstance(game, Filed):
                yield game.file(position, side)[0], labels


def table_policy(game: Game, table: StrategyTable, side: int, *, filed: bool = True) -> Policy:
    """A strategy table as a policy: each position is looked up as it is, or else, if `filed`, as the game files it.

    Seats of The Resistance are filed with whole classes of missions; for that game see `resistance.seat_policy`.
    """
    files = game if filed and isinstance(game, Filed) else None

    def policy(state: State) -> Mapping[Move, Fraction]:
        position = describe(game, game.knows(state, side))
        calls: Callable[[str], str] = str
        if files is not None and position not in table:
            position, calls = files.file(position, side)
        shares = look_up(table.__getitem__, position)
        try:
            odds = {calls(label): share for label, share in shares.items()}
        except (LookupError, RuseError) as error:
            raise VerifyError(f"expected moves known at {position}, got {', '.join(shares)}") from error
        moves = {game.label(move): move for move in game.moves(state)}
        check_odds(odds, moves, lambda: position)
        return {moves[label]: share for label, share in odds.items()}

    return policy
