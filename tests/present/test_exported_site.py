"""A solved game as a folder of pages: every link leads to a page of the folder, and the numbers are the view's."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import ruse
from ruse.present.site import MARK, SiteError, write_site


@pytest.fixture(scope="module")
def kuhn() -> ruse.Solution:
    return ruse.solve(ruse.games.kuhn())


def test_every_link_stays_in_the_folder(kuhn: ruse.Solution, tmp_path: Path) -> None:
    folder = write_site(kuhn, tmp_path / "site")
    pages = [*folder.glob("*.html"), *folder.glob("positions/*.html")]
    assert len(pages) == 2 + 56  # kuhn has 55 states; a side knows less, but both have pages
    for page in pages:
        for link in re.findall(r'(?:href|src)="([^"]*)"', page.read_text(encoding="utf-8")):
            assert (page.parent / link).is_file(), (page, link)
    index = (folder / "index.html").read_text(encoding="utf-8")
    assert "worth -1/18" in index and "The higher card wins the pot" in index and "Certificate:" in index
    texts = [page.read_text(encoding="utf-8") for page in pages]
    jack = next(text for text in texts if "<h1>kuhn@J</h1>" in text and "Player 1’s view" in text)
    assert "66.67% (2/3)" in jack


def test_an_earlier_site_is_replaced_and_nothing_else(kuhn: ruse.Solution, tmp_path: Path) -> None:
    folder = write_site(kuhn, tmp_path / "site")
    (folder / "mine.txt").write_text("mine")
    write_site(ruse.solve(ruse.games.rock_paper_scissors()), folder)
    assert (folder / "mine.txt").read_text() == "mine"
    assert not list(folder.glob("positions/kuhn*")) and "rock-paper-scissors" in (folder / "index.html").read_text()
    other = tmp_path / "other"
    other.mkdir()
    (other / "photo.html").write_text("mine")
    with pytest.raises(SiteError, match="holds other files"):
        write_site(kuhn, other)
    (other / MARK).write_text("../site/index.html\nphoto.jpg\n")  # no list of ours
    write_site(kuhn, other)
    assert (folder / "index.html").is_file()


def test_the_command(ruse: Any, kuhn: Any, tmp_path: Path) -> None:
    file = kuhn.save(tmp_path / "kuhn.ruse")
    status, out, _ = ruse("export", str(file), "--site", str(tmp_path / "site"))
    assert status == 0 and out == f"Written: {tmp_path / 'site' / 'index.html'}\n"
    assert "expected a solution (FILE.ruse) for --site" in ruse("export", "kuhn", "--site", str(tmp_path / "s"))[2]
    assert "does not exist" in ruse("export", str(file), "--site", str(tmp_path / "no" / "site"))[2]
