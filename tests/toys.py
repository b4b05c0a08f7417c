"""Toy games for tests: trees written out by hand, and random ones from hypothesis.

A `TreeGame` is a tree of `Decision`, `Chance` and `Leaf`. Decisions of one side that carry the same
`known` are one information set. What a side knows after it has moved is its last set and its move there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from hypothesis import strategies as st

from ruse.core.capabilities import Symmetric
from ruse.core.game import CHANCE, END

Path = tuple[str, ...]


@dataclass(frozen=True)
class Leaf:
    payoff: Fraction


@dataclass(frozen=True)
class Chance:
    draws: tuple[tuple[str, Fraction, Node], ...]  # label, odds, what follows


@dataclass(frozen=True)
class Decision:
    side: int
    known: str
    moves: tuple[tuple[str, Node], ...]


Node = Leaf | Chance | Decision


class TreeGame:
    sides = ("first", "second")
    wins = ()

    def __init__(self, root: Node, name: str = "toy") -> None:
        self.root = root
        self.name = self.title = name
        self.parameters: dict[str, object] = {}

    def __repr__(self) -> str:
        return f"TreeGame({self.root!r})"

    def node(self, state: Path) -> Node:
        node = self.root
        for move in state:
            node = self._after(node)[move]
        return node

    @staticmethod
    def _after(node: Node) -> dict[str, Node]:
        if isinstance(node, Leaf):
            return {}
        if isinstance(node, Chance):
            return {label: after for label, _, after in node.draws}
        return dict(node.moves)

    def start(self) -> Path:
        return ()

    def turn(self, state: Path) -> int:
        node = self.node(state)
        if isinstance(node, Decision):
            return node.side
        return CHANCE if isinstance(node, Chance) else END

    def moves(self, state: Path) -> Sequence[str]:
        return list(self._after(self.node(state)))

    def odds(self, state: Path) -> Sequence[Fraction]:
        node = self.node(state)
        assert isinstance(node, Chance)
        return [odds for _, odds, _ in node.draws]

    def play(self, state: Path, move: str) -> Path:
        return (*state, move)

    def knows(self, state: Path, side: int) -> Path:
        node, last = self.root, ("", "waits")
        for move in state:
            if isinstance(node, Decision) and node.side == side:
                last = (node.known, move)
            node = self._after(node)[move]
        return (node.known,) if isinstance(node, Decision) and node.side == side else last

    def payoff(self, state: Path) -> Fraction:
        node = self.node(state)
        assert isinstance(node, Leaf)
        return node.payoff

    def label(self, move: str) -> str:
        return move

    def format_position(self, knowledge: Path) -> str:
        return "@" + "/".join(knowledge)


def figure_2_2() -> TreeGame:
    """The shape of Bossle's Figure 2.2: 6 leaves, yet 2 * 2 * 2 pure strategies of side 1. The payoffs are ours."""

    def answers(move: str, x: int, y: int) -> tuple[str, Node]:
        return move, Decision(1, f"saw-{move}", (("x", Leaf(Fraction(x))), ("y", Leaf(Fraction(y)))))

    return TreeGame(Decision(0, "start", (answers("a", 3, -1), answers("b", 0, 2), answers("c", -2, 1))), "figure-2-2")


@st.composite
def _trees(draw: Callable[..., object], public: bool, depth: int) -> TreeGame:
    """A random tree whose information sets are what the sides have seen, so that nobody forgets.

    Each side keeps a list of what it saw: its own moves, and those moves of others that are shown to it.
    Where it decides, that list is its information set, and how many moves it has depends on that alone.
    """
    choices: dict[tuple[int, Path], int] = {}

    def integer(low: int, high: int) -> int:
        number = draw(st.integers(low, high))
        assert isinstance(number, int)
        return number

    def grow(left: int, seen: tuple[Path, Path]) -> Node:
        kind = integer(0, 5) if left < depth else integer(0, 4)  # the root is no leaf
        if left == 0 or kind == 5:
            return Leaf(Fraction(integer(-6, 6), 2))
        side = (CHANCE, 0, 0, 1, 1)[kind]
        count = integer(2, 3)
        if side != CHANCE:
            count = choices.setdefault((side, seen[side]), count)
        shown = 3 if public else integer(0, 3)  # bit s: shown to side s

        def told(other: int, number: int) -> Path:
            if other == side:
                return (*seen[other], f"did{number}")
            sight = f"{'drew' if side == CHANCE else 'saw'}{number}"
            return (*seen[other], sight) if shown >> other & 1 else seen[other]

        after = [grow(left - 1, (told(0, number), told(1, number))) for number in range(count)]
        if side == CHANCE:
            weights = [integer(1, 3) for _ in after]
            draws = enumerate(zip(weights, after, strict=True))
            return Chance(tuple((f"d{i}", Fraction(weight, sum(weights)), node) for i, (weight, node) in draws))
        return Decision(side, "-".join(("start", *seen[side])), tuple((f"m{i}", node) for i, node in enumerate(after)))

    return TreeGame(grow(depth, ((), ())))


def random_games(depth: int = 4) -> st.SearchStrategy[TreeGame]:
    """Small games with chance and hidden information, of perfect recall."""
    return _trees(public=False, depth=depth)


def random_perfect_information_games(depth: int = 4) -> st.SearchStrategy[TreeGame]:
    """Small games with chance in which everything is seen."""
    return _trees(public=True, depth=depth)


class LabelGame:
    """Chance hides one of some labels from side 0, which points at labels in turn; side 1 answers, truly or not.

    The names of the labels do not matter: what is paid depends on the answers and on which guesses were right.
    """

    provides = (Symmetric,)

    name = title = "label-game"
    sides = ("guesser", "hider")
    wins = ()

    def __init__(self, labels: str, rounds: int, pay: tuple[int, ...]) -> None:
        self._labels, self.rounds, self.pay = labels, rounds, pay
        self.parameters: dict[str, object] = {}

    def __repr__(self) -> str:
        return f"LabelGame({self._labels!r}, {self.rounds}, {self.pay!r})"

    def start(self) -> tuple[str, str, str]:
        return ("", "", "")  # hidden, guesses, answers

    def turn(self, state: tuple[str, str, str]) -> int:
        hidden, guesses, answers = state
        if not hidden:
            return CHANCE
        if len(guesses) > len(answers):
            return 1
        return END if len(guesses) == self.rounds else 0

    def moves(self, state: tuple[str, str, str]) -> Sequence[str]:
        return {1: "yn", END: ""}.get(self.turn(state), self._labels)

    def odds(self, state: tuple[str, str, str]) -> Sequence[Fraction]:
        return [Fraction(1, len(self._labels))] * len(self._labels)

    def play(self, state: tuple[str, str, str], move: str) -> tuple[str, str, str]:
        hidden, guesses, answers = state
        if not hidden:
            return (move, guesses, answers)
        return (hidden, guesses, answers + move) if self.turn(state) == 1 else (hidden, guesses + move, answers)

    def knows(self, state: tuple[str, str, str], side: int) -> tuple[str, str, str]:
        return state if side == 1 else ("", *state[1:])

    def payoff(self, state: tuple[str, str, str]) -> Fraction:
        hidden, guesses, answers = state
        index = 0
        for guess, answer in zip(guesses, answers, strict=True):
            index = 4 * index + 2 * (guess == hidden) + (answer == "y")
        return Fraction(self.pay[index % len(self.pay)])

    def label(self, move: str) -> str:
        return move

    def format_position(self, knowledge: tuple[str, str, str]) -> str:
        return f"@{knowledge[0]}/{knowledge[1]}/{knowledge[2]}"

    def labels(self) -> Sequence[Sequence[str]]:
        return (tuple(self._labels),)

    def record(self, state: tuple[str, str, str], label: str, side: int | None) -> tuple[bool, ...]:
        hidden, guesses, _ = state
        return (side != 0 and label == hidden, *(guess != label for guess in guesses))

    def relabel(self, state: tuple[str, str, str], names: Mapping[str, str]) -> tuple[str, str, str]:
        hidden, guesses, answers = state
        return (names.get(hidden, ""), "".join(names[guess] for guess in guesses), answers)

    def rename(self, move: str, names: Mapping[str, str]) -> str:
        return names.get(move, move)

    def mark(self, move: str, label: str) -> bool:
        return move != label


def label_games() -> st.SearchStrategy[LabelGame]:
    """Small games with labels to rename, hidden from one side."""
    pays = st.lists(st.integers(-3, 3), min_size=3, max_size=16).map(tuple)
    return st.builds(LabelGame, st.sampled_from(["ab", "abc", "abcd"]), st.sampled_from([1, 2]), pays)


class Card(NamedTuple):
    """What a side knows in one-card poker."""

    card: int
    history: str


class OneCard:
    """One-card poker with any number of cards: ante 1, bet 1. A state is both cards, or -1, and the moves."""

    name = "one-card"
    sides = ("first", "second")
    wins = ()

    def __init__(self, cards: int) -> None:
        self.cards = cards
        self.title = f"one-card-{cards}"
        self.parameters: dict[str, object] = {"cards": cards}
        self._payoffs = {worth: Fraction(worth) for worth in (-2, -1, 1, 2)}

    def start(self) -> tuple[int, int, str]:
        return (-1, -1, "")

    def turn(self, state: tuple[int, int, str]) -> int:
        if state[1] < 0:
            return CHANCE
        return {"": 0, "c": 1, "b": 1, "cb": 0}.get(state[2], END)

    def moves(self, state: tuple[int, int, str]) -> Sequence[int | str]:
        mine, theirs, history = state
        if theirs < 0:
            return [card for card in range(self.cards) if card != mine]
        return ("c", "b") if history in ("", "c") else ("f", "k")

    def odds(self, state: tuple[int, int, str]) -> Sequence[Fraction]:
        left = self.cards - (state[0] >= 0)
        return [Fraction(1, left)] * left

    def play(self, state: tuple[int, int, str], move: int | str) -> tuple[int, int, str]:
        mine, theirs, history = state
        if isinstance(move, int):
            return (move, -1, "") if mine < 0 else (mine, move, "")
        return (mine, theirs, history + move)

    def knows(self, state: tuple[int, int, str], side: int) -> Card:
        return Card(state[side], state[2])

    def payoff(self, state: tuple[int, int, str]) -> Fraction:
        mine, theirs, history = state
        if history[-1] == "f":
            return self._payoffs[1 if history == "bf" else -1]
        return self._payoffs[(2 if history[-1] == "k" else 1) * (1 if mine > theirs else -1)]

    def label(self, move: int | str) -> str:
        return str(move)

    def format_position(self, knowledge: Card) -> str:
        return f"@{knowledge.card}/{knowledge.history}"


class ManyPennies:
    """Penny k of so many lies on the table, and both sides guess heads or tails; a match on heads pays k."""

    name = title = "pennies"

    def __init__(self, pennies: int) -> None:
        self.pennies = pennies

    def start(self) -> tuple[object, ...]:
        return ()

    def turn(self, state: tuple[object, ...]) -> int:
        return (CHANCE, 0, 1, END)[len(state)]

    def moves(self, state: tuple[object, ...]) -> Sequence[object]:
        return range(1, self.pennies + 1) if not state else ("heads", "tails")

    def odds(self, state: tuple[object, ...]) -> Sequence[Fraction]:
        return [Fraction(1, self.pennies)] * self.pennies

    def play(self, state: tuple[object, ...], move: object) -> tuple[object, ...]:
        return (*state, move)

    def knows(self, state: tuple[object, ...], side: int) -> tuple[object, ...]:
        return state if side == 0 and len(state) < 3 else state[:1] if len(state) < 3 else (state[0], state[1 + side])

    def payoff(self, state: tuple[object, ...]) -> Fraction:
        penny, first, second = state
        return Fraction(int(str(penny)) if first == second == "heads" else int(first == second))
