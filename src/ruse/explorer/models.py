"""Pages: what a template shows, its JSON twin holds and OpenAPI describes. Exact numbers are fractions such as "-2/3".

What other rooms keep in dataclasses stands in pages as it is (ruse.core.jsonable); a page that is made of the
attributes of one object is read from it by `model_validate`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, computed_field

from ruse.core import rationals
from ruse.core.certificate import Certificate
from ruse.core.jsonable import Exact
from ruse.core.types import Odds
from ruse.explorer import say
from ruse.explorer.jobs import Point
from ruse.explorer.search import Hit
from ruse.explorer.tell import Term
from ruse.insight.model import Worst
from ruse.present.model import Belief, Chip, Option, Seat, Why
from ruse.verify.exploitability import Exploited

IDENTITY = Field(description="of the game: the same for the same rules, name, parameters and files, and for no others")


class Page(BaseModel):
    model_config = ConfigDict(
        from_attributes=True, use_attribute_docstrings=True, json_schema_serialization_defaults_required=True
    )


class ProblemModel(Page):
    error: str = Field(examples=["expected a position of a game in the library, got 'chess/e4'"])
    status: int


class ValueModel(Page):
    exact: Exact | None = Field(description="null where the game is not solved exactly")
    float: float


class EntryModel(Page):
    title: str = Field(examples=["resistance-5"])
    label: str = Field(description="what people read: a name that was given, or the title in words")
    game: str
    identity: str = IDENTITY
    origin: str = Field(examples=["built in"])
    rules: str = Field(description="in about three sentences")
    table: str = Field(description="what is played at, where a game has many tables")
    solved: bool
    name: str | None = Field(description="of the file")
    file: str = Field(description="tells games of one title and solutions of one game apart: ?file= in addresses")
    headline: str | None
    known: str | None = Field(description="what it is known to be worth, where it has yet to be solved here")
    kept: bool = Field(description="whether it can be renamed and deleted here")
    written: str | None = Field(description="when the file was written")
    too_large: bool = Field(description="to look at position by position")
    solver: str | None
    exact: bool | None
    standing: str = Field(description="of a file from elsewhere: claimed, checked or refuted in this run; else empty")
    positions: list[int] | None = Field(description="how many positions each side's strategy covers")
    page: str


class KeptModel(Page):
    file: str
    label: str | None = Field(description="the name that it was given; null where it has its own, or is deleted")


class FoundModel(Page):
    words: str
    hits: Sequence[Hit]


class LibraryModel(Page):
    entries: list[EntryModel]
    games: list[str]


class EndsModel(Page):
    least: str | None
    greatest: str | None


class RangeModel(EndsModel):
    least: str | None = Field(description="over all optimal strategies that come here; null where none does")
    proved: list[str] | None = Field(default=None, description="which ends are proved, where not both are")
    attained: EndsModel | None = Field(default=None, description="what optimal strategies have, where that differs")


class MoveInsightModel(RangeModel):
    kind: str | None = Field(description="must, may or never; null where it is not proved or none comes here")
    price: str | None = Field(description="what always making it costs, counted from the start; at most")
    price_at_least: str | None = Field(default=None, description="where the price is only bounded")
    loss: str | None = Field(description="against the stored opponent; null where that never comes here")


class BeliefInsightModel(RangeModel):
    stored: str | None = Field(description="if the other side plays as stored; null where that never comes here")
    slip: str | None = Field(description="if it slips as often as was asked")
    facts: str = Field(description="by the facts alone")


class InsightModel(Page):
    """What holds for all optimal strategies, and against opponents who slip."""

    game: str
    identity: str = IDENTITY
    position: str
    side: str
    moves: dict[str, MoveInsightModel]
    beliefs: dict[str, BeliefInsightModel]
    slip: str = Field(examples=["1/10"], description="how often the other side slips and then moves evenly")
    own: str = Field(description="what one person knows beyond its side, as was asked")
    own_facts: dict[str, str] = Field(description="what could be asked so, and in words")
    worst: Worst | None = Field(description="the worst that the facts allow; null where nothing is hidden")
    exact: bool = Field(description="whether all is proved, rather than bounded")
    notes: list[str]
    seconds: float


class CertificateModel(Page):
    lower: Exact
    upper: Exact
    exact: bool
    proof: str = Field(description="what the bounds rest on", examples=["rules", "form", "declared", "none"])
    standing: str = Field(
        description="solved here; or of a file from elsewhere, claimed, checked or refuted in this run"
    )

    @classmethod
    def of(cls, certificate: Certificate, standing: str) -> CertificateModel:
        return cls(
            lower=certificate.lower,
            upper=certificate.upper,
            exact=certificate.exact,
            proof=certificate.proof,
            standing=standing or "solved here",
        )


class PositionModel(Page):
    game: str = Field(examples=["resistance-5"])
    identity: str = IDENTITY
    position: str = Field(examples=["resistance-5/ab+"])
    sentence: str = Field(examples=["Spies win 70% from here if both sides play optimally"])
    condition: str = Field(
        description="on what terms the value holds", examples=["if both sides play the stored strategies"]
    )
    terms: Sequence[Term] = Field(description="the same on other terms")
    mark: str = Field(examples=["7/10, exact"])
    side: str
    turn: str | None
    value: ValueModel
    win: Mapping[str, Exact] | None
    exact: bool
    reached: bool
    reach: Exact | None
    assumption: str
    history: Sequence[Chip]
    options: Sequence[Option]
    beliefs: Sequence[Belief]
    seats: Sequence[Seat]
    table: Sequence[Sequence[str]]
    notes: Sequence[str]
    solver: str
    certificate: CertificateModel = Field(description="what both strategies guarantee in the whole game")
    why: Why | None = None


class TreeModel(Page):
    """A position and what may follow it."""

    identity: str | None = Field(default=None, description="of the game, at the first position")
    move: str | None = Field(default=None, description="that leads here")
    odds: Exact | None = Field(default=None, description="of the move")
    often: Exact = Field(description="how likely play from the first position comes here")
    position: str | None = Field(description="null where nothing more is told")
    value: Exact | None = Field(description="payoff to the first side")
    left_out: int = Field(default=0, description="moves that are not in children, as they would be too many")
    children: list[TreeModel] = []


class OddsModel(Page):
    side: str
    position: str
    odds: Odds = Field(description="of each move")


class ExploitedModel(ValueModel):
    """What one side could still gain against the other's strategy; `exact` is null where it is no more than `float`."""

    by: str = Field(description="the side that could gain")

    @classmethod
    def of(cls, found: Exploited) -> ExploitedModel:
        by, gain = found.game.sides[1 - found.side], found.gain
        return cls(by=by, exact=gain if found.exact else None, float=rationals.float_above(gain))


class WholeModel(Page):
    game: str
    identity: str = IDENTITY
    sentence: str
    mark: str
    certificate: CertificateModel
    solver: str
    seconds: float
    exploitability: dict[str, ExploitedModel] = Field(
        description="of each side's strategy; empty where nothing is known of them"
    )
    too_large: str = Field(description="why positions have no pages of their own; empty where they have")
    positions: list[int] = Field(description="how many each side's strategy covers")
    points: Sequence[Point] = Field(description="how the bounds came together")
    strategies: list[OddsModel] = Field(description="at the position that was asked for, or at those that begin so")


class RulesModel(Page):
    side: str
    preface: str
    outline: list[str] = Field(description="what the rules come to, where they are too many to read")
    rules: list[str]


class WordsModel(Page):
    game: str
    identity: str = IDENTITY
    headline: str
    sides: list[RulesModel]


class JobModel(Page):
    id: str
    kind: str = Field(description="solve, size, verify, contest or open")
    title: str
    identity: str = Field(description="of the game, once it is known")
    state: str = Field(description="waiting, running, done, stopped or failed")
    text: str
    size: str
    note: str
    seconds: float = Field(validation_alias="elapsed")
    points: Sequence[Point]
    open: str | None = Field(validation_alias="page", description="the page of the solution, once there is one")
    again: str = Field(description="the page that asks for the same once more")

    @computed_field
    def lower(self) -> float | None:
        return self.points[-1].lower if self.points else None

    @computed_field
    def upper(self) -> float | None:
        return self.points[-1].upper if self.points else None

    @computed_field(description="both as the page shows them, rounded outward")
    def bounds(self) -> list[str] | None:
        return say.rounded(self.points[-1].lower, self.points[-1].upper) if self.points else None


class JobsModel(Page):
    jobs: list[JobModel]


class ParameterModel(Page):
    name: str
    hint: str
    default: str | None
    help: str


class SolveModel(Page):
    game: str
    summary: str
    advice: str = Field(description="on its parameters")
    parameters: list[ParameterModel]
    solvers: list[str]


class ContestModel(Page):
    contest: str = Field(examples=["war"])
    rules: str
    cut: str | None = Field(description="when a match is cut, if it can be")
    parameters: int = Field(description="of a strategy")
    meaning: str = Field(description="of the parameters")
    ours: bool = Field(description="whether the parametrisation is our choice")
    best: dict[str, Any] | None = Field(description="the best strategy found, as ruse evolve keeps it")
    score: str | None = Field(description="what it won against the baseline when it was found")
    named: list[str]
    paper: dict[str, str] = Field(description="winning rates that Cauwet and Teytaud report")
    game: str | None = Field(description="the game of ruse's that it is about")
    measured: dict[str, Any] | None = Field(description="what the matches gave when they were last played here")
    play: dict[str, str] | None = Field(description="title and file of the strategy found, ready to be played against")
    why_not: str | None = Field(description="why a person cannot play against it")
    page: str


class ContestsModel(Page):
    contests: list[ContestModel]


class TableModel(Page):
    players: int
    spies: int
    missions: list[int]
    sabotages: list[int]


class CompanionModel(Page):
    tables: list[TableModel]


class StrategyModel(Page):
    table: TableModel
    resistance: dict[str, dict[str, float]] = Field(description="filed position, without its title, to team to odds")
    usual: list[float] = Field(description="on each mission, the odds that spies who can fail it do")
    spies: dict[str, float] = Field(description="the same at filed positions where it is not as usual")


class StartedModel(Page):
    id: str
    page: str


class StudioModel(Page):
    """A variant of a game as it is edited; without a value where it is none."""

    game: str
    page: str = Field(description="opens it again")
    parameters: dict[str, Any] = Field(description="all of them; of what is no variant, those that were given")
    title: str | None = None
    line: str = Field(default="", description="the variant in a line")
    row: dict[str, Any] | None = Field(default=None, description="as `ruse sweep --json` prints it")
    told: str = ""
    sentence: str = ""
    exact: bool | None = None
    difference: Exact | None = Field(default=None, description="from the official variant, in win rates or payoffs")
    changed: str = Field(default="", description="the same in words")
    solution: str | None = Field(default=None, description="the page of its solution")
    card: str | None = Field(default=None, description="its rules to print")
    trouble: str = Field(default="", description="why it is no variant")


class StudioCellModel(Page):
    exact: Exact | None
    float: float
    told: str
    page: str


class StudioMapModel(Page):
    game: str
    across: str
    down: str
    columns: list[str]
    rows: list[str]
    here: list[str] = Field(description="the column and the row of the variant itself")
    cells: list[list[StudioCellModel | None]] = Field(description="null where there is no variant, or no time was left")
    complete: bool


_PROBLEM: dict[str, Any] = {
    "model": ProblemModel,
    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ProblemModel"}}, "text/html": {}},
}
PROBLEMS: dict[int | str, dict[str, Any]] = {
    **dict.fromkeys((400, 401, 403, 404, 409, 410, 413, 421, 422, 429), _PROBLEM),
    202: {"model": StartedModel, "description": "A job comes first: ask again once it has ended"},
}
