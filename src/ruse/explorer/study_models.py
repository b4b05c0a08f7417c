"""Page models for research: public states, game trees, edited strategies, runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import Field, computed_field

from ruse.core.jsonable import Exact
from ruse.core.types import Odds
from ruse.explorer.models import IDENTITY, PageModel
from ruse.present.edited import Deviation
from ruse.present.state_tree import StateRow


class HandMoveModel(PageModel):
    odds: Exact
    value: Exact | None = Field(description="payoff to the first side after it")
    loss: Exact | None = Field(description="against the stored opponent")
    kind: str | None = Field(description="must, may or never; null if insight is missing or proves nothing")
    least: Exact | None = Field(description="over all optimal strategies, if insight was requested")
    greatest: Exact | None


class HandModel(PageModel):
    what: str = Field(examples=["K"], description="what distinguishes it from other hands")
    position: str = Field(examples=["kuhn@K/check"])
    odds: Exact = Field(description="probability given only public information")
    value: Exact = Field(description="payoff to the first side")
    reached: bool
    moves: dict[str, HandMoveModel]


class PublicSideModel(PageModel):
    side: str
    steps: Sequence[str] = Field(description="what is public, the earliest first")
    moves: Sequence[str]
    hands: list[HandModel]
    together: Odds = Field(description="how often each move is made over all hands")
    hands_left_out: int
    moves_left_out: int


class PublicModel(PageModel):
    """A public state: all hands of the side to move."""

    game: str
    identity: str = IDENTITY
    position: str = Field(description="the requested position")
    exact: bool
    sides: list[PublicSideModel] = Field(description="two if it is not public whose turn it is")


class MetricModel(PageModel):
    name: str
    title: str
    what: str = Field(description="what it measures")
    figure: float | None = Field(description="null if the game has no such figure")
    text: str
    reason: str = Field(description="why there is no figure")
    of: str = Field(description="pair or all: one pair of strategies, or all optimal ones")


class ChangeModel(PageModel):
    change: str = Field(examples=["faces: 4 → 5"])
    difference: Exact = Field(description="in win rates of the first side, or in its payoffs")
    value: str
    amount: str


class MetricsModel(PageModel):
    """How a game plays under its optimal strategies."""

    game: str
    identity: str = IDENTITY
    headline: str
    basis: str = Field(description="reference, stored or approximate: the strategies that the figures are of")
    sentence: str
    warnings: list[str]
    complete: bool
    figures: list[MetricModel]
    failed: dict[str, str] = Field(description="metrics without an answer, and why")
    metrics: dict[str, Any] = Field(description="as `ruse metrics --json` prints them")
    changes: list[ChangeModel] | None = Field(description="null if nobody asked")


class StatesModel(PageModel):
    """A tree of states, the open part."""

    game: str
    identity: str = IDENTITY
    position: str
    root: int
    nodes: Sequence[StateRow]


class EditModel(PageModel):
    """A strategy changed by hand, and the best response to it. Payoffs are to the first side, fractions."""

    game: str
    identity: str = IDENTITY
    position: str
    side: str = Field(description="whose strategy is changed")
    odds: Odds = Field(description="of that side at the position, with the changes")
    stored: Odds
    changes: Mapping[str, Odds]
    before: Exact = Field(description="value of the stored strategy against its best response")
    kept: Exact = Field(description="value with the changes, against the stored strategy")
    answered: Exact = Field(description="value with the changes, against a best response")
    gain: Exact = Field(description="of the other side, by a best response instead of the stored strategy")
    deviations: Sequence[Deviation] = Field(description="where the best response differs from the stored strategy")


class MomentModel(PageModel):
    """The bounds of a run at one moment."""

    iteration: int | None = Field(default=None, description="null if the run did not record it")
    seconds: float
    lower: float
    upper: float

    @computed_field  # type: ignore[prop-decorator]
    @property
    def gap(self) -> float:
        return max(0.0, self.upper - self.lower)


class RunModel(PageModel):
    key: str = Field(description="?run= in addresses")
    game: str
    identity: str = IDENTITY
    name: str
    solver: str
    page: str
    points: list[MomentModel]


class ConvergenceModel(PageModel):
    """Compare runs."""

    runs: list[RunModel]
