"""Strategies of a game that is too large to walk state by state, checked by its rules on arrays.

The rules on arrays say which sequences there are and what they pay (ruse.forms.vectorised), the plain rules what each
information set is called and which moves it has, where a play is replayed to it. The rest is arithmetic: the odds along
each sequence, and both best responses, in whole numbers.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from ruse.core import size_estimate
from ruse.core.capabilities import Bulk, Filed
from ruse.core.clock import timed
from ruse.core.game import GameError, describe
from ruse.core.size_estimate import gigabytes
from ruse.core.types import StrategyTable, Tables
from ruse.forms.certificate import Certificate, certify
from ruse.forms.sequence_form import SequenceForm, sequence_form
from ruse.verify.tree import check_odds, look_up
from ruse.verify.verifier import Verifier, no_position, same

Plan = list[Fraction]


class ArraysVerifier(Verifier[Bulk]):
    def check_size(self) -> None:
        from ruse.forms.reckoned import reckoned

        nodes, most = self.game.nodes(), size_estimate.SHARE * size_estimate.free_bytes()
        found = reckoned(self.game, nodes) if nodes * size_estimate.LEAST_BULK <= most else None
        if found is None and nodes > size_estimate.most_nodes(self.game):
            size_estimate.check_walk(self.game)
        if found is not None and found.building > most:
            raise GameError(
                f"expected a game that is checked in at most {gigabytes(most)}, half of the free memory, "
                f"got {self.game.title}, which takes {gigabytes(found.building)}"
            )

    def guarantee(self, side: int, table: StrategyTable) -> Fraction:
        form = sequence_form(self.game)
        plan, even = self._plan(form, side, table), _even(form, 1 - side)
        found = certify(form, (plan, even) if side == 0 else (even, plan))
        return (found.lower, found.upper)[side]

    def bounds(self, tables: Tables) -> Certificate:
        form = sequence_form(self.game)
        return certify(form, (self._plan(form, 0, tables[0]), self._plan(form, 1, tables[1])))

    def check_positions(self, side: int, table: StrategyTable) -> None:
        self._plan(sequence_form(self.game), side, table)

    def certify(self, tables: Tables, claimed: Certificate) -> Certificate:
        return same(self.game, self.bounds(tables), claimed)  # which reads every entry

    def _plan(self, form: SequenceForm, side: int, table: StrategyTable) -> Plan:
        """The weight of each sequence. Every entry of the table has to be about one of the sets."""
        game, tree = self.game, form.trees[side]
        plan, nothing = [Fraction(1)], Fraction(0)
        read: set[str] = set()
        sets = zip(form.knowledge[side], form.moves[side], tree.parent.tolist(), strict=True)
        for knowledge, moves, parent in timed(sets):
            position, labels = describe(game, knowledge), [game.label(move) for move in moves]
            if position not in table and isinstance(game, Filed):
                filed, calls = game.file(position, side)
                odds = {calls(label): share for label, share in look_up(table.__getitem__, filed).items()}
                read.add(filed)
            elif position in table or plan[parent]:
                odds = dict(look_up(table.__getitem__, position))
                read.add(position)
            else:
                plan += [nothing] * len(labels)
                continue
            check_odds(odds, labels, partial(str, position))
            weight = plan[parent]
            plan += [weight * odds[label] if weight and odds.get(label) else nothing for label in labels]
        if len(read) < len(table):
            raise no_position(game, side, min(set(table) - read))
        return plan


def _even(form: SequenceForm, side: int) -> Plan:
    """Some plan: even odds."""
    plan = [Fraction(1)]
    for parent, first, end in form.trees[side].sets():
        plan += [plan[parent] / (end - first)] * (end - first)
    return plan
