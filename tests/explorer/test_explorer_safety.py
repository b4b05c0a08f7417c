"""Who may ask the explorer: hosts, origins, tokens, sizes, and what its pages may load."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ruse import games
from ruse.explorer.safety import POLICY, needs_token
from ruse.explorer.solution_files import keep
from ruse.solving.pipeline import solve
from served import Served


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
    served.ended(job)  # before other tests look at the library


def test_which_hosts_need_a_token() -> None:
    assert [needs_token(host) for host in ("127.0.0.1", "localhost", "::1", "0.0.0.0", "192.168.1.2", "box.local")] == [
        False,
        False,
        False,
        True,
        True,
        True,
    ]
