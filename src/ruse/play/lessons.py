"""Lessons: short screens made of computed facts, questions on positions, and rules of thumb with their price.

A lesson is a file `lesson*.toml` in the folder of its game. It names games, facts about their solutions, and texts with
the facts' names in braces, so no number is typed in. `read` reads a lesson; a `Lesson` computes its facts from the
solutions that `solve` brings, and marks answers.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import ruse
from ruse.core import rationals
from ruse.core.capabilities import payoff_to
from ruse.core.game import Game, RuseError, side_number
from ruse.core.jsonable import Exact, jsonable
from ruse.core.registry import game_of, presentation
from ruse.insight import insight
from ruse.insight.costs import Costs, costs
from ruse.insight.model import Insight, MoveInsight
from ruse.insight.reasons import Explainer
from ruse.insight.rules_of_thumb import rules
from ruse.play.coach import amount
from ruse.play.pictures import Picture
from ruse.play.session import standing
from ruse.play.shown import picture, picture_at
from ruse.present.at_random import RandomDevice
from ruse.present.frequency import brief_odds, frequency
from ruse.present.model import Viewer
from ruse.present.rules import score_rules
from ruse.present.strategy_words import draw_odds, move_phrase
from ruse.present.viewer import viewer
from ruse.solution.strategy import Solution

FOLDER = Path(ruse.__file__).parent / "games"
RULES_NOTE = (
    "The price is exact: what the rule loses against the best opponent, if you play your best in all that it leaves "
    "open."
)
PLACE = re.compile(r"\{([a-z0-9_]+)\}")
Solve = Callable[[Game], Solution]


class LessonError(RuseError):
    """An answer that a lesson does not offer."""


class UnknownLesson(LessonError):
    """A lesson or a screen that does not exist."""


@dataclass(frozen=True)
class Fact:
    """One computed number of a lesson."""

    name: str
    kind: str
    """value, odds, least, greatest, cost, habit, belief, guarantee or difference"""
    asked: Mapping[str, Any]
    """what of: the game, side, position, move, rules"""
    number: Exact
    """win rates and odds from 0 to 1; costs in payoff units of the side that moves"""
    text: str
    """as it stands in sentences"""


@dataclass(frozen=True)
class LessonAnswer:
    """One answer to a question, with what it loses against the best one."""

    key: str
    """what to type or send"""
    text: str
    cost: Exact


@dataclass(frozen=True)
class Feedback:
    """What a lesson says to an answer."""

    key: str
    right: bool
    cost: Exact
    text: str


@dataclass(frozen=True)
class LessonScreen:
    """One screen: a fact with its picture, why it is so, and perhaps a question."""

    heading: str
    text: Sequence[str]
    why: str
    position: str
    """whose picture is shown; empty for none"""
    question: str
    answers: Sequence[LessonAnswer]
    draws: Sequence[RandomDevice]
    """how to choose at random in the odds of the position"""


@dataclass(frozen=True)
class PricedRule:
    """A rule of thumb with its exact price."""

    text: str
    price: Exact
    """what it costs at most, whatever the other side does, in payoff units"""
    price_text: str


@dataclass(frozen=True)
class LessonSource:
    """A lesson as its file has it, before anything is computed."""

    name: str
    title: str
    about: str
    about_game: str
    side: int
    content: Mapping[str, Any] = field(repr=False)

    @property
    def game(self) -> Game:
        """The main game, which is drilled at the end."""
        return game_of(self.content["games"]["main"])

    @property
    def games(self) -> list[Game]:
        """All games whose solutions it needs."""
        return [game_of(title) for title in self.content["games"].values()]


@cache
def sources() -> Mapping[str, LessonSource]:
    """All lessons by name, as they come in the files' `order`."""
    made = []
    for path in FOLDER.glob("*/lesson*.toml"):
        content = tomllib.loads(path.read_text(encoding="utf-8"))
        game = game_of(content["games"]["main"])
        made.append(
            LessonSource(
                content["name"],
                content["title"],
                content["about"],
                game.name,
                side_number(game, content["side"]),
                content,
            )
        )
    return {source.name: source for source in sorted(made, key=lambda source: source.content["order"])}


def source(name: str) -> LessonSource:
    """The lesson of that name. Raises UnknownLesson."""
    if name not in sources():
        raise UnknownLesson(f"there is no lesson {name[:40]!r}; choose {', '.join(sources())}")
    return sources()[name]


def lessons_for(game: str) -> list[str]:
    """The names of the lessons on a game, by the game's name."""
    return [name for name, lesson in sources().items() if lesson.about_game == game]


def lesson_for(game: Game) -> str | None:
    """The name of the first lesson on a game, whatever its parameters; None if there is none."""
    return next(iter(lessons_for(game.name)), None)


class _Solved:
    """A solution with what is computed from it, each once."""

    def __init__(self, solution: Solution) -> None:
        self.solution, self.game = solution, solution.game

    @cached_property
    def viewer(self) -> Viewer:
        return viewer(self.solution)

    @cached_property
    def insight(self) -> Insight:
        return insight(self.solution, viewer=self.viewer)

    @cached_property
    def costs(self) -> Costs:
        return costs(self.solution, self.viewer)

    @cached_property
    def explainer(self) -> Explainer:
        return Explainer(self.costs, self.viewer)

    def share(self, payoff: Fraction, side: int) -> Fraction:
        """How often a side wins with a payoff to side 0, in a game that is won or lost; else its payoff."""
        own = payoff_to(self.game, side, payoff)
        return (1 + own) / 2 if len(self.game.wins) == 2 else own


class Lesson:
    """A lesson with its solutions."""

    def __init__(self, lesson: LessonSource, solve: Solve) -> None:
        self.source = lesson
        self._solved = {name: _Solved(solve(game_of(title))) for name, title in lesson.content["games"].items()}

    @property
    def main(self) -> Solution:
        return self._solved["main"].solution

    @cached_property
    def facts(self) -> Mapping[str, Fact]:
        """All facts by name, computed in the order of the file."""
        facts: dict[str, Fact] = {}
        for name, asked in self.source.content["facts"].items():
            number = self._number(asked, facts)
            facts[name] = Fact(name, asked["kind"], asked, number, self._format(asked, number))
        return facts

    @cached_property
    def screens(self) -> Sequence[LessonScreen]:
        """The screens in order, with all numbers filled in."""
        return [self._screen(screen) for screen in self.source.content["screens"]]

    @cached_property
    def rules(self) -> Sequence[PricedRule]:
        """The rules to remember."""
        return [self._rule(rule) for rule in self.source.content["rules"]]

    @property
    def rules_note(self) -> str:
        """What the prices of the rules mean."""
        return str(self.source.content.get("rules_note", RULES_NOTE))

    def picture(self, screen: LessonScreen, answered: bool = False) -> Picture:
        """What the side sees at the position of a screen; what it suspects, only once its question is answered."""
        if not screen.position:
            return Picture()
        solved = self._at(screen.position)
        view = solved.viewer.at(screen.position, self._side(screen.position))
        if screen.question and not answered:
            return picture(standing(solved.solution, view.side, view.position, solved.viewer))
        return picture_at(solved.solution, view, solved.viewer)

    def mark(self, screen: LessonScreen, key: str) -> Feedback:
        """Judge an answer. Raises LessonError if the screen does not offer it."""
        answer = next((answer for answer in screen.answers if answer.key == key.strip()), None)
        if answer is None:
            offered = ", ".join(answer.key for answer in screen.answers)
            raise LessonError(f"expected one of the answers {offered}, got {key[:40]!r}")
        raw = self.source.content["screens"][self.screens.index(screen)]
        if "answers" in raw:
            best = next(other for other in screen.answers if not other.cost)
            text = "Right." if not answer.cost else f"That costs {self._amount(answer.cost)}. Best: {best.text}."
            return Feedback(key, not answer.cost, answer.cost, f"{text} {self._fill(raw['because'])}")
        explained = self._at(screen.position).explainer.explain(
            screen.position, answer.key, self._side(screen.position)
        )
        return Feedback(key, not answer.cost, answer.cost, f"{'Right.' if not answer.cost else 'No.'} {explained.text}")

    def to_json(self) -> dict[str, Any]:
        """Everything, for programs."""
        lesson = self.source
        return {
            "name": lesson.name,
            "title": lesson.title,
            "game": self.main.game.title,
            "side": self.main.game.sides[lesson.side],
            "facts": {name: jsonable(fact) for name, fact in self.facts.items()},
            "screens": [jsonable(screen) for screen in self.screens],
            "rules": [jsonable(rule) for rule in self.rules],
        }

    # Parts.

    def _screen(self, raw: Mapping[str, Any]) -> LessonScreen:
        position = raw.get("position", "")
        return LessonScreen(
            raw["heading"],
            [self._fill(paragraph) for paragraph in raw["text"]],
            self._fill(raw.get("why", "")),
            position,
            raw.get("question", ""),
            self._answers(raw) if "question" in raw else [],
            self._draws(position) if raw.get("draw") else [],
        )

    def _answers(self, raw: Mapping[str, Any]) -> list[LessonAnswer]:
        """Those of the file, or the moves of the position with their costs."""
        if "answers" in raw:
            lost = [self._loss(answer) for answer in raw["answers"]]
            best = min(lost)
            return [
                LessonAnswer(str(number), self._fill(answer["text"]), cost - best)
                for number, (answer, cost) in enumerate(zip(raw["answers"], lost, strict=True), 1)
            ]
        position = raw["position"]
        solved = self._at(position)
        moves = solved.costs.at(position, self._side(position)).moves
        return [LessonAnswer(move, move_phrase(solved.game, position, move), cost.cost) for move, cost in moves.items()]

    def _loss(self, answer: Mapping[str, Any]) -> Fraction:
        """What an answer costs by a fact, by its rules or by what it is worth: up to the same constant for all."""
        if "cost" in answer:
            return self.facts[answer["cost"]].number
        if "rules" in answer:
            return self._price(answer["rules"])
        return -2 * self.facts[answer["worth"]].number  # a win rate of 1 is two units of payoff more than one of 0

    def _draws(self, position: str) -> Sequence[RandomDevice]:
        solved = self._at(position)
        return draw_odds(solved.game, position, solved.solution.strategy(self._side(position)).at(position))

    def _rule(self, raw: Mapping[str, Any]) -> PricedRule:
        best = (
            min(self._loss(rule) for rule in self.source.content["rules"] if "worth" in rule) if "worth" in raw else 0
        )
        price = self._loss(raw) - best
        return PricedRule(raw["text"], price, "free" if not price else f"costs {self._amount(price)}{self._unit}")

    def _price(self, text: str) -> Fraction:
        """What it costs to follow a rule file: exactly, if the other side plays its best."""
        solved = self._solved["main"]
        game = solved.game
        if presentation(game).rules_by_position:
            (priced,) = rules(solved.insight, game, text)
            return priced.price
        (score,) = score_rules(game, text)
        value = payoff_to(game, score.side, solved.solution.certificate.lower)
        return value - payoff_to(game, score.side, score.payoff)

    # Facts.

    def _number(self, asked: Mapping[str, Any], facts: Mapping[str, Fact]) -> Fraction:
        kind = asked["kind"]
        if kind == "difference":
            first, second = (facts[name].number for name in asked["of"])
            return first - second
        if kind == "value":
            solved = self._solved[asked.get("game", "main")]
            return solved.share(solved.solution.certificate.lower, side_number(solved.game, asked["side"]))
        if kind == "guarantee":
            game = self._solved["main"].game
            (score,) = score_rules(game, asked["rules"])
            return self._solved["main"].share(score.payoff, score.side)
        position = asked["position"]
        solved, side = self._at(position), self._side(position)
        if kind == "odds":
            return solved.solution.strategy(side).at(position)[asked["move"]]
        if kind == "cost":
            return solved.costs.at(position, side).moves[asked["move"]].cost
        if kind == "belief":
            beliefs = solved.insight.at(position, side).beliefs
            return next(belief.facts for belief in beliefs if belief.fact == asked["fact"])
        return _of_move(kind, next(move for move in solved.insight.moves(position, side) if move.move == asked["move"]))

    def _format(self, asked: Mapping[str, Any], number: Fraction) -> str:
        kind = asked["kind"]
        if kind in ("odds", "least", "greatest"):
            return frequency(number)
        if kind in ("cost", "habit"):
            return self._amount(number)
        if kind == "difference":
            return self._amount(2 * number if self._won_or_lost else number)
        if kind != "belief" and not self._won_or_lost:
            return rationals.short(number)
        return (
            f"{rationals.percent(number)} ({brief_odds(number)})" if number not in (0, 1) else rationals.percent(number)
        )

    @property
    def _won_or_lost(self) -> bool:
        return len(self.main.game.wins) == 2

    @property
    def _unit(self) -> str:
        """What payoffs are counted in, where the game is not won or lost."""
        return "" if self._won_or_lost else f" {self.source.content['unit']}"

    def _amount(self, cost: Fraction) -> str:
        return amount(self.main.game, cost) if cost else "nothing"

    def _fill(self, text: str) -> str:
        """A text with its facts."""
        return PLACE.sub(lambda match: self.facts[match[1]].text, text)

    def _at(self, position: str) -> _Solved:
        """The solution whose game a position belongs to."""
        title = game_of(position).title
        return next(solved for solved in self._solved.values() if solved.game.title == title)

    def _side(self, position: str) -> int:
        """The side that moves at a position, or that looks from there."""
        solved = self._at(position)
        side = self.source.side
        view = solved.viewer.at(position)
        return side if view.turn is None or view.turn not in (0, 1) else view.turn


def _of_move(kind: str, move: MoveInsight) -> Fraction:
    """A number that holds for all optimal strategies."""
    if kind == "habit":
        assert move.price is not None
        return move.price
    assert move.range is not None and kind in ("least", "greatest")
    return move.range.least.value if kind == "least" else move.range.greatest.value
