"""Johansson, "Optimal Strategies for The Resistance": his theorem, trees, Lemke, CFR and rules of rules_of_thumb."""

from __future__ import annotations

from ruse.reproduce.papers.johansson_game import future, rules_of_thumb, sizes, spies_win, starts, theorem, trees
from ruse.reproduce.papers.johansson_methods import conditions, curves, packages, problem, regret, solving

ITEMS = {
    "Table 1": (sizes, 0.1, 0.1),
    "Theorem 2.1": (theorem, 1.0, 1.0),
    "§2.4": (trees, 1.0, 1.0),
    "Figure 1": (starts, 0.1, 0.1),
    "Eqs. 1–6": (conditions, 1.0, 1.0),
    "§3.3": (problem, 2.0, 2.0),
    "§3.4": (packages, 3.0, 60.0),
    "§4.2": (regret, 1.0, 8.0),
    "Table 2": (solving, 18.0, 240.0),
    "Figure 2": (curves, 8.0, 240.0),
    "§4.3": (rules_of_thumb, 4.0, 4.0),
    "§5.1": (spies_win, 0.2, 0.2),
    "§5.2": (future, 2.0, 110.0),
}
