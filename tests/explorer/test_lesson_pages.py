"""Lessons in the pages: every screen, right and wrong answers, the rules, and the same as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import pytest

from ruse.play.lessons import sources
from served import Served, words


@pytest.fixture(scope="module")
def school(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    made = Served(tmp_path_factory.mktemp("school"))
    yield made
    made.close()


@pytest.mark.cases(4)
@pytest.mark.parametrize("name", list(sources()))
def test_taking_a_lesson(school: Served, name: str) -> None:
    assert f'href="/learn/{name}"' in school.get("/learn").text
    told = school.get(f"/learn/{name}.json").json()
    for number, screen in enumerate(told["screens"], 1):
        here = school.get(f"/learn/{name}", params={"screen": number}).text
        assert screen["heading"] in words(here) and 'id="feedback"' not in here
        assert (f"Why. {screen['why']}" in words(here)) == (screen["why"] != "" and not screen["question"])
        answers = sorted(screen["answers"], key=lambda answer: Fraction(answer["cost"]))
        for answer in (*answers[:1], *answers[1:][-1:]):
            marked = school.get(f"/learn/{name}", params={"screen": number, "answer": answer["key"]}).text
            assert 'id="feedback"' in marked
            assert ("Right." in words(marked)) == (Fraction(answer["cost"]) == 0)
    last = words(school.get(f"/learn/{name}", params={"screen": len(told["screens"]) + 1}).text)
    assert "Rules to remember" in last
    for rule in told["rules"]:
        assert rule["text"] in last and rule["price_text"] in last


def test_lessons_screens_and_answers_that_there_are_not(school: Served) -> None:
    assert "there is no lesson" in words(school.get("/learn/chess", 404).text)
    assert "expected a screen from 1 to 6, got 40" in words(school.get("/learn/kuhn?screen=40", 404).text)
    assert "expected one of the answers check, bet, got" in words(
        school.get("/learn/kuhn?screen=1&answer=dance", 400).text
    )
    assert [one["name"] for one in school.get("/learn.json").json()["lessons"]] == list(sources())


def test_rules_of_thumb_stand_on_the_page_of_their_game(school: Served) -> None:
    school.get("/learn/kuhn")
    page = words(school.get("/words/kuhn").text)
    assert "Rules of thumb and their price" in page and "Always fold a queen to a bet costs 1/6" in page
    assert "Rules of thumb" not in words(school.get("/words/leduc").text)
