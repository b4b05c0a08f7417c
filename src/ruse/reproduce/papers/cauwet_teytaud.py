"""Cauwet & Teytaud 2018, "Surprising strategies": races, Tables I to III, War, Guess Who, Cheat, and rows they win."""

from __future__ import annotations

from ruse.reproduce.papers.cauwet_teytaud_games import good_cards, never_losing, panels, questions
from ruse.reproduce.papers.cauwet_teytaud_races import algorithms, races
from ruse.reproduce.papers.cauwet_teytaud_rows import beaten_rows
from ruse.reproduce.papers.cauwet_teytaud_tables import conclusions, table_one, table_three_item, table_two

ITEMS = {
    "§II-A": (races, 3.0, 15.0),
    "Algorithms 1–4": (algorithms, 20.0, 2700.0),
    "Table I": (table_one, 0.1, 0.1),
    "Table II": (table_two, 20.0, 90.0),
    "Table III": (table_three_item, 3.0, 120.0),
    "§V-A": (good_cards, 3.0, 40.0),
    "Eqs. 1–3": (questions, 5.0, 5.0),
    "Figure 1": (panels, 3.0, 3.0),
    "§V-C": (never_losing, 2.0, 2.0),
    "§VI": (conclusions, 2.0, 2.0),
    "Beaten rows": (beaten_rows, 30.0, 30.0),
}
