"""The page of metrics, and its twin."""

from __future__ import annotations

import time
from typing import Any

from ruse import games
from ruse.metrics import measure
from ruse.solving.pipeline import solve
from served import Served, words


def answered(served: Served, path: str) -> Any:
    """The JSON of a page, once what it takes is worked out."""
    for _ in range(600):
        answer = served.client.get(path)
        if answer.status_code != 202:
            assert answer.status_code == 200, answer.text
            return answer.json()
        time.sleep(0.1)
    raise AssertionError(f"{path} is not worked out")


def test_the_page_says_what_the_metrics_say(served: Served) -> None:
    told = answered(served, "/metrics/kuhn.json")
    measured = measure(solve(games.kuhn()))
    assert told["metrics"] == measured.fields() and told["basis"] == "reference" and told["changes"] is None
    page = served.get("/metrics/kuhn").text
    said = words(page)
    for figure in told["figures"]:
        assert figure["title"] in said and (figure["text"] or figure["reason"]) in said
    assert page.count("<svg") == 4 and 'aria-label="How long games are' in page


def test_what_each_rule_change_does(served: Served) -> None:
    told = answered(served, "/metrics/mini-poker.json?changes=yes")
    assert told["changes"] == [] and "no whole numbers to change" in words(
        served.get("/metrics/mini-poker?changes=yes").text
    )
    assert served.get("/metrics/nothing", 404)
