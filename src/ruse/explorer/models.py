"""Pages: each model serves the template, the JSON twin and OpenAPI. Exact numbers are fractions such as "-2/3".

Dataclasses of other rooms appear in pages as they are (ruse.core.jsonable). A page made of the attributes of one object
is read from it by `model_validate`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, RootModel, computed_field

from ruse.core import rationals
from ruse.core.certificate import Certificate
from ruse.core.jsonable import Exact
from ruse.core.types import Odds
from ruse.explorer import wording
from ruse.explorer.home import GameCard
from ruse.explorer.jobs import RunPoint
from ruse.explorer.position_wording import Term
from ruse.explorer.search import Hit
from ruse.insight.model import Worst
from ruse.insight.reasons import Explanation, Reason
from ruse.present.at_random import RandomDevice
from ruse.present.model import Belief, Chip, Option, Seat
from ruse.present.strategy_words import SpokenSection
from ruse.verify.exploitability import Exploited

IDENTITY = Field(description="of the game: the same for the same rules, name, parameters and files, and for no others")


class PageModel(BaseModel):
    model_config = ConfigDict(
        from_attributes=True, use_attribute_docstrings=True, json_schema_serialization_defaults_required=True
    )


class ProblemModel(PageModel):
    error: str = Field(examples=["expected a position of a game in the library, got 'chess/e4'"])
    status: int


class ValueModel(PageModel):
    exact: Exact | None = Field(description="null if the game is not solved exactly")
    float: float


class EntryModel(PageModel):
    title: str = Field(examples=["resistance-5"])
    label: str = Field(description="the name that somebody gave it, or the title in words")
    game: str
    identity: str = IDENTITY
    origin: str = Field(examples=["built in"])
    rules: str = Field(description="in about three sentences")
    table: str = Field(description="the table, if the game has several")
    solved: bool
    name: str | None = Field(description="of the file")
    file: str = Field(description="?file= in addresses: tells apart games with one title and solutions of one game")
    headline: str | None
    known: str | None = Field(description="its known value, if it is not solved here yet")
    kept: bool = Field(description="whether it can be renamed and deleted here")
    written: str | None = Field(description="when the file was written")
    too_large: bool = Field(description="to look at position by position")
    solver: str | None
    exact: bool | None
    standing: str = Field(description="of a file from elsewhere: claimed, checked or refuted in this run; else empty")
    positions: list[int] | None = Field(description="how many positions each side's strategy covers")
    page: str


class KeptModel(PageModel):
    file: str
    label: str | None = Field(description="the name that somebody gave it; null if none, or deleted")


class FoundModel(PageModel):
    words: str
    hits: Sequence[Hit]


class LibraryModel(PageModel):
    entries: list[EntryModel]
    games: list[str]
    cards: Sequence[GameCard] = Field(description="the games of the home page, in groups")


class EndsModel(PageModel):
    least: str | None
    greatest: str | None


class RangeModel(EndsModel):
    least: str | None = Field(description="over all optimal strategies that reach this position; null if none does")
    proved: list[str] | None = Field(default=None, description="which ends are proved, if not both")
    attained: EndsModel | None = Field(
        default=None, description="the values that optimal strategies attain, if different"
    )


class MoveCostModel(PageModel):
    cost: str = Field(description="what it loses, compared with the best move here: the primary figure")
    kind: str | None = Field(description="must, may or never over all optimal strategies; null if not proved")


class CostsModel(PageModel):
    """What the costs of moves rest on."""

    basis: str = Field(
        description="reference: against one fixed optimal strategy of the other side; or quasi-perfect, "
        "fewest-mistakes, re-solved, best or stored",
        examples=["reference"],
    )
    condition: str = Field(description="against whom or what, in words", examples=["against optimal spies"])
    proved: bool = Field(description="whether exactly the moves that some optimal strategy makes here cost 0")


class MoveInsightModel(RangeModel):
    cost: str | None = Field(description="the primary figure; null while ruse works on it")
    kind: str | None = Field(description="must, may or never; null if not proved, or if no optimal strategy comes here")
    price: str | None = Field(description="cost of always making it, counted from the start; at most")
    price_at_least: str | None = Field(default=None, description="if the price is only bounded")
    loss: str | None = Field(description="against the stored opponent; null if that never comes here")


class BeliefInsightModel(RangeModel):
    stored: str | None = Field(description="if the other side plays as stored; null if that never comes here")
    slip: str | None = Field(description="if it slips with the given probability")
    facts: str = Field(description="by the facts alone")


class InsightModel(PageModel):
    """What holds for all optimal strategies, and against opponents who slip."""

    game: str
    identity: str = IDENTITY
    position: str
    side: str
    moves: dict[str, MoveInsightModel]
    costs: CostsModel | None = Field(description="what the costs of moves rest on")
    beliefs: dict[str, BeliefInsightModel]
    slip: str = Field(examples=["1/10"], description="how often the other side makes a random move")
    own: str = Field(description="what one player knows beyond the side")
    own_facts: dict[str, str] = Field(description="possible values of own, with their meaning")
    worst: Worst | None = Field(description="the worst that the facts allow; null if nothing is hidden")
    exact: bool = Field(description="whether all is proved, rather than bounded")
    notes: list[str]
    seconds: float


class CertificateModel(PageModel):
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


class WhyModel(PageModel):
    """Why a move is right or wrong."""

    cost: Exact | None = Field(description="what the move loses; null where no costs are known")
    condition: str = Field(description="against whom or what the cost is")
    reasons: Sequence[Reason] = Field(description="the first says what the move costs, the others why")
    line: Sequence[str] = Field(description="positions after the move, each time the likeliest")

    @classmethod
    def of(cls, explanation: Explanation) -> WhyModel:
        return cls(
            cost=explanation.cost,
            condition=explanation.condition,
            reasons=explanation.reasons,
            line=explanation.line,
        )


class PositionModel(PageModel):
    game: str = Field(examples=["resistance-5"])
    identity: str = IDENTITY
    position: str = Field(examples=["resistance-5/ab+"])
    sentence: str = Field(examples=["Spies win 70% from here if both sides play optimally"])
    condition: str = Field(
        description="the condition of the value", examples=["if both sides play the stored strategies"]
    )
    terms: Sequence[Term] = Field(description="values under other conditions")
    mark: str = Field(examples=["7/10, exact"])
    side: str
    turn: str | None
    value: ValueModel
    win: Mapping[str, Exact] | None
    exact: bool
    reached: bool
    reach: Exact | None
    advice: str = Field(
        description="what the odds of moves are: stored; or, where play never comes here, quasi-perfect, re-solved, "
        "best, or none: the stored odds are then no advice"
    )
    assumption: str
    history: Sequence[Chip]
    options: Sequence[Option]
    moves: dict[str, MoveCostModel] = Field(
        description="costs of the moves of the side that looks; empty if it does not move, or while ruse works on them"
    )
    costs: CostsModel | None = Field(description="what the costs of moves rest on; null where there are none")
    beliefs: Sequence[Belief]
    seats: Sequence[Seat]
    table: Sequence[Sequence[str]]
    notes: Sequence[str]
    solver: str
    certificate: CertificateModel = Field(description="what both strategies guarantee in the whole game")
    why: Mapping[str, WhyModel] = Field(default={}, description="of the move that `why` names: its reasons")
    at_random: Sequence[RandomDevice] = Field(description="how to choose between the moves at random, at a table")


class TreeModel(PageModel):
    """A position and what may follow it."""

    identity: str | None = Field(default=None, description="of the game, at the first position")
    move: str | None = Field(default=None, description="that leads here")
    odds: Exact | None = Field(default=None, description="of the move")
    often: Exact = Field(description="how likely play from the first position comes here")
    position: str | None = Field(description="null if not shown")
    value: Exact | None = Field(description="payoff to the first side")
    left_out: int = Field(default=0, description="moves that are not in children, as they would be too many")
    children: list[TreeModel] = []


class OddsModel(PageModel):
    side: str
    position: str
    odds: Odds = Field(description="of each move")


class ExploitedModel(ValueModel):
    """The most that one side could gain against the other's strategy; if `exact` is null, `float` is an upper bound."""

    by: str = Field(description="the side that could gain")

    @classmethod
    def of(cls, exploited: Exploited) -> ExploitedModel:
        by, gain = exploited.game.sides[1 - exploited.side], exploited.gain
        return cls(by=by, exact=gain if exploited.exact else None, float=rationals.float_above(gain))


class WholeModel(PageModel):
    game: str
    identity: str = IDENTITY
    sentence: str
    mark: str
    certificate: CertificateModel
    solver: str
    seconds: float
    exploitability: dict[str, ExploitedModel] = Field(description="of each side's strategy; empty if unknown")
    too_large: str = Field(description="why positions have no pages; empty if they have")
    positions: list[int] = Field(description="how many each side's strategy covers")
    points: Sequence[RunPoint] = Field(description="how the bounds converged")
    strategies: list[OddsModel] = Field(description="at the requested position, or at those that begin with it")


class RulesModel(PageModel):
    side: str
    preface: str
    outline: list[str] = Field(description="a summary, if the rules are too many to read")
    spoken: Sequence[SpokenSection] = Field(description="as a person would say it; empty where ruse has no words")
    rules: list[str]
    off_path: list[str] = Field(description="positions among them that play never reaches; empty where unknown")


class WordsModel(PageModel):
    game: str
    identity: str = IDENTITY
    headline: str
    sides: list[RulesModel]


class JobModel(PageModel):
    id: str
    kind: str = Field(description="solve, size, verify, contest, studio or open")
    title: str
    identity: str = Field(description="of the game, once it is known")
    state: str = Field(description="waiting, running, done, stopped or failed")
    text: str
    size: str
    note: str
    seconds: float = Field(validation_alias="elapsed")
    share: float | None = Field(description="how much is done, from 0 to 1, where that is known")
    points: Sequence[RunPoint]
    open: str | None = Field(validation_alias="page", description="the page of the solution, once it exists")
    again: str = Field(description="the page that starts the same job again")

    @computed_field
    def lower(self) -> float | None:
        return self.points[-1].lower if self.points else None

    @computed_field
    def upper(self) -> float | None:
        return self.points[-1].upper if self.points else None

    @computed_field(description="both as the page shows them, rounded outward")
    def bounds(self) -> list[str] | None:
        return wording.rounded(self.points[-1].lower, self.points[-1].upper) if self.points else None


class JobsModel(PageModel):
    jobs: list[JobModel]


class ParameterModel(PageModel):
    name: str
    hint: str
    default: str | None
    help: str


class SolveModel(PageModel):
    game: str
    summary: str
    advice: str = Field(description="on its parameters")
    parameters: list[ParameterModel]
    solvers: list[str]


class ContestModel(PageModel):
    contest: str = Field(examples=["war"])
    rules: str
    cut: str | None = Field(description="when a match is cut, if it can be")
    parameters: int = Field(description="of a strategy")
    meaning: str = Field(description="of the parameters")
    ours: bool = Field(description="whether ruse chose the parametrisation")
    best: dict[str, Any] | None = Field(description="the best learned strategy, as ruse evolve writes it")
    score: str | None = Field(description="what it won against the baseline when ruse found it")
    named: list[str]
    paper: dict[str, str] = Field(description="winning rates that Cauwet and Teytaud report")
    game: str | None = Field(description="the built-in game that it plays")
    measured: dict[str, Any] | None = Field(description="the results of the latest matches here")
    play: dict[str, str] | None = Field(description="title and file of the learned strategy, to play against")
    why_not: str | None = Field(description="why a person cannot play against it")
    page: str


class ContestsModel(PageModel):
    contests: list[ContestModel]


class CompanionModel(PageModel):
    tables: list[dict[str, Any]] = Field(description="the parameters of each official table")


class HabitModel(PageModel):
    title: str
    finding: str = Field(description="what people do, with counts")
    advice: str
    head: tuple[str, ...] = Field(description="of the table of counts")
    rows: tuple[tuple[str, ...], ...]


class HabitsModel(PageModel):
    source: str
    habits: list[HabitModel]


class StrategyModel(PageModel):
    """Both strategies at a table, as the game's companion packs them for its scripts."""

    model_config = ConfigDict(extra="allow")

    table: dict[str, Any] = Field(description="the parameters of the table")


class StartedModel(PageModel):
    id: str
    page: str


class StudioModel(PageModel):
    """A variant of a game as it is edited; without a value if it is impossible."""

    game: str
    page: str = Field(description="opens it again")
    parameters: dict[str, Any] = Field(description="all parameters; of an impossible variant, the given ones")
    title: str | None = None
    line: str = Field(default="", description="the variant in one line")
    row: dict[str, Any] | None = Field(default=None, description="as `ruse sweep --json` prints it")
    told: str = ""
    sentence: str = ""
    exact: bool | None = None
    difference: Exact | None = Field(default=None, description="from the official variant, in win rates or payoffs")
    changed: str = Field(default="", description="the difference in words")
    solution: str | None = Field(default=None, description="the page of its solution")
    card: str | None = Field(default=None, description="its rules to print")
    trouble: str = Field(default="", description="why it is not a variant")
    texts: dict[str, str] = Field(default={}, description="all parameters as the form shows them")
    official: str = Field(default="", description="the page of the official rules for the first parameter")
    pending: str = Field(default="", description="what is being done, while there is no value yet: ask again")
    seconds: float = Field(default=0, description="how long that takes so far")
    version: str = Field(default="", description="changes when a file of the user's own game does")
    signature: str = Field(default="", description="changes when the parameters of the user's own game do")
    broken: bool = Field(default=False, description="whether a file of the user's own game cannot be run")


class StudioVersionModel(PageModel):
    version: str = Field(description="changes when a file of the user's own game does")


class StudioCellModel(PageModel):
    exact: Exact | None
    float: float
    told: str
    page: str
    official: bool = Field(default=False, description="whether it is what the game fills in by default")


class StudioMapModel(PageModel):
    game: str
    across: str
    down: str
    columns: list[str]
    rows: list[str]
    here: list[str] = Field(description="the column and the row of the variant itself")
    cells: list[list[StudioCellModel | None]] = Field(description="null if there is no variant, or no time was left")
    complete: bool
    target: float = Field(description="the middle of the colours: an even game")


class ReportDataModel(RootModel[dict[str, Any]]):
    """What the command of a report prints with --json."""


_PROBLEM: dict[str, Any] = {
    "model": ProblemModel,
    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ProblemModel"}}, "text/html": {}},
}
PROBLEMS: dict[int | str, dict[str, Any]] = {
    **dict.fromkeys((400, 401, 403, 404, 409, 410, 413, 421, 422, 429), _PROBLEM),
    202: {"model": StartedModel, "description": "A job comes first: ask again once it has ended"},
}
