"""What the JSON twins of the pages for researchers hold: public states, trees of states, answers, runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import Field, computed_field

from ruse.core.jsonable import Exact
from ruse.core.types import Odds
from ruse.explorer.models import IDENTITY, Page
from ruse.present.edited import Deviation
from ruse.present.state_tree import StateRow


class HandMoveModel(Page):
    odds: Exact
    value: Exact | None = Field(description="payoff to the first side after it")
    loss: Exact | None = Field(description="against the stored opponent")
    kind: str | None = Field(description="must, may or never; null where insight was not asked for or proves nothing")
    least: Exact | None = Field(description="over all optimal strategies, where insight was asked for")
    greatest: Exact | None


class HandModel(Page):
    what: str = Field(examples=["K"], description="what tells it from the other hands")
    position: str = Field(examples=["kuhn@K/check"])
    odds: Exact = Field(description="how likely it is to somebody who sees only what is public")
    value: Exact = Field(description="payoff to the first side")
    reached: bool
    moves: dict[str, HandMoveModel]


class PublicSideModel(Page):
    side: str
    steps: Sequence[str] = Field(description="what is public, the earliest first")
    moves: Sequence[str]
    hands: list[HandModel]
    together: Odds = Field(description="how often each move is made over all hands")
    hands_left_out: int
    moves_left_out: int


class PublicModel(Page):
    """A public state: all hands of whoever moves."""

    game: str
    identity: str = IDENTITY
    position: str = Field(description="that was asked for")
    exact: bool
    sides: list[PublicSideModel] = Field(description="two where nobody in public can tell whose turn it is")


class StatesModel(Page):
    """A tree of states, as much of it as is open."""

    game: str
    identity: str = IDENTITY
    position: str
    root: int
    nodes: Sequence[StateRow]


class EditModel(Page):
    """A strategy changed by hand, and the best response to it. Payoffs are to the first side, fractions."""

    game: str
    identity: str = IDENTITY
    position: str
    side: str = Field(description="whose strategy is changed")
    odds: Odds = Field(description="of that side at the position, with the changes")
    stored: Odds
    changes: Mapping[str, Odds]
    before: Exact = Field(description="what the best response to the stored strategy leaves")
    kept: Exact = Field(description="with the changes, if the other side plays as stored")
    answered: Exact = Field(description="with the changes, if it answers them best")
    gain: Exact = Field(description="of the other side, by answering the changes rather than playing as stored")
    deviations: Sequence[Deviation] = Field(description="where the best response does otherwise than stored")


class MomentModel(Page):
    """One look at a run."""

    iteration: int | None = Field(default=None, description="null where the run did not tell")
    seconds: float
    lower: float
    upper: float

    @computed_field  # type: ignore[prop-decorator]
    @property
    def gap(self) -> float:
        return max(0.0, self.upper - self.lower)


class RunModel(Page):
    key: str = Field(description="?run= in addresses")
    game: str
    identity: str = IDENTITY
    name: str
    solver: str
    page: str
    points: list[MomentModel]


class ConvergenceModel(Page):
    """Compare runs."""

    runs: list[RunModel]
