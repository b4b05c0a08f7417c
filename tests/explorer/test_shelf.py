"""Names and deleting on the shelf, and what words find, by the API."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from amounts import ALL
from ruse import games
from ruse.explorer.shelf import MOST_NAME, NAMES
from ruse.explorer.solution_files import keep
from ruse.solving.pipeline import solve
from serving import JSON, PATIENCE, serving_here


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("shelf")
    keep(found / "solutions", solve(games.kuhn()))
    put(found)
    return found


def put(folder: Path) -> None:
    """What is named and deleted here."""
    keep(folder / "solutions", solve(games.nim((1, 2))), "0123456789abcdef")


@pytest.fixture(scope="module")
def client(folder: Path) -> Iterator[httpx.Client]:
    with (
        serving_here(folder) as address,
        httpx.Client(base_url=address, headers=JSON, timeout=2 * PATIENCE) as made,
    ):
        yield made


def entry(client: httpx.Client) -> dict[str, str]:
    found = [one for one in client.get("/library.json").json()["entries"] if one["kept"]]
    assert len(found) == 1
    return dict(found[0])


def test_a_name_is_given_and_taken_back(client: httpx.Client, folder: Path) -> None:
    before = entry(client)
    assert before["label"] == "nim, heaps 1-2"
    sent = {"file": before["file"], "name": "  Two   heaps "}
    assert client.post("/library/name", json=sent).json() == {"file": before["file"], "label": "Two heaps"}
    assert entry(client)["label"] == "Two heaps"
    (folder / "solutions" / NAMES).write_text("damaged")
    assert entry(client)["label"] == before["label"]
    client.post("/library/name", json=sent)
    client.post("/library/name", json={**sent, "name": ""})
    assert entry(client) == before


@pytest.mark.parametrize(("name", "status"), [("x" * (MOST_NAME + 1), 400), ("a\x07b", 400)])
def test_a_name_that_is_none_is_refused(client: httpx.Client, name: str, status: int) -> None:
    before = entry(client)
    assert client.post("/library/name", json={"file": before["file"], "name": name}).status_code == status
    assert entry(client) == before


def test_what_is_built_in_or_unknown_is_not_ours_to_change(client: httpx.Client) -> None:
    kuhn = next(one for one in client.get("/library.json").json()["entries"] if one["title"] == "kuhn")
    for file, status in ((kuhn["file"], 410), ("0" * 16, 410), ("../../etc", 410), ("", 400)):
        assert client.post("/library/delete", json={"file": file}).status_code == status
        assert client.post("/library/name", json={"file": file, "name": "mine"}).status_code == status


@pytest.mark.cases(4)
@pytest.mark.parametrize(
    ("words", "titles"),
    [
        ("poker", {"kuhn", "leduc", "mini-poker"}),
        ("resistance 5", {"resistance-5"}),
        ("kuhn Q check bet", {"kuhn@Q/check/bet"}),
        ("resistance 6 ab+", {"resistance-6/ab+"}),
        ("war", {"war"}),
        ("chess", set()),
        ("", set()),
        ("kuhn Z", set()),
    ],
)
def test_words_find_games_and_positions(client: httpx.Client, words: str, titles: set[str]) -> None:
    hits = client.get("/find.json", params={"words": words}).json()["hits"]
    assert titles <= {hit["title"] for hit in hits} and bool(titles) == bool(hits)
    for hit in hits:
        if ALL or hit["title"] in titles:
            assert client.get(hit["page"]).status_code == 200


def test_words_that_mean_one_thing_lead_there(client: httpx.Client) -> None:
    for words, path in (("resistance 5", "/p/resistance-5"), ("phantom", "/find"), ("kuhn@K", "/p/kuhn@K")):
        assert urlsplit(client.get("/go", params={"to": words}).headers["location"]).path == path


def test_deleting_takes_it_away(client: httpx.Client, folder: Path) -> None:
    file = entry(client)["file"]
    assert client.post("/library/delete", json={"file": file}).status_code == 200
    assert not [one for one in client.get("/library.json").json()["entries"] if one["kept"]]
    assert not list((folder / "solutions").glob("nim*.ruse"))
    assert client.post("/library/delete", json={"file": file}).status_code == 410
    put(folder)  # other tests may follow
