"""Magnetic mirror descent over a treeplex with dilated entropy (Sokota et al. 2023), in closed form.

Arrays are those of `ruse.forms.integer_form.Side`. Odds are kept as logarithms, so that a move that is hardly ever
played never becomes a move that cannot be played.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from ruse.core.arrays import Array
from ruse.kernels.sweeps import gains

LEAST = 1e-250  # a divergence or a change of payoff below this is rounding


@njit(cache=True, nogil=True)
def ranges(parent: Array, first: Array, stakes: Array, weight: Array) -> None:
    """The most at stake at each information set. `stakes` holds what is at each sequence, and is overwritten."""
    for i in range(len(parent) - 1, -1, -1):
        weight[i] = np.max(stakes[first[i] : first[i + 1]])
        stakes[parent[i]] += weight[i]


@njit(cache=True, nogil=True)
def ascend(
    parent: Array, first: Array, weight: Array, values: Array, magnet: Array, log_odds: Array, step: float, pull: float
) -> None:
    """One step of one side, in place. `values` holds what each sequence gains, and is overwritten.

    At information set i, children before parents, the new odds b maximise

        step * <b, worth> - step * pull * weight[i] * KL(b, magnet) - weight[i] * KL(b, odds),

    and the maximum over `step` is added to what the sequence before i is worth.
    """
    mix = step * pull
    for i in range(len(parent) - 1, -1, -1):
        low, high, scale = first[i], first[i + 1], weight[i] * (1.0 + mix)
        most = -np.inf
        for s in range(low, high):
            log_odds[s] = (step * values[s] / weight[i] + mix * magnet[s] + log_odds[s]) / (1.0 + mix)
            most = max(most, log_odds[s])
        total = 0.0
        for s in range(low, high):
            total += np.exp(log_odds[s] - most)
        most += np.log(total)
        for s in range(low, high):
            log_odds[s] -= most
        values[parent[i]] += scale * most / step


@njit(cache=True, nogil=True)
def play(parent: Array, first: Array, weight: Array, log_odds: Array, before: Array, plan: Array) -> float:
    """The plan of the odds, and how far it is from that of the odds `before`: their dilated divergence."""
    plan[0] = 1.0
    distance = 0.0
    for i in range(len(parent)):
        here = 0.0
        for s in range(first[i], first[i + 1]):
            odds = np.exp(log_odds[s])
            plan[s] = plan[parent[i]] * odds
            here += odds * (log_odds[s] - before[s])
        distance += weight[i] * plan[parent[i]] * max(here, 0.0)
    return distance


@njit(cache=True, nogil=True)
def iterate(
    sides: Any,
    weights: Any,
    magnets: Any,
    log_odds: Any,
    plans: Any,
    change: Array,
    gained: Array,
    numbers: Array,
    steps: Array,
    least: float,
) -> None:
    """Run len(steps) iterations, in place; of the pairs, side 0's comes first. Sides move in turn.

    A row of `steps` holds the pull of the magnet, how far the magnet follows (its logarithm moves by that share of the
    way to the odds, and never below `least`), and by how much the step may grow and must stay below its limit, the
    size with which the game would turn as far as both sides have moved. `change` is side 0's last one, `gained` what
    its sequences gained before it, and `numbers` are the step and the distances of both sides' last moves.
    """
    sequence_values = (np.empty(len(plans[0])), np.empty(len(plans[1])))
    befores = (np.empty(len(plans[0])), np.empty(len(plans[1])))
    for t in range(len(steps)):
        pull, follow, growth, share = steps[t, 0], steps[t, 1], steps[t, 2], steps[t, 3]
        for side in range(2):
            parent, first, start, column, value = sides[side]
            magnet, odds, values = magnets[side], log_odds[side], sequence_values[side]
            before, plan = befores[side], plans[side]
            gains(start, column, value, plans[1 - side], values)
            if side == 0:
                turned = 0.0
                for s in range(len(values)):
                    turned += change[s] * (values[s] - gained[s])
                    gained[s] = values[s]
                    change[s] = plan[s]
                moved, turned = numbers[1] + numbers[2], abs(turned)
                limit = moved / turned if min(moved, turned) > LEAST else np.inf
                numbers[0] = min(growth * numbers[0], share * limit)
            before[:] = odds
            ascend(parent, first, weights[side], values, magnet, odds, numbers[0], pull)
            numbers[1 + side] = play(parent, first, weights[side], odds, before, plan)
            if side == 0:
                for s in range(len(plan)):
                    change[s] = plan[s] - change[s]
            for s in range(len(magnet)):
                magnet[s] = max(magnet[s] + follow * (odds[s] - magnet[s]), least)
