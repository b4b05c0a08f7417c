"""Page models for games with seats: the form to begin, and evenings that are under way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import Field

from ruse.explorer.models import PageModel
from ruse.play.pictures import Picture


class SeatFieldModel(PageModel):
    name: str
    label: str
    options: list[tuple[str, str]] = Field(description="values, and what they mean")
    chosen: str


class SeatFormModel(PageModel):
    fields: list[SeatFieldModel]
    unfinished: dict[str, str] = Field(description="evenings that were left: by id, what they are")


class SeatModel(PageModel):
    id: str
    title: str
    number: int = Field(description="of the next act: an act must name it")
    seat: str
    role: str = Field(description="what you are and see, in words")
    about: list[str] = Field(description="the rules, and what is proved about the other seats")
    status: list[str] = Field(description="the score, and what comes next")
    question: str = Field(description="what you have to do now; empty at the end")
    acts: list[str] = Field(description="what you can do now")
    made: list[str] = Field(description="your acts so far")
    heads: list[str] = Field(description="the columns of the history")
    history: list[list[str]] = Field(description="every proposal so far")
    picture: Picture
    coach: bool
    over: bool
    won: bool | None = Field(description="null before the end")
    coached: str | None = Field(description="what the coach says of your last act")
    hint: str | None = Field(description="what optimal play does here, if ?hint=true asks")
    left: str = Field(description="where the guarantee of the plan ended; empty while it holds")
    end: str = Field(description="how it ended and who was who; empty before")
    review: dict[str, Any] | None = Field(description="at the end, your acts and how good they were")
    record: dict[str, Any] | None = Field(description="the finished evening as a record")

    @staticmethod
    def of(page: Any) -> SeatModel:
        """Make the JSON of a page."""
        fields = {name: getattr(page, name) for name in SeatModel.model_fields}
        fields["review"] = None if page.review is None else page.review.to_json()
        lists: Sequence[str] = ("about", "status", "acts", "made", "heads")
        return SeatModel.model_validate(
            {
                **fields,
                **{name: list(fields[name]) for name in lists},
                "history": [list(row) for row in page.history],
                "record": page.record and dict(page.record),
            }
        )
