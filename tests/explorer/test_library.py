"""The library of the explorer: what is built in, given, around, solved here; files that change under it."""

from __future__ import annotations

import shutil
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from urllib.parse import unquote

import pytest

from ruse import games
from ruse.core.registry import groups
from ruse.explorer.errors import Gone, Late, NotHere
from ruse.explorer.library import Library
from ruse.explorer.solution_files import keep
from ruse.forms.certificate import Certificate
from ruse.solution import container
from ruse.solution.store import save
from ruse.solving.pipeline import solve
from served import KUHN, Served, words


def test_library_lists_what_is_built_in_and_what_is_given(served: Served) -> None:
    entries = served.get("/library.json").json()["entries"]
    found = {entry["title"]: entry for entry in entries if entry["origin"] == "built in"}
    assert {f"resistance-{players}" for players in range(5, 11)} <= set(found)
    assert found["resistance-5"]["headline"] == "Spies win 70% (7/10, exact)"
    assert found["resistance-5"]["table"] == "5 seats, 2 spies, missions of 2 3 2 3 3"
    assert found["resistance-10"]["solved"] is False
    assert (entries[0]["title"], entries[0]["origin"], entries[0]["positions"]) == ("kuhn", "given", [6, 6])
    assert (found["kuhn"]["page"], entries[0]["page"]) == ("/p/kuhn", f"/p/kuhn?file={entries[0]['file']}")
    assert found["kuhn"]["identity"] == entries[0]["identity"] != found["resistance-5"]["identity"]


def test_the_home_page_shows_each_game_as_a_card_with_three_ways_on(served: Served) -> None:
    cards = {card["name"]: card for card in served.get("/library.json").json()["cards"]}
    assert {card["group"] for card in cards.values()} == set(groups()) and list(cards)[:2] == ["resistance", "avalon"]
    markup = served.get("/").text
    page = words(markup)
    assert markup.count('class="scene"') == len(cards)
    for card in cards.values():
        assert card["heading"] in page and card["pitch"] in page
        assert set(card["ways"]) == {"learn", "play", "explore"}
    assert "Worth −0.05556 to Player 1 (−1/18" in page and "5 players: spies win 70%" in page


def test_a_table_is_chosen_on_its_card(served: Served) -> None:
    """Each button leads to its page of the table; what cannot be solved is refused beside the choices."""
    for way, page in (("play", "/play?game=resistance-7"), ("explore", "/p/resistance-7")):
        assert served.get(f"/choose?game=resistance&players=7&to={way}", 303).headers["location"] == page
    silent, roles = "avalon(players=7,talk=none)", "roles=merlin,percival,assassin,morgana"
    sent = served.get("/choose?game=avalon&players=7&roles=merlin,assassin&talk=none&to=play", 303)
    assert unquote(sent.headers["location"]) == f"/play?game={silent}"
    assert "Good" in words(served.get(f"/play?game={silent}").text)
    served.get("/play?game=avalon(players=6,talk=none)")  # an address that somebody kept
    refused = served.get(f"/choose?game=avalon&players=7&{roles}", 400, headers={"accept": "text/html"})
    page = words(refused.text)
    assert "A table of 7 players with Merlin, Percival, 2 servants, 2 spies and Morgana is too large to solve" in page
    assert "choose fewer players or fewer roles, or no talk" in page and "--talk" not in page
    assert '<option value="7" selected>' in refused.text
    for query, sentence in (
        ("game=kuhn", "expected a game with choices, got 'kuhn'"),
        ("game=resistance&players=4", "expected players to be one of 5, 6, 7, 8, 9, 10, got '4'"),
    ):
        assert served.get(f"/choose?{query}", 400).json()["error"] == sentence


def test_of_two_who_keep_a_game_at_once_one_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other is written between the moments when this one is, and when older ones go."""
    exact, near = solve(games.kuhn()), solve(games.kuhn(), "cfr+", iterations=5)
    write, written = container.write, []

    def write_both(path: Path, content: bytes) -> Path:
        monkeypatch.undo()
        written.append(write(path, content))
        written.append(keep(tmp_path, near))
        return written[0]

    monkeypatch.setattr(container, "write", write_both)
    keep(tmp_path, exact)
    assert [path.exists() for path in written] == [False, True]
    assert keep(tmp_path, exact).exists() and not written[1].exists()


def test_file_deleted_changed_and_damaged_while_open(tmp_path: Path, kuhn_file: Path) -> None:
    path = Path(shutil.copy(kuhn_file, tmp_path / "mine.ruse"))
    library = Library(tmp_path / "kept", [str(path)])
    source = library.asked_for[0].source
    entry = library.find("kuhn", source)
    assert library.open(entry).solution.value == KUHN
    save(solve(games.kuhn(), "cfr+", iterations=10), path)
    with pytest.raises(Late, match="has just changed; reload the page"):
        library.open(entry)
    entry = library.find("kuhn", source)
    assert library.open(entry).solution.solver == "cfr+"
    path.write_bytes(b"damaged")
    with pytest.raises(ValueError, match="this is not a ruse solution file"):
        library.open(entry)
    path.unlink()
    with pytest.raises(Gone, match="deleted"):
        library.open(entry)
    assert library.find("kuhn", source).missing and not library.find("kuhn").missing
    assert library.find("resistance-5").name == "resistance"
    with pytest.raises(NotHere, match="library"):
        library.find("kuhnish")


def test_a_deleted_file_is_told_and_the_rest_goes_on(tmp_path: Path, kuhn_file: Path) -> None:
    path = Path(shutil.copy(kuhn_file, tmp_path / "mine.ruse"))
    made = Served(tmp_path, (str(path),))
    try:
        file = made.app.state.explorer.library.asked_for[0].source
        made.get(f"/p/kuhn@J?file={file}")
        path.unlink()
        assert "deleted" in made.get(f"/p/kuhn@J.json?file={file}", 410).json()["error"]
        listed = next(entry for entry in made.get("/library.json").json()["entries"] if entry["title"] == "kuhn")
        assert listed["solved"] is False and "deleted" in listed["headline"]
        made.get("/solve")
        shutil.copy(kuhn_file, path)
        made.get(f"/p/kuhn@J?file={file}")
    finally:
        made.close()


def test_what_is_solved_by_form_does_not_replace_what_is_built_in(tmp_path: Path) -> None:
    keep(tmp_path, solve(games.kuhn(), "cfr+", iterations=5), "tag")
    library = Library(tmp_path)
    assert library.find("kuhn").path is None
    other = next(entry for entry in library.entries() if entry.origin == "solved here")
    assert library.find("kuhn@J", other.source) == other


@pytest.mark.slow
def test_what_a_file_says_is_a_claim_until_it_was_checked(tmp_path: Path, kuhn_file: Path) -> None:
    forged = tmp_path / "forged.ruse"
    solution = solve(games.kuhn())
    save(replace(solution, certificate=Certificate(Fraction(5), Fraction(5))), forged)
    made = Served(tmp_path, (str(forged), str(kuhn_file)))
    try:
        listed = made.get("/library.json").json()["entries"][:2]
        assert [entry["headline"] for entry in listed] == [
            "Worth 5 to Player 1 (5, claimed)",
            "Worth −0.05556 to Player 1 (−1/18, claimed)",
        ]
        for entry, holds in zip(listed, (False, True), strict=True):
            proof = f"{entry['page']}{'&' if '?' in entry['page'] else '?'}tab=proof"
            before = words(made.get(proof).text)
            assert "Nobody has checked them here yet" in before and "claimed)" in before and "exact)" not in before
            told = made.ended(made.post(f"/verify/kuhn?file={entry['file']}", 202, {})["id"])
            assert told["state"] == ("done" if holds else "failed")
            page = made.get(f"/jobs/{told['id']}").text
            assert ("Not verified" in page) is not holds
            assert f'href="/p/kuhn?file={entry["file"]}&amp;tab=proof"' in page
            after = words(made.get(proof).text)
            assert ("exact, checked)" if holds else "refuted)") in after and "nobody has checked" not in after
        file = listed[0]["file"]
        assert made.get(f"/play.json?game=kuhn&file={file}").json()["headline"] == "Worth 5 to Player 1 (5, refuted)"
        assert made.get(f"/words/kuhn.json?file={file}").json()["headline"] == "Worth 5 to Player 1 (5, refuted)"
        assert "against the strategy" in words(made.get(f"/play?game=kuhn&file={file}").text)
        for path in (f"/words/kuhn?file={file}", f"/p/kuhn@K/check/bet?file={file}"):
            page = words(made.get(path).text)
            named = "lay by these strategies" in page or "stored strategies never reach" in page
            assert named and "optimal play" not in page.lower(), path
        assert "optimal play in words" in words(made.get(f"/words/kuhn?file={listed[1]['file']}").text)
        sent = made.client.post("/open", content=kuhn_file.read_bytes()).json()["page"]
        assert "claimed)" in words(made.get(sent).text)
        assert made.get("/library.json").json()["entries"][1]["headline"].endswith("exact, checked)")
        forged.write_bytes(kuhn_file.read_bytes())  # another file under its name
        assert made.get(f"/p/kuhn.json?file={file}").json()["certificate"]["standing"] == "claimed"
    finally:
        made.close()


def test_what_was_solved_here_needs_no_check(served: Served) -> None:
    told = served.get("/p/resistance-5.json").json()
    assert (told["certificate"]["standing"], told["mark"]) == ("solved here", "7/10, exact")


def test_library_takes_games_and_refuses_nonsense(tmp_path: Path) -> None:
    library = Library(tmp_path, ["resistance(players=6,spies=3)", "liars-dice"], tmp_path)
    assert library.find("resistance(players=6,spies=3)/ab+").origin == "given"
    for nonsense in ("chess", "nowhere.ruse"):
        with pytest.raises(ValueError, match=r"unknown game|expected|cannot read"):
            Library(tmp_path, [nonsense])


def test_folder_around_is_listed_within_bounds(tmp_path: Path, kuhn_file: Path) -> None:
    shutil.copy(kuhn_file, tmp_path / "around.ruse")
    (tmp_path / "noise.ruse").write_bytes(b"noise")
    (tmp_path / "folder.ruse").mkdir()
    found = [entry for entry in Library(tmp_path / "kept", (), tmp_path).entries() if entry.origin == "this folder"]
    assert [entry.title for entry in found] == ["kuhn"]
    assert Library(tmp_path / "kept", (), tmp_path).find("kuhn").origin == "built in"  # which files around do not hide


@pytest.mark.parametrize(
    ("given", "parameters", "asked_for"),
    [
        (["resistance"], {"players": "7"}, ["resistance-7"]),
        (["resistance-5/ab+/abc?"], {}, ["resistance-5/ab+/abc?"]),
        (["kuhn.ruse"], {}, ["kuhn"]),
        (["kuhn.ruse", "nim"], {}, ["kuhn", "nim"]),
    ],
)
def test_what_is_asked_for_is_a_position(
    tmp_path: Path,
    kuhn_file: Path,
    monkeypatch: pytest.MonkeyPatch,
    given: list[str],
    parameters: dict[str, str],
    asked_for: list[str],
) -> None:
    monkeypatch.chdir(kuhn_file.parent)
    library = Library(tmp_path, given, None, parameters)
    assert [asked.position for asked in library.asked_for] == asked_for
    assert all(library.find(*asked).origin == "given" for asked in library.asked_for)
