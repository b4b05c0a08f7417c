"""How hold'em is shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ruse.core import rationals
from ruse.core.game import CHANCE
from ruse.core.presentation import Presentation
from ruse.games.card_table import Player, card_table
from ruse.games.holdem.cards import NAMES, text_of
from ruse.games.holdem.ranges import Pair
from ruse.games.holdem.rules import Holdem, HoldemState
from ruse.play.pictures import Picture

if TYPE_CHECKING:
    from ruse.games.holdem.betting import BetNode
    from ruse.solution.strategy import Solution


class HoldemPresentation(Presentation[Holdem]):
    def setup(self) -> str:
        game = self.game
        hands = " against ".join(f"{len(weights):,}" for weights in game.weights)
        return f"board {text_of(game.board)}, {hands} hands, pot {game.pot:,}, stacks {game.stack:,}"

    def picture(
        self, knowledge: tuple[tuple[Pair, ...], tuple[str, ...]], side: int, end: HoldemState | None
    ) -> Picture:
        """The board with the cards that came, the hand, and the chips; the other hand after a showdown."""
        hands, steps = knowledge
        if not hands:
            return Picture()
        dealt, last, node = self._follow(steps)
        shown = end.hands[1 - side] if end is not None and node.folded < 0 else ()
        board = [NAMES[card] for card in self.game.board] + dealt
        return card_table(
            Player([NAMES[card] for card in hands[0]], 0, node.stakes[side], last[side]),
            Player([NAMES[card] for card in shown], 2 - len(shown), node.stakes[1 - side], last[1 - side]),
            board,
            [f"The board is {', '.join(board)}."],
            self.game.pot,
        )

    def _follow(self, steps: Sequence[str]) -> tuple[list[str], tuple[list[str], list[str]], BetNode]:
        """The cards that came, what each side did on the last street, and the node where the steps lead."""
        nodes = self.game.tree.nodes
        dealt: list[str] = []
        did: tuple[list[str], list[str]] = ([], [])
        node = nodes[0]
        for step in steps:
            if node.turn == CHANCE:
                dealt, did, number = [*dealt, step], ([], []), 0
            else:
                did[node.turn].append(step)
                number = node.moves.index(step)
            node = nodes[node.children[number]]
        return dealt, did, node

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
