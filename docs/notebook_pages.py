"""Each notebook is a page of the site too, with what its cells show."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

NOTEBOOK = ".ipynb"
STYLE = re.compile(r"<style.*?</style>|(?<=<table) border=\"1\" class=\"dataframe\"", re.DOTALL)  # of a frame


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for file in list(files):
        if file.src_uri.endswith(NOTEBOOK) and file.abs_src_path is not None:
            content = _page(Path(file.abs_src_path))
            files.append(File.generated(config, file.src_uri.replace(NOTEBOOK, ".md"), content=content))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """In a checkout links lead to notebooks, in the site to their pages."""
    made = page.file.src_uri.startswith("notebooks/")
    return markdown if made else markdown.replace(f"{NOTEBOOK})", ".md)")


def _page(path: Path) -> str:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    parts = [part for cell in cells for part in _parts(cell)]
    return "\n\n".join([*parts, f"This page is the notebook [{path.name}]({path.name}), as its cells were run."]) + "\n"


def _parts(cell: dict[str, Any]) -> list[str]:
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        return [source]
    return [f"```python\n{source}\n```", *(_shown(output) for output in cell["outputs"])]


def _shown(output: dict[str, Any]) -> str:
    shown = output.get("data", {"text/plain": output.get("text", [])})
    for rich in ("image/svg+xml", "text/html"):
        if rich in shown:
            lines = STYLE.sub("", "".join(shown[rich])).splitlines()
            return "\n".join(['<div class="output">', *(line for line in lines if line.strip()), "</div>"])
    return f"```text\n{''.join(shown['text/plain']).rstrip()}\n```"
