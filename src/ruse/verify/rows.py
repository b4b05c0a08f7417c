"""Bounds of strategies that are kept as weights on a public tree, recomputed in whole numbers from the rules.

The tree is written down anew from the game's public rules, which random plays by its rules are compared with; the plan
that the weights stand for, and best responses to it, are exact (ruse.forms.public_bounds).
"""

from __future__ import annotations

from typing import cast

from ruse.core.certificate import Certificate
from ruse.core.types import Tables
from ruse.forms.public_bounds import Bounds
from ruse.forms.public_check import along_plays
from ruse.forms.public_layout import laid_out
from ruse.forms.public_table import PublicTable, public_tables
from ruse.forms.public_tree import public_tree


def bounds(tables: Tables) -> Certificate:
    """What both tables guarantee."""
    first, second = (cast("PublicTable", table) for table in tables)
    tree = public_tree(first.game)
    along_plays(first.game, tree)
    judge = Bounds(laid_out(tree))
    again = public_tables(first.game, (first.weights(), second.weights()), judge)
    first_sums, second_sums = (cast("PublicTable", table).sums for table in again)
    return judge.certify((first_sums, second_sums)).certificate
