"""The loops of colour refinement, compiled and shared by all threads: for forms so large that numba is loaded sooner
than numpy is done. The same functions stand in `ruse.forms.reductions.colours`, which says what each does.

How the work is cut does not matter to any result: colours are sums of words, and each part writes what no other does.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from itertools import pairwise

import numpy as np

from ruse.core.arrays import Array
from ruse.forms.parallel import ThreadTeam, threads
from ruse.forms.reductions.colours import in_words, mixed
from ruse.forms.vectorised import numbered
from ruse.kernels import colours as kernels

Part = tuple[int, int]
NONE = np.zeros(0, dtype=np.int8)
PARTS = 8  # for a thread: so that none waits long for the last
SHARED = 1 << 15  # sets of a layer, fewer of which are done before a second thread has woken
RUN = 1 << 10  # sets, on average, whose parents rise: shorter ones are not worth cutting


class Shared:
    """What `ruse.forms.reductions.colours` has, by so many threads."""

    def __init__(self, asked: int | None = None) -> None:
        self._team = ThreadTeam(threads(asked))
        self._workers = self._team.workers

    def by_row(self, own: Array, other: Array, values: Array, many: int) -> tuple[Array, Array, Array]:
        start = np.zeros(many + 2, dtype=np.int32)  # a place further than in the end: a row's moves on as it is filled
        rows = _parts(many, self._workers)

        def count(part: Part, _: int) -> None:
            kernels.count(own, *part, start)

        def fill(part: Part, _: int) -> None:
            kernels.fill(own, other, values, *part, start, others, moved)

        self._team.each(rows, count)
        np.cumsum(start, out=start)
        if np.all(own[1:] >= own[:-1]):
            return start[1:], other, values
        others, moved = np.empty(len(own), dtype=np.int32), np.empty_like(values)  # of numpy, in pages that are large
        self._team.each(rows, fill)
        return start[:-1], others, moved

    def sweep(
        self, parent: Array, first: Array, start: Array, other: Array, values: Array
    ) -> Callable[[Array, Array, Array], None]:
        rows, layers, words = self._rows(start), self._layers(parent, first), in_words(values)

        def swept(colours: Array, sequences: Array, sets: Array) -> None:
            def pay(part: Part, _: int) -> None:
                kernels.pay(start, other, words, colours, sequences, *part)

            def rise(ranges: Array, _: int) -> None:
                kernels.rise(parent, first, sequences, sets, ranges)

            def sink(ranges: Array, _: int) -> None:
                kernels.sink(parent, first, sequences, sets, ranges)

            self._team.each(rows, pay)
            for layer in reversed(layers):
                self._team.each(layer, rise)
            sequences[:1] = mixed(sequences[:1])
            for layer in layers:
                self._team.each(layer, sink)

        return swept

    def numbered(self, sets: Array, first: Array, sequences: Array, most: int) -> tuple[Array, Array, int]:
        numbers = np.empty(len(sets), dtype=np.int32)
        parts = _parts(len(sets), self._workers)
        results: dict[Part, tuple[Array, int]] = {}

        def number(part: Part, _: int) -> None:
            results[part] = kernels.number(sets, first, sequences, numbers, most - 1, *part)

        self._team.each(parts, number)
        firsts = np.concatenate([np.zeros(0, dtype=np.int64), *(results[part][0] for part in parts)])
        colours = 1 + max((many for _, many in results.values()), default=0)
        if len(parts) < 2 or colours > most:
            return numbers, firsts, colours
        same, kept = numbered(sets[firsts])  # what several of them have met is one
        ends = np.cumsum([len(results[part][0]) for part in parts])
        jobs = [  # the first part's are met first, and stay as they are
            (*piece, new.astype(np.int32))
            for (begin, end), new in list(zip(parts, np.split(same, ends[:-1]), strict=True))[1:]
            for piece in _parts(end - begin, PARTS, begin)
        ]

        def renumber(job: tuple[int, int, Array], _: int) -> None:
            kernels.renumber(numbers, *job)

        self._team.each(jobs, renumber)
        return numbers, firsts[kept], 1 + kernels.differing(first, sequences, firsts[kept])

    def inside(
        self, parent: Array, first: Array, set_classes: Array, chosen_sets: Array, begins: Array, known: Array,
        numbers: Array, each: Array, colours: Array,
    ) -> tuple[Array, Array, Array] | None:  # fmt: skip
        classes = np.empty(len(colours), dtype=np.int32)
        classes[0] = 0
        offsets = np.concatenate([[0], np.cumsum(each[1:])]).take(begins - 1)
        sets = _parts(len(set_classes), PARTS * self._workers)

        def place(part: Part, _: int) -> bool:
            laid = begins, known, numbers, each, offsets
            return bool(kernels.place(first, set_classes, *laid, colours, classes, *part))

        if not self._all(sets, place):
            return None
        parents = classes.take(parent.take(chosen_sets))
        sizes = np.zeros((self._workers, len(chosen_sets)), dtype=np.int64)

        def follow(part: Part, worker: int) -> bool:
            return bool(kernels.follow(parent, set_classes, classes, parents, sizes[worker], *part))

        if not np.all(parents < begins[:-1]) or not self._all(sets, follow):
            return None
        return classes, parents, sizes.sum(axis=0)

    def evenly(self, holders: Array, classes: Array, each: Array) -> bool:
        start, held, _ = self.by_row(holders, classes, NONE, int(holders.max(initial=-1)) + 1)
        return self._all(self._rows(start), lambda part, _: bool(kernels.even(start, held, each, *part)))

    def sums(
        self, start: Array, other: Array, values: Array, classes: Array, chosen: Array, other_classes: Array, many: int
    ) -> tuple[Array, Array, Array] | None:
        most = int((start.take(chosen + 1) - start.take(chosen)).sum())
        begins, columns = np.zeros(len(chosen) + 1, dtype=np.int64), np.empty(most, dtype=np.int32)
        totals = np.empty(most, dtype=np.int64)
        kernels.add_up(start, other, values, chosen, other_classes, many, begins, columns, totals)

        def agree(part: Part, _: int) -> bool:
            expected = begins, columns, totals
            return bool(kernels.agree(start, other, values, classes, other_classes, many, *expected, *part))

        if not self._all(self._rows(start), agree):
            return None
        rows = np.repeat(np.arange(len(chosen), dtype=np.int32), np.diff(begins))
        order = np.lexsort((columns[: len(rows)], rows))
        return rows, columns[order], totals[order]

    def _all(self, parts: list[Part], check: Callable[[Part, int], bool]) -> bool:
        """Whether every part passes; none is looked at after one that has not."""
        passed = [True]

        def look(part: Part, worker: int) -> None:
            if passed[0] and not check(part, worker):
                passed[0] = False

        self._team.each(parts, look)
        return passed[0]

    def _rows(self, start: Array) -> list[Part]:
        """Parts of all rows that take about equally long."""
        rows, parts = len(start) - 1, PARTS * self._workers
        whole = int(start[-1]) + rows
        cuts = [
            bisect_left(range(rows), whole * k // parts, key=lambda row: int(start[row]) + row) for k in range(parts)
        ]
        return [part for part in pairwise([*cuts, rows]) if part[0] < part[1]]

    def _layers(self, parent: Array, first: Array) -> list[list[Array]]:
        """The sets in layers, parents first, and each thread's ranges of those: what follows a sequence is for one."""
        everything = [[np.array([(0, len(parent))])]]
        if self._workers == 1:
            return everything
        begins = kernels.layers(parent, first, len(parent) // SHARED + 2).tolist()
        if len(begins) == 2:  # or too many
            return everything
        falls = np.flatnonzero(parent[1:] < parent[:-1]) + 1
        layers: list[list[list[Part]]] = []
        for begin, end in pairwise(begins):
            edges = [begin, *falls[slice(*np.searchsorted(falls, (begin + 1, end)))].tolist(), end]
            if end - begin >= SHARED and len(edges) * RUN <= end - begin:
                layers.append(self._shares(parent, list(pairwise(edges))))
            elif layers and len(layers[-1]) == 1:
                layers[-1][0].append((begin, end))
            else:
                layers.append([[(begin, end)]])
        return [[np.array(ranges) for ranges in layer] for layer in layers]

    def _shares(self, parent: Array, runs: list[Part]) -> list[list[Part]]:
        """Each thread's part of every run, in which parents rise: all up to where the next one's parents begin."""
        sample = np.sort(np.concatenate([parent[begin:end:RUN] for begin, end in runs]))
        cuts = sample[[len(sample) * worker // self._workers for worker in range(1, self._workers)]]
        shares: list[list[Part]] = [[] for _ in range(self._workers)]
        for begin, end in runs:
            at = (begin + np.searchsorted(parent[begin:end], cuts)).tolist()
            for share, part in zip(shares, pairwise([begin, *at, end]), strict=True):
                share.append(part)
        return shares


def _parts(many: int, parts: int, begin: int = 0) -> list[Part]:
    """About equal parts of so many."""
    return [part for part in pairwise(begin + many * k // parts for k in range(parts + 1)) if part[0] < part[1]]
