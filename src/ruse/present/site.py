"""A solved game as a folder of pages that open without a server: positions, strategies in words, rules and proof.

A page is plain HTML with one style sheet beside it. A script sorts and filters the list of positions; everything else
works without it.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from html import escape
from pathlib import Path

from ruse.core import atomic_files, rationals
from ruse.core.clock import tick
from ruse.core.game import CHANCE, END, PositionError, RuseError, display_name
from ruse.core.types import Report
from ruse.present.card import how_it_is_played
from ruse.present.model import Option, View
from ruse.present.report import proof, readable
from ruse.present.rules import SideRules, headed, side_rules
from ruse.present.viewer import too_large, viewer
from ruse.solution.strategy import Solution

PAGE = Path(__file__).with_name("page")  # style sheets and scripts of pages that stand alone
STYLES = ("frame.css", "report.css")
MARK = "ruse-site.txt"  # in every such folder: the files that ruse wrote, which another run may replace
OURS = re.compile(r"(positions/)?[A-Za-z0-9+@=_-][A-Za-z0-9+@=._-]*\.(html|css|js)")
MOST_POSITIONS = 2_000  # pages
MOST_RULES = 400  # of a side, in words
MOST_BELIEFS = 40  # at a position


class SiteError(RuseError):
    """A folder that cannot be written, or a game without pages."""


@dataclass(frozen=True)
class SitePage:
    """A position as one side knows it, and its file."""

    view: View
    file: str


def write_site(solution: Solution, folder: str | Path, report: Report = lambda *_: None) -> Path:
    """Write the pages into a new folder, or in place of an earlier site; all of them or nothing."""
    folder = Path(folder)
    check_folder(folder)
    if reason := too_large(solution.game):
        raise SiteError(f"{solution.game.title} has too many positions for a page each: {reason}")
    pages, left = _positions(solution, report)
    files = dict(_files(solution, pages, left))
    files[MARK] = "".join(f"{name}\n" for name in files)
    try:
        beside = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
        try:
            for name, content in files.items():
                path = beside / name
                path.parent.mkdir(exist_ok=True)
                path.write_text(content, encoding="utf-8")
            _replace(folder, beside, files)
        finally:
            shutil.rmtree(beside, ignore_errors=True)
    except OSError as error:
        raise SiteError(f"cannot write to {folder}: {atomic_files.reason(error)}") from error
    return folder


def _replace(folder: Path, beside: Path, files: Iterable[str]) -> None:
    """Move new pages in place of those that an earlier run wrote, and leave all other files alone."""
    folder.mkdir(exist_ok=True)
    before = (folder / MARK).read_text(encoding="utf-8").splitlines() if (folder / MARK).exists() else []
    for name in before:
        path = folder / name
        if OURS.fullmatch(name) and path.is_file():
            path.unlink()
    for name in files:
        (folder / name).parent.mkdir(exist_ok=True)
        (beside / name).replace(folder / name)


def check_folder(folder: Path) -> None:
    """Raise SiteError unless the folder is new, empty or an earlier site."""
    if not folder.parent.is_dir():
        raise SiteError(f"the folder of {str(folder)!r} does not exist; create it, or choose another folder")
    if not folder.exists():
        return
    if not folder.is_dir():
        raise SiteError(f"{folder} is a file; choose another folder")
    if any(folder.iterdir()) and not (folder / MARK).is_file():
        raise SiteError(f"{folder} holds other files; choose a new folder")


def _positions(solution: Solution, report: Report) -> tuple[list[SitePage], int]:
    """Return the positions of both sides, those that play comes to first, and how many were left out at least."""
    views = viewer(solution)
    reached: deque[tuple[str, int]] = deque((views.start(side), side) for side in (0, 1))
    others: deque[tuple[str, int]] = deque()
    seen, pages = set(reached), list[SitePage]()
    while (reached or others) and len(pages) < MOST_POSITIONS:
        tick()
        position, side = (reached or others).popleft()
        try:
            view = views.at(position, side)
        except PositionError:
            continue
        pages.append(SitePage(view, _file_name(position, side)))
        for option in view.options:
            if option.after is not None and (option.after, side) not in seen:
                seen.add((option.after, side))
                (reached if view.reached and option.odds else others).append((option.after, side))
        report(f"{len(pages):,} positions", None, None)
    return pages, len(reached) + len(others)


def _file_name(position: str, side: int) -> str:
    """Return the file of a position: readable, and safe on every system."""
    safe = re.sub(r"[^A-Za-z0-9+@=-]+", "_", position).strip("_")[:60]
    return f"positions/{safe}.{sha256(f'{side} {position}'.encode()).hexdigest()[:10]}.html"


def _files(solution: Solution, pages: Sequence[SitePage], left: int) -> Iterator[tuple[str, str]]:
    files = {(page.view.position, page.view.side): page.file for page in pages}
    yield "style.css", "".join((PAGE / name).read_text(encoding="utf-8") for name in STYLES)
    yield "report.js", (PAGE / "report.js").read_text(encoding="utf-8")
    yield "index.html", _index(solution, files)
    yield "positions.html", _list(solution, pages, left)
    for page in pages:
        yield page.file, _position(solution, page.view, files)


# Pages.


def _page(title: str, body: str, depth: int = 0) -> str:
    up = "../" * depth
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<title>{escape(title)}</title>\n<link rel="stylesheet" href="{up}style.css">\n'
        f'<script src="{up}report.js" defer></script>\n</head>\n<body>\n'
        f'<nav><a href="{up}index.html">Overview</a> <a href="{up}positions.html">All positions</a></nav>\n'
        f'<main class="report">\n{body}\n</main>\n</body>\n</html>\n'
    )


def _index(solution: Solution, files: Mapping[tuple[str, int], str]) -> str:
    game = solution.game
    starts = viewer(solution)
    parts = [f"<h1>{escape(game.title)}</h1>", f"<p><b>{escape(_value(solution))}</b></p>"]
    links = [
        f'<li><a href="{files[starts.start(side), side]}">The start, as {escape(display_name(name))} sees it</a></li>'
        for side, name in enumerate(game.sides)
        if (starts.start(side), side) in files
    ]
    parts.append(f"<ul>{''.join(links)}</ul>")
    if rules := how_it_is_played(game):
        parts.append("<h2>How it is played</h2>" + "".join(f"<p>{escape(text)}</p>" for text in rules))
    for of in side_rules(solution):
        parts.append(f"<h2>{escape(headed(of.side))}</h2>{_words(of)}")
    parts.append(f"<h2>What is proved</h2><p>{escape(proof(solution))}</p>")
    return _page(game.title, "\n".join(parts))


def _value(solution: Solution) -> str:
    return solution.headline().removeprefix(f"{solution.game.title}: ")


def _words(of: SideRules) -> str:
    if of.same:
        return f"<p>The same rules as {escape(display_name(of.same))}.</p>"
    if of.in_words is not None:
        return "".join(f"<h3>{escape(part.heading)}</h3>{_listed(part.lines)}" for part in of.in_words.sections)
    lines = [*of.outline, *(readable(line) for line in of.rules[:MOST_RULES])]
    more = len(of.rules) - MOST_RULES
    last = f"<p>… and {more:,} more rules; every position has its own page.</p>" if more > 0 else ""
    return f"<p>{escape(of.preface)}</p>{_listed(lines)}{last}"


def _listed(lines: Iterable[str]) -> str:
    return f"<ul>{''.join(f'<li>{escape(line)}</li>' for line in lines)}</ul>"


def _list(solution: Solution, pages: Sequence[SitePage], left: int) -> str:
    rows = "".join(_row(solution, page) for page in pages)
    more = f"At least {left:,} more positions have no page here; open the solution with ruse explore."
    note = f"<p>{more}</p>" if left else ""
    heads = "".join(f'<th scope="col">{name}</th>' for name in ("position", "seen by", "moves", "reached", "value"))
    body = (
        f"<h1>All positions of {escape(solution.game.title)}</h1>{note}"
        f'<div class="scroll"><table class="sortable"><thead><tr>{heads}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )
    return _page(f"{solution.game.title}: all positions", body)


def _row(solution: Solution, page: SitePage) -> str:
    view = page.view
    played = [option for option in view.options if option.odds] if view.turn == view.side else []
    reach = "never" if not view.reached else "" if view.reach is None else rationals.percent(view.reach)
    cells = [
        ("", f'<a href="{page.file}">{escape(view.position)}</a>'),
        ("", escape(display_name(solution.game.sides[view.side]))),
        ("", escape(", ".join(f"{option.move} {rationals.short(option.odds)}" for option in played))),
        (f' data-key="{float(view.reach or 0):.12g}"', reach),
        (f' data-key="{float(view.value):.12g}"', escape(_value_text(solution, view.value))),
    ]
    return f"<tr>{''.join(f'<td{key}>{text}</td>' for key, text in cells)}</tr>"


def _position(solution: Solution, view: View, files: Mapping[tuple[str, int], str]) -> str:
    game = solution.game
    side = display_name(game.sides[view.side])
    turns = {CHANCE: "Chance moves", END: "The end", None: "Somebody moves", view.side: f"{side} to move"}
    turn = turns.get(view.turn, f"{display_name(game.sides[1 - view.side])} to move")
    parts = [
        f"<h1>{escape(view.position)}</h1>",
        f"<p><b>{escape(turn)}. {escape(_value_text(solution, view.value))}.</b></p>",
    ]
    if not view.reached:
        parts.append("<p>Optimal play never comes here.</p>")
    chips = [_link(chip.step, chip.position, view.side, files) for chip in view.history]
    if chips:
        parts.append(f"<p>{' › '.join(chips)}</p>")
    parts.append(f'<p class="soft">{escape(side)}’s view. {escape(_sentence(view.assumption))}</p>')
    if view.options:
        costs = any(option.loss is not None for option in view.options)
        heads = ["move" if view.turn == view.side else "what comes", "how often", "value after", *["cost"] * costs]
        rows = "".join(_option(solution, view, option, costs, files) for option in view.options)
        parts.append(_plain(heads, rows))
    if view.beliefs:
        rows = "".join(
            f"<tr><td>{_link(belief.what, belief.there, 1 - view.side, files)}</td><td>{_odds(belief.odds)}</td></tr>"
            for belief in sorted(view.beliefs, key=lambda belief: -belief.odds)[:MOST_BELIEFS]
        )
        parts.append(f"<h2>What {escape(side)} cannot see</h2>{_plain(['what', 'how likely'], rows)}")
    parts += [f"<p>{escape(note)}</p>" for note in view.notes]
    return _page(view.position, "\n".join(parts), depth=1)


def _plain(heads: Sequence[str], rows: str) -> str:
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in heads)
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>'


def _option(solution: Solution, view: View, option: Option, costs: bool, files: Mapping[tuple[str, int], str]) -> str:
    gloss = f' <span class="soft">{escape(option.gloss)}</span>' if option.gloss else ""
    after = "" if option.value is None else _value_text(solution, option.value)
    cost = "" if option.loss is None else _amount(solution, option.loss)
    cells = f"<td>{_link(option.move, option.after or '', view.side, files)}{gloss}</td><td>{_odds(option.odds)}</td>"
    cells += f"<td>{escape(after)}</td>" + (f"<td>{escape(cost)}</td>" if costs else "")
    return f"<tr>{cells}</tr>"


def _link(text: str, position: str, side: int, files: Mapping[tuple[str, int], str]) -> str:
    file = files.get((position, side))
    return escape(text) if file is None else f'<a href="../{file}">{escape(text)}</a>'


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith('.') else '.'}" if text else ""


def _odds(odds: Fraction) -> str:
    share = f'<meter min="0" max="1" value="{float(odds):.4f}"></meter>'
    return f"{share} {escape(rationals.percent(odds))} ({escape(rationals.short(odds))})"


def _value_text(solution: Solution, value: Fraction) -> str:
    side = display_name(solution.game.sides[0])
    if len(solution.game.wins) == 2:
        share = (1 + value) / 2
        return f"{side} wins {rationals.percent(share)} ({rationals.short(share)})"
    return f"{side} gets {rationals.short(value)}"


def _amount(solution: Solution, loss: Fraction) -> str:
    if not loss:
        return "nothing"
    return rationals.points(loss / 2) if len(solution.game.wins) == 2 else rationals.short(loss)
