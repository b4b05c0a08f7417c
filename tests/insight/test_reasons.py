"""Reasons for moves: every number of every sentence against plain walks of the rules, and what is refused.

`make soak` checks all positions of the six games; `make test` a sample.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

import pytest

import ruse
from amounts import some
from reason_checks import RolesNumbers, SeatNumbers, TreeNumbers, unexplained
from responding import Response
from ruse.core.certificate import Certificate
from ruse.core.game import PositionError
from ruse.core.presentation import Presentation
from ruse.insight import insight
from ruse.insight.costs import REFERENCE, Costs, PositionCosts, costs, costs_of
from ruse.insight.model import Insight, MoveInsight
from ruse.insight.reasons import Explainer, Explanation, Reason, explain
from ruse.solution.strategy import Solution
from ruse.solving.pipeline import solve

TREES: dict[str, Callable[[], Any]] = {
    "kuhn": ruse.games.kuhn,
    "mini-poker": ruse.games.mini_poker,
    "leduc": ruse.games.leduc,
    "liar's dice": lambda: ruse.games.liars_dice(3),
    "kubicek": ruse.games.kubicek,
}
SEATS: dict[str, Callable[[], Any]] = {
    "resistance 5": lambda: ruse.games.resistance(5),
    "resistance of four": lambda: ruse.games.resistance(4, spies=1, missions=(2, 3, 2, 3, 3)),
}
SAMPLE = 15  # positions of a game that `make test` tries
NOTHING = Fraction(0)


class Explained:
    """A solved game with its explanations."""

    def __init__(self, game: Any) -> None:
        self.solution: Solution = solve(game)
        self.game = self.solution.game
        self.insight: Insight = insight(self.solution)
        self.costs: Costs = costs_of(self.insight)
        self.explainer = Explainer(self.costs)
        self.tables = (self.costs.reference or self.solution).tables


@cache
def explained(name: str) -> Explained:
    return Explained({**TREES, **SEATS}[name]())


def listed(name: str, positions: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """A sample of the positions, or all of them in the soak."""
    every = some(len(positions), max(1, len(positions) // SAMPLE))
    return Random(name).sample(positions, every)


def ranks(secret: str) -> str:
    return secret[0]


def whole(secret: str) -> str:
    return secret


# Games with small trees.


@pytest.mark.parametrize("name", TREES)
def test_every_number_in_a_small_tree(name: str) -> None:
    """Positions that the reference opponent and an optimal plan of one's own come to, with all their moves."""
    made = explained(name)
    numbers = TreeNumbers(made.game, made.tables)
    every = [(side, position) for side in (0, 1) for position in made.tables[side]]
    proved = [(side, position) for side, position in every if met(made.costs.at(position, side))]
    kinds = set()
    for side, position in listed(name, proved):
        there = made.costs.at(position, side)
        for move in there.moves:
            explanation = made.explainer.explain(position, move, side)
            kinds |= {reason.kind for reason in explanation.reasons}
            check_tree(made, numbers, explanation)
    assert "cost" in kinds and len(kinds) > 1


def met(there: PositionCosts) -> bool:
    return there.basis == REFERENCE and there.proved and bool(there.moves)


def check_tree(made: Explained, numbers: TreeNumbers, explanation: Explanation) -> None:
    position, side, move = explanation.position, explanation.side, explanation.move
    game, group = made.game, ranks if made.game.title == "leduc" else whole
    assert explanation.cost == made.costs.at(position, side).cost(move)
    secret = position.partition("@")[2].partition("/")[0]
    moves = [name for name in made.costs.at(position, side).moves if not name.isalpha()]
    answers = [name for name in numbers.answers(position, side, move) if name and not name.isalpha()]
    hidden = {name.partition("@")[2].partition("/")[0] for table in made.tables for name in table}
    for reason in explanation.reasons:
        expected = {
            "cost": lambda: (numbers.bid if "liars" in game.title else numbers.cost)(position, side, move),
            "answers": lambda: (numbers.called if "liars" in game.title else numbers.answered)(position, side, move),
            "reveals": lambda: numbers.hands(position, move, group),
            "pot odds": lambda: numbers.pot_odds(position, side),
            "holds": lambda: numbers.holds(position, side, group),
            "true": lambda: numbers.truth(position, side, move),
        }[reason.kind]()
        assert reason.numbers and {name: expected[name] for name in reason.numbers} == reason.numbers, reason
        said = {**reason.numbers, **({"false": 1 - reason.numbers["true"]} if "true" in reason.numbers else {})}
        names = [*moves, *answers, *_bids(position), *({secret, *hidden} - {""} if "liars" in game.title else set())]
        assert not unexplained(reason.text, said, names), reason


def _bids(position: str) -> list[str]:
    return [step for step in position.split("/")[1:] if not step.isalpha()]


@pytest.mark.parametrize("name", ["kuhn", "mini-poker", "liar's dice"])
def test_every_price_of_a_habit(name: str) -> None:
    """The price against best responses on both sides of its proof, and the answer that the sentence names."""
    made = explained(name)
    positions = [(side, position) for side in (0, 1) for position in made.tables[side]]
    for side, position in Random(name).sample(positions, some(len(positions))):
        value = made.solution.value if side == 0 else -made.solution.value
        for habit in made.insight.moves(position, side):
            reason = made.explainer.habit(position, habit.move, side, [habit])
            if reason is None:
                continue
            assert habit.guarantee is not None
            mine, theirs = filled(made, side, habit.guarantee.strategy), filled(made, 1 - side, habit.guarantee.answer)
            mine[position] = {habit.move: Fraction(1)}
            kept = -Response(made.game, 1 - side, mine).value
            most = Restricted(made.game, side, theirs, position, habit.move).value
            assert reason.numbers["habit"] == kept == most and reason.numbers["price"] == value - kept
            assert reason.strength == reason.numbers["price"] > 0 and reason.numbers["value"] == value
            if "then" in reason.numbers:
                pair = reason.numbers["now"], reason.numbers["then"]
                assert pair in changes(made, 1 - side, habit)
            assert not unexplained(reason.text, reason.numbers, names_of(made)), reason


class Restricted(Response):
    """The best response of a side that always makes one move at one position."""

    def __init__(self, game: Any, side: int, table: Any, position: str, move: str) -> None:
        super().__init__(game, side, table)
        self.fixed = position, move

    def _best(self, position: str) -> Fraction:
        return self.moves(position)[self.fixed[1]] if position == self.fixed[0] else super()._best(position)


def filled(made: Explained, side: int, table: Any) -> dict[str, Any]:
    """A strategy of a certificate with uniform odds wherever it says nothing."""
    return {
        position: table.get(position) or dict.fromkeys(odds, Fraction(1, len(odds)))
        for position, odds in made.tables[side].items()
    }


def changes(made: Explained, side: int, habit: MoveInsight) -> set[tuple[Fraction, Fraction]]:
    assert habit.guarantee is not None
    return {
        (odds.get(move, NOTHING), answer.get(move, NOTHING))
        for position, answer in habit.guarantee.answer.items()
        for odds in [made.tables[side][position]]
        for move in {*odds, *answer}
    }


def names_of(made: Explained) -> list[str]:
    steps = {step for table in made.tables for position in table for step in position.split("/")}
    moves = {move for table in made.tables for odds in table.values() for move in odds}
    secrets = {step.partition("@")[2] for step in steps}
    return [name for name in steps | moves | secrets if name and not name.isalpha()]


# The Resistance.


def seat_positions(made: Explained) -> Iterator[tuple[int, str]]:
    """Positions along random games in which somebody chooses."""
    table, title = made.game.table, made.game.title
    random = Random(title)
    for _ in range(40):
        seats = "abcdefghij"[: table.players]
        spies = "".join(sorted(random.sample(seats, table.spies)))
        steps = ""
        for number, size in enumerate(table.missions):
            if max(steps.count("+"), steps.count("-")) == 3:
                break
            yield 0, f"{title}{steps}"
            team = "".join(sorted(random.sample(seats, size)))
            can = len(set(team) & set(spies)) >= table.sabotages[number]
            if can:
                yield 1, f"{title}@{spies}{steps}/{team}?"
            steps += f"/{team}{'-' if can and random.random() < 0.5 else '+'}"


@pytest.mark.parametrize("name", SEATS)
def test_every_number_of_the_resistance(name: str) -> None:
    made = explained(name)
    numbers = SeatNumbers(made.game, made.tables)
    told = set()
    for side, position in listed(name, sorted(set(seat_positions(made)))):
        for move in made.explainer.asked(position, side):
            explanation = made.explainer.explain(position, move, side)
            assert explanation.cost == made.costs.at(position, side).cost(move)
            for reason in explanation.reasons:
                check_seats(made, numbers, explanation, reason)
                told.add(reason.kind)
    assert {"cost", "answers", "reveals"} <= told


def check_seats(made: Explained, numbers: SeatNumbers, explanation: Explanation, reason: Reason) -> None:
    steps = explanation.position.split("/")[1:]
    out, move = (steps.pop()[:-1] if steps and steps[-1].endswith("?") else ""), explanation.move
    sign = "+" if move == "pass" else "-"
    told = reason.numbers
    if reason.kind == "cost":
        there = made.costs.at(explanation.position, explanation.side)
        assert told.get("cost", NOTHING) == (there.cost(move) or 0)
    elif reason.kind == "needs":
        done = len(steps) + bool(out)
        wins = sum(step.endswith("-" if out else "+") for step in steps) + (move == "sabotage")
        assert told["need"] == 3 - wins and told["left"] == len(made.game.table.missions) - done
        if "seats" in told:
            assert told["seats"] == made.game.table.missions[done] and told["players"] == made.game.table.players
    elif reason.kind == "answers" and out:
        spies = explanation.position.partition("@")[2].partition("/")[0]
        for order, ending in (("pass", "+"), ("sabotage", "-")):
            expected = numbers.next_fails([*steps, f"{out}{ending}"], spies)
            assert expected is None or told[f"boarded:{order}"] == expected
    elif numbers.suspicion(steps) is None:
        return  # after mistakes of the spies, beliefs rest on assumptions
    elif reason.kind == "answers":
        assert told["odds:+"] == numbers.passes(steps, move)
        for ending in told.keys() & {"value:+", "value:-"}:
            if told[f"odds:{ending[-1]}"]:
                assert told[ending] == 2 * numbers.best([*steps, f"{move}{ending[-1]}"]) - 1
    elif reason.kind == "clean":
        assert told["clean"] == numbers.clean(steps, move)
    elif reason.kind == "suspects":
        assert told == {f"suspect:{seat}": numbers.spy(steps, seat) for seat in "abcdefghij"[: made.game.table.players]}
    elif reason.kind == "reveals" and out:
        for name, share in told.items():
            when, _, seat = name.partition(":")
            ending = {"after": [f"{out}{sign}"], "otherwise": [f"{out}{'+-'[sign == '+']}"]}[when]
            expected = numbers.spy([*steps, *ending], seat)
            assert expected is None or share == expected
    elif reason.kind == "reveals":
        seat = "abcdefghij"[int(told["seat"])]
        for when, ending in (("before", []), ("passed", [f"{move}+"]), ("failed", [f"{move}-"])):
            expected = numbers.spy([*steps, *ending], seat)
            assert expected is None or told[when] == expected
    assert not unexplained(reason.text, told), reason


# Avalon.


@pytest.mark.slow
def test_every_number_of_avalon() -> None:
    """At all positions that play reaches at a table of four, by deals and seats."""
    game = ruse.games.avalon(players=4, spies=1, missions=(2, 2, 2, 2, 2))
    solution = solve(game)
    explainer, numbers = Explainer(costs(solution)), RolesNumbers(game, solution.tables)
    told, moves = set(), 0
    for side, position in Random(4).sample(sorted(numbers.met), some(len(numbers.met), 8)):
        view = explainer.viewer.at(position, side)
        if view.turn != side or "=" in view.options[0].move or view.options[0].move == "quiet":
            continue
        for move in explainer.costs.at(position, side).moves:
            explanation = explainer.explain(position, move, side)
            for reason in explanation.reasons:
                check_roles(numbers, explanation, reason)
                told.add((side, reason.kind))
            moves += 1
    assert moves >= some(200, 8) and {(0, "answers"), (0, "suspects"), (1, "named")} <= told


def check_roles(numbers: RolesNumbers, explanation: Explanation, reason: Reason) -> None:
    side, position, move, told = explanation.side, explanation.position, explanation.move, reason.numbers
    sign, needed = (1 if side == 0 else -1), numbers.game.table.sabotages[0]
    value = numbers.value(side, position, move)
    if reason.kind == "cost" and "after" in told:
        assert value is None or told["after"] == sign * value
    elif "found" in told:
        assert value is None or told["found"] == (1 - value) / 2
    elif reason.kind == "answers" and side == 0:
        shares = numbers.results(position, move)
        assert shares is None or all(told.get(f"odds:{result}", 0) == share for result, share in shares.items())
        left = numbers.value_after(position, move)
        assert left is None or all(told[f"value:{result}"] == worth for result, worth in left.items())
    elif reason.kind == "answers":
        other = "pass" if move == "sabotage" else "sabotage"
        for name, label in (("boarded", move), ("otherwise", other)):
            share = numbers.boarded(position, label)
            assert share is None or told[name] == share
    elif reason.kind == "clean":
        assert told["clean"] == numbers.share(0, position, lambda state: len(numbers.spies(state) & set(move)) < needed)
        assert told["rival"] in {
            numbers.share(0, position, lambda state, team=team: len(numbers.spies(state) & set(team)) < needed)
            for team in explanation_moves(numbers, position)
        }
    elif reason.kind == "suspects":
        expected = {
            f"suspect:{seat}": numbers.share(0, position, lambda state, seat=seat: seat in numbers.spies(state))
            for seat in numbers.letters
        }
        assert told == expected
    elif reason.kind == "named":
        hunted = numbers.game.cast.hunted
        for name, share in told.items():
            seat = numbers.letters.index(name[-1])
            assert share == numbers.share(1, position, lambda state, seat=seat: state.deal[seat] == hunted)
    else:
        assert reason.kind in ("needs", "point")
    assert not unexplained(reason.text, told), reason


def explanation_moves(numbers: RolesNumbers, position: str) -> list[str]:
    state, _ = numbers.met[0, position][0]
    return [numbers.game.label(move) for move in numbers.game.moves(state)]


# Whatever the move.


@pytest.mark.parametrize("name", ["kuhn", "liar's dice", "resistance 5"])
def test_no_sentence_contradicts_the_cost(name: str) -> None:
    """A wrong move has no reason that speaks for it, a right one none that speaks against it, also off the path."""
    made = explained(name)
    for side, table in enumerate(made.tables):
        for position in Random(name).sample(sorted(table), min(len(table), 20)):
            for move, cost in made.costs.at(position, side).moves.items():
                habits = () if name in SEATS else made.insight.moves(position, side)
                explanation = made.explainer.explain(position, move, side, habits)
                assert explanation.cost == cost.cost and explanation.right == (cost.cost == 0)
                if any(other.cost for other in made.costs.at(position, side).moves.values()):
                    assert all(reason.favours is not (cost.cost > 0) for reason in explanation.reasons)
                assert explanation.reasons[0].kind == "cost" and len(explanation.reasons) <= 3
                assert (" costs " in explanation.reasons[0].text.split(", which")[0]) == (cost.cost > 0)
                assert explanation.line[0] == position


def test_a_bluff_and_a_value_bet() -> None:
    made = explained("kuhn")
    bluff = made.explainer.explain("kuhn@J", "bet", habits=made.insight.moves("kuhn@J", 0))
    assert bluff.right and "this is a bluff, which makes better hands fold." in bluff.text
    assert "you always" not in bluff.text
    assert "If you made a habit of betting here, it would cost you 0.22 (2/9) a game" in bluff.text
    assert "because the other side would always call with a queen, and not just" in bluff.text
    value = made.explainer.explain("kuhn@K/check", "bet")
    assert "bet for value" in value.text and "Betting is best against an optimal Player 1" in value.text
    fold = made.explainer.explain("kuhn@K/bet", "fold")
    assert "You have the best hand for sure, so a call wins the 3 in the pot for 1." in fold.text
    close = made.explainer.explain("kuhn@Q/bet", "call")
    assert "so it pays if you win at least one time in four (1/4); here you win" in close.text


def test_the_right_pass_has_reasons() -> None:
    """What players missed: why pass?"""
    solution = solve(ruse.games.resistance(7))
    explanation = explain(costs(solution), "resistance-7@abc/ad?", "pass")
    assert explanation.right and {"answers", "reveals", "needs"} & {reason.kind for reason in explanation.reasons}


def test_asked_are_the_best_and_the_closest_wrong_move() -> None:
    made = explained("kuhn")
    assert made.explainer.asked("kuhn@K/check") == ["bet", "check"]
    assert made.explainer.asked("kuhn@J")[0] in ("check", "bet")


# What is refused, unproved, or somebody else's code.


@pytest.mark.parametrize(
    ("position", "move", "words"),
    [
        ("kuhn@J", "dance", "there is no move 'dance' at kuhn@J; choose check, bet"),
        ("kuhn@J/check", "bet", "there is no move to explain at kuhn@J/check: choose a position where Player 1 moves"),
        ("kuhn@A", "bet", "expected a position of kuhn that Player 1 can be in"),
    ],
)
def test_bad_questions(position: str, move: str, words: str) -> None:
    with pytest.raises(PositionError, match=words.replace("(", r"\(")):
        explained("kuhn").explainer.explain(position, move, 0)


def test_teams_alike_are_explained_and_others_refused() -> None:
    explainer = explained("resistance 5").explainer
    assert explainer.explain("resistance-5/ab+", "cde").cost == explainer.explain("resistance-5/ab+", "cde").cost
    for wrong in ("ab", "pass", "abz", ""):
        with pytest.raises(PositionError):
            explainer.explain("resistance-5/ab+", wrong)
    with pytest.raises(PositionError, match="aboard a failed mission"):
        explainer.explain("resistance-5@cd/ab-/abc?", "pass")


def test_unproved_strategies_say_so_beside_every_figure() -> None:
    solution = explained("kuhn").solution
    loose = replace(solution, certificate=Certificate(Fraction(-1, 9), Fraction(0)))
    explanation = explain(costs(loose), "kuhn@K/check", "check")
    assert "not proved optimal" in explanation.condition and "not proved optimal" in explanation.reasons[0].text
    for reason in explanation.reasons:
        figures = reason.text.count("%") + reason.text.count(" 0.")
        assert reason.text.count("about") >= figures


class Raising(Presentation[Any]):
    def reasons(self, question: Any) -> Any:
        raise KeyError("nothing here")


class Endless(Presentation[Any]):
    def reasons(self, question: Any) -> Any:
        while True:
            pass


class Odd(Presentation[Any]):
    def reasons(self, question: Any) -> Any:
        return "because"


class Own(Presentation[Any]):
    def reasons(self, question: Any) -> Any:
        return [Reason("own", "Pennies are heavy.", {}, Fraction(9))]


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (Raising, "The game's own reasons are left out: "),
        (Endless, "they took longer than 1.5 seconds"),
        (Odd, "must return Reasons, got str"),
        (Own, "Pennies are heavy."),
    ],
)
def test_a_presentation_of_somebody_else(kind: type[Presentation[Any]], words: str) -> None:
    class Pennies:
        title = name = "my-pennies"
        sides = ("odd", "even")
        wins = ()
        presentation = kind

        def start(self) -> tuple[str, ...]:
            return ()

        def turn(self, state: tuple[str, ...]) -> int:
            return len(state) if len(state) < 2 else ruse.END

        def moves(self, state: tuple[str, ...]) -> list[str]:
            return ["heads", "tails"]

        def odds(self, state: tuple[str, ...]) -> list[Fraction]:
            raise NotImplementedError

        def play(self, state: tuple[str, ...], move: str) -> tuple[str, ...]:
            return (*state, move)

        def knows(self, state: tuple[str, ...], side: int) -> tuple[Any, ...]:
            return state if len(state) == 2 else (len(state), *(state if side == 0 else ()))

        def payoff(self, state: tuple[str, ...]) -> Fraction:
            return Fraction(3 if state == ("heads", "heads") else 1 if state[0] == state[1] else -1)

    solution = solve(Pennies())
    found = costs(solution)
    position = next(iter(solution.tables[0]))
    explanation = explain(found, position, "heads")
    assert words in explanation.text and explanation.reasons[0].kind == "cost"
