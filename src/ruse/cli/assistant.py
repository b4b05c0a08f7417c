"""What an assistant can ask ruse: games, solutions, positions, moves and checks, as plain JSON.

All of it only reads. Games are those of ruse, and those of the solution files that were named on the command line. No
question can name a file or run code, and none takes longer than the limit.
"""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from itertools import islice
from typing import Any

from ruse.core import clock, rationals, registry
from ruse.core.capabilities import payoff_to
from ruse.core.certificate import DECLARED, NONE, proof_sentence
from ruse.core.game import Game, GameError, PositionError, RuseError, moving, side_number
from ruse.core.jsonable import jsonable
from ruse.explorer import position_wording
from ruse.present.model import Option, View, Viewer
from ruse.present.report import texts
from ruse.present.viewer import too_large, viewer
from ruse.solution.strategy import Solution
from ruse.solving.pipeline import solve
from ruse.verify.verifier import verify

MOST_OPTIONS = 40  # moves that are listed
MOST_SOLUTIONS = 32  # that are remembered
MOST_SECONDS = 60.0
USUAL_SECONDS = 15.0
SHARE = 0.8  # of the time, to solve: the rest is for looking at the solution
FILES = ("file",)  # parameters that name a file

Json = dict[str, Any]


class Refused(RuseError):
    """A question that is not answered."""


class Assistant:
    def __init__(self, solutions: Sequence[Solution] = (), most_seconds: float = MOST_SECONDS) -> None:
        self.most_seconds = most_seconds
        self._given = {solution.game.title: solution for solution in solutions}
        self._solved: OrderedDict[str, Solution] = OrderedDict()
        self._viewers: dict[str, tuple[Solution, Viewer]] = {}
        self._lock = threading.Lock()  # one question at a time: each may take all cores

    # Questions.

    def list_games(self, name: str = "") -> Json:
        """All games, or one with its rules and parameters."""
        if not name:
            games = [{"name": name, "summary": registry.summary(name)} for name in registry.games()]
            return {"games": games, "solutions": [self._headline(solution) for solution in self._given.values()]}
        if name in self._given:
            return self._headline(self._given[name])
        _check_name(name)
        parameters = [
            json.loads(json.dumps(parameter._asdict(), default=str))
            for parameter in registry.parameters_of(name)
            if parameter.name not in FILES
        ]
        return {
            "name": name,
            "summary": registry.summary(name),
            "rules": registry.rules_text(name),
            "moves": registry.moves_text(name),
            "parameters": parameters,
        }

    def solve(self, game: str, parameters: Mapping[str, str] | None = None, seconds: float | None = None) -> Json:
        """The value of a game, with its proof."""
        with self._lock, self._limited(seconds):
            solution = self._solution(game, parameters or {})
            positions = [solution.game.title, *(place for table in solution.tables for place in islice(table, 1))]
            return {**self._headline(solution), **solution.to_json(), "positions": positions}

    def look_up(self, position: str, side: str = "", seconds: float | None = None) -> Json:
        """Everything that ruse knows of a position."""
        with self._lock, self._limited(seconds):
            solution = self._solution_at(position)
            shown = self._viewer(solution)
            if shown is None:
                return self._odds_alone(solution, position)
            view = _view(shown, solution, position, side)
            fields = view.to_json(solution.game)
            options = sorted(view.options, key=lambda option: -option.odds)
            return {
                "sentence": _sentence(solution, view),
                **fields,
                "options": jsonable(options[:MOST_OPTIONS]),
                "options_left_out": max(0, len(options) - MOST_OPTIONS),
                "certificate": _certificate(solution),
            }

    def best_move(self, position: str, side: str = "", seconds: float | None = None) -> Json:
        """What to do at a position where a side moves."""
        with self._lock, self._limited(seconds):
            solution = self._solution_at(position)
            game, shown = solution.game, self._viewer(solution)
            if shown is None:
                return self._odds_alone(solution, position)
            view = _view(shown, solution, position, side)
            if view.turn != view.side:
                who = f"{moving(game.sides[view.turn])} there" if view.turn in (0, 1) else "no side moves there"
                raise PositionError(
                    f"expected a position where it is your side's turn, got {position!r}: {who}; use look_up"
                )
            solved_anew = False
            if not view.reached:
                view, solved_anew = shown.resolve(view.position, view.side), True
            options = sorted(view.options, key=lambda option: (-option.odds, option.loss or 0))
            return {
                "position": view.position,
                "side": game.sides[view.side],
                "sentence": _advice(solution, view, options),
                "moves": [_move(game, view, option) for option in options[:MOST_OPTIONS]],
                "moves_left_out": max(0, len(options) - MOST_OPTIONS),
                **{name: jsonable(view.named(game)[name]) for name in ("value", "win")},
                "reached_in_optimal_play": view.reached,
                "solved_from_here": solved_anew,
                "assumption": view.assumption,
                "beliefs": jsonable(view.beliefs[:MOST_OPTIONS]),
                "certificate": _certificate(solution),
            }

    def verify(self, game: str, parameters: Mapping[str, str] | None = None, seconds: float | None = None) -> Json:
        """Both best responses, computed once more."""
        with self._lock, self._limited(seconds):
            solution = self._solution(game, parameters or {})
            certificate = verify(solution)
            return {
                "game": solution.game.title,
                "verified": True,
                **certificate.to_json(),
                "sentence": "Both best responses were recomputed in exact arithmetic: "
                f"{' <= value <= '.join(rationals.bounds(certificate.lower, certificate.upper))}. "
                f"{proof_sentence(certificate)}",
            }

    # What they share.

    def _limited(self, seconds: float | None) -> AbstractContextManager[None]:
        """The time that an answer may take."""
        if seconds is None:
            seconds = min(USUAL_SECONDS, self.most_seconds)
        if not 0 < seconds <= self.most_seconds:
            raise Refused(f"expected more than 0 and at most {self.most_seconds:g} seconds, got {seconds:g}")
        return clock.deadline(seconds)

    def _solution(self, spelled: str, parameters: Mapping[str, str]) -> Solution:
        """The solution of a game by its name and parameters, or by its title; solved once."""
        if spelled in self._given and not parameters:
            return self._given[spelled]
        _check_no_file(parameters)
        if not parameters and spelled in self._solved and self._solved[spelled].solved:
            return self._known(spelled)
        if spelled in registry.games():
            game = registry.make(spelled, parameters)
        else:
            _check_name(spelled)
            game = registry.game_of(spelled)
            if parameters:
                raise Refused(f"{spelled} is a game with its parameters; give its name {game.name} with others")
        return self._solve(game)

    def _solution_at(self, position: str) -> Solution:
        """The solution of the game that a position is of."""
        titles = sorted([*self._given, *self._solved], key=len, reverse=True)
        for title in titles:
            if position == title or (position.startswith(title) and position[len(title)] in "/@"):
                return self._given[title] if title in self._given else self._known(title)
        _check_name(position)
        return self._solve(registry.game_of(position))

    def _solve(self, game: Game) -> Solution:
        before = self._solved.get(game.title)
        if before is not None and dict(before.game.parameters) == dict(game.parameters) and before.solved:
            return self._known(game.title)
        solution = solve(game, time=SHARE * max(clock.left(), 0.001))
        self._solved[game.title] = solution
        if len(self._solved) > MOST_SOLUTIONS:
            self._viewers.pop(self._solved.popitem(last=False)[0], None)
        return solution

    def _known(self, title: str) -> Solution:
        self._solved.move_to_end(title)
        return self._solved[title]

    def _viewer(self, solution: Solution) -> Viewer | None:
        """Views of a solution; None where it has no strategies, or too many positions to look at in this time."""
        title = solution.game.title
        if title not in self._viewers or self._viewers[title][0] is not solution:
            if not solution.written or too_large(solution.game):
                return None
            try:
                self._viewers[title] = solution, viewer(solution)
            except clock.TimeIsUp:
                return None
        return self._viewers[title][1]

    def _headline(self, solution: Solution) -> Json:
        return {
            "title": solution.game.title,
            "headline": solution.headline(),
            "sides": list(solution.game.sides),
            "proof": proof_sentence(solution.certificate),
        }

    def _odds_alone(self, solution: Solution, position: str) -> Json:
        """What the strategies say where positions cannot be looked at."""
        if not solution.written:
            raise GameError(f"the solution of {solution.game.title} has no strategies; allow more seconds")
        values = {}
        reason: PositionError | None = None
        for side, name in enumerate(solution.game.sides):
            try:
                values[name] = texts(solution.strategy(side).at(position))
            except PositionError as error:
                reason = error
        if not values:
            assert reason is not None
            raise reason
        reason_for_less = too_large(solution.game) or "allow more seconds for values"
        note = f"only the odds: {reason_for_less}"
        return {"position": position, "odds": values, "note": note, "certificate": _certificate(solution)}


def _check_name(text: str) -> None:
    """Refuse what does not begin with the name of a game of ruse's, before anything reads a file or runs code."""
    head = registry.HEAD.match(text)
    name = "" if head is None else head["name"]
    numbered = registry.NUMBERED.fullmatch(name)
    if name not in registry.games() and not (numbered and numbered["name"] in registry.games()):
        raise Refused(f"expected a game that list_games names, or a position of one, got {text[:80]!r}")
    changed = (head["changed"] or "") if head is not None else ""
    _check_no_file([pair.partition("=")[0].strip() for pair in changed.split(",")])


def _check_no_file(parameters: Iterable[str]) -> None:
    for name in parameters:
        if name in FILES:
            raise Refused(f"the parameter {name} names a file, which an assistant cannot; leave it out")


def _certificate(solution: Solution) -> Json:
    return {**solution.certificate.to_json(), "sentence": proof_sentence(solution.certificate)}


def _view(shown: Viewer, solution: Solution, position: str, side: str) -> View:
    """The view at a position: of the side that is named, else of the side that moves where both know the text."""
    view = shown.at(position, side_number(solution.game, side) if side else None)
    if not side and view.turn in (0, 1) and view.turn != view.side:
        try:
            return shown.at(position, view.turn)
        except PositionError:
            return view
    return view


def _sentence(solution: Solution, view: View) -> str:
    """What the position is worth, and on what terms."""
    return position_wording.at_position(solution, view, start=False).sentence


def _advice(solution: Solution, view: View, options: Sequence[Option]) -> str:
    """What to do, and how sure that is."""
    played = [option for option in options if option.odds]
    if len(played) == 1:
        meaning = f" ({played[0].gloss})" if played[0].gloss else ""
        advice = f"Play {played[0].move}{meaning}."
    else:
        odds = ", ".join(
            f"{option.move} {rationals.write(option.odds)} ({rationals.percent(option.odds)})" for option in played
        )
        advice = f"Draw at random: {odds}."
    if not view.reached:
        return f"{advice} Optimal play never comes here, so no value is proved: {view.assumption}."
    if solution.certificate.exact and solution.certificate.proof not in (NONE, DECLARED):
        return f"{advice} This strategy is proved optimal."
    least, most = rationals.bounds(solution.certificate.lower, solution.certificate.upper)
    return f"{advice} This strategy is not proved optimal: the value of the game lies between {least} and {most}."


def _move(game: Game, view: View, option: Option) -> Json:
    """A move with its odds, its payoff to the side that moves, and what it costs against this opponent."""
    value = None if option.value is None else payoff_to(game, view.side, option.value)
    return {
        "move": option.move,
        "meaning": option.gloss,
        "odds": rationals.write(option.odds),
        "share": option.share,
        "value": None if value is None else {"exact": rationals.write(value), "float": float(value)},
        "loss": None if option.loss is None else rationals.write(option.loss),
    }
