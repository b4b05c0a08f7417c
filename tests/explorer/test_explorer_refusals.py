"""What the explorer refuses: one sentence, the right status, and a way on."""

from __future__ import annotations

import re

import pytest

from served import Served, words


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
        assert re.search("Expected|Unknown|Invalid|There is no|was removed", words(answer.text))
    told = served.get(path, status, headers={"accept": "application/json"}).json()
    assert told["status"] == status
    assert told["error"][:1].islower()


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
