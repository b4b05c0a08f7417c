"""Small trees: by every solver, as rules in Python and as a file, exported and reread, saved and verified, viewed."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import ruse
from fuzz import growing, texts
from fuzz.case import Case, Contradiction, expect
from fuzz.checks.kept import check_kept
from fuzz.checks.open_rules import OpenRules
from fuzz.checks.solutions import EXACT, ITERATING, TABLES, Judge, pairs
from fuzz.checks.views import check_views
from fuzz.oracle import Choice, Flat, Leaf, Node, pruned, solve_table
from fuzz.rules import Rules
from ruse.core.game import RuseError
from ruse.formats.efg import write_efg
from ruse.formats.export import export
from ruse.formats.nfg import write_nfg
from ruse.solution.strategy import Solution

MOST_FOR_VALUE = 150  # leaves of a tree that the oracle solves by itself
MOST_ENTRIES = 1_000  # of a normal form: more takes seconds


def draw(random: Random, payoffs: str | None) -> Case:
    _, pay = growing.payoffs(random, payoffs)
    nodes = random.choice((1, 2, 5, 10, 20, 20, 40, 40, 60, 80, 120))
    return Case(growing.tree(random, nodes, pay), random.getrandbits(32))


def check(case: Case) -> None:
    assert case.tree is not None
    random, tree = case.random, case.tree
    names, odd = growing.names(random), Random(random.getrandbits(32))
    asked = [solver_asked(random, EXACT), solver_asked(random, EXACT), solver_asked(random, ITERATING)]
    flat = Flat(tree)
    judge = Judge(tree, flat.value() if len(flat.leaves) <= MOST_FOR_VALUE else None, flat)
    game = Rules(tree, *random.choice((("toy",), ("McRae", ("McRae", "O'Neill")), ("kuhn", ("first", "second")))))
    solution = ruse.solve(game)
    judge.judge(solution, exact=True)
    by_solvers(judge, game, asked)
    named = growing.renamed(tree, odd) if random.random() < 0.6 else tree
    by_file(judge, named, names, random)
    check_views(tree, solution, random)
    if seen_by_all(tree):
        by_induction(tree, Rules(tree) if random.random() < 0.5 else OpenRules(tree), judge.value)
    if random.random() < 0.3:
        must_refuse_or_keep(solution)
    judge.check_printed()


def solver_asked(random: Random, solvers: tuple[str, ...]) -> tuple[str, dict[str, Any]]:
    """A solver and what is asked of it."""
    solver = random.choice(solvers)
    asked: dict[str, Any] = {}
    if solver in ITERATING:
        asked = {"iterations": random.randint(1, 40), "seed": random.randint(0, 9)}
        if random.random() < 0.2:
            asked["polish"] = True
    elif solver == "lp":
        asked = {"side": random.randint(0, 1), "method": random.choice(("simplex", "simplex", "ipm"))}
    if random.random() < 0.3:
        asked["forced"] = False
    return solver, asked


def by_solvers(judge: Judge, game: Any, asked: list[tuple[str, dict[str, Any]]]) -> None:
    for solver, options in asked:
        if solver in TABLES and judge.flat.entries > MOST_ENTRIES:
            continue
        with tempfile.TemporaryDirectory() as folder:
            log = Path(folder, "log.csv")
            try:
                solution = ruse.solve(game, solver, log=log, **options)
            except RuseError as error:
                raise Contradiction(f"a solution by {solver} {options}", error, judge.value) from error
            judge.judge(solution, exact=solver in EXACT)
            judge.logs.append(log.read_text())


def by_file(judge: Judge, named: Node, names: texts.Names, random: Random) -> None:
    """The same as an .efg file with odd names: read, solved, saved, exported and reread."""
    read = ruse.games.efg(text=texts.efg(named, names))
    again = write_efg(read)
    if (wrong := texts.difference(pruned(judge.tree), texts.read_efg(again))) is not None:
        raise Contradiction("an .efg file that ruse read and wrote", wrong, "the same tree")
    solution = ruse.solve(read)
    judge.judge(solution, exact=True)
    once_more = ruse.solve(ruse.games.efg(text=again))
    expect("the value of an exported .efg file", once_more.certificate, solution.certificate)
    check_views(judge.tree, solution, random)
    with tempfile.TemporaryDirectory() as folder:
        check_kept(solution, Path(folder), random)
        check_csv(solution, export(solution, "csv", Path(folder, "strategies.csv")).read_text(encoding="utf-8"))
    if judge.flat.entries <= MOST_ENTRIES:
        payoffs = texts.read_nfg(write_nfg(read))
        expect("the value of an exported .nfg file", solve_table(payoffs)[0], judge.value)


def check_csv(solution: Solution, text: str) -> None:
    for side, table in enumerate(texts.read_csv(text)):
        expect("a strategy in a CSV file", table, {at: dict(odds) for at, odds in solution.tables[side].items()})


def must_refuse_or_keep(solution: Solution) -> None:
    """A game in Python is not saved under a name that stands for another, and opened only by whoever has it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "own.ruse")
        try:
            solution.save(path)
        except RuseError:
            if path.exists():
                raise Contradiction("a game of somebody's own that was not saved", "a file", "no file") from None
            return
        try:
            alone: Any = ruse.load(path)
        except RuseError:
            alone = None
        expect("a saved game of somebody's own, opened without it", alone, None)
        try:
            found = ruse.load(path, game=solution.game).verify()
        except RuseError as error:
            about = f"a saved game of somebody's own called {solution.game.name}"
            raise Contradiction(about, error, "verified") from None
        expect("the bounds of a saved game of somebody's own", found, solution.certificate)


def seen_by_all(tree: Node) -> bool:
    """Whether every information set is a single node."""
    seen: set[tuple[int, str]] = set()
    for node, _ in pairs(tree, Rules(tree)):
        if isinstance(node, Choice):
            if (node.side, node.known) in seen:
                return False
            seen.add((node.side, node.known))
    return True


def by_induction(tree: Node, game: Any, value: Fraction | None) -> None:
    """Backward induction, on games that say that nothing is hidden."""
    try:
        solution = ruse.solve(game, "backward-induction")
    except RuseError as error:
        if isinstance(game, OpenRules):
            raise Contradiction("a solution by backward-induction", error, value) from error
        return
    expect("the value by backward induction", (solution.certificate.lower, solution.certificate.upper), (value, value))
    Judge(_by_node(tree), value).judge(solution, exact=True)


def _by_node(tree: Node) -> Node:
    """The tree with an information set for each node, as is the case where everything is seen."""
    count = 0

    def follow(node: Node) -> Node:
        nonlocal count
        count += 1
        if isinstance(node, Leaf):
            return node
        if isinstance(node, Choice):
            node = replace(node, known=f"n{count}")
        return replace(node, after=tuple(map(follow, node.after)))

    return follow(tree)
