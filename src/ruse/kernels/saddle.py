"""Primal-dual steps on max over u, min over v of u' K v + b' u + c' v, where the first entries of u and v are clipped.

`problem` is (K, K', b, c, clipped u, clipped v), with K and K' as (start, column, value), row after row. Both steps
have one size: what should differ from entry to entry is scaled into K, b and c beforehand.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from ruse.core.arrays import Array
from ruse.kernels.sweeps import gains


@njit(cache=True, nogil=True)
def advance(problem: Any, step: float, u: Array, v: Array, new_u: Array, new_v: Array, room: Array) -> None:
    """Chambolle and Pock 2011, Algorithm 1 with θ = 1: (u, v) to (new_u, new_v), u first, then v against 2 new_u - u.

    `room` is float64[len(u)], overwritten.
    """
    forward, backward, rise, fall, clipped_u, clipped_v = problem
    gains(forward[0], forward[1], forward[2], v, new_u)
    for i in range(len(u)):
        moved = u[i] + step * (new_u[i] + rise[i])
        if i < clipped_u:
            moved = max(moved, 0.0)
        new_u[i] = moved
        room[i] = 2.0 * moved - u[i]
    gains(backward[0], backward[1], backward[2], room, new_v)
    for j in range(len(v)):
        moved = v[j] - step * (new_v[j] + fall[j])
        if j < clipped_v:
            moved = max(moved, 0.0)
        new_v[j] = moved


@njit(cache=True, nogil=True)
def norm(forward: Any, backward: Any, v: Array, powers: int) -> float:
    """The largest singular value of K, nearly: the length that powers of K' K give to v, which is overwritten."""
    u = np.empty(len(forward[0]) - 1)
    size = 0.0
    for _ in range(powers):
        v /= np.sqrt(np.sum(v * v))
        gains(forward[0], forward[1], forward[2], v, u)
        gains(backward[0], backward[1], backward[2], u, v)
        size = np.sqrt(np.sqrt(np.sum(v * v)))
    return size


@njit(cache=True, nogil=True)
def average(problem: Any, step: float, u: Array, v: Array, sum_u: Array, sum_v: Array, iterations: int) -> None:
    """Take so many steps from (u, v) and add up the points on the way, all in place."""
    new_u, new_v, room = np.empty_like(u), np.empty_like(v), np.empty_like(u)
    for _ in range(iterations):
        advance(problem, step, u, v, new_u, new_v, room)
        u[:] = new_u
        v[:] = new_v
        sum_u += u
        sum_v += v


@njit(cache=True, nogil=True)
def apart(first: Array, second: Array) -> float:
    """The squared distance of two points."""
    total = 0.0
    for i in range(len(first)):
        total += (first[i] - second[i]) ** 2
    return total


@njit(cache=True, nogil=True)
def halpern(problem: Any, step: float, points: Any, epoch: Array, limits: Array, iterations: int) -> None:
    """Run the restarted Halpern iteration (`solvers.pdhg`), in place.

    `points` holds z, T(z) and the anchor, each as u and v. `epoch` is (iterations since the restart, iterations in
    all, ‖z - T(z)‖ at the restart, the same at the last iteration), `limits` those of `pdhg.Restarts`.
    """
    u, v, new_u, new_v, anchor_u, anchor_v = points
    sufficient, necessary, longest, shortest = limits
    room = np.empty_like(u)
    for _ in range(iterations):
        advance(problem, step, u, v, new_u, new_v, room)
        error = np.sqrt(apart(new_u, u) + apart(new_v, v))
        k, total, first, last = epoch
        if k == 0:
            first = error
        near = error <= sufficient * first
        turned = error <= necessary * first and error > last
        overlong = k >= max(longest * total, shortest)
        if k > 0 and (near or turned or overlong):
            u[:] = new_u
            v[:] = new_v
            anchor_u[:] = new_u
            anchor_v[:] = new_v
            k = 0.0
        else:
            pull = 1.0 / (k + 2.0)
            for i in range(len(u)):
                u[i] += (1.0 - pull) * 2.0 * (new_u[i] - u[i]) + pull * (anchor_u[i] - u[i])
            for j in range(len(v)):
                v[j] += (1.0 - pull) * 2.0 * (new_v[j] - v[j]) + pull * (anchor_v[j] - v[j])
            k += 1.0
        epoch[0] = k
        epoch[1] = total + 1.0
        epoch[2] = first
        epoch[3] = error
