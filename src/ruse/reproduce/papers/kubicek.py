"""Kubíček 2023, "Solving Imperfect Information EFGs": the slides' running example, its programs and double oracle."""

from __future__ import annotations

from ruse.reproduce.papers.kubicek_example import chance, normal, plans, problems, running_example, sequences, utility
from ruse.reproduce.papers.kubicek_programs import oracle, oracle_properties, program_one, program_two, properties

ITEMS = {
    "Problems": (problems, 0.1, 0.1),
    "Running example": (running_example, 0.1, 0.1),
    "Normal form": (normal, 0.1, 0.1),
    "Sequences": (sequences, 0.1, 0.1),
    "Realization plans": (plans, 0.1, 0.1),
    "Chance nodes": (chance, 0.1, 0.1),
    "Extended utility": (utility, 0.1, 0.1),
    "Eqs. 1–5": (program_one, 0.1, 0.1),
    "Program of player 2": (program_two, 0.1, 0.1),
    "Sequence-form properties": (properties, 2.0, 15.0),
    "Double oracle": (oracle, 0.3, 0.3),
    "Double oracle properties": (oracle_properties, 2.0, 8.0),
}
