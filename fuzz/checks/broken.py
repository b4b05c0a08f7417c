"""Rules that break the contract of a game, one way at a time: a sentence, never an answer, a crash or a hang."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import ruse
from fuzz import growing
from fuzz.case import Case, Contradiction
from fuzz.checks.solutions import ITERATING, pairs
from fuzz.checks.views import Places
from fuzz.oracle import Chance, Choice, Leaf, Node
from fuzz.rules import Rules
from ruse.core.game import RuseError
from ruse.solution.strategy import Solution

BY_STATE = ("turn", "odds", "payoff", "moves", "play")  # rules that go wrong at one node, rather than everywhere
Break = Callable[["Broken"], None]


class Broken(Rules):
    """A tree whose rules go wrong at one node."""

    def __init__(self, tree: Node, random: Random) -> None:
        super().__init__(tree)
        self.random = random
        self.instead: dict[tuple[str, Any], Any] = {}
        states = list(pairs(tree, self))
        self.states = [state for _, state in states]
        self.chances = [state for node, state in states if isinstance(node, Chance) and len(node.moves) > 1]
        self.choices = [state for node, state in states if isinstance(node, Choice)]
        self.ends = [state for node, state in states if isinstance(node, Leaf)]

    def at(self, where: Sequence[int], rule: str, answer: Any) -> None:
        """Another answer of one rule, somewhere."""
        self.instead[rule, self.random.choice(where)] = answer

    def turn(self, state: Any) -> Any:
        return self.instead.get(("turn", state), None) or super().turn(state)

    def odds(self, state: Any) -> Any:
        found = self.instead.get(("odds", state))
        return found(super().odds(state)) if found else super().odds(state)

    def payoff(self, state: Any) -> Any:
        return self.instead[key] if (key := ("payoff", state)) in self.instead else super().payoff(state)

    def moves(self, state: Any) -> Any:
        found = self.instead.get(("moves", state))
        return found(super().moves(state)) if found else super().moves(state)

    def play(self, state: Any, move: Any) -> Any:
        if (key := ("play", state)) in self.instead:
            return self.instead[key]
        return super().play(state, move)

    def knows(self, state: Any, side: int) -> Any:
        found = self.instead.get(("knows", side))
        return found(super().knows(state, side)) if found else super().knows(state, side)

    def format_position(self, knowledge: Any) -> Any:
        found = self.instead.get(("format_position", 0))
        return found(super().format_position(knowledge)) if found else super().format_position(knowledge)

    def label(self, move: Any) -> Any:
        found = self.instead.get(("label", 0))
        return found(super().label(move)) if found else super().label(move)


def odds_above_and_below(game: Broken) -> None:
    game.at(game.chances, "odds", lambda odds: [Fraction(2), Fraction(-1), *[Fraction(0)] * (len(odds) - 2)])


def odds_below_one(game: Broken) -> None:
    game.at(game.chances, "odds", lambda odds: [Fraction(4, 9) * share for share in odds])


def odds_above_one(game: Broken) -> None:
    game.at(game.chances, "odds", lambda odds: [3 * share for share in odds])


def odds_that_are_floats(game: Broken) -> None:
    game.at(game.chances, "odds", lambda odds: [float(share) for share in odds])


def odds_that_are_texts(game: Broken) -> None:
    game.at(game.chances, "odds", lambda odds: [str(share) for share in odds])


def too_few_odds(game: Broken) -> None:
    game.at(game.chances, "odds", lambda odds: [Fraction(1)])


def no_odds(game: Broken) -> None:
    game.at(game.chances, "odds", lambda odds: None)


def float_payoff(game: Broken) -> None:
    game.at(game.ends, "payoff", 0.1)


def payoff_that_is_no_number(game: Broken) -> None:
    game.at(game.ends, "payoff", game.random.choice((float("nan"), float("inf"), None, "1", True, 1j)))


def unknown_turn(game: Broken) -> None:
    game.at(game.states, "turn", game.random.choice((2, 7, -3, "0", 0.5)))


def no_moves(game: Broken) -> None:
    game.at(game.choices, "moves", lambda moves: [])


def moves_twice(game: Broken) -> None:
    game.at(game.choices, "moves", lambda moves: [*moves, moves[0]])


def moves_that_differ(game: Broken) -> None:
    """One node of a set with several offers less."""
    sets: dict[Any, list[int]] = {}
    for state in game.choices:
        sets.setdefault((game.turn(state), game.knows(state, game.turn(state))), []).append(state)
    several = [states[-1] for states in sets.values() if len(states) > 1 and len(game.moves(states[0])) > 1]
    game.at(several, "moves", lambda moves: moves[:-1])


def one_tell(game: Broken) -> None:
    """Two information sets with one text."""
    for side in (0, 1):
        texts = {game.format_position(game.knows(state, side)) for state in game.choices if game.turn(state) == side}
        if len(texts) > 1:
            first, second = game.random.sample(sorted(texts), 2)
            game.instead["format_position", 0] = lambda text, one=first, other=second: other if text == one else text
            return
    raise IndexError


def imperfect_recall(game: Broken) -> None:
    """Two sets become one, though one of them comes after the other, or after other moves."""
    for side in game.random.sample((0, 1), 2):
        seen: dict[tuple[int, str], tuple[str, int]] = {}
        for state in game.choices:
            if game.turn(state) == side:
                seen[game.knows(state, side)] = (game.did[state][side], len(game.moves(state)))
        known = list(seen)
        game.random.shuffle(known)
        for one in known:
            for other in known:
                if seen[one][0] != seen[other][0] and seen[one][1] == seen[other][1]:
                    game.instead["knows", side] = lambda found, one=one, other=other: one if found == other else found
                    return
    raise IndexError


def cycle(game: Broken) -> None:
    """A move that leads back to the start."""
    deep = [state for state in game.choices if state]
    game.at(deep, "play", 0)


def unhashable_state(game: Broken) -> None:
    """States that are lists."""
    inner = Rules(game.nodes[0])
    game.start = lambda: [0]  # type: ignore[method-assign, assignment, return-value]
    game.turn = lambda state: inner.turn(state[0])  # type: ignore[method-assign]
    game.moves = lambda state: inner.moves(state[0])  # type: ignore[method-assign]
    game.odds = lambda state: inner.odds(state[0])  # type: ignore[method-assign]
    game.payoff = lambda state: inner.payoff(state[0])  # type: ignore[method-assign]
    game.play = lambda state, move: [inner.play(state[0], move)]  # type: ignore[method-assign]
    game.knows = lambda state, side: inner.knows(state[0], side)  # type: ignore[method-assign]


def unhashable_knowledge(game: Broken) -> None:
    if not game.choices:
        raise IndexError
    for side in (0, 1):
        game.instead["knows", side] = list


def one_label(game: Broken) -> None:
    """Different moves that people write alike."""
    if not any(len(game.moves(state)) > 1 for state in game.choices):
        raise IndexError
    game.instead["label", 0] = lambda label: "same"


def state_that_raises(game: Broken) -> None:
    """A rule with a bug of its own is not ruse's to explain: its error may pass, an answer may not."""
    game.at(game.states, "turn", "raise")
    plain = game.turn

    def turn(state: Any) -> Any:
        found = plain(state)
        if found == "raise":
            raise KeyError("a bug in the rules")
        return found

    game.turn = turn  # type: ignore[method-assign]


BREAKS: tuple[Break, ...] = (
    odds_above_and_below,
    odds_below_one,
    odds_above_one,
    odds_that_are_floats,
    odds_that_are_texts,
    too_few_odds,
    no_odds,
    float_payoff,
    payoff_that_is_no_number,
    unknown_turn,
    no_moves,
    moves_twice,
    moves_that_differ,
    one_tell,
    imperfect_recall,
    cycle,
    unhashable_state,
    unhashable_knowledge,
    one_label,
    state_that_raises,
)


def draw(random: Random, payoffs: str | None) -> Case:
    """A tree that can be broken in that way."""
    how = random.choice(BREAKS)
    while True:
        tree = growing.tree(random, random.choice((6, 10, 20, 40)), growing.PAYOFFS["whole"])
        try:
            how(Broken(tree, Random(0)))
        except IndexError:  # nothing to break
            continue
        return Case(tree, random.getrandbits(32), {"how": how.__name__})


def check(case: Case) -> None:
    assert case.tree is not None
    random = case.random
    how = next(one for one in BREAKS if one.__name__ == case.more["how"])
    game = Broken(case.tree, Random(random.getrandbits(32)))
    try:
        how(game)
    except IndexError:  # a smaller tree in which nothing is left to break
        return
    solver = random.choice(("auto", "auto", "lp", "lcp", random.choice(ITERATING)))
    asked: dict[str, Any] = {"iterations": 5} if solver in ITERATING else {}
    mended = None
    if random.random() < 0.3:
        mended = ruse.solve(Rules(case.tree))
    try:
        found: Any = ruse.solve(game, solver, **asked) if mended is None else replace(mended, game=game).verify()
    except RuseError:
        return
    except KeyError as error:
        if how is state_that_raises:
            return
        raise Contradiction(_about(how, mended), repr(error), "refused in a sentence") from error
    except Exception as error:
        raise Contradiction(_about(how, mended), repr(error), "refused in a sentence") from error
    if mended is None or not _out_of_reach(game, mended):
        raise Contradiction(_about(how, mended), found, "refused in a sentence")


def _out_of_reach(game: Broken, mended: Solution) -> bool:
    """Whether what is broken lies where neither strategy leads: no answer comes there, and the bounds are true.

    Moves that differ within an information set take two of its states to see.
    """
    reached = {one.state for one in Places(game.nodes[0], mended).found if any(one.own)}

    def seen(rule: str, state: Any) -> bool:
        if rule not in BY_STATE or state not in reached:
            return rule not in BY_STATE
        turn = game.turn(state)
        if rule != "moves" or turn not in (0, 1):
            return True
        alike = [other for other in game.choices if game.turn(other) == turn and other in reached]
        return sum(game.knows(other, turn) == game.knows(state, turn) for other in alike) > 1

    return bool(game.instead) and not any(seen(rule, state) for rule, state in game.instead)


def _about(how: Break, mended: object) -> str:
    return f"rules with {how.__name__} to {'solve' if mended is None else 'verify'}"
