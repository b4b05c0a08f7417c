"""How hold'em is shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ruse.core import rationals
from ruse.core.presentation import Presentation
from ruse.games.holdem.cards import text_of
from ruse.games.holdem.rules import Holdem

if TYPE_CHECKING:
    from ruse.solution.strategy import Solution


class HoldemPresentation(Presentation[Holdem]):
    def setup(self) -> str:
        game = self.game
        hands = " against ".join(f"{len(weights):,}" for weights in game.weights)
        return f"board {text_of(game.board)}, {hands} hands, pot {game.pot:,}, stacks {game.stack:,}"

    def public_position(self, solution: Solution, position: str) -> tuple[str, Mapping[str, Any]] | None:
        """A node, with all hands of the side to move."""
        from ruse.games.holdem.node import node_report
        from ruse.games.holdem.table import HoldemTable

        title, _, line = position.partition("/")
        first, second = solution.tables
        if title != self.game.title or not isinstance(first, HoldemTable) or not isinstance(second, HoldemTable):
            return None
        report = node_report(self.game, (first, second), line)
        return report.text(), {**report.to_json(), "rows": report.rows()}

    def json_fields(self, solution: Solution) -> Mapping[str, Any]:
        """The equity of both sides, and the exploitability: the mean of what both sides could gain, of the pot."""
        from ruse.games.holdem.layout import SpotLayout
        from ruse.games.holdem.proof import equity

        share = equity(SpotLayout(self.game))
        gap = rationals.float_above(solution.certificate.gap)
        return {
            "equity": {"oop": rationals.write(share), "ip": rationals.write(1 - share)},
            "exploitability_percent": 100 * gap / (2 * self.game.pot),
        }
