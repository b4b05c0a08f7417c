"""What the JSON twins of the pages for researchers hold: public states, trees of states, answers, runs."""

from __future__ import annotations

from pydantic import BaseModel, Field

from ruse.explorer.models import EXACT, IDENTITY, PointModel


class HandMoveModel(BaseModel):
    odds: str = EXACT
    value: str | None = Field(description="payoff to the first side after it, a fraction")
    loss: str | None = Field(description="against the stored opponent")
    kind: str | None = Field(description="must, may or never; null where insight was not asked for or proves nothing")
    least: str | None = Field(description="over all optimal strategies, where insight was asked for")
    greatest: str | None


class HandModel(BaseModel):
    what: str = Field(examples=["K"], description="what tells it from the other hands")
    position: str = Field(examples=["kuhn@K/check"])
    odds: str = Field(description="how likely it is to somebody who sees only what is public, a fraction")
    value: str = Field(description="payoff to the first side, a fraction")
    reached: bool
    moves: dict[str, HandMoveModel]


class PublicSideModel(BaseModel):
    side: str
    steps: list[str] = Field(description="what is public, the earliest first")
    moves: list[str]
    hands: list[HandModel]
    together: dict[str, str] = Field(description="how often each move is made over all hands, fractions")
    hands_left_out: int
    moves_left_out: int


class PublicModel(BaseModel):
    """A public state: all hands of whoever moves."""

    game: str
    identity: str = IDENTITY
    position: str = Field(description="that was asked for")
    exact: bool
    sides: list[PublicSideModel] = Field(description="two where nobody in public can tell whose turn it is")


class StateModel(BaseModel):
    state: int = Field(description="its number: ?root=, open=, shut= and at= in addresses")
    parent: int | None
    move: str | None = Field(description="that leads here")
    odds: str | None = Field(description="of the move, a fraction")
    often: str = Field(description="how often both stored strategies come here, a fraction")
    value: str = Field(description="payoff to the first side, a fraction")
    turn: str = Field(description="a side, chance or end")
    position: str = Field(description="of whoever moves")
    set: int | None = Field(description="the number of its information set, in this picture")
    open: bool
    below: int = Field(description="how many states follow")
    left_out: int = Field(description="branches that are not listed, as they would be too many")


class StatesModel(BaseModel):
    """A tree of states, as much of it as is open."""

    game: str
    identity: str = IDENTITY
    position: str
    root: int
    nodes: list[StateModel]


class DeviationModel(BaseModel):
    position: str
    stored: dict[str, str] = Field(description="the stored odds there, fractions")
    move: str = Field(description="that the best response always makes there")
    gain: str = Field(description="what that brings, counted from the start, a fraction")


class EditModel(BaseModel):
    """A strategy changed by hand, and the best response to it. Payoffs are to the first side, fractions."""

    game: str
    identity: str = IDENTITY
    position: str
    side: str = Field(description="whose strategy is changed")
    odds: dict[str, str] = Field(description="of that side at the position, with the changes")
    stored: dict[str, str]
    changes: dict[str, dict[str, str]]
    before: str = Field(description="what the best response to the stored strategy leaves")
    kept: str = Field(description="with the changes, if the other side plays as stored")
    answered: str = Field(description="with the changes, if it answers them best")
    gain: str = Field(description="of the other side, by answering the changes rather than playing as stored")
    deviations: list[DeviationModel] = Field(description="where the best response does otherwise than stored")


class MomentModel(PointModel):
    iteration: int | None = Field(description="null where the run did not tell")
    gap: float


class RunModel(BaseModel):
    key: str = Field(description="?run= in addresses")
    game: str
    identity: str = IDENTITY
    name: str
    solver: str
    page: str
    points: list[MomentModel]


class ConvergenceModel(BaseModel):
    """Runs beside each other."""

    runs: list[RunModel]
