"""The reports of `ruse reproduce` are part of the site, where they have been made."""

from __future__ import annotations

import re
import shutil
from html import escape
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

from ruse.reproduce.report import listed
from ruse.reproduce.run import where_slips_are

PLACE = "<!-- the reports -->"
NONE = "This site was built without them: `make reports` makes them, and `make docs` then takes them in."
SUFFIXES = (".html", ".md", ".csv")


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """The list of the reports, on the page that has a place for it."""
    return markdown.replace(PLACE, _list(_folder(config))) if PLACE in markdown else markdown


def on_post_build(config: MkDocsConfig) -> None:
    """Beside that page, as they are; what leads to the list of slips leads to its page."""
    folder, there = _folder(config), Path(config.site_dir) / "reports"
    slips = escape(where_slips_are(folder), quote=True)
    for name in _made(folder):
        for suffix in SUFFIXES:
            shutil.copy(folder / f"{name}{suffix}", there)
        page = there / f"{name}.html"
        text = page.read_text(encoding="utf-8").replace(f'href="{slips}"', 'href="../explanation/slips.html"')
        page.write_text(text, encoding="utf-8")


def _folder(config: MkDocsConfig) -> Path:
    return Path(config.config_file_path).parent / config.extra["reports"]


def _made(folder: Path) -> list[str]:
    return [name for name in listed() if all((folder / f"{name}{suffix}").exists() for suffix in SUFFIXES)]


def _list(folder: Path) -> str:
    made = _made(folder)
    if not made:
        return NONE
    parts = []
    for name in made:
        about, text = listed()[name], (folder / f"{name}.html").read_text(encoding="utf-8")
        told = re.search(r'<p class="lead">(.*?)</p>', text, re.DOTALL)
        link = f'<a href="{name}.html">{escape(about["title"])}</a>'
        parts += [
            f"## {about['authors']}",
            f"<p>{link}, {escape(about['where'])}.</p>",
            f"<p>{told[1] if told else ''}</p>",
        ]
    return "\n\n".join(parts)
