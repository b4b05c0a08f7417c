"""Pages of a game with hidden roles that was solved by class: positions, words, play and the companion."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from urllib.parse import quote

import pytest

import ruse
from ruse.explorer import wording
from ruse.games import make
from ruse.solution.store import save
from served import Served, words

HTML = {"accept": "text/html"}
GAME = make("avalon", {"players": 4, "spies": 2, "missions": [2, 4, 4, 4, 4], "sabotages": [1, 2, 1, 2, 1]})


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("roles")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ruse.games.hidden_roles.solve.seated", lambda _, filed: filed)
        solution = ruse.solve(GAME)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ruse.explorer.insights.LONGEST", 0.0)  # costs of moves take half a minute here
        made = Served(folder, (str(save(solution, folder / "roles.ruse")),))
        yield made
        made.close()


def page(served: Served, path: str) -> str:
    return words(served.get(quote(path, safe="/?&=")).text)


def test_a_position_tells_how_likely_each_seat_has_each_role(served: Served) -> None:
    path = f"/p/{GAME.title}/a=merlin:cd,c=merlin:ab"
    told = served.get(quote(f"{path}.json", safe="/=")).json()
    text = page(served, path)
    assert told["seats"][0]["roles"]["merlin"]["by_facts"] == "1/2"
    for seat in told["seats"]:
        assert wording.percent(Fraction(seat["spy"])) in text
    assert sum(Fraction(one["spy"]) for one in told["seats"]) == 2
    assert "Everybody reports in private to a mediator" in text and "Seat a claims to be Merlin" in text
    assert {chip["step"] for chip in told["history"]} == {GAME.title, "a=merlin:cd,c=merlin:ab"}


def test_switching_sides_leads_to_what_the_other_side_knows_then(served: Served) -> None:
    text = served.get(quote(f"/p/{GAME.title}/a=merlin:cd,c=merlin:ab", safe="/=")).text
    assert quote(f"{GAME.title}@ab/a=merlin:cd", safe="/") in text or f"{GAME.title}@ab/a=merlin:cd" in text


def test_a_position_where_play_never_comes_can_be_solved_anew(served: Served) -> None:
    path = quote(f"/p/{GAME.title}/a=merlin:cd,c=merlin:ab/ab-.json", safe="/=")
    stored, anew = served.get(path).json(), served.get(f"{path}?resolve=true").json()
    assert stored["reached"] or Fraction(anew["value"]["exact"]) >= Fraction(stored["value"]["exact"])


def test_words_stand_on_their_page_before_the_rules(served: Served) -> None:
    told = served.get(quote(f"/words/{GAME.title}.json")).json()
    text = page(served, f"/words/{GAME.title}")
    assert told["sides"][1]["outline"] and all(line in text for side in told["sides"] for line in side["outline"])


def test_spies_say_what_they_report_in_lists(served: Served) -> None:
    begun = served.client.post(
        "/play", data={"game": GAME.title, "side": "1", "seed": "3"}, headers=HTML, follow_redirects=True
    )
    assert begun.text.count('<select id="part-') == 2
    identity = str(begun.url).rpartition("/")[2]
    moved = served.client.post(
        f"/play/{identity}",
        data={"number": "1", "part": ["", ""], "otherwise": "quiet"},
        headers=HTML,
        follow_redirects=True,
    )
    assert moved.status_code == 200 and "You report nothing" in moved.text


def test_the_companion_tells_roles_and_refuses_what_cannot_be(served: Served) -> None:
    text = page(served, f"/companion/{GAME.title}?seat=a&role=merlin&sees=bc")
    assert "Proved: B and C are spies." in text and "Whom to send" in text
    text = page(served, f"/companion/{GAME.title}?team-1=abc&cards-1=1")
    assert "Expected 2 seats on mission 1, got 3." in text and "Of 12 ways to deal the roles, 12 fit" in text
    assert served.get("/companion/kuhn", 400).json()["error"] == "kuhn has no roles; use the page /companion"
