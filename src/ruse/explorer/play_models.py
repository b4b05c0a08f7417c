"""Page models for playing: games, drills and their scores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import Field

from ruse.core.jsonable import Exact
from ruse.explorer.models import IDENTITY, PageModel
from ruse.play.pictures import Picture
from ruse.play.scores import AnswerTally


class PlayModel(PageModel):
    game: str
    identity: str = IDENTITY
    sides: list[str]
    headline: str = Field(description="the value of the game")
    games: list[str] = Field(description="that can be played: a title, and ?file= if the title is ambiguous")


class SessionModel(PageModel):
    id: str
    game: str
    identity: str = IDENTITY
    side: str
    coach: bool
    number: int = Field(description="of the next move: a move must name it")
    position: str
    opening: str | None = Field(description="the position that the game began at, if that is not the start")
    moves: list[str] | None = Field(description="null where they are too many to list")
    example: str | None
    decisions: list[dict[str, str]]
    happened: list[str]
    over: bool
    note: str = Field(description="a remark about how the game continues; usually empty")
    gain: str | None = None
    secret: str | None = None
    seed: int | None = None
    coached: str | None = Field(default=None, description="what the coach says of the last move")
    because: str = Field(default="", description="and why the move was right or wrong")
    picture: Picture
    review: dict[str, Any] | None = None
    hint: str | None = Field(default=None, description="what your side's strategy does here, if ?hint=true asks")
    replay: dict[str, Any] | None = Field(
        default=None, description="of a game that is over, what both sides knew before the move that ?step= says"
    )


class ScoreModel(PageModel):
    total: AnswerTally
    days: Mapping[str, AnswerTally] = Field(description="2026-11-16 and so on, the first day first")
    due: int = Field(description="decisions that went wrong and come back today")
    waiting: int = Field(description="decisions that went wrong and come back on a later day")


class QuestionModel(PageModel):
    game: str
    identity: str = IDENTITY
    side: str
    position: str
    number: int = Field(description="of the answer: it must name it")
    stake: Exact = Field(description="what the worst move costs")
    again: bool = Field(description="whether it comes back because it went wrong before")
    hint: str | None = Field(default=None, description="what your side's strategy does here, if ?hint=true asks")
    moves: list[str] | None = Field(description="null where they are too many to list")
    example: str
    picture: Picture
    score: ScoreModel


class MarkedModel(PageModel):
    move: str
    right: bool = Field(description="whether the move costs nothing")
    cost: Exact = Field(description="what the move loses, compared with the best one")
    condition: str = Field(description="against whom the cost is")
    proved: bool = Field(description="whether exactly the moves that some optimal strategy makes here cost nothing")
    told: str
    score: ScoreModel


class DrilledModel(PageModel):
    game: str = Field(validation_alias="title")
    identity: str = IDENTITY
    side: str
    score: ScoreModel


class DrillsModel(PageModel):
    drills: list[DrilledModel]


class LeftModel(PageModel):
    id: str
    game: str
    side: str
    coach: bool
    page: str


class UnfinishedModel(PageModel):
    games: list[LeftModel]
