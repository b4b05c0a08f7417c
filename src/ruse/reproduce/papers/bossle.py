"""Bossle 2018, "Finding Optimal Strategies for Group Deception Games": every chapter."""

from __future__ import annotations

from ruse.reproduce.papers import bossle_resistance as chapters
from ruse.reproduce.papers.bossle_equilibria import (
    against_pure,
    compact,
    convex,
    equilibria,
    rock_tree,
    same_payoff,
    table_half,
    table_plain,
)
from ruse.reproduce.papers.bossle_programs import dilemma, mini_poker, misled, normal_lp, poker_trees, tic_tac_toe

ITEMS = {
    "§2.3": (equilibria, 1.0, 1.0),
    "Table 2.1": (table_plain, 0.1, 0.1),
    "Table 2.2": (table_half, 0.1, 0.1),
    "Figure 2.1": (rock_tree, 0.1, 0.1),
    "Figure 2.2": (compact, 0.1, 0.1),
    "Theorem 1": (same_payoff, 0.5, 0.5),
    "Theorem 2": (against_pure, 0.2, 0.2),
    "Theorem 3": (convex, 0.5, 0.5),
    "Table 3.1": (dilemma, 0.1, 0.1),
    "Figure 3.1": (tic_tac_toe, 3.0, 3.0),
    "§3.2": (misled, 0.1, 0.1),
    "§3.4": (normal_lp, 0.5, 0.5),
    "§3.5": (mini_poker, 0.2, 0.2),
    "Figure 3.2": (poker_trees, 0.1, 0.1),
    "Table 4.1": (chapters.missions, 0.1, 0.1),
    "§4.1": (chapters.evening, 0.5, 0.5),
    "Figure 4.1": (chapters.tree_sizes, 1.0, 1.0),
    "§5.2": (chapters.programs, 25.0, 150.0),
    "§5.3": (chapters.aboard, 0.1, 0.1),
    "Figure 5.1": (chapters.symmetric_rounds, 1.5, 1.5),
    "Figure 5.2": (chapters.symmetric_totals, 2.0, 2.0),
    "Table 6.1": (chapters.payoffs, 1.0, 1.0),
    "Table 6.2": (chapters.first_resistance, 0.5, 0.5),
    "Table 6.3": (chapters.first_spies, 0.5, 0.5),
    "Figure 6.1": (chapters.iterations, 0.5, 0.5),
    "Abstract": (chapters.nodes, 2.0, 2.0),
    "§7": (chapters.oracle, 3.0, 20.0),
    "§4.3": (chapters.beyond, 4.0, 4.0),
}
