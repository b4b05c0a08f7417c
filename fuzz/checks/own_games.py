"""Somebody's own games, through all that keeps, reuses or trusts: each number that is called exact is the oracle's."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, suppress
from fractions import Fraction
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import ruse
from fuzz.case import Case, Contradiction
from fuzz.checks.solutions import policies
from fuzz.checks.views import check_views
from fuzz.oracle import Choice, Flat, nodes
from fuzz.own import writing
from fuzz.own.subject import Subject, run, worth_of
from fuzz.own.walking import TooLarge, Worth
from fuzz.shrinking import only_move
from ruse.core import named_games
from ruse.core.game import RuseError
from ruse.core.registry import find
from ruse.explorer.library import Library, Unsolved
from ruse.explorer.solution_files import keep
from ruse.studio.compare import compare
from ruse.verify import VerifyError

SETTINGS = (1, 2, 3)
MANY = 12  # variants of a sweep that workers get some of
NEAR = 1e-6  # a value in floats, of play that can come back to a state
STEPS: dict[str, float] = {
    "solve": 5,
    "sweep": 4,
    "balance": 2,
    "insight": 2,
    "view": 1,
    "compare": 1,
    "verify": 2,
    "explorer": 0.5,
}
WORKERS = 0.01  # of all games


def draw(random: Random, payoffs: str | None) -> Case:
    spec = writing.draw(random)
    steps = random.choices(list(STEPS), list(STEPS.values()), k=random.choice((2, 2, 3)))
    if random.random() < WORKERS and spec.shape != "patched":
        steps[-1] = "workers"
    more = {"spec": spec, "steps": steps, "typed": random.random() < 0.5, "folders": random.random() < 0.5}
    return Case(None, random.getrandbits(32), more)


def check(case: Case) -> None:
    spec: writing.Spec = case.more["spec"]
    with tempfile.TemporaryDirectory() as name, _apart(Path(name)):
        folder = Path(name)
        try:
            if spec.shape == "patched":
                _check_patched(spec, folder)
            else:
                subject = Subject(spec, folder, case.more["typed"], case.more["folders"])
                _Run(subject, folder, case.random).check(case.more["steps"])
        except TooLarge:
            return
        except Contradiction as found:
            text = writing.file_text(spec, 1)
            raise Contradiction(found.about, f"{found.said}\n\n{text}", found.expected) from found


@contextmanager
def _apart(folder: Path) -> Iterator[None]:
    """A state folder and a list of named games for one case, and nothing on stderr."""
    before, known, modules = os.environ.get("XDG_STATE_HOME"), dict(named_games.OWN), set(sys.modules)
    os.environ["XDG_STATE_HOME"] = str(folder / "state")
    try:
        with redirect_stderr(StringIO()):
            yield
    finally:
        named_games.OWN.clear()
        named_games.OWN.update(known)
        if before is None:
            del os.environ["XDG_STATE_HOME"]
        else:
            os.environ["XDG_STATE_HOME"] = before
        for one in [one for one in sys.modules if one not in modules and one.startswith("ruse_own")]:
            del sys.modules[one]


class _Run:
    """One game through some steps, in each of which its setting may be another."""

    def __init__(self, subject: Subject, folder: Path, random: Random) -> None:
        self.subject, self.folder, self.random = subject, folder, random
        self.step = ""
        self.direct = subject.typed and random.random() < 0.5  # as an object, rather than by what makes it

    def about(self, what: str) -> str:
        return f"{what} in {self.step} of a {self.subject.now.told}"

    def check(self, steps: list[str]) -> None:
        for step in steps:
            self.step = step
            self.subject.turn_to(self.random.choice(SETTINGS))
            self.refusable(getattr(self, f"_{step}"))

    def refusable(self, act: Callable[[], Any]) -> Any:
        """What an act returns; None where ruse refuses what it may refuse."""
        try:
            return act()
        except (RuseError, VerifyError) as error:
            self.may_refuse(str(error))
            return None

    def may_refuse(self, sentence: str) -> None:
        """A false declaration may be refused, and so may a game without secrets that does not say that it is one."""
        spec = self.subject.spec
        twins = spec.twin is not None and "names of their own" in sentence
        if not (twins or any(_refusable(one) for one in (spec, spec.twin) if one is not None)):
            raise Contradiction(self.about("a game that keeps the contract"), sentence, "an answer")

    def game(self, p: int) -> Any:
        given = self.subject.given()
        if self.direct:
            return given(p)
        if not self.subject.typed:
            named = named_games.load(given)
            assert named is not None
            self.subject.loaded(sys.modules[named.factory.__module__])
        return find(given, {"p": p})

    def right(self, certificate: Any, p: int, what: str) -> None:
        """Bounds hold the value, and are exact where the oracle's are. What is only claimed is not looked at."""
        if getattr(certificate, "proof", "rules") == "none":
            return
        worth = self.subject.worth(p)
        value: Any = worth.value if isinstance(worth, Worth) else worth
        slack = 0 if isinstance(worth, Worth) else NEAR
        if not certificate.lower - slack <= value <= certificate.upper + slack:
            told = f"{certificate.lower} to {certificate.upper}, proof: {getattr(certificate, 'proof', 'none yet')}"
            raise Contradiction(self.about(what), told, value)
        if isinstance(worth, Worth) and not certificate.exact and not self.subject.now.may_refuse:
            raise Contradiction(self.about(f"{what}, exactly"), f"{certificate.lower} to {certificate.upper}", value)

    def _solved(self, p: int) -> Any:
        solution = ruse.solve(self.game(p))
        self.right(solution.certificate, p, "the value")
        return solution

    def _solve(self) -> None:
        p = self.random.randrange(3)
        solution = self._solved(p)
        worth = self.subject.worth(p)
        if isinstance(worth, Worth) and self.judgeable(solution):
            lower, upper = worth.flat.guarantees(policies(worth.tree, solution))
            if (lower, upper) != (solution.certificate.lower, solution.certificate.upper):
                raise Contradiction(self.about("the strategies"), solution.certificate, f"{lower} to {upper}")

    def _view(self) -> None:
        """The pages of positions: values, odds and beliefs."""
        p = self.random.randrange(3)
        solution = self._solved(p)
        worth = self.subject.worth(p)
        if isinstance(worth, Worth) and self.judgeable(solution):
            try:
                check_views(worth.tree, solution, self.random, self.subject.now.names_alike)
            except Contradiction as found:
                raise Contradiction(self.about(found.about), found.said, found.expected) from found

    def judgeable(self, solution: Any) -> bool:
        """Whether the strategies say what to do at each information set of the oracle's tree."""
        now = self.subject.now
        return solution.written and not now.may_refuse and (now.tree is not None or not now.of.seen)

    def _rows(self, values: str, workers: int = 1) -> None:
        if not self.subject.typed:
            self.game(0)
        found = ruse.sweep(self.subject.given(), p=values, workers=workers)
        for why in found.failed.values():
            self.may_refuse(why)
        for row in found:
            self.right(row.certificate, row.parameters["p"], "a row")

    def _sweep(self) -> None:
        """Twice, with another setting in between."""
        self._rows("0..1")
        self.subject.turn_to(self.random.choice(SETTINGS))
        self._rows(self.random.choice(("0..1", "0..2", "1|0")))

    def _workers(self) -> None:
        self._rows(f"0..{MANY - 1}", 2)

    def _balance(self) -> None:
        if self.random.random() < 0.5:
            self._rows("0..1")
            self.subject.turn_to(self.random.choice(SETTINGS))
        if not self.subject.typed:
            self.game(0)
        target = self.random.choice((Fraction(0), Fraction(1, 2), Fraction(1, 3)))
        found = ruse.balance(self.subject.given(), target=target, p="0..2")
        for one in found.best:
            self.right(one.row.certificate, one.row.parameters["p"], "a row")
        worths = [self.subject.worth(p) for p in range(3)]
        won = bool(found.best and found.best[0].row.wins)
        if found.proved and not found.condition and all(isinstance(one, Worth) for one in worths):
            values = [one.value for one in worths if isinstance(one, Worth)]
            nearest = min(abs(((1 + value) / 2 if won else value) - target) for value in values)
            if found.best[0].distance != nearest:
                raise Contradiction(self.about("the nearest variant, proved"), found.best[0].distance, nearest)

    def _compare(self) -> None:
        solutions, values = [], []
        for _ in range(2):
            p = self.random.randrange(3)
            solutions.append(self._solved(p))
            worth = self.subject.worth(p)
            if not isinstance(worth, Worth) or not solutions[-1].certificate.exact:
                return
            values.append(worth.value / 2 if len(solutions[-1].game.wins) == 2 else worth.value)
            self.subject.turn_to(self.random.choice(SETTINGS))
        if self.subject.spec.twin is not None and len(solutions[0].game.wins) != len(solutions[1].game.wins):
            return  # which are measured in different ways
        found = compare(solutions, look=False)
        if found.variants[1].difference != values[1] - values[0]:
            raise Contradiction(self.about("a difference"), found.variants[1].difference, values[1] - values[0])

    def _verify(self) -> None:
        """A file, read with rules that may be others since."""
        p = self.random.randrange(2)
        path = self._solved(p).save(self.folder / "kept.ruse")
        before = self.subject.setting
        self.subject.turn_to(self.random.choice(SETTINGS))
        try:
            by_name = not self.direct and self.random.random() < 0.5
            given = self.subject.given() if by_name else self.game(p)
            loaded = ruse.load(path, game=given)
            certificate = loaded.verify()
        except (RuseError, VerifyError) as error:
            if self.subject.setting == before or not self.subject.turns:
                raise
            del error
            return
        self.right(certificate, p, "a file, verified")
        with suppress(RuseError, VerifyError):
            value = loaded.insight().value
            self.is_value(value, p, "insight into a file")

    def is_value(self, value: Any, p: int, what: str) -> None:
        worth = self.subject.worth(p)
        if isinstance(worth, Worth) and value != worth.value:
            raise Contradiction(self.about(what), value, worth.value)

    def _insight(self) -> None:
        """What insight states before what the solution claims: it solves the game once more."""
        p = self.random.randrange(3)
        solution = ruse.solve(self.game(p))
        try:
            insight = solution.insight()
        except RuseError:
            self.right(solution.certificate, p, "the value")
            if not solution.certificate.exact or (self.subject.now.tree is None and self.subject.now.of.seen):
                return  # a game where all is seen has no tree to look at
            raise
        self.is_value(insight.value, p, "the value")
        self.right(solution.certificate, p, "the value")
        worth = self.subject.worth(p)
        assert isinstance(worth, Worth)
        self._at(solution, insight, worth, p)

    def _at(self, solution: Any, insight: Any, worth: Worth, p: int) -> None:
        """Ranges and prices at a position that somebody moves at."""
        choices = [one for one in nodes(worth.tree) if isinstance(one, Choice)]
        if not choices:
            return
        node = self.random.choice(choices)
        position, labels = _position(solution.game, worth, node)
        there = insight.at(position, node.side)
        plan = worth.plans[node.side]
        reached = plan[worth.flat.sets[node.side][node.known].parent]
        said = {one.move: one for one in there.moves}
        for place, label in enumerate(labels):
            move = said[label]
            if move.range is not None and reached:
                share = plan[node.known, place] / reached
                if not move.range.least.value <= share <= move.range.greatest.value:
                    raise Contradiction(self.about("the range of a move"), move.range, share)
        place = self.random.randrange(len(labels))
        price = said[labels[place]].price
        if price is not None and said[labels[place]].guarantee.exact:
            forced = Flat(only_move(worth.tree, (node.side, node.known), place)).value()
            assert forced is not None
            if price != abs(worth.value - forced):
                raise Contradiction(self.about("the price of a move"), price, abs(worth.value - forced))

    def _explorer(self) -> None:
        """The library of the explorer, before and after another setting."""
        if self.subject.typed:
            return
        p = self.random.randrange(2)
        for _ in range(2):
            game = self.game(p)
            library = Library(self.folder / "solutions", [self.subject.given()], None, {"p": str(p)})
            asked = library.asked_for[0]
            entry = library.find(asked.position, asked.source)
            try:
                opened = library.open(entry)
                self.right(opened.solution.certificate, p, "what the page shows")
            except Unsolved:
                keep(self.folder / "solutions", ruse.solve(game))
                entry = library.find(asked.position, asked.source)
                self.right(library.open(entry).solution.certificate, p, "what was kept")
            self.subject.turn_to(self.random.choice(SETTINGS))


def _refusable(spec: writing.Spec) -> bool:
    """Whether what a game declares may be false, or it is one without secrets that does not say so."""
    unsaid = spec.tree is None and spec.of.seen and "Memoryless" not in spec.declared
    return spec.may_refuse or unsaid


def _position(game: Any, worth: Worth, node: Choice) -> tuple[str, list[str]]:
    """The position of an information set, and its moves as ruse writes them."""
    stack = [(worth.tree, game.start())]
    while stack:
        here, state = stack.pop()
        if isinstance(here, Choice) and (here.side, here.known) == (node.side, node.known):
            labels = [game.label(move) for move in game.moves(state)]
            return game.title + game.format_position(game.knows(state, node.side)), labels
        for place, move in enumerate(game.moves(state) if not hasattr(here, "payoff") else ()):
            stack.append((here.after[place], game.play(state, move)))  # type: ignore[union-attr]
    raise AssertionError(node)


def _check_patched(spec: writing.Spec, folder: Path) -> None:
    """A class of ruse's that somebody changes for a while: what is kept of one is never told of the other."""
    path = folder / "patch.py"
    text = writing.file_text(spec, 2)
    path.write_text(text)
    names = run(path, text)
    kind, rule, old, new = names["PATCH"]
    wins = kind.wins
    random = Random(text)
    order = random.choice(((old, new, old), (new, old)))
    try:
        for now in order:
            setattr(kind, rule, now)
            if not spec.keeps_wins:
                kind.wins = () if now is new else wins
            _patched_once(spec, names["mine"], now is new)
    finally:
        setattr(kind, rule, old)
        if not spec.keeps_wins:
            kind.wins = wins


def _patched_once(spec: writing.Spec, make: Callable[[], Any], changed: bool) -> None:
    about = f"{{}} of ruse's {spec.base} with a {spec.rule} that was replaced" if changed else "{} of a game restored"
    rules = make()
    worth = worth_of(rules, spec)
    value: Any = worth.value if isinstance(worth, Worth) else worth
    slack = 0 if isinstance(worth, Worth) else NEAR
    acts: list[tuple[str, Callable[[], Any]]] = [("the value", lambda: ruse.solve(make()).certificate)]
    if not rules.parameters:
        acts.append(("a row", lambda: next(iter(ruse.sweep(spec.base))).certificate))
    for what, act in acts:
        try:
            certificate = act()
        except RuseError as error:
            if changed and spec.of.seen:
                continue
            raise Contradiction(about.format(what), error, value) from error
        if not certificate.lower - slack <= value <= certificate.upper + slack:
            raise Contradiction(about.format(what), f"{certificate.lower} to {certificate.upper}", value)
