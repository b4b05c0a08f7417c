"""`Solution` and `Strategy`: the odds of each move at each position, with their certificate.

All solvers end in a `Solution`. Its convenience methods import the rooms that do the work when they are display_name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ruse.core import rationals
from ruse.core.capabilities import Bulk, Representatives, constant, payoff_to
from ruse.core.game import Game, PositionError, display_name, moving, side_number, with_article
from ruse.core.html import facts_table, grid_table
from ruse.core.registry import presentation
from ruse.core.types import Odds, StrategyTable

if TYPE_CHECKING:
    from ruse.core.certificate import Certificate
    from ruse.insight.model import Insight
    from ruse.present.drawing import Drawing
    from ruse.solution.history import Point
    from ruse.solution.mistakes import Mistakes
    from ruse.solution.on_path import Positions
    from ruse.verify.exploitability import Exploited

MOST_FOLDED = 500  # positions of strategies that a notebook shows in words, folded
MOST_SHOWN = 20  # positions of a strategy in a notebook


class Unlisted(PositionError, KeyError):
    """A position that a strategy does not list: one of the other side, one that it never reaches, or an invalid one."""

    __str__ = Exception.__str__  # a KeyError would put the sentence in quotation marks


@dataclass(frozen=True)
class Strategy(Mapping[str, dict[str, Fraction]]):
    """One side's strategy: a mapping from positions to odds.

    `strategy["kuhn@J"]` gives the odds of each move there, and iteration gives the positions of its table. At a
    position that the table leaves out, the game may still have advice.
    """

    game: Game
    side: int
    table: StrategyTable
    otherwise: Callable[[str], Odds] | None = None
    rounding: Fraction = Fraction(0)  # by how much the odds of a move may differ from those that were given, as floats

    def at(self, position: str) -> dict[str, Fraction]:
        """The odds of each move at a position.

        Parameters
        ----------
        position
            In the notation of docs/reference/positions.md, such as "kuhn@K/bet".

        Returns
        -------
        dict
            The odds of each move, by its name.

        Raises
        ------
        PositionError
            There is no such position, or this side does not move there.

        Examples
        --------
        >>> import ruse
        >>> ruse.solve(ruse.games.kuhn()).strategy("first").at("kuhn@J")
        {'check': Fraction(2, 3), 'bet': Fraction(1, 3)}
        """
        odds: Odds | None = self.table.get(position)
        calls: Callable[[str], str] = str
        if odds is None and isinstance(self.game, Representatives):
            representative, calls = self.game.representative_position(position, self.side)
            odds = self.table.get(representative)
            if odds is None and self.otherwise is not None:
                odds = self.otherwise(representative)
        if odds is None:
            raise Unlisted(
                f"expected a position of {self.game.title} where {moving(self.game.sides[self.side])}, got {position!r}"
            )
        named_odds: dict[str, Fraction] = {}
        for move, share in odds.items():  # moves that look alike here share a name
            named_odds[calls(move)] = named_odds.get(calls(move), Fraction(0)) + share
        return named_odds

    def __getitem__(self, position: str) -> dict[str, Fraction]:
        return self.at(position)

    def __iter__(self) -> Iterator[str]:
        return iter(self.table)

    def covers(self, position: str) -> bool:
        """Whether the strategy itself lists a position, rather than the game's advice."""
        if position in self.table:
            return True
        return (
            isinstance(self.game, Representatives)
            and self.game.representative_position(position, self.side)[0] in self.table
        )

    def __len__(self) -> int:
        return len(self.table)

    def frame(self) -> Any:
        """The strategy as a `pandas.DataFrame`, one row per move: side, position, move, odds and share."""
        from ruse.formats.frames import strategy_frame

        return strategy_frame(self)

    def __repr__(self) -> str:
        name = with_article(self.game.sides[self.side])
        return f"<strategy of {name} in {self.game.title}: {len(self.table)} positions>"

    def _repr_html_(self) -> str:
        shown = list(islice(self.table.items(), MOST_SHOWN))
        rows = [(position, _odds_text(odds)) for position, odds in shown]
        caption = f"{display_name(self.game.sides[self.side])} in {self.game.title}"
        return grid_table(caption, ("position", "odds"), rows, len(self.table) - len(shown))


@dataclass(frozen=True)
class Solution:
    """Strategies for both sides, and the bounds on the value that they guarantee."""

    game: Game
    solver: str
    tables: tuple[StrategyTable, StrategyTable]
    certificate: Certificate
    seconds: float
    iterations: int
    options: Mapping[str, Any] = field(default_factory=dict)  # the options that are not the default
    versions: Mapping[str, str] = field(default_factory=dict)
    why: str = field(default="", compare=False)  # why ruse chose this solver
    note: str = field(default="", compare=False)  # anything else worth knowing about the run
    points: Sequence[Point] = field(default=(), compare=False)  # how the bounds of an iterating solver converged
    reductions: Sequence[str] | None = field(default=None, compare=False)  # those used; None if read from a file
    mistakes: Mistakes | None = field(default=None, compare=False, repr=False)  # of a quasi-perfect equilibrium
    route: str = field(default="", compare=False, repr=False)  # how ruse solved the game; "" if read from a file
    declined: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)  # why not by other routes

    @property
    def value(self) -> Fraction | float:
        """The payoff to side 0: a fraction if it is certified exactly, else the middle of the bounds."""
        if self.certificate.exact:
            return self.certificate.lower
        return float(self._middle)

    @property
    def values(self) -> dict[str, Fraction | float]:
        """The payoff to each side. They add up to a constant, which is 0 in most games."""
        number = Fraction if self.certificate.exact else float
        return {name: number(payoff_to(self.game, side, self._middle)) for side, name in enumerate(self.game.sides)}

    @property
    def _middle(self) -> Fraction:
        return (self.certificate.lower + self.certificate.upper) / 2

    @cached_property
    def identity(self) -> str:
        """A digest that distinguishes this solution from all others (ruse.core.identity)."""
        from ruse.core.identity import identity_of

        return identity_of(self)

    @property
    def judged(self) -> bool:
        """Whether the bounds are proved: not if the game was sampled because it is too large to walk."""
        return not self.options.get("unjudged", False)

    @property
    def solver_finished(self) -> bool:
        """Whether the solver ended by itself or reached a limit other than time."""
        return not self.options.get("stopped")

    @property
    def solved(self) -> bool:
        """Whether the bounds are close enough: equal, or within the gap in the options."""
        return self.judged and self.certificate.gap <= (self.options.get("gap") or 0)

    @property
    def written(self) -> bool:
        """Whether there are strategies: not if time ran out before they were written down."""
        return not self.options.get("unwritten", False)

    @property
    def by_class(self) -> bool:
        """Whether the tables list classes of positions rather than seats and cards."""
        return bool(self.options.get("filed") or all(self.options.get(name, True) for name in ("teams", "symmetry")))

    @cached_property
    def win(self) -> dict[str, Fraction | float]:
        """How often each side wins; empty for games with other payoffs, and if computing it takes too long."""
        if not self.judged:
            return {}
        if len(self.game.wins) == 2:
            number = Fraction if self.certificate.exact else float
            pair = (1 + self._middle) / 2, (1 - self._middle) / 2
            return {name: number(share) for name, share in zip(self.game.wins, pair, strict=True)}
        from ruse.core.size_estimate import MOST_FOR_DRAWS, walkable
        from ruse.verify.verifier import verifier

        if (
            not self.game.wins
            or not self.written
            or (isinstance(self.game, Bulk) and not walkable(self.game, MOST_FOR_DRAWS))
        ):
            return {}
        shares = verifier(self.game, self.by_class).outcomes(self.tables)
        number = Fraction if self.certificate.exact else float  # shares of strategies that may not be optimal
        return {
            name: number(shares.get(Fraction(payoff), Fraction(0)))
            for name, payoff in zip(self.game.wins, (1, -1, 0), strict=True)
        }

    @cached_property
    def on_path(self) -> Positions | None:
        """Each side's positions that are reached if both sides follow their strategies; None where it is not known."""
        from ruse.solution.on_path import on_path

        return on_path(self)

    @cached_property
    def exploitability(self) -> Sequence[Exploited]:
        """What each side could still gain against the other's strategy; empty if nothing is known."""
        from ruse.verify.exploitability import exploitability

        return exploitability(self)

    def strategy(self, side: int | str) -> Strategy:
        """The strategy of a side, by its number or any of its names: 0, "first" or "Player 1"."""
        return self._strategies[side_number(self.game, side)]

    @cached_property
    def _strategies(self) -> tuple[Strategy, Strategy]:
        def of(side: int) -> Strategy:
            otherwise = presentation(self.game).adviser(side, self.tables) if self.by_class else None
            return Strategy(self.game, side, self.tables[side], otherwise)

        return of(0), of(1)

    def verify(self) -> Certificate:
        """Recompute both best responses exactly from the rules. Raises VerifyError if the bounds differ."""
        from ruse.verify import verify

        return verify(self)

    def save(self, path: str | Path) -> Path:
        """Save the solution to a file, all of it or nothing."""
        from ruse.solution.store import save

        return save(self, Path(path))

    def plot(self, path: str | Path | None = None) -> Any:
        """Plot the convergence of the gap to a file (PNG, SVG or PDF); without a path, return the matplotlib figure."""
        from ruse.present.figures import draw_gaps

        return draw_gaps(self.points, f"{self.game.title} by {self.solver}", None if path is None else Path(path))

    def to_pandas(self) -> Any:
        """Both strategies as a `pandas.DataFrame`, with one row per move (docs/how-to/tables.md)."""
        from ruse.formats.frames import to_pandas

        return to_pandas(self)

    def to_polars(self) -> Any:
        """Both strategies as a `polars.DataFrame`, with one row per move (docs/how-to/tables.md)."""
        from ruse.formats.frames import to_polars

        return to_polars(self)

    def to_openspiel(self) -> Any:
        """Both strategies as OpenSpiel's `TabularPolicy`, for a game that OpenSpiel has (docs/how-to/openspiel.md)."""
        from ruse.formats.openspiel_policy import policy

        return policy(self)

    def tree(self, position: str | None = None, depth: int = 3) -> Drawing:
        """Draw the tree below a position: notebooks show the picture, and `.svg()` is its text."""
        from ruse.present.drawing import tree
        from ruse.present.viewer import viewer

        return tree(viewer(self), position, depth)

    def insight(self, *, symmetry: bool = True, file: str | Path | None = None) -> Insight:
        """Facts about all optimal strategies, and beliefs about opponents who slip (docs/how-to/insight.md)."""
        from ruse.insight import insight

        return insight(self, symmetry=symmetry, file=file)

    def words(self) -> str:
        """Both strategies as rules in words, which `ruse score` can read."""
        from ruse.present.rules import words

        return words(self)

    def to_json(self) -> dict[str, Any]:
        """The fields that `ruse solve --json` prints (docs/reference/json.md)."""
        return {
            "game": self.game.name,
            "parameters": dict(self.game.parameters),
            "solver": self.solver,
            **({"why": self.why} if self.why else {}),
            **({"note": self.note} if self.note else {}),
            **self._route(),
            "options": dict(self.options),
            "seconds": round(self.seconds, 6),
            "iterations": self.iterations,
            **({} if self.reductions is None else {"reductions": list(self.reductions)}),
            "solver_finished": self.solver_finished,
            "value": {"exact": _number(self.value) if self.certificate.exact else None, "float": float(self.value)},
            **self._shared(),
            "certificate": self.certificate.to_json(),
            "gap": rationals.float_above(self.certificate.gap),
            **({"win": {name: _number(share) for name, share in win.items()}} if (win := self.win) else {}),
            **presentation(self.game).json_fields(self),
        }

    def _route(self) -> dict[str, Any]:
        """How ruse solved the game, and why not by the routes that it considered before."""
        declined = [{"route": name, "reason": reason} for name, reason in self.declined.items()]
        return {"route": self.route, "declined": declined} if self.route else {}

    def _shared(self) -> dict[str, Any]:
        """The fields of a constant-sum game."""
        if not (total := constant(self.game)):
            return {}
        values = {name: _number(value) for name, value in self.values.items()}
        return {"constant": rationals.write(total), "values": values}

    def headline(self) -> str:
        """One line: who wins how often, or the value of the game, and how certain that is."""
        from ruse.solution.headline import headline

        return headline(self)

    def __repr__(self) -> str:
        return f"<solution of {self.headline()}, by {self.solver} in {self.seconds:.2f} s>"

    def __rich__(self) -> str:
        return f"[bold]{self.headline()}[/bold]\n{self.solver}, {self.seconds:.2f} s"

    def _repr_html_(self) -> str:
        from html import escape

        first, second = map(display_name, self.game.sides)
        facts = [
            ("certificate", " ≤ value ≤ ".join(rationals.bounds(self.certificate.lower, self.certificate.upper))),
            ("positions", f"{len(self.tables[0])} for {first}, {len(self.tables[1])} for {second}"),
            ("solver", f"{self.solver}, {self.seconds:.2f} s"),
            ("reductions", ", ".join(self.reductions or ())),
        ]
        table = facts_table(self.headline(), facts)
        if sum(len(table) for table in self.tables) > MOST_FOLDED:
            return table
        return f"{table}<details><summary>both strategies in words</summary><pre>{escape(self.words())}</pre></details>"


def _odds_text(odds: Odds) -> str:
    """The moves that are made sometimes, with their odds."""
    shares = {move: share for move, share in odds.items() if share}
    if len(shares) == 1:
        return next(iter(shares))
    return ", ".join(f"{move} {rationals.short(share)}" for move, share in shares.items())


def _number(share: Fraction | float) -> str | float:
    return rationals.write(share) if isinstance(share, Fraction) else share
