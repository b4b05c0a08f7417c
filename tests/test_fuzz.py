"""The fuzzer's oracle against values from books, and a few games of each quick kind. `make fuzz` plays many."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import islice, permutations
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from fuzz import case, growing, oracle, rules, shrinking, texts
from fuzz.case import Case, Contradiction
from fuzz.checks import KINDS
from fuzz.checks.solutions import Judge, policies
from fuzz.oracle import Chance, Choice, Flat, Leaf, Node, nodes, size, solve_table
from fuzz.own import walking, writing
from fuzz.own.subject import Subject
from fuzz.own.walking import Worth
from fuzz.rules import Rules
from fuzz.shrinking import shrink
from fuzz.working import Task, case_of, is_like, kind_of, outcomes

import ruse
from ruse.core.declared import Capability, provided
from ruse.core.walk import check
from ruse.forms.certificate import Certificate
from ruse.studio import solving, variants


def kuhn() -> Node:
    """Kuhn 1950, written out by hand: an ante of 1, one bet of 1, the higher of J, Q and K wins."""

    def deal(mine: str, theirs: str) -> Node:
        wins = 1 if "JQK".index(mine) > "JQK".index(theirs) else -1
        called = Leaf(Fraction(2 * wins))
        last = Choice(0, f"{mine}/check/bet", ("fold", "call"), (Leaf(Fraction(-1)), called))
        checked = Choice(1, f"{theirs}/check", ("check", "bet"), (Leaf(Fraction(wins)), last))
        bet = Choice(1, f"{theirs}/bet", ("fold", "call"), (Leaf(Fraction(1)), called))
        return Choice(0, mine, ("check", "bet"), (checked, bet))

    deals = list(permutations("JQK", 2))
    return Chance(tuple(map("".join, deals)), (Fraction(1, 6),) * 6, tuple(deal(*hands) for hands in deals))


def whole(*rows: tuple[int, ...]) -> list[list[Fraction]]:
    return [[Fraction(entry) for entry in row] for row in rows]


@pytest.mark.parametrize(
    ("rows", "value", "first"),
    [
        (whole((0, -1, 1), (1, 0, -1), (-1, 1, 0)), Fraction(0), ["1/3", "1/3", "1/3"]),  # rock, paper, scissors
        (whole((1, -1), (-1, 1)), Fraction(0), ["1/2", "1/2"]),  # matching pennies
        (whole((3, -1), (-2, 1)), Fraction(1, 7), ["3/7", "4/7"]),  # issue 11
        (whole((10, 20), (30, 40)), Fraction(30), ["0", "1"]),  # a saddle
        (whole((10**20, -1), (-1, 1)), Fraction(10**20 - 1, 10**20 + 3), None),
    ],
)
def test_the_oracle_solves_tables(rows: list[list[Fraction]], value: Fraction, first: list[str] | None) -> None:
    found, mine, theirs = solve_table(rows)
    assert found == value and sum(mine) == sum(theirs) == 1
    assert first is None or mine == [Fraction(share) for share in first]


def test_the_oracle_solves_kuhn() -> None:
    flat = Flat(kuhn())
    assert flat.value() == Fraction(-1, 18)
    never = {known: [Fraction(1), Fraction(0)] for side in (0, 1) for known in flat.sets[side]}
    assert flat.guarantees((never, never)) == (Fraction(-1), Fraction(1))  # who never bets or calls is bluffed


def test_random_trees_are_games_and_come_back_from_their_texts() -> None:
    for seed in range(60):
        random = Random(seed)
        _, pay = growing.payoffs(random)
        tree = growing.tree(random, 30, pay) if seed % 2 else growing.public(random, pay)
        check(Rules(tree))
        named = growing.renamed(tree, random)
        assert texts.difference(tree, texts.read_efg(texts.efg(named, growing.names(random)))) is None
        assert Flat(named).value() == Flat(tree).value()


def test_the_oracle_shares_nothing_with_ruse() -> None:
    for module in (case, growing, oracle, rules, shrinking, texts, walking):
        assert not re.search(r"^\s*(import|from) ruse", Path(module.__file__).read_text(), re.MULTILINE)


def test_the_same_seed_is_the_same_game() -> None:
    assert kind_of(7) == kind_of(7)
    assert case_of(Task("trees", 7)) == case_of(Task("trees", 7)) != case_of(Task("trees", 8))


def test_lies_are_found() -> None:
    """Other bounds, other odds, another value: a judge that nobody can fail would find nothing."""
    tree = kuhn()
    solution = ruse.solve(Rules(tree))
    Judge(tree, Fraction(-1, 18)).judge(solution, exact=True)
    lie = replace(solution, certificate=Certificate(Fraction(0), Fraction(0)))
    with pytest.raises(Contradiction, match="the lower bound"):
        Judge(tree).judge(lie, exact=True)
    bold = {
        place: {**dict.fromkeys(odds, Fraction(0)), list(odds)[-1]: Fraction(1)}
        for place, odds in solution.tables[0].items()
    }
    with pytest.raises(Contradiction, match="the lower bound"):
        Judge(tree).judge(replace(solution, tables=(bold, solution.tables[1])), exact=False)
    rounded = ruse.solve(Rules(tree), "cfr", iterations=3)
    with pytest.raises(Contradiction, match="the value by cfr"):
        Judge(tree).judge(rounded, exact=True)
    assert policies(tree, solution)[1]["K/bet"] == [0, 1]


def test_contradictions_are_shrunk() -> None:
    def never_nine(one: Case) -> None:
        assert one.tree is not None
        if any(isinstance(node, Leaf) and node.payoff == 9 for node in nodes(one.tree)):
            raise Contradiction("a nine", "9", "no nine")

    tree = growing.tree(Random(3), 60, lambda random: Fraction(random.randint(0, 9)))
    smallest, found = shrink(Case(tree, 0), Contradiction("a nine", "9", "no nine"), never_nine)
    assert found.about == "a nine" and smallest.tree == Leaf(Fraction(9)) and size(tree) > 20


@pytest.mark.parametrize("kind", ["trees", "public", "tables", "broken", "seats", "own"])
def test_a_few_games_of_each_kind(kind: str) -> None:
    for seed in range(4):
        KINDS[kind].check(case_of(Task(kind, seed)))


def test_settings_that_hide_are_found() -> None:
    """Each way to hide a setting makes other games of other settings, and the oracle sees it without ruse."""
    spec = writing.draw(Random(0))
    with TemporaryDirectory() as folder:
        for place, hidden in enumerate(writing.HIDDEN):
            drawn = replace(
                spec, base="kuhn", tree=None, rule="payoff", body="return found + k", shape="subclass", hidden=hidden,
                declared="", extra=(), keeps_wins=False, helper_does_it=False, twin=None,
            )  # fmt: skip
            subject = Subject(drawn, Path(folder) / str(place), typed=True, folders=False)
            values = []
            for setting in (1, 3, 2):
                subject.turn_to(setting)
                worth = subject.worth(1)
                assert isinstance(worth, Worth)
                values.append(worth.value)
            assert values == [Fraction(-1, 18) + setting + 1 for setting in (1, 3, 2)], hidden


def contradictions(games: int, *texts: str) -> Iterator[str]:
    """What the first own games say in which the texts stand, where the oracle contradicts ruse."""
    tasks = (Task("own", seed) for seed in range(100_000))
    for task in islice((task for task in tasks if is_like(task, texts)), games):
        try:
            KINDS["own"].check(case_of(task))
        except Contradiction as contradiction:
            yield contradiction.about


def test_a_stale_number_of_an_own_game_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sweep that remembers rows by the parameter alone contradicts the oracle."""
    monkeypatch.setattr(variants, "identity", lambda game: f"{game.title} {game.parameters}")
    monkeypatch.setattr(solving, "identity", lambda game: f"{game.title} {game.parameters}")
    assert any("a row in sweep" in about for about in contradictions(20, "'sweep'", "hidden='global'", "subclass"))


@pytest.mark.parametrize(
    ("capability", "step", "texts"),
    [("Open", "view", ("def board(self",)), ("Symmetric", "insight", ("base='leduc'",))],
)
def test_a_capability_by_name_alone_is_found(
    capability: str, step: str, texts: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game of cards with a helper called `board`, and Leduc poker with suits that matter, as up to 0.5.0."""

    def has_methods(kind: Any, thing: object) -> bool:
        alike = kind.__name__ == capability and all(hasattr(thing, method) for method in kind.methods)
        return alike or any(kind in declared.__mro__ for declared in provided(thing))

    monkeypatch.setattr(Capability, "__instancecheck__", has_methods)
    drawn = contradictions(20, f"'{step}'", "declared=''", "shape='subclass'", *texts)
    assert any(f"in {step} of" in about for about in drawn)


def test_games_are_aimed_at_by_what_was_drawn() -> None:
    found = [seed for seed in range(60) if is_like(Task("own", seed), ("base='kuhn'", "'solve'"))]
    assert 0 < len(found) < 30
    for seed in found:
        drawn = case_of(Task("own", seed)).more
        spec = drawn["spec"]
        assert "solve" in drawn["steps"] and "kuhn" in (spec.base, spec.twin and spec.twin.base)


def test_games_run_in_processes_of_their_own() -> None:
    found = list(outcomes(iter([Task("large", 1, "whole"), Task("large", 2, "ties")]), 1))
    assert [one.task.seed for one in found] == [1, 2] and not any(one.about for one in found)
