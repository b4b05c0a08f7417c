"""How unseen games are shown: the board, at the end with the stones that both lists have laid, and rules as lists."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from ruse.core import rationals
from ruse.core.game import RuleError
from ruse.core.plain_games.at_once import HIDDEN, Chosen
from ruse.core.presentation import Presentation
from ruse.core.types import Odds
from ruse.games.phantom.reasons import habit_of_a_list
from ruse.games.phantom.rules import Unseen
from ruse.games.phantom.verify import odds_in
from ruse.games.phantom.view import UnseenViewer, read_lists
from ruse.play.manner import Manner
from ruse.play.pictures import Cell, Grid, Picture, stone

if TYPE_CHECKING:
    from ruse.insight.reasons.model import Question, Reason
    from ruse.play.session import Session
    from ruse.solution.strategy import Solution

RULE = re.compile(r"(?P<list>[a-z]+)( (?P<share>[0-9]+(/[0-9]+)?))?")


class ListManner(Manner):
    def ask(self, session: Session) -> str:
        game = self.solution.game
        assert isinstance(game, Unseen)
        return f"Write a list of places, such as {game.lists[0]}: each turn takes the first that has room."


class UnseenPresentation(Presentation[Unseen]):
    cover_moves = 0  # there are millions, and the board stays empty anyway
    rules_by_position = False
    views_list_states = False

    def check_position(self, position: str) -> bool:
        read_lists(self.game, position)
        return True

    def reasons(self, question: Question) -> list[Reason]:
        return habit_of_a_list(question, self.game)

    def viewer(self, solution: Solution) -> UnseenViewer:
        return UnseenViewer(solution)

    def picture(self, chosen: Chosen, side: int, end: Chosen | None) -> Picture:
        game = self.game
        both = [choice for choice in chosen if choice != HIDDEN]
        laid = game.laid(*both)[0] if len(both) == 2 else []
        turns = {cell: turn for turn, cell in enumerate(laid)}
        rows, columns = map(int, str(game.parameters["board"]).split("x"))
        falls = game.room > 1  # stones lie on each other in columns

        def cell(row: int, column: int) -> Cell:
            at = column * game.room + row if falls else row * columns + column
            if at in turns:
                owner = turns[at] % 2
                return stone("XO"[owner], owner == side)
            return Cell(".", "free") if falls else Cell(game.places[at], f"{game.places[at]}, free")

        heads = [
            Cell("", "row"),
            *(Cell(game.places[at] if falls else "", f"column {at + 1}") for at in range(columns)),
        ]
        order = reversed(range(rows)) if falls else range(rows)
        grid = [[Cell("", f"row {row + 1}"), *(cell(row, column) for column in range(columns))] for row in order]
        lines = [f"You are {'XO'[side]} and place the {('first', 'second')[side]} stone."]
        return Picture(lines, Grid("", heads, grid, "board"))

    def manner(self) -> type[Manner]:
        return ListManner

    def setup(self) -> str:
        """How a list is played."""
        return "Each turn takes the first place of your list that still has room. You do not see the board."

    def rule_moves(self, position: str, side: int) -> Sequence[str]:
        return self.game.lists

    def write_rules(self, strategy: Mapping[str, Odds], side: int) -> tuple[str, list[str]]:
        """A line a list, for all its images if they are played equally often."""
        odds = {name: share for name, share in odds_in(self.game, side, strategy).items() if share}
        left, rules = dict(odds), []
        symmetric = all(odds.get(image) == share for name, share in odds.items() for image in self.game.images(name))
        for name in sorted(odds, key=lambda entry: (-odds[entry], entry)):
            if name in left:
                images = set(self.game.images(name)) if symmetric else {name}
                share = sum((left.pop(image) for image in images), Fraction(0))
                rules.append(f"{min(images)} {rationals.write(share)}")
        mirrored = f"Rename the places in one of {len(self.game.renamings)} ways, each equally likely ("
        preface = mirrored + ", ".join(self.game.renamings) + "), then draw a list." if symmetric else "Draw a list."
        return preface, [f"renamings: {'yes' if symmetric else 'no'}", *rules]

    def read_rules(self, lines: Sequence[str], side: int) -> Callable[[str], Odds]:
        """The strategy that such lines describe."""
        symmetric = False
        odds: dict[str, Fraction] = {}
        for line in lines:
            if line in ("renamings: yes", "renamings: no"):
                symmetric = line.endswith("yes")
                continue
            rule = RULE.fullmatch(line)
            if rule is None or rule["list"] not in self.game.lists:
                raise RuleError(f"expected a list such as {self.game.lists[0]} and its odds, got {line!r}")
            images = self.game.images(rule["list"]) if symmetric else [rule["list"]]
            try:
                share = Fraction(rule["share"] or 1)
            except ZeroDivisionError as error:
                raise RuleError(f"expected odds such as 1/3, got {rule['share']!r}") from error
            for image in images:
                odds[image] = odds.get(image, Fraction(0)) + share / len(images)
        return lambda position: odds
