"""What reports on papers (`ruse.reproduce`) ask of The Resistance: sizes, Johansson's tree, Bossle's program."""

from __future__ import annotations

from ruse.games.resistance.johansson import PRINTED, JohanssonTree, johansson_nodes
from ruse.games.resistance.johansson_form import johansson_form
from ruse.games.resistance.sizes import explain_thesis_count, lp_size, sizes
from ruse.games.resistance.table import make_table
from ruse.games.resistance.thesis_lp import thesis_form, thesis_lp

__all__ = [
    "PRINTED",
    "JohanssonTree",
    "explain_thesis_count",
    "johansson_form",
    "johansson_nodes",
    "lp_size",
    "make_table",
    "sizes",
    "thesis_form",
    "thesis_lp",
]
