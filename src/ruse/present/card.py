"""A solution on one printable page: the table, the value, both strategies as rules, and the proof in a sentence.

The page needs no script, font or other file, and fits A4 and Letter. An installed Chromium or Chrome prints PDF and
PNG.
"""

from __future__ import annotations

import inspect
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from pathlib import Path

from ruse.core import atomic_files, rationals
from ruse.core.contract import rules_of
from ruse.core.game import Game, RuseError, display_name
from ruse.core.named_games import OWN
from ruse.core.registry import moves_text, names, presentation, rules_text
from ruse.present.report import plural, proof, readable
from ruse.present.rules import SideRules, headed, side_rules
from ruse.present.strategy_words import SpokenStrategy
from ruse.solution.headline import shares_between
from ruse.solution.on_path import NEVER
from ruse.solution.strategy import Solution

BROWSERS = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "chromium-headless-shell",
)
SECONDS = 60  # for a browser to print a page
MOST_RULES = 18  # of a side, on one page
MOST_LINES, MOST_CHARACTERS = 28, 50  # that they take, in two columns
MANY_RULES = 14  # from which on they stand in two columns, and small
SHEET = "794,1123"  # pixels: A4 at 96 to the inch
STYLE = """
:root { color-scheme: light; --ink: #1c1c22; --soft: #60606c; --line: #d5d5dd; --first: #1f5fa8; --second: #a8322d; }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 10mm 12mm; max-width: 210mm; background: #fff; color: var(--ink);
  font: 10.5pt/1.4 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; font-variant-numeric: tabular-nums; }
h1 { margin: 0; font-size: 20pt; letter-spacing: -0.01em; }
h2 { margin: 5mm 0 1mm; font-size: 12.5pt; }
p { margin: 0 0 2mm; }
.lead { font-size: 12pt; margin: 1mm 0 3mm; }
.lead, footer { overflow-wrap: anywhere; }
.soft { color: var(--soft); }
.bar { display: flex; height: 6.5mm; margin: 2mm 0 4mm; color: #fff; font-size: 9pt; line-height: 6.5mm;
  border-radius: 1mm; overflow: hidden; -webkit-print-color-adjust: exact; print-color-adjust: exact; }
.bar span { padding: 0 2mm; white-space: nowrap; overflow: hidden; }
.first { background: var(--first); } .second { background: var(--second); text-align: right; }
table { border-collapse: collapse; }
.board { margin: 2mm 0; } .board th, .board td { padding: 1mm 3.5mm; border: 1px solid var(--line); }
.board thead th, .board td { text-align: center; } .board tbody th { text-align: left; font-weight: 500; }
.board .seats { font-size: 15pt; font-weight: 650; }
.rules { width: 100%; } .rules th, .rules td { padding: 0.7mm 3mm 0.7mm 0; text-align: left; vertical-align: top; }
.rules th { width: 44%; font-weight: 500; color: var(--soft); } .rules tr { border-bottom: 1px solid var(--line); }
.rules td, .rules th, code { font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
.rules th, .rules td { font-size: 9.5pt; overflow-wrap: anywhere; }
pre { margin: 2mm 0; font: 9.5pt/1.35 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
.many { columns: 2; column-gap: 8mm; } .many .rules th, .many .rules td { font-size: 7pt; padding-block: 0.25mm; }
.spoken h3 { margin: 2mm 0 0.5mm; font-size: 10pt; break-after: avoid; }
.spoken ul { margin: 0; padding-left: 5mm; font-size: 9.5pt; } .spoken.many ul { font-size: 8pt; }
.played { font-size: 8.5pt; line-height: 1.3; }
.one h2 { color: var(--first); } .two h2 { color: var(--second); }
footer { margin-top: 5mm; padding-top: 2mm; border-top: 1px solid var(--line); font-size: 9pt; }
.many .rules { table-layout: fixed; } section, tr { break-inside: avoid; } .many { break-inside: auto; }
@page { margin: 8mm; }
@media print { body { padding: 0; } }
"""


class CardError(RuseError):
    """A card that cannot be written."""


@dataclass(frozen=True)
class CardHeading:
    """The top of the card. A game's presentation may write its own."""

    title: str
    value: str  # the value or its bounds, in a sentence
    table: str = ""  # the table that is played, as HTML
    command: str = ""  # the command that solves the game again


def card(solution: Solution) -> str:
    """Return the page as HTML."""
    heading = _heading(solution)
    title = escape(heading.title)
    return "\n".join(
        (
            f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>',
            f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<style>{STYLE}</style>\n</head>',
            f'<body>\n<header>\n<h1>{title}</h1>\n<p class="lead">{escape(heading.value)}</p>',
            _bar(solution),
            "</header>\n<main>",
            heading.table,
            _played(solution.game),
            *map(_rules, ("one", "two"), side_rules(solution)),
            f"</main>\n<footer>\n<p>{escape(proof(solution))}</p>",
            f'<p class="soft">{_check(solution, heading.command)}</p>\n</footer>\n</body>\n</html>\n',
        )
    )


def how_it_is_played(game: Game) -> list[str]:
    """Return the rules of a game in paragraphs: as its setup, its text and the sentences about its moves say."""
    presented = presentation(game)
    texts = (presented.setup(), _rules_text(game), _moves_text(game), presented.model())
    return [text for text in texts if text]


def _moves_text(game: Game) -> str:
    return moves_text(game.name) if game.name in names() else ""


def _rules_text(game: Game) -> str:
    if game.name in OWN:
        return " ".join(OWN[game.name].text.split())
    if game.name in names():
        return rules_text(game.name)
    return " ".join((inspect.getdoc(type(rules_of(game))) or "").split())


def write_card(solution: Solution, path: str | Path) -> Path:
    """Write the page as .html, .pdf or .png, all of it or nothing."""
    path = Path(path)
    kind = path.suffix.lower()
    if kind not in (".html", ".pdf", ".png"):
        raise CardError(f"expected a card to be a file ending in .html, .pdf or .png, got {str(path)!r}")
    try:
        atomic_files.check_writable(path)
        page = card(solution).encode()
        atomic_files.replace(path, page if kind == ".html" else _printed(page, kind))
    except OSError as error:
        raise CardError(f"cannot write to {path}: {atomic_files.reason(error)}") from error
    return path


def browser() -> str:
    """Find the program that prints. Raises CardError."""
    for name in BROWSERS:
        if (program := shutil.which(name)) is not None:
            return program
    raise CardError(
        f"printing a card needs Chromium or Chrome, but ruse found none of {', '.join(BROWSERS)}; "
        "install one, or write .html and print that"
    )


def _printed(page: bytes, kind: str) -> bytes:
    """Print a page as PDF or PNG."""
    program = browser()
    with tempfile.TemporaryDirectory(prefix="ruse-card-", ignore_cleanup_errors=True) as folder:
        source, target = Path(folder, "card.html"), Path(folder, f"card{kind}")
        source.write_bytes(page)
        printing = (
            ["--no-pdf-header-footer", f"--print-to-pdf={target}"]
            if kind == ".pdf"
            else [f"--screenshot={target}", f"--window-size={SHEET}", "--force-device-scale-factor=2"]
        )
        quiet = ["--headless", "--disable-gpu", "--no-sandbox", "--no-first-run", "--hide-scrollbars"]
        command = [program, *quiet, f"--user-data-dir={folder}/profile", *printing, source.as_uri()]
        try:
            subprocess.run(command, capture_output=True, timeout=SECONDS, check=True)
            return target.read_bytes()
        except (OSError, subprocess.SubprocessError) as error:
            raise CardError(
                f"{program} could not print the card ({type(error).__name__}); write .html and print that"
            ) from error


# The parts of the page.


def _heading(solution: Solution) -> CardHeading:
    if (own := presentation(solution.game).heading(solution)) is not None:
        return own
    title = solution.game.title
    return CardHeading(title, solution.headline().removeprefix(f"{title}: "))


def _played(game: Game) -> str:
    """Write how the game is played, in a paragraph."""
    text = " ".join(text for text in (_rules_text(game), _moves_text(game)) if text)
    return f'<p class="played"><b>How it is played.</b> {escape(text)}</p>' if text else ""


def _bar(solution: Solution) -> str:
    """Draw how often each side wins, if that is known well enough."""
    win = solution.win
    if len(win) != 2 or not rationals.settled(*shares_between(solution.certificate, 0), "%"):
        return ""
    parts = []
    for kind, (name, share) in zip(("first", "second"), win.items(), strict=True):
        percent = rationals.percent(Fraction(share))
        title = escape(f"{display_name(name)} {percent}")
        parts.append(f'<span class="{kind}" style="width: {100 * float(share):.4f}%" title="{title}">{percent}</span>')
    return f'<div class="bar">{"".join(parts)}</div>'


def _rules(place: str, of: SideRules) -> str:
    """Write a side's rules, as many as fit, or its table if the game draws one."""
    head = f'<section class="{place}">\n<h2>{escape(headed(of.side))}</h2>'
    if of.same:
        return f"{head}\n<p>The same rules as {escape(display_name(of.same))}.</p>\n</section>"
    never = f'\n<p class="soft">{plural(len(of.never), "position")} {NEVER}</p>' if of.never else ""
    if of.in_words is not None:
        return f"{head}\n{_strategy_html(of.in_words)}{never}</section>"
    rules = [readable(line) for line in of.rules]
    shown = [] if of.table or of.outline else rules[: _fitting(rules)]
    rows = "\n".join(_rule(line) for line in shown)
    left = len(rules) - len(shown)
    more = f'<p class="soft">… and {left:,} more rules: <code>ruse show --all FILE.ruse</code></p>' if left else ""
    more += never
    many = " many" * (len(shown) > MANY_RULES)
    table = f"<pre>{escape(chr(10).join(of.table))}</pre>\n" if of.table else ""
    if rows:
        rows = f'<div class="list{many}">\n<table class="rules"><tbody>\n{rows}\n</tbody></table>\n</div>\n'
    outline = "".join(f"<p>{escape(line)}</p>\n" for line in of.outline)
    return f"{head}\n<p>{escape(of.preface)}</p>\n{outline}{table}{rows}{more}</section>"


def _strategy_html(strategy: SpokenStrategy) -> str:
    """A strategy as a person would say it."""
    parts = []
    for section in strategy.sections:
        heading = f"<h3>{escape(section.heading)}</h3>" if section.heading else ""
        lines = "".join(f"<li>{escape(line)}</li>" for line in section.lines)
        parts.append(f"{heading}<ul>{lines}</ul>")
    notes = "".join(f'<p class="soft">{escape(note)}</p>' for note in strategy.notes)
    many = " many" * (sum(len(section.lines) for section in strategy.sections) > MANY_RULES)
    return f'<div class="spoken{many}">{"".join(parts)}{notes}</div>'


def _fitting(rules: Sequence[str]) -> int:
    """How many rules fit on half a page."""
    lines = 0
    for number, rule in enumerate(rules):
        lines += -(-len(rule) // MOST_CHARACTERS)
        if number == MOST_RULES or lines > MOST_LINES:
            return number
    return len(rules)


def _rule(line: str) -> str:
    when, colon, then = line.partition(": ")
    if not colon:
        return f'<tr><td colspan="2">{escape(line)}</td></tr>'
    return f'<tr><th scope="row">{escape(when)}</th><td>{escape(then)}</td></tr>'


def _check(solution: Solution, command: str) -> str:
    """Write how to check the page."""
    from ruse.verify.verifier import refusal

    solve = f"Make it again: <code>{escape(command)} --out card.ruse</code>. " if command else ""
    file = "card.ruse" if solve else "FILE.ruse"
    if reason := refusal(solution):
        return f"{solve}Too large for <code>ruse verify</code>: {escape(reason)}."
    return (
        f"{solve}Check it: <code>ruse verify {file}</code> recomputes both best responses from the rules of the game, "
        "in exact fractions and without the solver. Try your own rules: <code>ruse score</code>."
    )
