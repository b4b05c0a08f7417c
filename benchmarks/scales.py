"""Whether payoffs of any sizes are solved exactly: random trees, one set of seeds for each scale.

`python -m benchmarks.scales` solves 200 trees of about 400 nodes for each scale as `ruse solve` does by default, and
says how many of the answers are exact, and how long they took.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from fractions import Fraction
from random import Random
from time import perf_counter

import ruse
from ruse import CHANCE, END

Payoff = Callable[[Random], Fraction]


def _either(high: int, low: int) -> Payoff:
    """A digit times one power of ten or the other."""
    return lambda random: random.randint(-9, 9) * Fraction(10) ** random.choice((high, low))


SCALES: dict[str, Payoff] = {
    "ordinary": lambda random: Fraction(random.randint(-9, 9)),
    "10^6 beside 10^-3": _either(6, -3),
    "10^12 beside 10^-9": _either(12, -9),
    "10^-20 to 10^20": lambda random: random.randint(-999, 999) * Fraction(10) ** random.randint(-20, 20),
}


class RandomTree:
    """A tree in which the mover, and who sees the move, depend on the depth: chosen at random, as odds and payoffs."""

    name = title = "random-tree"
    sides = ("first", "second")
    wins = ()

    def __init__(self, seed: int, nodes: int, payoff: Payoff) -> None:
        self.parameters: dict[str, object] = {"seed": seed, "nodes": nodes}
        self._seed, self._payoff = seed, payoff
        random = Random(seed)
        self.levels: list[tuple[int, int, tuple[bool, bool]]] = []  # who moves, how many moves, which side sees them
        count = layer = 1
        while count < nodes * 0.8:
            self.levels.append(
                (
                    random.choice((CHANCE, 0, 1, 0, 1)),
                    random.choice((2, 2, 3)),
                    (random.random() < 0.5, random.random() < 0.5),
                )
            )
            layer *= self.levels[-1][1]
            count += layer

    def start(self) -> tuple[str, ...]:
        return ()

    def turn(self, state: tuple[str, ...]) -> int:
        return END if len(state) == len(self.levels) else self.levels[len(state)][0]

    def moves(self, state: tuple[str, ...]) -> Sequence[str]:
        return [str(number) for number in range(self.levels[len(state)][1])]

    def odds(self, state: tuple[str, ...]) -> Sequence[Fraction]:
        weights = [self._random(state).randint(1, 5 + number) for number in range(self.levels[len(state)][1])]
        return [Fraction(weight, sum(weights)) for weight in weights]

    def play(self, state: tuple[str, ...], move: str) -> tuple[str, ...]:
        return (*state, move)

    def knows(self, state: tuple[str, ...], side: int) -> tuple[str, ...]:
        seen = (
            move if self.levels[depth][0] == side or self.levels[depth][2][side] else "?"
            for depth, move in enumerate(state)
        )
        return tuple(seen)

    def payoff(self, state: tuple[str, ...]) -> Fraction:
        return Fraction(self._payoff(self._random(state)))

    def label(self, move: str) -> str:
        return move

    def format_position(self, knowledge: tuple[str, ...]) -> str:
        return "".join(f"/{seen}" for seen in knowledge)

    def _random(self, state: tuple[str, ...]) -> Random:
        return Random(f"{self._seed} {' '.join(state)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trees", type=int, default=200, help="for each scale")
    parser.add_argument("--nodes", type=int, default=400, help="of a tree, about")
    asked = parser.parse_args()
    print(f"{'payoffs':20} {'exact':>9} {'seconds':>8} {'longest':>8}")
    for name, payoff in SCALES.items():
        taken, exact = [], 0
        for seed in range(asked.trees):
            started = perf_counter()
            solution = ruse.solve(RandomTree(seed, asked.nodes, payoff))
            taken.append(perf_counter() - started)
            exact += solution.certificate.exact
        print(f"{name:20} {exact:>4}/{asked.trees:<4} {sum(taken):8.1f} {max(taken):8.2f}", flush=True)


if __name__ == "__main__":
    main()
