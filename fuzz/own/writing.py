"""The text of a game of somebody's own: what is changed, and where the setting hides that says how much."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from fuzz import growing
from fuzz.oracle import Chance, Leaf, Node, pruned
from fuzz.own.bases import BASES, Base, Change, changes
from fuzz.own.declaring import LIES, LOOKALIKES, SHOWN

ARGUMENTS = {"payoff": "state", "odds": "state", "moves": "state", "knows": "state, side"}
VARIABLE = "RUSE_FUZZ_SETTING"  # of the environment

# Where a setting hides, and what that takes: lines before the class, lines in `__init__`, and the expression.
HIDDEN: dict[str, tuple[str, str, str]] = {
    "source": ("", "", "{setting}"),
    "class-attribute": ("", "", "type(self).SETTING"),
    "global": ("SETTING = {setting}", "", "SETTING"),
    "environment": ("import os", "", f'int(os.environ["{VARIABLE}"])'),
    "environment-at-first": ("import os", f'self.setting = int(os.environ["{VARIABLE}"])', "self.setting"),
    "file-read": (
        "from pathlib import Path",
        'self.setting = int(Path(__file__).with_name("setting.txt").read_text())',
        "self.setting",
    ),
    "helper": ("import helper", "", "helper.SETTING"),
    "private-dict": ("SETTING = {setting}", 'self._kept = {{"k": SETTING}}', 'self._kept["k"]'),
    "private-list": ("SETTING = {setting}", "self._kept = [SETTING]", "self._kept[0]"),
    "private-array": ("import numpy\nSETTING = {setting}", "self._kept = numpy.array([SETTING])", "int(self._kept[0])"),
    "shared-list": ("SETTINGS = [{setting}]", "self._kept = SETTINGS", "self._kept[0]"),
}
INHERITED = 'getattr(Base, "provides", ())'  # copied from the parent, as if nothing had changed
SIZES = ((), (), ("def nodes(self, symmetry=False): return 10**12",))  # a game that calls itself too large to walk
# How the game is made of that.
SHAPES = ("subclass", "factory", "closure", "patched")


@dataclass(frozen=True)
class Spec:
    """A game of somebody's own, as it was drawn."""

    base: str  # of BASES, or "tree"
    rule: str
    body: str  # of the change
    shape: str
    hidden: str  # of HIDDEN
    declared: str  # the right-hand side of `provides`, if any
    extra: tuple[str, ...]  # methods besides
    may_refuse: bool  # whether what it declares may be false
    keeps_wins: bool
    tree: Node | None = None
    helper_does_it: bool = False  # whether the change itself is written in the helper module
    twin: Spec | None = None  # another game of the same name

    @property
    def name(self) -> str:
        return "Mine" if self.shape == "subclass" else "mine"

    @property
    def of(self) -> Base:
        return BASES[self.base]

    @property
    def names_alike(self) -> bool:
        """Whether its presentation gives everything hidden one name."""
        return any("def hidden_from" in method for method in self.extra)

    @property
    def told(self) -> str:
        """What tells one sort of contradiction from another."""
        twins = ", one of two of that name" if self.twin else ""
        declares = f", which declares {self.declared}" if self.declared else ""
        return f"{self.shape} of {self.base}, its {self.rule} by {self.hidden}{twins}{declares}"


def draw(random: Random, twin: bool = True) -> Spec:
    if random.random() < 0.2:
        base, change = "tree", Change("payoff", "return found + (k if len(state) % 2 else -k)")
        shape = random.choice(("subclass", "closure"))
        tree: Node | None = pruned(growing.tree(random, random.choice((6, 10, 16)), growing.PAYOFFS["whole"]))
    else:
        base, tree = random.choices(list(BASES), [one.weight for one in BASES.values()])[0], None
        change = random.choice(changes(BASES[base]))
        patched = ("patched",) * (twin and not BASES[base].smaller)
        shape = random.choice(("subclass",) * 3 + ("factory",) * 2 + ("closure",) + patched)
        if BASES[base].returns:  # which nobody can walk unless it says so
            shape = random.choice(("subclass", "closure"))
    hidden = random.choice(list(HIDDEN))
    if shape == "factory" and hidden in ("class-attribute", "private-dict", "private-list", "private-array"):
        hidden = "global"
    if shape == "patched":
        hidden = "source"
    declared, extra, may_refuse = _declarations(random, base, shape)
    return Spec(
        base,
        change.rule,
        change.body,
        shape,
        hidden,
        declared,
        extra,
        may_refuse,
        change.keeps_wins,
        tree,
        hidden == "helper" and random.random() < 0.5,
        draw(random, False) if twin and random.random() < 0.1 and shape != "patched" else None,
    )


def _declarations(random: Random, base: str, shape: str) -> tuple[str, tuple[str, ...], bool]:
    """What the game declares, methods for that, and whether that may be false."""
    if shape in ("factory", "patched"):
        return "", (), False
    seen = base != "tree" and BASES[base].seen
    honest = "(Memoryless,)" if seen else ""
    draw = random.random()
    if draw < 0.25:
        return honest, (), False
    if draw < 0.35:
        shown = f"class Shown(Presentation):\n        {random.choice(SHOWN)}\n    presentation = Shown"
        return honest or "()", (shown,), False
    if draw < 0.55:
        extra = tuple(random.sample(LOOKALIKES, random.randint(1, 4)))
        kept = tuple(one for one in extra if not (seen and one.startswith(("def board", "def returns"))))
        return honest, kept, False
    if draw < 0.8 and base != "tree":
        return f"{INHERITED}{random.choice(('', '', f'[{random.randrange(4)}:][:1]'))}", random.choice(SIZES), True
    capability = random.choice(list(LIES))
    more = "Memoryless, " * (seen and capability != "Memoryless")
    return f"({more}{capability},)", (random.choice(LIES[capability]),), True


def file_text(spec: Spec, setting: int) -> str:
    """The file as somebody would write it."""
    before, in_init, expression = HIDDEN[spec.hidden]
    lines = ["from fractions import Fraction", "from zlib import crc32", before.format(setting=setting)]
    if spec.declared:
        lines += ["from ruse.core.capabilities import *", "from ruse.core.presentation import Presentation"]
    if spec.tree is None:
        module, _, name = spec.of.where.partition(":")
        lines += [spec.of.before, f"from {module} import {name} as Base", spec.of.smaller]
    else:
        lines += [f"TREE = {literal(spec.tree)}", TREE_RULES]
    lines.append("from helper import change" if spec.helper_does_it else change_text(spec))
    expression = expression.format(setting=setting)
    made = {"subclass": _subclass, "factory": _factory, "closure": _closure, "patched": _patched}[spec.shape]
    return "\n".join((*lines, made(spec, setting, in_init.format(), expression), ""))


def change_text(spec: Spec) -> str:
    return f"def change(game, found, k, state, side=None):\n    {spec.body}"


def helper_text(spec: Spec, setting: int) -> str:
    """The module beside the file."""
    text = f"from fractions import Fraction\nfrom zlib import crc32\nSETTING = {setting}\n"
    return f"{text}{change_text(spec)}\n" if spec.helper_does_it else text


def _subclass(spec: Spec, setting: int, in_init: str, expression: str, name: str = "Mine") -> str:
    asked = ARGUMENTS[spec.rule]
    lines = [f"class {name}(Base):" if spec.tree is None else f"class {name}(_Tree):"]
    if not spec.keeps_wins:
        lines.append("    wins = ()")
    if spec.hidden == "class-attribute":
        lines.append(f"    SETTING = {setting}")
    if spec.declared:
        lines.append(f"    provides = {spec.declared}")
    lines += [f"    {one}" for one in spec.extra]
    lines += [
        "    def __init__(self, p: int = 0):",
        f"        super().__init__({spec.of.made if spec.tree is None else ''})",
        "        self.p = p",
        f"        {in_init or 'pass'}",
        f"    def {spec.rule}(self, {asked}):",
        f"        return change(self, super().{spec.rule}({asked}), {expression} + self.p, {asked})",
    ]
    return "\n".join(lines)


def _factory(spec: Spec, setting: int, in_init: str, expression: str) -> str:
    asked = ARGUMENTS[spec.rule]
    lines = [
        "def mine(p: int = 0):",
        f"    game = Base({spec.of.made})",
        f"    old = game.{spec.rule}",
        *(["    game.wins = ()"] if not spec.keeps_wins else []),
        *([f"    setting = {_at_once(spec)}"] if in_init else []),
        f"    game.{spec.rule} = lambda {asked}: "
        f"change(game, old({asked}), {'setting' if in_init else expression} + p, {asked})",
        "    return game",
    ]
    return "\n".join(lines)


def _at_once(spec: Spec) -> str:
    """The setting, read when the game is made."""
    in_init = HIDDEN[spec.hidden][1].format()
    read = in_init.partition(" = ")[2]
    return "SETTINGS[0]" if spec.hidden == "shared-list" else read


def _closure(spec: Spec, setting: int, in_init: str, expression: str) -> str:
    inner = _subclass(spec, setting, in_init, expression, "_Inner").replace("\n", "\n    ")
    return f"def mine(p: int = 0):\n    {inner}\n    return _Inner(p)"


def _patched(spec: Spec, setting: int, in_init: str, expression: str) -> str:
    """Ruse's own class, changed for a while: `PATCH` says by what."""
    asked = ARGUMENTS[spec.rule]
    return "\n".join(
        (
            f"_old = Base.{spec.rule}",
            f"def _new(self, {asked}):",
            f"    return change(self, _old(self, {asked}), {setting}, {asked})",
            f"def mine(): return Base({spec.of.made})",
            f'PATCH = (Base, "{spec.rule}", _old, _new)',
        )
    )


def literal(node: Node) -> str:
    """A tree as nested tuples: (payoff), (-1, ((label, odds, node), …)) or (side, known, ((label, node), …))."""
    if isinstance(node, Leaf):
        return f"({_number(node)},)"
    if isinstance(node, Chance):
        below = ", ".join(
            f'("c{place}", Fraction({share.numerator}, {share.denominator}), {literal(after)})'
            for place, (share, after) in enumerate(zip(node.odds, node.after, strict=True))
        )
        return f"(-1, ({below},))"
    below = ", ".join(f'("m{place}", {literal(after)})' for place, after in enumerate(node.after))
    return f"({node.side}, {node.known!r}, ({below},))"


def _number(leaf: Leaf) -> str:
    return f"Fraction({leaf.payoff.numerator}, {leaf.payoff.denominator})"


TREE_RULES = """
class _Tree:
    def start(self): return ()
    def node(self, state):
        node = TREE
        for label in state:
            node = next(one[-1] for one in node[-1] if one[0] == label)
        return node
    def turn(self, state):
        node = self.node(state)
        return -2 if len(node) == 1 else node[0]
    def moves(self, state): return [one[0] for one in self.node(state)[-1]]
    def odds(self, state): return [one[1] for one in self.node(state)[-1]]
    def play(self, state, move): return (*state, move)
    def payoff(self, state): return self.node(state)[0]
    def knows(self, state, side):
        did = ""
        for place in range(len(state)):
            node = self.node(state[:place])
            if node[0] == side:
                did = f"{node[1]} {state[place]}"
        node = self.node(state)
        return ("at", node[1]) if len(node) == 3 and node[0] == side else ("did", did)
"""
