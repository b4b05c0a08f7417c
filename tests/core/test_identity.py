"""Games are known by what defines them, never by what they are called: identities, and all that is kept by them.

tests/state-0.4.0 is what `ruse explore` of 0.4.0 left behind after `matrix --payoffs "0 1; 1 0"`, an .efg file worth 5
and an .efg file titled "kuhn" and worth 9. Started again, 0.4.0 called these values exact of other games so titled.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import time
from dataclasses import replace
from fractions import Fraction
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from listening import listening
from ruse import games
from ruse.cli.program import main
from ruse.core.contract import Checked
from ruse.core.game import GameError
from ruse.core.identity import LENGTH, identity
from ruse.core.plain_games.tree import ExplicitTree, Node, TreeChoice
from ruse.core.seals import KEY
from ruse.explorer.solution_files import is_sealed, keep
from ruse.forms.reductions import Symmetry, Teams
from ruse.games.kuhn import Kuhn
from ruse.play.session import begin
from ruse.play.storage import Sessions
from ruse.solution import checkpoint, store
from ruse.solution.container import StoreError
from ruse.solving.pipeline import solve
from serving import JSON, PATIENCE, Server
from stored import packed, unpacked

OLD_STATE = Path(__file__).parents[1] / "state-0.4.0"
MARKET = 'EFG 2 R "Market" { "first" "second" }\np "" 1 1 "@start" { "left" "right" } 0\n'
WORTH = 't "" 1 "" { %d, -%d }\nt "" 2 "" { 3, -3 }\n'
NINE = (
    'EFG 2 R "%s" { "first" "second" }\np "" 1 1 "@J" { "check" "bet" } 0\nt "" 1 "" { 9, -9 }\nt "" 2 "" { 9, -9 }\n'
)

# What an identity is made of


def test_equal_games_have_one_identity_and_others_have_others() -> None:
    texts = [MARKET + WORTH % (5, 5), MARKET + WORTH % (8, 8), NINE % "kuhn", NINE % "Kuhn"]
    made = [
        *(games.make(name) for name in games.GAMES if name != "matrix"),
        *(games.resistance(players) for players in range(6, 11)),
        games.matrix("0 1; 1 0"),
        games.matrix("10 20; 30 40"),
        games.matrix("0 1; 1 0", rows=["up", "down"]),
        games.matrix("0 1; 1 0", columns=["up", "down"]),
        games.rock_paper_scissors("1/2"),
        *(games.efg(text) for text in texts),
        games.efg(texts[0], title="kuhn"),
    ]
    found = [identity(game) for game in made]
    assert len(set(found)) == len(made)
    assert all(re.fullmatch(rf"[0-9a-f]{{{LENGTH}}}", one) for one in found)
    assert found == [identity(games.make(game.name, dict(game.parameters))) for game in made]
    assert identity(games.matrix("0 1\n1 0")) == identity(games.matrix(" 0,1.0 ; 3/3 0/7;"))


def test_rules_that_changed_are_other_rules() -> None:
    class Raised(Kuhn):
        rules_version = 2

    Raised.__module__ = Kuhn.__module__  # as if Kuhn itself had been raised
    assert identity(Raised()) != identity(games.kuhn())
    assert identity(Teams(games.resistance())) != identity(Symmetry(Teams(games.resistance())))  # type: ignore[arg-type]


def test_a_game_that_somebody_wrote_is_not_the_one_it_is_called() -> None:
    class Rich(Kuhn):
        def __init__(self, stake: int = 9, memory: int = 0) -> None:
            super().__init__()
            self.stake, self._seen = stake, {memory: memory}

        def payoff(self, state: Any) -> Fraction:
            return Fraction(self.stake)

    assert Rich().title == "kuhn" and Rich().parameters == {}
    assert len({identity(games.kuhn()), identity(Rich()), identity(Rich(8))}) == 3
    assert identity(Rich()) == identity(Rich(memory=5))  # which changes nothing that the rules do
    solution = solve(Rich())
    assert (solution.game.name, solution.game.title, solution.value) == ("rich", "rich", 9)
    assert store.loads(store.dumps(solution), "here", Rich()).value == 9


class Dealer:
    """Somebody's object, which a rule asks."""

    def __init__(self, stake: int) -> None:
        self.stakes = [stake]


def test_what_the_rules_do_tells_games_apart_wherever_they_keep_it() -> None:
    class Slotted(Kuhn):
        __slots__ = ("stake",)

        def __init__(self, stake: Any) -> None:
            super().__init__()
            self.stake = stake

        def payoff(self, state: Any) -> Fraction:
            stake = self.stake
            return Fraction(
                stake if isinstance(stake, int) else stake["a"] if isinstance(stake, dict) else stake.stakes[0]
            )

    held = [1, 2, {"a": 3}, {"a": 4}, Dealer(5), Dealer(6)]
    assert len({identity(Slotted(stake)) for stake in held}) == len(held)
    assert [identity(Slotted(stake)) for stake in held] == [identity(Slotted(stake)) for stake in held]
    assert identity(Slotted(5)) == identity(Slotted(Dealer(5)))


def test_a_game_that_is_asked_through_the_contract_is_the_same_game() -> None:
    tree = games.efg(MARKET + WORTH % (5, 5))
    assert identity(Checked(tree)) == identity(tree)
    assert identity(Teams(Checked(tree))) == identity(Teams(tree)) != identity(tree)


def test_a_tree_built_by_hand_is_its_nodes() -> None:
    def tree(payoff: int) -> ExplicitTree:
        choices = [TreeChoice(0, "@start", ("on",), ())]
        nodes = [Node(0, [1], ((), ()), None), Node(-2, [], ((0, 0), ()), Fraction(payoff))]
        return ExplicitTree("efg", "kuhn", ("first", "second"), {}, choices, nodes)

    assert len({identity(tree(1)), identity(tree(9)), identity(games.kuhn())}) == 3
    assert identity(tree(1)) == identity(tree(1))


def test_openspiel_games_are_their_own_strings() -> None:
    pytest.importorskip("pyspiel")
    made = [games.openspiel(game) for game in ("kuhn_poker", "leduc_poker", "goofspiel(num_cards=3)")]
    assert len({identity(game) for game in made}) == 3
    assert identity(games.openspiel("kuhn_poker")) == identity(made[0]) != identity(games.kuhn())


def test_parameters_that_are_not_plain_are_said() -> None:
    game = games.kuhn()
    game.parameters = {"deck": object()}
    with pytest.raises(GameError, match=r"the parameters of kuhn must be plain values: .* got object"):
        identity(game)


# Files


def test_a_file_names_the_game_that_it_solves() -> None:
    solution = solve(games.matrix("0 1; 1 0"))
    fields = unpacked(store.dumps(solution))
    assert fields["identity"] == identity(solution.game)
    del fields["identity"]
    assert store.loads(packed(json.dumps(fields).encode()), "here").identity == solution.identity  # as 0.4.0 wrote it
    fields |= {"identity": identity(solution.game), "parameters": {"payoffs": "10 20; 30 40"}}
    with pytest.raises(StoreError, match=r"other rules or another game: expected the identity .* of matrix") as caught:
        store.loads(packed(json.dumps(fields).encode()), "here")
    assert str(caught.value).count("\n") == 0


def test_files_of_old_are_read() -> None:
    values = {path.name: store.load(path).value for path in (OLD_STATE / "solutions").iterdir()}
    assert values == {"kuhn.ruse": 9, "market.ruse": 5, "matrix.ruse": Fraction(1, 2)}


def test_a_checkpoint_of_another_game_of_that_title_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run"
    kept = {"checkpoint": path, "iterations": 5}
    solve(games.matrix("0 1; 1 0"), "cfr+", **kept)  # type: ignore[arg-type]
    with pytest.raises(checkpoint.CheckpointError, match="expected a checkpoint of a run with identity"):
        solve(games.matrix("10 20; 30 40"), "cfr+", resume=True, **kept)  # type: ignore[arg-type]
    solve(games.matrix("0 1; 1 0"), "cfr+", resume=True, **kept)  # type: ignore[arg-type]


def test_a_checkpoint_of_a_game_with_other_secrets_is_refused(tmp_path: Path) -> None:
    class Secret(Kuhn):
        def __init__(self, stakes: list[int]) -> None:
            super().__init__()
            self._stakes = stakes

        def payoff(self, state: Any) -> Fraction:
            return super().payoff(state) * self._stakes[0]

    assert identity(Secret([1])) != identity(Secret([9]))
    solve(Secret([1]), "cfr+", checkpoint=tmp_path / "run", iterations=5)
    with pytest.raises(checkpoint.CheckpointError, match="expected a checkpoint of a run with identity"):
        solve(Secret([9]), "cfr+", checkpoint=tmp_path / "run", iterations=9, resume=True)


def test_a_session_names_its_game_and_its_solution(tmp_path: Path) -> None:
    kept = Sessions(tmp_path)
    exact, rough = solve(games.kuhn()), solve(games.kuhn(), "cfr+", iterations=5)
    session = begin(exact, 0, seed=1)
    kept.save(session)
    fields = json.loads(kept.path(session.id).read_text())
    assert (fields["identity"], fields["solution"]) == (identity(exact.game), exact.identity)
    assert kept.load(session.id, lambda _: replace(exact, seconds=9.0)).note == ""
    again = kept.load(session.id, lambda _: rough)
    assert again.note == "this game began against another solution of kuhn and continues against this one"
    kept.save(again)
    assert kept.load(session.id, lambda _: rough).note
    kept.path(session.id).write_text(json.dumps(fields | {"identity": "0" * LENGTH}))
    with pytest.raises(StoreError, match=r"expected a session of kuhn by its rules here, .* by other rules"):
        kept.read(session.id)


def test_a_session_of_one_table_does_not_go_on_with_another(tmp_path: Path) -> None:
    kept = Sessions(tmp_path)
    session = begin(solve(games.matrix("0 1; 1 0")), 0, seed=1)
    kept.save(session)
    with pytest.raises(StoreError, match="needs a solution of matrix, not of another game"):
        kept.load(session.id, lambda _: solve(games.matrix("10 20; 30 40")))


def test_play_from_a_file_of_another_table_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(store.save(solve(games.matrix("0 1; 1 0")), tmp_path / "a.ruse"))
    assert main(["play", "matrix", "--payoffs", "10 20; 30 40", "--from", path]) == 1
    assert "got one of another game with the same title, matrix" in capsys.readouterr().err


# The explorer's folder


def test_only_what_was_kept_here_as_it_is_bears_its_seal(tmp_path: Path) -> None:
    path = keep(tmp_path, solve(games.kuhn()))
    content = path.read_bytes()
    assert is_sealed(path, content) and not is_sealed(path, content + b" ")
    assert not is_sealed(path.with_name(path.name.replace("kuhn-", "leduc-")), content)
    assert not is_sealed(path.with_name("kuhn.ruse"), content)
    assert (tmp_path / KEY).stat().st_mode & 0o777 == 0o600
    again = keep(tmp_path, solve(games.kuhn()))
    assert [one for one in tmp_path.iterdir() if one.suffix == ".ruse"] == [again]  # in place of the first
    tagged = keep(tmp_path, solve(games.kuhn()), "tag")
    assert again.exists() and tagged.exists() and tagged != again
    (tmp_path / KEY).write_bytes(b"cut")
    assert not is_sealed(again, again.read_bytes())
    other = keep(tmp_path, solve(games.nim()))
    assert is_sealed(other, other.read_bytes())


def claimed(path: Path, worth: int) -> bytes:
    """A solution of kuhn whose bounds were changed, its checksum recomputed."""
    fields = unpacked(path.read_bytes())
    fields["value"] = fields["certificate"]["lower"] = fields["certificate"]["upper"] = str(worth)
    return packed(json.dumps(fields).encode())


def old_state(folder: Path) -> Path:
    """A folder to start the explorer in, with the poisoned state of 0.4.0 and more that an attacker may put there."""
    state = folder / "state" / "ruse"
    shutil.copytree(OLD_STATE, state)
    genuine = store.save(solve(games.leduc(), "cfr+", iterations=3), folder / "leduc.ruse")
    (state / "solutions" / "leduc.ruse").write_bytes(claimed(genuine, 7))  # the right game, but a lie
    genuine.unlink()
    forged = claimed(store.save(solve(games.kuhn()), folder / "mine.ruse"), 6)
    (folder / "mine.ruse").write_bytes(forged)  # in the working folder
    (state / "solutions" / "kuhn.sent-0123abcd.ruse").write_bytes(forged)
    (state / "solutions" / f"kuhn-{identity(games.kuhn())}.{'0' * 32}.ruse").write_bytes(forged)  # a guessed seal
    return state


def listed(server: Server, title: str) -> list[dict[str, Any]]:
    return [entry for entry in server.told("/library.json")["entries"] if entry["title"] == title]


@pytest.mark.slow
def test_a_poisoned_state_of_old_shows_nothing_wrong(tmp_path: Path) -> None:
    state = old_state(tmp_path)
    with listening(tmp_path, "kuhn") as server:
        assert urlsplit(server.page).path == "/p/kuhn" and not urlsplit(server.page).query
        for path in ("/p/kuhn.json", "/words/kuhn.json", "/play.json?game=kuhn", "/p/leduc.json", "/library.json"):
            found = server.told(path)
            assert not re.search(r"\b[5679], exact", json.dumps(found, ensure_ascii=False)), found
        kuhn = server.told("/p/kuhn.json")
        assert (kuhn["value"]["exact"], kuhn["certificate"]["standing"]) == ("-1/18", "solved here")
        assert kuhn["identity"] == identity(games.kuhn())
        assert "−1/18, exact" in server.shown("/p/kuhn@K?tab=proof") and "−1/18" in server.shown("/play?game=kuhn")
        assert server.told("/tree/kuhn@K.json")["identity"] == identity(games.kuhn())
        assert server.told("/export/kuhn.json")["value"]["exact"] == "-1/18"
        with httpx.Client(base_url=server.address, headers=JSON, timeout=PATIENCE) as client:
            dealt = client.post("/play", json={"game": "kuhn", "seed": 1}).json()
        assert dealt["identity"] == identity(games.kuhn()) and dealt["position"].startswith("kuhn@")
        built_in, *others = sorted(listed(server, "kuhn"), key=lambda entry: entry["page"])
        assert (built_in["page"], built_in["headline"]) == ("/p/kuhn", "Worth −0.05556 to Player 1 (−1/18, exact)")
        assert {entry["standing"] for entry in others} == {"claimed"} and len(others) == 3  # a forged seal is replaced
        for entry in others:  # each opens itself, and says that it is a claim
            told = server.told(entry["page"].replace("?", ".json?"))
            assert told["identity"] == entry["identity"] and "claimed" in told["mark"]
            assert f"file={entry['file']}" in server.shown(entry["page"])
        nine = next(entry for entry in others if entry["game"] == "efg")
        assert nine["headline"] == "Worth 9 to Player 1 (9, claimed)" and nine["identity"] != built_in["identity"]
        # sessions of 0.4.0 go on with their own games
        for path in (state / "sessions").glob("[A-Za-z0-9]*.json"):
            kept = json.loads(path.read_text())
            told = server.told(f"/play/{path.stem}.json")
            assert told["identity"] == identity(games.make(kept["game"], kept["parameters"]))


@pytest.mark.slow
def test_tables_of_one_title_are_kept_apart(tmp_path: Path) -> None:
    """The case of the issue: one table is explored, then another, with what 0.4.0 kept and without."""
    old_state(tmp_path)
    pages = {}
    for payoffs, value in (("0 1; 1 0", "1/2"), ("10 20; 30 40", "30"), ("3 -1\n-2 1", "1/7")):
        with listening(tmp_path, "matrix", payoffs=payoffs) as server:
            page = server.page.removeprefix(server.address)
            pages[value] = page
            wanted = identity(games.matrix(payoffs))
            source = parse_qs(urlsplit(page).query)["file"][0]
            for path in (page.replace("?", ".json?"), "/p/matrix.json"):
                told = server.told(path)
                assert (told["mark"], told["identity"]) == (f"{value}, exact", wanted)
            for path in (
                f"/words/matrix.json?file={source}",
                f"/play.json?game=matrix&file={source}",
                "/play.json?game=matrix",
            ):
                assert server.told(path)["identity"] == wanted
            shown = server.shown(page)
            links = {
                unescape(link)
                for link in re.findall(r'(?:href|action)="(/(?:p|play|words|export|tree|verify)[^"]*)"', shown)
            }
            assert links - {"/play"} and all(f"file={source}" in link for link in links - {"/play"}), links
            assert "/p/matrix/r1" in shown and f'name="file" value="{source}"' in shown
            with httpx.Client(base_url=server.address, headers=JSON, timeout=PATIENCE) as client:
                for sent in ({"game": "matrix"}, {"game": "matrix", "file": source}, {"game": f"matrix?file={source}"}):
                    dealt = client.post("/play", json={**sent, "side": "rows", "coach": True}).json()
                    assert dealt["identity"] == wanted
                    after = client.post(f"/play/{dealt['id']}", json={"number": 1, "move": "r1"}).json()
                    assert after["over"] and after["coached"]
                    row = [Fraction(entry) for entry in re.split("[;\n]", payoffs)[0].split()]
                    assert Fraction(after["gain"]) in row
                    assert f"file={source}" in client.get(f"/play/{dealt['id']}", headers={"accept": "text/html"}).text
                stray = client.post("/play", json={"game": "matrix", "parameters": {"payoffs": "1"}})
                assert stray.status_code == 400 and "expected only the fields game, file" in stray.json()["error"]
                went = client.get("/go", params={"to": "matrix/r1", "file": source})
                assert went.headers["location"] == f"/p/matrix/r1?file={source}"
                job = client.post(f"/verify/matrix?file={source}").json()["id"]
            assert server.told(f"/jobs/{job}.json")["again"] == f"/p/matrix?file={source}&tab=proof"
            sent = httpx.get(f"{server.address}/export/matrix.csv?file={source}", timeout=PATIENCE)
            assert source in sent.headers["content-disposition"]
    assert len(set(pages.values())) == 3
    with listening(tmp_path) as server:  # nobody says which table is meant
        assert "3 games have the title" in server.told("/p/matrix.json", 404)["error"]
        for value, page in pages.items():
            assert server.told(page.replace("?", ".json?"))["mark"] == f"{value}, exact"
        cards = listed(server, "matrix")
        assert len({entry["page"] for entry in cards}) == len(cards) == 4  # one of them 0.4.0 left
        shown = server.shown("/")
        assert all(entry["identity"] in shown and entry["table"] in unescape(shown) for entry in cards)
        assert "0.4" not in server.told("/p/matrix.json?file=0123456789abcdef", 410)["error"]


@pytest.mark.slow
def test_a_file_that_was_edited_between_two_runs_is_another_game(tmp_path: Path) -> None:
    old_state(tmp_path)
    for worth in (8, 5):  # 0.4.0 kept 5
        (tmp_path / "market.efg").write_text(MARKET + WORTH % (worth, worth))
        with listening(tmp_path, "market.efg") as server:
            told = server.told(server.page.removeprefix(server.address).replace("?", ".json?"))
            assert told["mark"] == f"{worth}, exact"
            assert server.told("/p/market.json")["mark"] == f"{worth}, exact"


@pytest.mark.soak
@pytest.mark.slow
def test_a_title_of_a_built_in_game_means_that_game(tmp_path: Path) -> None:
    titles = {"kuhn": "kuhn", "MORRA": "morra", " Nim ": "nim", "nim(heaps=1-2)": "nim(heaps=1-2)"}
    for number, title in enumerate(titles):
        (tmp_path / f"{number}.efg").write_text(NINE % title)
    with listening(tmp_path, *(f"{number}.efg" for number in range(len(titles)))) as server:
        cards = server.told("/library.json")["entries"][: len(titles)]
        assert [card["title"] for card in cards] == list(titles.values())
        for card in cards:
            assert server.told(card["page"].replace("?", ".json?"))["mark"] == "9, exact"  # which it is, of that file
            if card["title"] != "nim(heaps=1-2)":
                assert server.told(f"/p/{card['title']}.json")["identity"] == identity(games.game_of(card["title"]))
        assert "which is only the name of files of other games" in server.told("/p/nim(heaps=1-2).json", 404)["error"]
    with listening(tmp_path, "kuhn", "nim(heaps=1-2)") as server:
        for title in ("kuhn", "nim(heaps=1-2)", "morra", "nim"):
            told = server.told(f"/p/{title}.json")
            assert told["identity"] == identity(games.game_of(title)) and not told["mark"].startswith("9")


@pytest.mark.slow
def test_an_export_that_was_changed_is_another_game(tmp_path: Path) -> None:
    with listening(tmp_path) as server:
        assert server.told("/p/kuhn.json")["value"]["exact"] == "-1/18"
        text = httpx.get(f"{server.address}/export/kuhn.efg", timeout=PATIENCE).text
    changed = re.sub(r"\{ (-?)2, (-?)2 \}", r"{ \g<1>20, \g<2>20 }", text)
    assert changed != text
    (tmp_path / "kuhn.efg").write_text(changed)
    with listening(tmp_path, "kuhn.efg") as server:
        told = server.told(server.page.removeprefix(server.address).replace("?", ".json?"))
        assert told["value"]["exact"] == str(solve(games.efg(changed)).value) != "-1/18"
        assert server.told("/p/kuhn.json")["value"]["exact"] == "-1/18"


@pytest.mark.slow
def test_unicode_titles_and_their_tables(tmp_path: Path) -> None:
    for worth, name in ((5, "a.efg"), (8, "b.efg")):
        (tmp_path / name).write_text(MARKET.replace("Market", "Größe ✓ кун") + WORTH % (worth, worth))
    with listening(tmp_path, "a.efg", "b.efg") as server:
        cards = [entry for entry in server.told("/library.json")["entries"] if entry["origin"] == "given"]
        assert len({entry["page"] for entry in cards}) == 2
        marks = [server.told(entry["page"].replace("?", ".json?"))["mark"] for entry in cards]
        assert marks == ["5, exact", "8, exact"]
        assert "2 games have the title" in server.told(f"/p/{cards[0]['title']}.json", 404)["error"]


@pytest.mark.slow
def test_two_servers_on_one_folder_and_a_file_that_is_replaced(tmp_path: Path) -> None:
    with (
        listening(tmp_path, "matrix", payoffs="0 1; 1 0") as one,
        listening(tmp_path, "matrix", payoffs="5 5") as two,
    ):
        assert (one.told("/p/matrix.json")["mark"], two.told("/p/matrix.json")["mark"]) == ("1/2, exact", "5, exact")
        assert [server.told("/p/kuhn.json")["mark"] for server in (one, two)] == ["−1/18, exact"] * 2
        (path,) = (tmp_path / "state" / "ruse" / "solutions").glob("kuhn-*.ruse")
        before = path.stat()
        path.write_bytes(claimed(path, 5))
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
        for server in (one, two):  # what does not bear its seal is solved again
            assert server.told("/p/kuhn.json")["mark"] == "−1/18, exact"
            assert server.told("/p/kuhn.json")["certificate"]["standing"] == "solved here"


def test_what_was_checked_is_not_taken_for_what_replaced_it(tmp_path: Path) -> None:
    path = store.save(solve(games.kuhn()), tmp_path / "mine.ruse")
    with listening(tmp_path, "mine.ruse") as server:
        page = server.page.removeprefix(server.address)
        file = parse_qs(urlsplit(page).query)["file"][0]
        job = httpx.post(f"{server.address}/verify/kuhn?file={file}", headers=JSON, timeout=PATIENCE).json()["id"]
        while server.told(f"/jobs/{job}.json")["state"] in ("waiting", "running"):
            time.sleep(0.05)
        assert server.told(page.replace("?", ".json?"))["mark"] == "−1/18, exact, checked"
        before = path.stat()
        path.write_bytes(claimed(path, 5))
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
        told = server.told(page.replace("?", ".json?"))["certificate"]
        assert (told["lower"], told["standing"]) == ("5", "claimed")


@pytest.mark.slow
def test_payoffs_typed_over_lines_in_the_page(tmp_path: Path) -> None:
    with listening(tmp_path) as server, httpx.Client(base_url=server.address, headers=JSON, timeout=PATIENCE) as client:
        sent: list[dict[str, Any]] = [
            {"data": {"game": "matrix", "p-payoffs": "3 -1\r\n-2 1\r\n"}},
            {"json": {"game": "matrix", "parameters": {"payoffs": "3 -1\n-2 1"}}},
        ]
        for one in sent:
            job = client.post("/solve", **one).json()["id"]
            while (told := server.told(f"/jobs/{job}.json"))["state"] in ("waiting", "running"):
                time.sleep(0.05)
            assert told["text"].endswith("(1/7, exact)") and told["identity"] == identity(games.matrix("3 -1; -2 1"))
            assert server.told(told["open"].replace("?", ".json?"))["mark"] == "1/7, exact"


def test_a_position_that_does_not_exist_is_refused_before_any_server_starts(capsys: pytest.CaptureFixture[str]) -> None:
    for position in ("kuhn@Z", "kuhn@K/check/check/bet", "resistance-5/ab+/zz-", "leduc@Zz", "nim@9", "matrix/r1"):
        assert main(["explore", "--no-browser", "--port", "0", position]) == 1
        out, err = capsys.readouterr()
        assert not out and err.startswith("ruse: expected ") and err.count("\n") == 1
