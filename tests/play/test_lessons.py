"""Lessons: every number once more by code of its own, and each lesson taken in the terminal and by HTTP."""

from __future__ import annotations

import io
import json
import re
import shlex
import sys
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog

import ruse
from insight_oracle import Oracle
from ruse.cli.parser import parser
from ruse.cli.program import main, read
from ruse.core.game import Game
from ruse.core.registry import game_of
from ruse.core.types import StrategyTable
from ruse.insight import insight
from ruse.insight.costs import costs
from ruse.play.lessons import Lesson, LessonError, lesson_for, lessons_for, source, sources
from ruse.present.rules import score_rules, sections, stated
from ruse.solution.strategy import Solution

NAMES = ["resistance-spy", "resistance", "avalon-merlin", "liars-dice", "kuhn"]


@cache
def solved(title: str) -> Solution:
    return ruse.solve(game_of(title))


@cache
def lesson(name: str) -> Lesson:
    return Lesson(source(name), lambda game: solved(game.title))


@cache
def oracle(title: str) -> Oracle:
    return Oracle(game_of(title), near=1e-7)


def test_there_are_five_and_games_find_theirs() -> None:
    assert list(sources()) == NAMES
    assert lesson_for(ruse.games.kuhn()) == "kuhn" and lesson_for(ruse.games.liars_dice(6)) == "liars-dice"
    assert lessons_for("resistance") == ["resistance-spy", "resistance"]
    assert lesson_for(ruse.games.leduc()) is None
    with pytest.raises(LessonError, match="there is no lesson 'chess'; choose resistance-spy"):
        source("chess")


# Every number.


def facts(*kinds: str) -> list[Any]:
    return [
        pytest.param(name, fact, id=f"{name}-{fact}")
        for name in NAMES
        for fact, asked in source(name).content["facts"].items()
        if asked["kind"] in kinds
    ]


def _title(name: str, asked: Any) -> str:
    games: dict[str, str] = source(name).content["games"]
    if "position" in asked:
        return game_of(asked["position"]).title
    return games[asked.get("game", "main")]


@pytest.mark.parametrize(("name", "fact"), facts("value"))
def test_values_are_those_of_the_verifier(name: str, fact: str) -> None:
    """Both best responses once more, from the rules."""
    known = lesson(name).facts[fact]
    solution = solved(_title(name, known.asked))
    bounds = solution.verify()
    assert bounds.lower == bounds.upper
    own = bounds.lower if known.asked["side"] == solution.game.sides[0] else -bounds.lower
    assert known.number == ((1 + own) / 2 if len(solution.game.wins) == 2 else own)


@pytest.mark.parametrize(("name", "fact"), facts("guarantee"))
def test_guarantees_leave_the_rest_to_the_best_opponent(name: str, fact: str) -> None:
    known = lesson(name).facts[fact]
    (score,) = score_rules(game_of(_title(name, known.asked)), known.asked["rules"])
    assert known.number == score.win


def _knowledge(game: Game, position: str) -> tuple[int, Any]:
    """Who moves at a position of a game whose tree is small, and what that side knows."""
    seen = oracle(game.title).seen
    return next((who, known) for who, known in seen if game.title + game.format_position(known) == position)


@pytest.mark.parametrize(("name", "fact"), facts("odds", "least", "greatest"))
def test_odds_hold_for_all_optimal_strategies(name: str, fact: str) -> None:
    """The linear programs of the oracle agree on both ends; odds that a lesson names have no choice."""
    known = lesson(name).facts[fact]
    game = game_of(_title(name, known.asked))
    side, where = _knowledge(game, known.asked["position"])
    ends = (known.number, known.number)
    if known.kind != "odds":
        ends = lesson(name).facts["least"].number, lesson(name).facts["greatest"].number
    parent, _ = oracle(game.title).sets[side][where]
    value = float(solved(game.title).certificate.lower) * (1 - 2 * side)
    oracle(game.title).check_range(
        side, value - 1e-9, {(*parent, (where, known.asked["move"])): 1.0}, {parent: 1.0}, ends
    )


@pytest.mark.parametrize(("name", "fact"), facts("habit"))
def test_habits_cost_what_they_guarantee_less(
    name: str, fact: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By the oracle's programs where the tree is small, else by the verifier of insight files."""
    known = lesson(name).facts[fact]
    game = game_of(_title(name, known.asked))
    solution, position, move = solved(game.title), known.asked["position"], known.asked["move"]
    if "players" not in game.parameters:
        side, where = _knowledge(game, position)
        value = float(solution.certificate.lower) * (1 - 2 * side)
        assert abs(value - oracle(game.title).most(side, where, move) - float(known.number)) < 1e-7
        return
    file = tmp_path / "five.ruse"
    solution.save(file)
    explained = insight(solution, file=file)
    (price,) = [known.price for known in explained.moves(position, int("@" in position)) if known.move == move]
    explained.keep()
    assert price == known.number and main(["verify", str(file)]) == 0
    assert re.search(r"its [1-9]\d* certificates are correct", capsys.readouterr().out)


def best_replies(game: Game, side: int, opponent: StrategyTable, where: Any) -> dict[str, Fraction]:
    """What a side gets after each move at a set, if it then does its best against an opponent, by a walk of its own."""
    asked = oracle(game.title)
    leaves: dict[Any, Fraction] = {}
    came: dict[Any, Fraction] = {}

    def odds(path: Any) -> Fraction:
        share = Fraction(1)
        for known, move in path:
            share *= opponent[game.title + game.format_position(known)][game.label(move)]
        return share

    for leaf in asked.leaves:
        own, other, payoff = leaf[side], leaf[1 - side], leaf[2]
        leaves[own] = leaves.get(own, Fraction(0)) + payoff * odds(other) * (1 - 2 * side)
    for (who, known), states in asked.seen.items():
        if who == side:
            came[known] = sum((odds(other) * share for _, other, share in states), Fraction(0))

    def best(path: Any) -> Fraction:
        here = [known for known, (parent, _) in asked.sets[side].items() if parent == path]
        return leaves.get(path, Fraction(0)) + sum(
            (max(best((*path, (known, move))) for move in asked.sets[side][known][1]) for known in here), Fraction(0)
        )

    parent, moves = asked.sets[side][where]
    return {game.label(move): best((*parent, (where, move))) / came[where] for move in moves}


@pytest.mark.parametrize("name", ["kuhn", "liars-dice"])
def test_costs_of_answers_are_lost_against_the_reference_opponent(name: str) -> None:
    """Of all answers on positions, and all costs among the facts; that the opponent is optimal, the verifier says."""
    taught = lesson(name)
    game = taught.main.game
    reference = costs(taught.main).reference
    assert reference is not None and reference.verify().exact
    asked = [
        (screen.position, {answer.key: answer.cost for answer in screen.answers})
        for screen in taught.screens
        if screen.question and not screen.answers[0].key.isdigit()
    ]
    asked += [
        (str(fact.asked["position"]), {str(fact.asked["move"]): fact.number})
        for fact in taught.facts.values()
        if fact.kind == "cost"
    ]
    assert len(asked) >= 4
    for position, lost in asked:
        side, where = _knowledge(game, position)
        worth = best_replies(game, side, reference.tables[1 - side], where)
        assert lost == {move: max(worth.values()) - worth[move] for move in lost}, position


Worlds = dict[frozenset[str], Fraction]  # how likely each pair of spies is
SPIES = {frozenset(pair) for pair in combinations("abcde", 2)}


@pytest.mark.parametrize(("name", "fact"), facts("belief"))
def test_beliefs_count_the_spies_that_fit(name: str, fact: str) -> None:
    known = lesson(name).facts[fact]
    missions = str(known.asked["position"]).split("/")[1:]
    fits = [spies for spies in SPIES if all(spies & {*mission} for mission in missions if mission.endswith("-"))]
    seat = str(known.asked["fact"])[0]
    assert known.number == Fraction(sum(seat in spies for spies in fits), len(fits))


def resistance_gets(solution: Solution, position: str, score: tuple[int, int], worlds: Worlds) -> Fraction:
    """How often the resistance wins with its best missions against the stored spies; `worlds` are weights of spies."""
    if 3 in score or not worlds:
        return sum(worlds.values(), Fraction(0)) if score[0] == 3 else Fraction(0)
    size = (2, 3, 2, 3, 3)[sum(score)]
    return max(resistance_sends(solution, position, score, worlds, team) for team in combinations("abcde", size))


def resistance_sends(
    solution: Solution,
    position: str,
    score: tuple[int, int],
    worlds: Worlds,
    team: Sequence[str],
) -> Fraction:
    name, total = "".join(team), Fraction(0)
    failed = {}
    for spies, weight in worlds.items():
        aboard = spies & {*team}
        there = position.replace("resistance-5", f"resistance-5@{''.join(sorted(spies))}", 1) + f"/{name}?"
        odds = solution.strategy(1).at(there) if aboard else {"pass": Fraction(1)}
        failed[spies] = weight * (1 - odds.get("pass", Fraction(0)))
    for mark, after, weights in (
        ("+", (score[0] + 1, score[1]), {spies: weight - failed[spies] for spies, weight in worlds.items()}),
        ("-", (score[0], score[1] + 1), failed),
    ):
        left = {spies: weight for spies, weight in weights.items() if weight}
        total += resistance_gets(solution, f"{position}/{name}{mark}", after, left)
    return total


@pytest.mark.parametrize("number", [3, 4])
def test_costs_of_missions_are_lost_against_the_stored_spies(number: int) -> None:
    """Of the two questions whose rest of the game is short; all missions of their classes."""
    taught = lesson("resistance")
    screen = taught.screens[number]
    marks = screen.position.split("/")[1:]
    score = (sum(mark.endswith("+") for mark in marks), sum(mark.endswith("-") for mark in marks))
    worlds = _stored_beliefs(taught.main, screen.position)
    worth = {
        answer.key: resistance_sends(taught.main, screen.position, score, worlds, answer.key)
        for answer in screen.answers
    }
    assert {answer.key: answer.cost for answer in screen.answers} == {
        team: 2 * (max(worth.values()) - share) for team, share in worth.items()
    }


def _stored_beliefs(solution: Solution, position: str) -> Worlds:
    """How likely each pair of spies is, by how the stored spies play; where they never come here, by the facts."""
    worlds = {}
    for spies in SPIES:
        weight, before = Fraction(1), "resistance-5"
        for mission in position.split("/")[1:]:
            team, result = mission[:-1], mission[-1]
            if not weight:
                break
            there = before.replace("resistance-5", f"resistance-5@{''.join(sorted(spies))}", 1) + f"/{team}?"
            passing = solution.strategy(1).at(there).get("pass", Fraction(0)) if spies & {*team} else Fraction(1)
            weight *= passing if result == "+" else 1 - passing
            before += f"/{mission}"
        worlds[spies] = weight
    if not any(worlds.values()):
        failures = [{*mission[:-1]} for mission in position.split("/") if mission.endswith("-")]
        worlds = {spies: Fraction(all(spies & failed for failed in failures)) for spies in SPIES}
    total = sum(worlds.values())
    return {spies: weight / total for spies, weight in worlds.items() if weight}


def test_the_last_mission_of_avalon_loses_all_but_the_guess() -> None:
    """A team with the spy fails, and the game is lost; any other passes, and one guess in three finds Merlin."""
    taught = lesson("avalon-merlin")
    assert taught.facts["sabotaged"].number == 2 * (1 - Fraction(1, 3))
    screen = taught.screens[-1]
    assert {answer.key for answer in screen.answers if answer.cost} == {"ab", "ac", "ad"}
    assert taught.facts["cost_open"].number == Fraction(1, 2) - Fraction(1, 4)


@pytest.mark.parametrize("name", NAMES)
def test_prices_of_rules_of_thumb(name: str) -> None:
    """By the verifier where a rule is whole or a game has rules of its own, else by the oracle's linear programs."""
    taught = lesson(name)
    assert len(taught.rules) == 3 and any(rule.price for rule in taught.rules)
    for rule, raw in zip(taught.rules, source(name).content["rules"], strict=True):
        game, value = taught.main.game, taught.main.certificate.lower
        if "rules" not in raw:
            best = max(taught.facts[other["worth"]].number for other in source(name).content["rules"])
            assert rule.price == 2 * (best - taught.facts[raw["worth"]].number)
        elif "players" in game.parameters:
            (score,) = score_rules(game, raw["rules"])
            assert rule.price == (value - score.payoff) * (1 - 2 * score.side)
        else:
            assert abs(_oracle_price(game, value, raw["rules"]) - float(rule.price)) < 1e-7


def _oracle_price(game: Game, value: Fraction, text: str) -> float:
    """The value less the most that a plan with these odds guarantees: the oracle's program with equations for them."""
    ((side, lines),) = sections(game, text).items()
    table, _ = stated(game, lines)
    asked = oracle(game.title)
    equal, answers = asked._rows(side)
    mine, rows = asked.sequences[side], []
    for known, (parent, moves) in asked.sets[side].items():
        fixed = table.get(game.title + game.format_position(known))
        for move in moves if fixed is not None else ():
            row = np.zeros(equal.shape[1])
            row[mine[*parent, (known, move)]] += 1
            row[mine[parent]] -= float(fixed.get(game.label(move), 0))
            rows.append(row)
    right = np.zeros(equal.shape[0] + len(rows))
    right[equal.shape[0] - 1] = 1
    cost = np.zeros(equal.shape[1])
    cost[len(mine)] = -1
    found = linprog(
        cost,
        answers,
        np.zeros(answers.shape[0]),
        np.vstack([equal.toarray(), *rows]),
        right,
        asked._bounds(side),
        method="highs",
    )
    assert found.status == 0
    return float(value) * (1 - 2 * side) + float(found.fun)


def test_texts_have_no_numbers_but_facts() -> None:
    """Words and names of moves (a 1, two 2s, five players) are typed in; percentages and fractions are not."""
    for name in NAMES:
        taught = lesson(name)
        raw = json.dumps([source(name).content["screens"], source(name).content["about"]], ensure_ascii=False)
        assert not re.search(
            r"\d ?%|\b\d+/\d+\b(?! or)|\d\.\d|percent", re.sub(r'"(rules|position)": "[^"]*"', "", raw)
        ), name
        used = {*re.findall(r"\{([a-z_]+)\}", raw)} | {*re.findall(r'"(?:cost|worth)": "(\w+)"', raw)}
        used |= {raw["worth"] for raw in source(name).content["rules"] if "worth" in raw}
        used |= {other for fact in taught.facts.values() for other in fact.asked.get("of", ())}
        assert used == taught.facts.keys(), name
        assert not any("{" in text for screen in taught.screens for text in (*screen.text, screen.why))


# Taking a lesson.


@pytest.mark.parametrize("name", NAMES)
def test_a_lesson_in_the_terminal(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    taught = lesson(name)
    typed = []
    for screen in taught.screens:
        if screen.question:
            worst = max(screen.answers, key=lambda answer: answer.cost)
            typed += ["nonsense", worst.key]
        else:
            typed.append("")
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in typed)))
    assert main(["learn", name]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    questions = [screen for screen in taught.screens if screen.question]
    assert printed.count("expected one of the answers") == len(questions) >= 1
    assert "Rules to remember" in printed and "ruse play" in printed
    for rule in taught.rules:
        assert f"{rule.text}: {rule.price_text}." in printed
    for screen in taught.screens:
        assert " ".join(screen.text[0].split()) in printed
    program, *arguments = shlex.split(source(name).content["drill"])
    assert program == "ruse" and read(parser(), arguments).drill


def test_leaving_listing_and_nonsense(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["learn"]) == 0
    assert all(name in capsys.readouterr().out for name in ["ruse learn LESSON"])
    assert main(["learn", "--json"]) == 0
    assert [one["name"] for one in json.loads(capsys.readouterr().out)["lessons"]] == NAMES
    assert main(["learn", "kuhn", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["facts"]["edge"]["number"] == "1/18"
    assert main(["learn", "chess"]) == 1
    assert "there is no lesson 'chess'; choose resistance-spy" in capsys.readouterr().err
    monkeypatch.setattr(sys, "stdin", io.StringIO("q\n"))
    assert main(["learn", "kuhn"]) == 0
    assert "Rules to remember" not in capsys.readouterr().out
