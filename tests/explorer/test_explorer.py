"""The explorer over HTTP, as a browser and as a program see it. Browser tests are in tests/browser/."""

import argparse
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from html import escape, unescape
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import httpx
import pytest
import uvicorn

from ruse import games
from ruse.cli.program import main
from ruse.core import registry
from ruse.core.game import Game
from ruse.core.identity import identity
from ruse.explorer import say, worker
from ruse.explorer.app import create_app
from ruse.explorer.errors import Gone, Late, NotHere
from ruse.explorer.jobs import Point
from ruse.explorer.keeping import keep
from ruse.explorer.library import Library
from ruse.explorer.plot import bounds_svg, line_svg
from ruse.explorer.safety import POLICY, needs_token
from ruse.explorer.serve import ServeError, explore, listen
from ruse.explorer.settings import Settings
from ruse.explorer.worker import measured
from ruse.formats.efg import read_efg
from ruse.forms.certificate import Certificate
from ruse.games import GAMES
from ruse.solution.store import dumps, save
from ruse.solving.pipeline import solve

KUHN = Fraction(-1, 18)
MADE_HERE = ("solved here", "sent")


class Served:
    """An explorer that really listens, on a port of its own."""

    def __init__(self, folder: Path, given: tuple[str, ...] = (), here: Path | None = None, **settings: Any) -> None:
        self.socket = listen("127.0.0.1", 0)
        self.port = self.socket.getsockname()[1]
        made = Settings(port=self.port, folder=folder / "solutions", sessions=folder / "sessions", **settings)
        self.app = create_app(Library(made.folder, given, here), made)
        self.server = uvicorn.Server(
            uvicorn.Config(self.app, log_level="critical", ws="none", timeout_graceful_shutdown=1)
        )
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [self.socket]}, daemon=True)
        self.thread.start()
        self.client = httpx.Client(base_url=f"http://127.0.0.1:{self.port}", timeout=60)
        while not self.server.started:
            time.sleep(0.01)

    def close(self) -> None:
        self.client.close()
        self.server.should_exit = True
        self.thread.join()
        self.socket.close()

    def get(self, path: str, status: int = 200, **more: Any) -> httpx.Response:
        answer = self.client.get(path, **more)
        assert answer.status_code == status, answer.text
        return answer

    def post(self, path: str, status: int, sent: dict[str, object]) -> dict[str, object]:
        answer = self.client.post(path, json=sent, headers={"accept": "application/json"})
        assert answer.status_code == status, answer.text
        found: dict[str, object] = answer.json()
        return found

    def ended(self, job: object) -> dict[str, object]:
        while True:
            told: dict[str, object] = self.get(f"/jobs/{job}.json").json()
            if told["state"] not in ("waiting", "running"):
                return told
            time.sleep(0.05)


@pytest.fixture(scope="module")
def kuhn_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save(solve(games.kuhn()), tmp_path_factory.mktemp("kept") / "kuhn.ruse")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, kuhn_file: Path) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("explorer")
    for game in (games.resistance(5), games.kuhn(), games.morra()):
        keep(folder / "solutions", solve(game))
    made = Served(folder, (str(kuhn_file),))
    yield made
    made.close()


def words(page: str) -> str:
    """A page as a reader sees it, roughly."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())


# Pages and their twins.


def test_library_lists_what_is_built_in_and_what_is_given(served: Served) -> None:
    entries = served.get("/library.json").json()["entries"]
    found = {entry["title"]: entry for entry in entries if entry["origin"] == "built in"}
    assert {f"resistance-{players}" for players in range(5, 11)} <= set(found)
    assert found["resistance-5"]["headline"] == "Spies win 70 % (7/10, exact)"
    assert found["resistance-5"]["table"] == "5 seats, 2 spies, missions of 2 3 2 3 3"
    assert found["resistance-10"]["solved"] is False
    assert (entries[0]["title"], entries[0]["origin"], entries[0]["positions"]) == ("kuhn", "given", [6, 6])
    assert (found["kuhn"]["page"], entries[0]["page"]) == ("/p/kuhn", f"/p/kuhn?file={entries[0]['file']}")
    assert found["kuhn"]["identity"] == entries[0]["identity"] != found["resistance-5"]["identity"]
    page = words(served.get("/").text)
    for entry in found.values():
        assert entry["title"] in page
        assert not entry["headline"] or entry["headline"] in page


@pytest.mark.parametrize("name", GAMES)
def test_rules_in_three_sentences(name: str) -> None:
    game = games.make(name, {"payoffs": "0 1; 1 0"} if name == "matrix" else {})
    brief = registry.rules_text(game.name)
    assert 1 <= len(registry.SENTENCE_END.split(brief)) <= 4
    assert 40 < len(brief) < 500


@pytest.mark.parametrize(
    "position",
    [
        "resistance-5",
        "resistance-5/ab+/abc-",
        "resistance-5/ab+/abc?",
        "resistance-5@bd/ab+/abc?",
        "kuhn",
        "kuhn@K/check",
    ],
)
@pytest.mark.parametrize("tab", ["strategy", "beliefs", "tree", "proof"])
def test_page_and_twin_say_the_same(served: Served, position: str, tab: str) -> None:
    path = f"/p/{quote(position, safe='/@+')}"
    told = served.get(f"{path}.json").json()
    page = words(served.get(f"{path}?tab={tab}").text)
    assert f"{told['sentence']} ({told['mark']})" in page
    assert position in page
    if tab == "strategy":
        for option in told["options"]:
            assert option["move"] in page
            assert option["odds"] in ("0", "1") or option["odds"] in page
            assert option["value"] is None or _worth(told, option["value"]) in page
        for seat in told["seats"]:
            assert say.percent(Fraction(seat["spy"])) in page
    for chip in told["history"]:
        assert served.get(f"/p/{quote(chip['position'], safe='/@+')}.json").json()["position"] == chip["position"]


def _worth(told: dict[str, object], value: str) -> str:
    """How a page writes a value, from the side that looks."""
    side = 1 if told["side"] in ("spies", "second") else 0
    if told["win"]:
        return say.percent(say.share_of(Fraction(value), side))
    return say.decimal(Fraction(value) * (1 - 2 * side))


def test_numbers_are_the_solvers(served: Served) -> None:
    """Kuhn 1950: the first side loses 1/18; Bossle 2018: the spies win 7/10 of five-player games."""
    told = served.get("/p/kuhn.json").json()
    assert told["value"] == {"exact": "-1/18", "float": float(KUHN)}
    assert served.get("/p/resistance-5.json").json()["win"] == {"resistance": "3/10", "spies": "7/10"}
    jack = served.get("/p/kuhn@J.json").json()
    assert sum(Fraction(option["odds"]) for option in jack["options"]) == 1
    assert jack["value"]["exact"] == "-1"


def test_why_and_links(served: Served) -> None:
    told = served.get("/p/kuhn@J.json?why=bet").json()["why"]
    assert told["sentence"] and Fraction(told["gain"]) >= 0
    page = served.get("/p/kuhn@J?why=bet").text
    assert told["sentence"][1:] in words(page)
    inside = [unescape(link) for link in re.findall(r'href="(/[^"]*)"', page)]
    assert len(inside) > 15
    for link in set(inside):
        assert served.client.get(link, follow_redirects=True).status_code == 200, link


def test_unreached_positions_say_so_and_are_solved_anew(served: Served) -> None:
    told = served.get("/p/kuhn@K/check/bet.json").json()
    reached = told["reached"]
    lost = (
        next(
            option["after"]
            for position in ("kuhn@J/bet", "kuhn@J/check/bet", "kuhn@K/bet")
            for option in served.get(f"/p/{position}.json").json()["options"]
            if option["odds"] == "0" and option["after"]
        )
        if reached
        else "kuhn@K/check/bet"
    )
    told = served.get(f"/p/{lost}.json").json()
    assert told["reached"] is False
    page = words(served.get(f"/p/{lost}").text)
    assert "Optimal play never comes here" in page and "Solve anew from here" in page
    anew = served.get(f"/p/{lost}.json?resolve=true").json()
    assert anew["position"] == lost and anew["assumption"] != ""


@pytest.mark.parametrize(
    ("position", "other"),
    [
        ("kuhn@J/check", "/p/kuhn@Q/check?side=0"),
        ("resistance-5/ab+/abc-", "/p/resistance-5@ab/ab+/abc-?side=1"),
        ("resistance-5@bd/ab+", "/p/resistance-5/ab+?side=0"),
        ("kuhn", "/p/kuhn?side=1"),
    ],
)
def test_switch_side_keeps_what_is_public(served: Served, position: str, other: str) -> None:
    page = served.get(f"/p/{position}").text
    found = re.search(r'data-switch href="([^"]*)"', page)
    assert found is not None and unescape(found[1]) == other
    served.get(unescape(found[1]))


def test_words_twin_and_page(served: Served) -> None:
    told = served.get("/words/resistance-5.json").json()
    page = words(served.get("/words/resistance-5").text)
    assert [side["side"] for side in told["sides"]] == ["resistance", "spies"]
    for side in told["sides"]:
        assert all(rule in page for rule in side["rules"])


def test_tree_is_a_picture(served: Served) -> None:
    answer = served.get("/tree/kuhn@J.svg?depth=2")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.text.startswith("<svg") and "check" in answer.text


@pytest.mark.parametrize(("position", "depth"), [("kuhn@J", 2), ("resistance-5", 4), ("resistance-5@bd/ab%2B", 3)])
def test_tree_has_a_twin(served: Served, position: str, depth: int) -> None:
    """As many positions as are drawn, with the odds and values of each position's own twin."""

    def count(node: dict[str, Any]) -> int:
        return 1 + sum(count(child) for child in node["children"])

    told = served.get(f"/tree/{position}.json?depth={depth}").json()
    assert f"<desc>{count(told)} positions; " in served.get(f"/tree/{position}.svg?depth={depth}").text
    options = {one["move"]: one for one in served.get(f"/p/{position}.json").json()["options"]}
    for child in told["children"]:
        option = options[child["move"]]
        assert (child["odds"], child["often"], child["value"]) == (option["odds"], option["odds"], option["value"])
        for follows in child["children"]:
            assert Fraction(follows["often"]) == Fraction(child["often"]) * Fraction(follows["odds"])
    assert len(told["children"]) + told["left_out"] == len(options)


def test_proof_and_play_have_twins(served: Served) -> None:
    given = served.app.state.explorer.library.asked_for[0].source
    for query, standing in ((f"?file={given}", "claimed"), ("", "solved here")):
        told = served.get(f"/p/kuhn@J.json{query}").json()
        assert told["certificate"] == {"lower": "-1/18", "upper": "-1/18", "exact": True, "standing": standing}
    assert told["solver"] in words(served.get("/p/kuhn@J?tab=proof").text)
    told = served.get("/play.json?game=kuhn").json()
    assert (told["game"], told["sides"]) == ("kuhn", ["first", "second"])
    assert "resistance-10" in told["games"]


def test_the_likeliest_comes_first(served: Served) -> None:
    for position in ("resistance-5", "kuhn@Q", "kuhn@J/bet"):
        odds = [Fraction(option["odds"]) for option in served.get(f"/p/{position}.json").json()["options"]]
        assert odds == sorted(odds, reverse=True)
        shown = re.findall(r'data-odds="([^"]*)"', served.get(f"/p/{position}").text)
        assert shown == sorted(shown, key=lambda text: -float(text))


def test_a_question_mark_may_be_pasted_as_it_is(served: Served) -> None:
    """Browsers take a ? at the end of an address for a query that is empty."""
    for position in ("resistance-5/ab+/abc", "resistance-5@bd/ab+/abc"):
        for query in ("?", "?tab=beliefs"):
            assert f"{position}?" in words(served.get(f"/p/{position}{query}").text)
        assert served.get(f"/p/{position}.json?").json()["position"] == f"{position}?"
    page = served.get("/p/resistance-5/ab+/abc?").text
    assert page.count('class="mission out">?') == 3  # the seats of the mission that is out


@pytest.mark.parametrize(
    ("form", "begins"),
    [
        ("csv", b"side,position"),
        ("json", b"{"),
        ("efg", b"EFG 2"),
        ("nfg", b"NFG 1"),
        ("html", b"<!doctype html>"),
        ("ruse", b"PK"),
    ],
)
def test_exports(served: Served, form: str, begins: bytes) -> None:
    answer = served.get(f"/export/kuhn.{form}")
    assert answer.content.lstrip().startswith(begins) or form == "ruse"
    assert "attachment" in answer.headers["content-disposition"]
    if form == "ruse":
        assert served.client.post("/open", content=answer.content).status_code == 201


def test_a_job_page_leads_nowhere_else(served: Served) -> None:
    job = served.post("/solve", 202, {"game": "kuhn", "size": "yes"})["id"]
    for back, kept in (("/p/kuhn", True), ("//evil.example", False), ("/\\evil.example", False), ("http://x", False)):
        assert (f'data-back="{back}"' in served.get(f"/jobs/{job}", params={"back": back}).text) is kept


def test_go_leads_to_a_position(served: Served) -> None:
    assert served.get("/go?to=resistance-5/ab%2B/abc%3F", 303).headers["location"] == "/p/resistance-5/ab+/abc%3F"


# What goes wrong.


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/p/chess/e4", 404),
        ("/p/kuhn@Z", 404),
        ("/p/kuhn@J/dance", 404),
        ("/p/resistance-5/zz+", 404),
        ("/p/kuhn?side=7", 422),
        ("/p/kuhn?tab=other", 422),
        ("/p/kuhn?file=deadbeef", 410),
        ("/p/" + "a" * 5000, 400),
        ("/p/matrix(file=%2Fetc%2Fpasswd)", 404),
        ("/p/kuhn@J?why=dance", 404),
        ("/tree/kuhn.svg?depth=99", 422),
        ("/export/kuhn.exe", 400),
        ("/export/nothing.csv", 404),
        ("/words/nothing", 404),
        ("/jobs/nothing", 404),
        ("/play/nothing", 404),
        ("/play/../../../etc/passwd", 404),
        ("/solve?game=chess", 404),
        ("/static/../app.py", 404),
        ("/static/%2e%2e/app.py", 404),
        ("/nothing", 404),
        ("/p/kuhn%00", 404),
    ],
)
def test_bad_addresses_are_one_sentence(served: Served, path: str, status: int) -> None:
    answer = served.get(path, status, headers={"accept": "text/html"})
    assert "Traceback" not in answer.text
    if not path.startswith("/static"):
        assert "Expected" in words(answer.text)
    told = served.get(path, status, headers={"accept": "application/json"}).json()
    assert told["status"] == status
    assert told["error"].startswith("expected")


@pytest.mark.parametrize(
    ("path", "link"),
    [("/p/chess/e4", "/solve"), ("/words/chess", "/solve"), ("/play?game=chess", "/solve"), ("/nothing", "/")],
)
def test_errors_lead_on(served: Served, path: str, link: str) -> None:
    page = served.get(path, 404, headers={"accept": "text/html"}).text.partition("<main")[2].partition("</main")[0]
    assert f'class="button" href="{link}"' in page and 'class="button" href="/"' in page


def test_a_parameter_of_an_address_is_refused_in_words(served: Served) -> None:
    told = served.get("/p/kuhn?tab=other", 422, headers={"accept": "application/json"}).json()["error"]
    assert "'strategy', 'beliefs', 'tree' or 'proof'" in told and "pattern" not in told


def test_wrong_method_and_bodies(served: Served) -> None:
    client = served.client
    assert client.put("/p/kuhn").status_code == 405
    assert client.post("/solve", content=b"\xff\xfe").status_code == 400
    assert client.post("/solve", json=[1]).status_code == 400
    assert client.post("/solve", json={"game": "chess"}).status_code == 404
    assert client.post("/solve", json={"game": "matrix", "parameters": {"file": "/etc/passwd"}}).status_code == 400
    assert client.post("/solve", json={"game": "kuhn", "solver": "magic"}).status_code == 400
    assert client.post("/solve", json={"game": "kuhn", "gap": "near"}).status_code == 400
    assert client.post("/solve", json={"game": "kuhn", "time": 1e9}).status_code == 400
    assert (
        client.post("/solve", json={"game": "openspiel", "parameters": {"game": "efg_game(filename=x)"}}).status_code
        == 400
    )
    assert client.post("/open", content=b"not a solution").status_code == 400
    assert client.post("/play", json={"game": "kuhn", "side": "third"}).status_code == 409
    assert client.post("/verify/nothing").status_code == 404


def test_file_deleted_changed_and_damaged_while_open(tmp_path: Path, kuhn_file: Path) -> None:
    path = Path(shutil.copy(kuhn_file, tmp_path / "mine.ruse"))
    library = Library(tmp_path / "kept", [str(path)])
    source = library.asked_for[0].source
    entry = library.find("kuhn", source)
    assert library.open(entry).solution.value == KUHN
    save(solve(games.kuhn(), "cfr+", iterations=10), path)
    with pytest.raises(Late, match="as it was a moment ago, got another: ask again"):
        library.open(entry)
    entry = library.find("kuhn", source)
    assert library.open(entry).solution.solver == "cfr+"
    path.write_bytes(b"damaged")
    with pytest.raises(ValueError, match="expected"):
        library.open(entry)
    path.unlink()
    with pytest.raises(Gone, match="deleted"):
        library.open(entry)
    assert library.find("kuhn", source).gone and not library.find("kuhn").gone
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


def test_names_of_sides_keep_their_letters(tmp_path: Path) -> None:
    text = 'EFG 2 R "mine" { "McRae" "deGroot" }\np "" 1 1 "" { "a" "b" } 0\nt "" 1 "" { 1 -1 }\nt "" 2 "" { 0 0 }'
    path = save(solve(read_efg(text)), tmp_path / "mine.ruse")
    made = Served(tmp_path, (str(path),))
    try:
        words, play = made.get("/words/mine").text, made.get("/play?game=mine").text
        assert ">McRae</h2>" in words and ">DeGroot</h2>" in words
        assert "> McRae</label>" in play and "> DeGroot</label>" in play
    finally:
        made.close()


def test_what_is_solved_by_form_does_not_replace_what_is_built_in(tmp_path: Path) -> None:
    keep(tmp_path, solve(games.kuhn(), "cfr+", iterations=5), "tag")
    library = Library(tmp_path)
    assert library.find("kuhn").path is None
    other = next(entry for entry in library.entries() if entry.origin == "solved here")
    assert library.find("kuhn@J", other.source) == other


def test_what_a_file_says_is_a_claim_until_it_was_checked(tmp_path: Path, kuhn_file: Path) -> None:
    forged = tmp_path / "forged.ruse"
    solution = solve(games.kuhn())
    save(replace(solution, certificate=Certificate(Fraction(5), Fraction(5))), forged)
    made = Served(tmp_path, (str(forged), str(kuhn_file)))
    try:
        listed = made.get("/library.json").json()["entries"][:2]
        assert [entry["headline"] for entry in listed] == [
            "Worth 5 to first (5, claimed)",
            "Worth −0.05556 to first (−1/18, claimed)",
        ]
        for entry, holds in zip(listed, (False, True), strict=True):
            proof = f"{entry['page']}{'&' if '?' in entry['page'] else '?'}tab=proof"
            before = words(made.get(proof).text)
            assert "nobody has checked it here yet" in before and "claimed)" in before and "exact)" not in before
            told = made.ended(made.post(f"/verify/kuhn?file={entry['file']}", 202, {})["id"])
            assert told["state"] == ("done" if holds else "failed")
            page = made.get(f"/jobs/{told['id']}").text
            assert ("Not verified" in page) is not holds
            assert f'href="/p/kuhn?file={entry["file"]}&amp;tab=proof"' in page
            after = words(made.get(proof).text)
            assert ("exact, checked)" if holds else "refuted)") in after and "nobody has checked" not in after
        file = listed[0]["file"]
        assert made.get(f"/play.json?game=kuhn&file={file}").json()["headline"] == "Worth 5 to first (5, refuted)"
        assert made.get(f"/words/kuhn.json?file={file}").json()["headline"] == "Worth 5 to first (5, refuted)"
        assert "against the strategy" in words(made.get(f"/play?game=kuhn&file={file}").text)
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
        with pytest.raises(ValueError, match="expected"):
            Library(tmp_path, [nonsense])


def test_folder_around_is_listed_within_bounds(tmp_path: Path, kuhn_file: Path) -> None:
    shutil.copy(kuhn_file, tmp_path / "around.ruse")
    (tmp_path / "noise.ruse").write_bytes(b"noise")
    (tmp_path / "folder.ruse").mkdir()
    found = [entry for entry in Library(tmp_path / "kept", (), tmp_path).entries() if entry.origin == "this folder"]
    assert [entry.title for entry in found] == ["kuhn"]
    assert Library(tmp_path / "kept", (), tmp_path).find("kuhn").origin == "built in"  # which files around do not hide


# Safety.


def test_every_answer_has_the_headers(served: Served) -> None:
    for path, status in (("/", 200), ("/p/kuhn.json", 200), ("/static/style.css", 200), ("/nothing", 404)):
        headers = served.get(path, status).headers
        assert headers["content-security-policy"] == POLICY
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"


def test_pages_need_nothing_from_elsewhere(served: Served) -> None:
    """No address on another host, no inline script or style: the policy would refuse them."""
    for path in ("/", "/p/resistance-5", "/p/kuhn@J?tab=tree", "/words/kuhn", "/solve", "/play", "/nothing"):
        page = served.client.get(path).text
        assert not re.findall(r'(?:src|href|action)="(?!/|#)', page)
        assert not re.findall(r"<style|\sstyle=|\son[a-z]+=|<script>", page)


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "localhost@evil.example", "", "10.0.0.1", "a b"]
)
def test_other_hosts_are_refused(served: Served, host: str) -> None:
    served.get("/", 421, headers={"host": host})


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:1234", "127.0.0.1:8765", "[::1]:99"])
def test_own_hosts_are_served(served: Served, host: str) -> None:
    served.get("/p/kuhn.json", headers={"host": host})


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_posts_from_other_pages_are_refused(served: Served, headers: dict[str, str]) -> None:
    assert served.client.post("/play", data={"game": "kuhn"}, headers=headers).status_code == 403


def test_posts_from_own_pages_are_taken(served: Served) -> None:
    """A page without referrer sends the origin "null"; the browser says beside it that it is the same."""
    for headers in (
        {"origin": "null", "sec-fetch-site": "same-origin"},
        {"origin": f"http://127.0.0.1:{served.port}"},
        {"sec-fetch-site": "none"},
    ):
        assert served.client.post("/play", data={"game": "kuhn"}, headers=headers).status_code == 201


def test_large_requests_are_refused(served: Served) -> None:
    assert served.client.post("/solve", content=b"x" * (9 << 20)).status_code == 413
    pieces = (b"x" * (1 << 20) for _ in range(12))
    assert served.client.post("/solve", content=pieces).status_code == 413


def test_token(tmp_path: Path, kuhn_file: Path) -> None:
    """Where others can reach the server, requests carry the token: in the address once, then in a cookie."""
    made = Served(tmp_path, (str(kuhn_file),), token="sesame", host="127.0.0.1")
    keep(made.app.state.explorer.library.folder, solve(games.kuhn()))
    try:
        made.get("/p/kuhn.json", 401)
        made.get("/p/kuhn.json?token=guess", 401)
        made.get("/p/kuhn.json", headers={"x-ruse-token": "sesame"})
        answer = made.get("/p/kuhn@J?token=sesame&tab=proof", 303)
        assert answer.headers["location"] == "/p/kuhn@J?tab=proof"
        assert "HttpOnly" in answer.headers["set-cookie"] and "SameSite=strict" in answer.headers["set-cookie"]
        made.get("/p/kuhn@J")  # the client keeps the cookie
    finally:
        made.close()


def test_the_token_leads_nowhere_else(tmp_path: Path) -> None:
    made = Served(tmp_path, (), token="sesame")
    try:
        for path in ("//evil.example", "///evil.example/x", "/%2Fevil.example"):
            answer = made.client.send(
                made.client.build_request("GET", f"http://127.0.0.1:{made.port}{path}?token=sesame")
            )
            assert re.match(r"/(?![/\\])", answer.headers["location"])
    finally:
        made.close()


def test_head_is_get_without_a_body(served: Served) -> None:
    for path in ("/", "/p/kuhn.json", "/nothing"):
        answer, full = served.client.head(path), served.client.get(path)
        assert answer.status_code == full.status_code and not answer.content
        assert answer.headers["content-length"] == full.headers["content-length"]
    job = served.post("/solve", 202, {"game": "leduc", "solver": "cfr", "gap": "0", "time": "60"})["id"]
    assert served.client.head(f"/jobs/{job}/events").status_code == 200
    served.post(f"/jobs/{job}/stop", 202, {})


def test_which_hosts_need_a_token() -> None:
    assert [needs_token(host) for host in ("127.0.0.1", "localhost", "::1", "0.0.0.0", "192.168.1.2", "box.local")] == [
        False,
        False,
        False,
        True,
        True,
        True,
    ]


# Jobs.


def test_a_solve_streams_and_ends_in_the_library(served: Served) -> None:
    job = served.post("/solve", 202, {"game": "kuhn", "solver": "cfr+", "iterations": 300})["id"]
    events = []
    with served.client.stream("GET", f"/jobs/{job}/events") as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        for line in stream.iter_lines():
            if line.startswith("data: "):
                events.append(json.loads(line[6:]))
    last = events[-1]
    assert last["state"] == "done"
    assert last["lower"] <= float(KUHN) <= last["upper"]
    told = served.get(f"/jobs/{job}.json").json()
    assert told["points"] and re.match(r"about \d+ nodes", told["size"])
    page = words(served.get(f"/jobs/{job}").text)
    assert "Done: kuhn" in page and told["text"] in page
    assert served.get(f"/jobs/{job}/plot.svg").text.count("<polyline") == 2
    opened = served.get(last["open"].replace("/p/kuhn", "/p/kuhn.json")).json()
    assert opened["exact"] is False
    assert served.client.post(f"/jobs/{job}/stop", headers={"accept": "application/json"}).status_code == 409


def test_what_is_solved_or_sent_twice_is_kept_once(served: Served) -> None:
    sent = dumps(solve(games.kuhn(), "cfr+", iterations=7))

    def ours() -> list[str]:
        return [one["file"] for one in served.get("/library.json").json()["entries"] if one["origin"] in MADE_HERE]

    before = set(ours())
    for _ in range(2):
        job = served.post("/solve", 202, {"game": "nim", "parameters": {"heaps": "1,2"}})["id"]
        while served.get(f"/jobs/{job}.json").json()["state"] in ("waiting", "running"):
            time.sleep(0.05)
        served.client.post("/open", content=sent, headers={"accept": "application/json"})
    assert len(set(ours()) - before) == 2


def test_stop_keeps_the_best_so_far(served: Served) -> None:
    job = served.post("/solve", 202, {"game": "leduc", "solver": "cfr", "gap": "0", "time": "300"})["id"]
    while not served.get(f"/jobs/{job}.json").json()["points"]:
        time.sleep(0.05)
    served.post(f"/jobs/{job}/stop", 202, {})
    told = served.ended(job)
    assert told["state"] == "stopped"
    assert told["open"] is not None and "interrupted" in str(told["note"])
    assert served.get(str(told["open"]).replace("/p/leduc", "/p/leduc.json")).json()["exact"] is False


def test_size_first_and_refusal_with_advice(served: Served) -> None:
    told = served.ended(served.post("/solve", 202, {"game": "kuhn", "size": "yes"})["id"])
    assert (told["state"], told["open"]) == ("done", None)
    assert re.match(r"about \d+ nodes", str(told["text"]))
    large = {"game": "goofspiel", "parameters": {"cards": 13}}
    told = served.ended(served.post("/solve", 202, large)["id"])
    assert told["state"] == "failed"
    assert "smaller parameters" in str(told["text"])
    told = served.ended(served.post("/solve", 202, {**large, "size": "yes"})["id"])
    assert told["state"] == "done" and "smaller parameters" in str(told["note"])  # an answer, if not the wished one
    assert re.fullmatch(r"about 10\^\d+ nodes, more than 1,000 GB", str(told["text"]))
    page = words(served.get(f"/jobs/{told['id']}").text)
    assert page.count(str(told["text"])[1:]) == 1


@pytest.mark.parametrize(
    ("game", "solver", "told"),
    [
        (games.phantom_tic_tac_toe(), "auto", "solved without its tree"),
        (games.four_in_a_row(), "auto", "solved without its tree"),
        (games.goofspiel(13), "mccfr", "which mccfr never writes down"),
        (games.resistance(17, 3, (2, 3, 3, 4, 4)), "auto", "size not counted: expected at most 16 players"),
        (games.resistance(5), "auto", "nodes by class"),
    ],
)
def test_sizes_that_are_no_obstacle(game: Game, solver: str, told: str) -> None:
    found = measured(game, solver)
    assert told in found.told and not found.problem
    assert "about about" not in found.told


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"game": "resistance", "parameters": {"players": 11}}, "expected spies and missions too"),
        ({"game": "resistance", "parameters": {"players": -1}}, "expected 2 to 26 players, got -1"),
        ({"game": "resistance", "parameters": {"missions": "two"}}, "for missions, got 'two'"),
        ({"game": "matrix", "parameters": {"payoffs": "1 2; 3"}}, "expected"),
        ({"game": "efg"}, "expected"),
        ({"game": "efg", "parameters": {"text": "EFG 9"}}, "expected"),
        ({"game": "openspiel"}, "as game, got none"),
        ({"game": "kuhn", "time": -1}, "more than 0 seconds"),
        ({"game": "kuhn", "iterations": -5}, "iterations, got -5"),
        ({"game": "kuhn", "seed": -5}, "seed"),
        ({"game": "kuhn", "gap": "-1"}, "gap of at least 0"),
        ({"game": "kuhn", "parameters": "x"}, "as parameters, got 'x'"),
        ({"game": "kuhn", "size": "maybe"}, "expected yes or no as size, got 'maybe'"),
        ({"game": "resistance", "players": 7}, "parameters of the game, got 'players'"),
    ],
)
def test_what_cannot_be_solved_is_refused_at_once(served: Served, sent: dict[str, object], said: str) -> None:
    assert said in str(served.post("/solve", 400, sent)["error"])


def test_a_form_that_is_refused_comes_back_as_it_was_typed(served: Served) -> None:
    typed = {"game": "resistance", "p-players": "11", "p-spies": "3", "solver": "cfr+", "gap": "0.5", "seed": "9"}
    answer = served.client.post("/solve", data=typed, headers={"accept": "text/html"})
    assert answer.status_code == 400 and "Expected spies and missions too" in words(answer.text)
    for field in ('name="p-players" type="text" value="11"', "<option selected>cfr+", 'value="0.5"', 'value="9"'):
        assert field in answer.text


def test_numbers_of_a_list_may_be_parted_by_spaces(served: Served) -> None:
    sent = {"game": "resistance", "parameters": {"players": 7, "missions": " 2 3, 3 4 4 "}, "size": "yes"}
    assert served.ended(served.post("/solve", 202, sent)["id"])["title"] == "resistance-7"


def test_the_page_solves_what_the_command_line_solves(served: Served) -> None:
    """A table that is too large to count its nodes, but not to solve."""
    sent = {"game": "resistance", "parameters": {"players": 17, "spies": 3, "missions": "2,3,3,4,4"}, "time": 30}
    job = served.post("/solve", 202, sent)["id"]
    while not str((told := served.get(f"/jobs/{job}.json").json())["size"]) and told["state"] in ("waiting", "running"):
        time.sleep(0.05)
    assert "size not counted" in told["size"]
    assert told["again"] == (
        "/solve?game=resistance&p-players=17&p-spies=3&p-missions=2%2C3%2C3%2C4%2C4&solver=auto&time=30"
    )
    assert 'value="2,3,3,4,4"' in served.get(told["again"]).text
    if told["state"] == "running":
        served.client.post(f"/jobs/{job}/stop")


@pytest.mark.parametrize(("solver", "all_or_nothing"), [("lp", True), ("auto", False)])
def test_a_stop_says_what_fits_the_solver(monkeypatch: pytest.MonkeyPatch, solver: str, all_or_nothing: bool) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("ruse.solving.pipeline.solve", stopped)
    spec = {"name": "4-in-a-row" if solver == "auto" else "kuhn", "parameters": {}, "solver": solver, "limits": {}}
    with pytest.raises(KeyboardInterrupt) as advice:
        worker.solve(spec, lambda _: None)
    assert ("has nothing until it has all" in str(advice.value)) is all_or_nothing


def test_verify_recomputes(served: Served) -> None:
    told = served.ended(served.post("/verify/resistance-5", 202, {})["id"])
    assert told["state"] == "done" and "-2/5" in str(told["note"])


def test_what_is_built_in_is_solved_on_first_use(served: Served) -> None:
    """The page waits a moment, then shows the job; a twin says where it is."""
    answer = served.client.get("/p/mini-poker.json")
    while answer.status_code == 202:
        served.ended(answer.json()["id"])
        answer = served.client.get("/p/mini-poker.json")
    assert answer.json()["value"]["exact"] == "0"
    assert list(served.app.state.explorer.library.folder.glob(f"mini-poker-{identity(games.mini_poker())}.*.ruse"))


def test_a_page_that_takes_long_shows_its_job_first(tmp_path: Path, kuhn_file: Path) -> None:
    made = Served(tmp_path, (str(kuhn_file),), patience=0.0)
    try:
        html = {"accept": "text/html"}
        page = f"/p/kuhn@J?file={made.app.state.explorer.library.asked_for[0].source}&tab=proof"
        answer = made.client.get(page, headers=html)
        while answer.status_code == 202:
            assert f'data-back="{escape(page)}"' in answer.text
            time.sleep(0.05)
            answer = made.client.get(page, headers=html)
        assert "What the file claims" in answer.text
    finally:
        made.close()


def test_jobs_are_bounded(tmp_path: Path) -> None:
    made = Served(tmp_path, most_running=1, most_waiting=1, patience=0.0)
    try:
        long = {"game": "leduc", "solver": "cfr", "gap": "0", "time": "300"}
        first = made.post("/solve", 202, long)["id"]
        while made.get(f"/jobs/{first}.json").json()["state"] == "waiting":
            time.sleep(0.02)
        made.post("/solve", 202, {**long, "seed": "1"})
        assert made.post("/solve", 429, {**long, "seed": "2"})["status"] == 429
        assert [job["state"] for job in made.get("/jobs.json").json()["jobs"]] == ["waiting", "running"]
        waits = made.get("/p/kuhn.json", 202).json()["id"]  # what is built in has a lane of its own
        assert made.ended(waits)["state"] == "done"
        while (process := made.app.state.explorer.jobs.find(first).process) is None:
            time.sleep(0.02)
    finally:
        made.close()
    assert process.wait(10) != 0  # the worker ends with the server


# Playing.


def test_a_game_with_coach_two_tabs_and_a_restart(tmp_path: Path, kuhn_file: Path) -> None:
    made = Served(tmp_path, (str(kuhn_file),))
    try:
        file = made.app.state.explorer.library.asked_for[0].source
        sent = {"game": "kuhn", "file": file, "side": "first", "seed": 3, "coach": True}
        begun = made.post("/play", 201, sent)
        page = f"/play/{begun['id']}"
        assert "Your move, first" in words(made.get(page).text)
        assert made.post(page, 400, {"number": 1, "move": "dance"})["error"]
        after = made.post(page, 200, {"number": 1, "move": "bet"})
        assert "bet" in str(after["coached"])
        assert made.post(page, 409, {"number": 1, "move": "bet"})["error"]
    finally:
        made.close()
    again = Served(tmp_path, (str(kuhn_file),))
    try:
        told = again.get(f"{page}.json").json()
        assert told == after
        while not told["over"]:
            told = again.post(page, 200, {"number": told["number"], "move": told["moves"][0]})
        shown = words(again.get(page).text)
        assert "Review" in shown and ("You got" in shown or "You" in shown)
        assert len(told["review"]["moves"]) == len(told["decisions"])
    finally:
        again.close()


@pytest.mark.parametrize(
    ("number", "move", "status"), [("9", "bet", 409), ("1", "dance", 400), ("1", "", 400), ("x", "bet", 400)]
)
def test_a_refusal_keeps_the_game_on_the_page(served: Served, number: str, move: str, status: int) -> None:
    begun = served.post("/play", 201, {"game": "kuhn", "seed": 3})
    page = f"/play/{begun['id']}"
    told = served.client.post(page, data={"number": number, "move": move}, headers={"accept": "text/html"})
    assert told.status_code == status and 'role="alert"' in told.text
    assert "Your move, first" in words(told.text) and 'value="bet"' in told.text


def test_a_game_whose_solution_is_gone_is_kept(tmp_path: Path) -> None:
    (tmp_path / "solutions").mkdir()
    made = Served(tmp_path)
    try:
        path = save(solve(games.nim((1, 2))), made.app.state.explorer.library.folder / "nim.mine.ruse")
        begun = made.post("/play", 201, {"game": "nim(heaps=1-2)", "seed": 3})
        path.unlink()
        page = made.get(f"/play/{begun['id']}", 410, headers={"accept": "text/html"}).text
        assert "its file is gone" in words(page) and "The game is kept" in words(page)
        link = unescape(re.search(r'href="([^"]*)">Solve it again', page)[1])  # type: ignore[index]
        assert 'value="1,2"' in made.get(link).text
        save(solve(games.nim((1, 2))), path)
        made.get(f"/play/{begun['id']}")
    finally:
        made.close()


def test_spies_are_hidden_until_the_end(served: Served) -> None:
    told = served.post("/play", 201, {"game": "resistance-5", "side": "resistance", "seed": 1})
    page = f"/play/{told['id']}"
    sent = served.client.post(page, data={"number": "1", "seat": ["a", "b"]}, headers={"accept": "text/html"})
    assert (sent.status_code, sent.headers["location"]) == (303, page)
    while True:
        told = served.get(f"{page}.json").json()
        if told["over"]:
            break
        assert "@" not in json.dumps(told) and "@" not in words(served.get(page).text)
        served.post(page, 200, {"number": told["number"], "move": told["moves"][0]})
    assert "@" in told["secret"]
    assert "Lost in all" in words(served.get(page).text)


def test_the_page_of_a_game_shows_what_the_terminal_shows(served: Served) -> None:
    told: Any = served.post("/play", 201, {"game": "resistance-5", "side": "spies", "seed": 3})
    page = served.get(f"/play/{told['id']}").text
    first, second = told["position"].partition("@")[2][:2]
    assert f"You are the spies: {first} and {second}." in words(page) and "So far: " in words(page)
    assert "Some seats are secretly spies" in words(page)
    assert told["picture"]["lines"][0] == f"You are the spies: {first} and {second}."
    for head in ("mission", "seats sent", "sabotages to fail"):
        assert re.search(rf'<th scope="(col|row)"[^>]*>\s*{head}\s*</th>', page)
    assert page.count('<th scope="row" class="spy">') == 2
    morra = served.post("/play", 201, {"game": "morra", "seed": 1})
    assert "shows two fingers and guesses" in words(served.get(f"/play/{morra['id']}").text)


def test_seats_by_api_in_any_order(served: Served) -> None:
    told = served.post("/play", 201, {"game": "resistance-5", "side": "resistance", "seed": 1})
    after = served.post(f"/play/{told['id']}", 200, {"number": 1, "move": "ba"})
    assert after["decisions"] == [{"position": "resistance-5", "move": "ab"}]


def test_playing_from_a_position(served: Served) -> None:
    assert "Play from here" in served.get("/p/resistance-5/ab+/abc-").text
    assert "Play from here" not in served.get("/p/resistance-5").text
    over = served.get("/p/kuhn@Q/check/check").text
    assert "Play from the start" in over and "position=" not in over
    assert "resistance-5/ab+/abc-" in served.get("/play?game=resistance-5&side=0&position=resistance-5/ab%2B/abc-").text
    served.get("/play?game=resistance-5&side=0&position=nonsense", 404)
    sent = {"game": "resistance-5", "side": "resistance", "seed": 1, "position": "resistance-5/ab+/abc-"}
    told = served.post("/play", 201, sent)
    assert (told["position"], told["opening"], told["number"]) == (sent["position"], sent["position"], 1)
    assert "So far: ab passed, then abc failed." in words(served.get(f"/play/{told['id']}").text)
    assert served.post("/play", 404, sent | {"position": "resistance-5/ab+/xyz-"})["error"]
    assert served.post("/play", 409, {"game": "kuhn", "position": "kuhn@Q/check/check"})["error"]


# The rest.


def test_openapi_describes_every_twin(served: Served) -> None:
    paths = served.get("/openapi.json").json()["paths"]
    pages = ("/library", "/p/{position}", "/tree/{position}", "/words/{title}", "/jobs/{job}", "/solve", "/play")
    assert {f"{page}.json" for page in pages} <= set(paths)
    for path, methods in paths.items():
        if path.endswith(".json"):
            answer = methods["get"]["responses"]["200"]["content"]["application/json"]["schema"]
            assert "$ref" in answer, path


def test_pictures() -> None:
    points = [Point(0.1, -1.0, 1.0), Point(0.2, -0.1, 0.1), Point(1.0, 0.0, 0.0)]
    assert bounds_svg(points).count("polyline") == 2
    assert "No bounds yet" in bounds_svg([])
    assert line_svg([0.5, 0.25, 1.0], (0.0, 1.0), "per cent").count("circle") == 3


def test_numbers_in_words() -> None:
    assert say.percent(Fraction(1, 3)) == "33.33 %"
    assert say.fraction(Fraction(-1, 18)) == "−1/18"
    assert say.fraction(Fraction(10**20 + 1, 3 * 10**20)) == "≈ 0.333333"
    assert say.heat([["", "x"], ["y", "1/2"], ["z", "−1"]]) == [[None, None], [None, 9], [None, 0]]


def test_ports(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(ServeError, match="free port"):
            listen("127.0.0.1", port)
        monkeypatch.setattr("ruse.explorer.serve.PORT", port)
        with listen("127.0.0.1", None) as found:
            assert found.getsockname()[1] != port
    with pytest.raises(ServeError, match="--expose"):
        explore(argparse.Namespace(games=[], parameters={}, port=None, host="0.0.0.0", expose=False, no_browser=True))


@contextmanager
def explored(state: Path, *arguments: str, how: signal.Signals = signal.SIGINT) -> Iterator[tuple[str, Path]]:
    """The address that `ruse explore` prints, and the file of its stderr; ended by a signal, without an error."""
    errors = state.parent / "stderr"
    command = [sys.executable, "-m", "ruse", "explore", "--no-browser", "--port", "0", *arguments]
    environment = {**os.environ, "XDG_STATE_HOME": str(state)}
    with (
        errors.open("w") as told,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=told, env=environment) as it,
    ):
        assert it.stdout is not None
        address = it.stdout.readline().decode().strip()
        try:
            with httpx.Client(transport=httpx.HTTPTransport(retries=10)) as client:
                assert client.get(address, timeout=30).status_code in (200, 202)
            yield address, errors
        finally:
            it.send_signal(how)
            left = it.stdout.read()
            it.wait(timeout=20)
    assert (it.returncode, left) == (0 if how == signal.SIGINT else -how, b"")
    assert "Traceback" not in errors.read_text() and "ERROR" not in errors.read_text()


def test_explore_serves_until_interrupted(tmp_path: Path) -> None:
    """The address on stdout, an answer there, and a clean end."""
    with explored(tmp_path / "state") as (address, errors):
        assert urlsplit(address).path == "/"
        assert "Ctrl-C" in errors.read_text()


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


def test_explore_prints_the_page_it_opens_and_ends_its_streams(tmp_path: Path) -> None:
    """A game with parameters, by the command line; ended while somebody watches a job."""
    with explored(tmp_path / "state", "resistance", "--players", "7", how=signal.SIGTERM) as (address, _):
        assert urlsplit(address).path == "/p/resistance-7"
        root = address.removesuffix("/p/resistance-7")
        long = {"game": "leduc", "solver": "cfr", "gap": "0", "time": "300"}
        job = httpx.post(f"{root}/solve", json=long).json()["id"]
        stream = socket.create_connection(("127.0.0.1", urlsplit(address).port or 0))
        stream.sendall(f"GET /jobs/{job}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        assert b"200" in stream.recv(100)
    stream.close()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["resistance", "--players", "99"], "expected 2 to 26 players, got 99"),
        (["resistance", "kuhn", "--players", "7"], "expected one game by its name with parameters"),
        (["chess/e4"], "expected a game"),
    ],
)
def test_explore_refuses_what_it_cannot_open(
    capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    assert main(["explore", "--no-browser", "--port", "0", *arguments]) == 1
    assert said in capsys.readouterr().err


def test_without_a_folder_that_lasts_there_is_a_temporary_one(tmp_path: Path) -> None:
    """A file is in the way: one sentence says so, and everything works."""
    (tmp_path / "state").write_text("")
    with explored(tmp_path / "state") as (address, errors):
        assert f"not a directory ({tmp_path / 'state' / 'ruse'})" in errors.read_text()
        answer = httpx.get(f"{address}p/kuhn.json")
        while answer.status_code == 202:
            time.sleep(0.1)
            answer = httpx.get(f"{address}p/kuhn.json")
        assert answer.json()["value"]["exact"] == "-1/18"
        assert httpx.post(f"{address}play", json={"game": "kuhn"}).status_code == 201
    assert (tmp_path / "state").read_text() == ""
