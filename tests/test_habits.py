"""What stands around the code: make, the citation, the security policy and the forms for issues say what is so."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
import yaml
from benchmarks.counts import counts

import processes
from ruse.explorer.settings import Settings

KERNELS = {"kernels.public:sweep", "kernels.public_bounds:best_response"}  # docstring of benchmarks.counts says why
ROOT = Path(__file__).parent.parent
PAPERS = ("Bossle", "Johansson", "Kubíček", "Dohmatob", "Cauwet")
WITHIN = {"browser"}  # what only other targets need


def test_make_alone_lists_its_targets() -> None:
    """And does nothing else: it makes no environment."""
    told = processes.run(["make"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    listed = re.findall(r"^  make (\S+) +\S", told, re.MULTILINE)
    (phony,) = re.findall(r"^\.PHONY: (.*)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert set(listed) == set(phony.split()) - WITHIN and {"solve", "test", "docs"} <= set(listed)


def test_the_citation_is_of_this_version_and_of_the_five_papers() -> None:
    found = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert (found["cff-version"], found["version"], found["license"]) == ("1.2.0", project["version"], "MIT")
    assert found["title"] == f"ruse: {project['description'][0].lower()}{project['description'][1:]}"
    first = [reference["authors"][0]["family-names"].split()[-1] for reference in found["references"]]
    assert sorted(first) == sorted(PAPERS) and all(reference["title"] for reference in found["references"])


def test_the_security_policy_tells_the_limits_that_there_are() -> None:
    text = " ".join((ROOT / "SECURITY.md").read_text(encoding="utf-8").split())
    settings = Settings(Path(), Path())
    assert f"at {settings.host}," in text
    assert f"at most {settings.most_body >> 20} MiB, uploads of a solution {settings.most_upload >> 20} MiB" in text
    assert (settings.most_running, settings.most_waiting, settings.most_seconds) == (2, 8, 3600)
    assert "Two jobs run at a time and eight may wait, none longer than an hour" in text


@pytest.mark.parametrize("name", ["fault", "idea", "wrong-answer"])
def test_forms_for_issues_ask_for_what_is_needed(name: str) -> None:
    form = yaml.safe_load((ROOT / ".github" / "ISSUE_TEMPLATE" / f"{name}.yml").read_text(encoding="utf-8"))
    assert form["name"] and form["description"]
    fields = [field for field in form["body"] if field["type"] != "markdown"]
    assert len({field["id"] for field in fields}) == len(fields) >= 2
    assert fields[0]["validations"]["required"] and all(field["attributes"]["label"] for field in fields)


def test_ideas_and_names_stay_few() -> None:
    """What `python -m benchmarks.counts` counts and nobody should bring back."""
    counted = counts(ROOT)
    for none in ("repeated class names", "docstrings that begin with The same", "names to replace"):
        assert not counted[none], f"{none}: {counted[none]}"
    assert counted["functions over complexity 20"].keys() == KERNELS
    assert len(counted["parts"]) <= 5 and len(counted["capabilities"]) <= 12
