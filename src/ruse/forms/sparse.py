"""Matrices of payoffs, row after row."""

from __future__ import annotations

import numpy as np

from ruse.core.arrays import Array

FOR_SCIPY = 1_000_000  # entries, to add which scipy is quicker, imported first


def added(rows: Array, columns: Array, values: Array, shape: tuple[int, int]) -> tuple[Array, Array, Array]:
    """Add up the entries of each place and drop zeros: where rows start, columns in order, values.

    Values are int64 whose sums at any place are too, or object.
    """
    if values.dtype != object and len(values) >= FOR_SCIPY:
        from scipy.sparse import coo_array

        matrix = coo_array((values, (rows, columns)), shape=shape).tocsr()
        matrix.sum_duplicates()
        matrix.eliminate_zeros()
        return matrix.indptr, matrix.indices, matrix.data
    place = rows.astype(np.int64) * shape[1] + columns
    order = np.argsort(place, kind="stable")
    places = place[order]
    starts = np.flatnonzero(np.diff(places, prepend=-1))  # where another place begins
    places, totals = places[starts], np.add.reduceat(values[order], starts) if len(starts) else values
    places, totals = places[totals != 0], totals[totals != 0]
    return np.searchsorted(places, shape[1] * np.arange(shape[0] + 1)), places % shape[1], totals
