"""The terminal: colour where it has that, lines that end where words do, and a menu where nothing is asked for."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import processes
from ruse.present.screen import fold

COLOUR = re.compile(r"\x1b\[[0-9;]*m")
PATIENCE = 120.0  # seconds


def typed(tmp_path: Path, columns: int, text: str, *arguments: str, **environment: str) -> str:
    """What a terminal of so many columns shows of a command, if that is typed."""
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    settings = termios.tcgetattr(follower)
    settings[3] &= ~termios.ECHO
    termios.tcsetattr(follower, termios.TCSANOW, settings)
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS", "LINES")}
    command = [sys.executable, "-m", "ruse", *arguments]
    streams = dict.fromkeys(("stdin", "stdout", "stderr"), follower)
    given = {**kept, "TERM": "xterm", "XDG_STATE_HOME": str(tmp_path), **environment}
    with processes.started(command, env=given, **streams) as process:
        os.close(follower)
        os.write(leader, text.encode())
        shown = b""
        while select.select([leader], [], [], PATIENCE)[0]:
            try:
                more = os.read(leader, 65536)
            except OSError:  # the other end is closed
                break
            if not more:
                break
            shown += more
        os.close(leader)
        assert process.wait(timeout=PATIENCE) in (0, 1)
    return shown.decode().replace("\r\n", "\n")


def plain(shown: str) -> str:
    """Without colours, progress that was wiped, and prompts, after which a person's Enter would have begun a line."""
    left = re.sub(r"^.*\r\x1b\[2K", "", shown, flags=re.M)
    return re.sub(r"^(> )+", "", re.sub(r"\x1b\[[0-9;]*[A-Za-z]|\r", "", left), flags=re.M)


@pytest.mark.cases(5)
@pytest.mark.parametrize("columns", [80, 40])
@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("games",), ""),
        (("games", "resistance"), ""),
        (("solve", "kuhn"), ""),
        (("play", "resistance", "--seed", "1", "--coach"), "ab\nabc\n?\nq\n"),
        (("solve", "chess"), ""),
    ],
)
def test_no_line_breaks_inside_a_word(tmp_path: Path, columns: int, arguments: tuple[str, ...], text: str) -> None:
    lines = plain(typed(tmp_path, columns, text, *arguments)).splitlines()
    assert lines
    for line in lines:
        assert len(line) <= columns or " " not in line.strip(), line


def test_colour_where_the_terminal_has_it(tmp_path: Path) -> None:
    asked = ("play", "kuhn", "--seed", "3", "--coach")
    assert COLOUR.search(typed(tmp_path, 80, "bet\n", *asked))
    assert not COLOUR.search(typed(tmp_path, 80, "bet\n", *asked, NO_COLOR="1"))
    assert not COLOUR.search(typed(tmp_path, 80, "bet\n", *asked, TERM="dumb"))
    told = processes.run(
        [sys.executable, "-m", "ruse", *asked],
        input="bet\n",
        capture_output=True,
        text=True,
        env={**os.environ, "XDG_STATE_HOME": str(tmp_path), "TERM": "xterm"},
        check=True,
    )
    assert not COLOUR.search(told.stdout + told.stderr)


def test_bare_play_is_a_menu_that_knows_what_was_left(tmp_path: Path) -> None:
    shown = plain(typed(tmp_path, 80, "chess\nkuhn\n2\nq\n", "play"))
    assert "Start a game:" in shown and "Continue a game" not in shown
    assert "Type a number from the list" in shown
    assert "You are Player 2, against the strategy of Player 1." in shown
    shown = plain(typed(tmp_path, 80, "1\nq\n", "play"))
    assert "Continue a game:" in shown and "kuhn as Player 2" in shown
    assert "You are Player 2, against the strategy of Player 1." in shown
    assert "The game is saved" not in plain(typed(tmp_path, 80, "q\n", "play"))


@given(st.text("abc /,", max_size=200), st.integers(20, 60))
def test_folding_keeps_every_word_and_no_line_is_too_wide(text: str, width: int) -> None:
    lines = fold(text, width)
    assert "".join("".join(lines).split()) == "".join(text.split())
    for line in lines:
        longest = max((len(piece) for piece in re.split(r"(?<=[/,])| ", line)), default=0)
        assert len(line) <= width or longest > width - width // 2


def test_what_follows_stands_below_its_column() -> None:
    assert fold("kuhn       one two three four", 25) == ["kuhn       one two three", "           four"]
    assert fold("at resistance-5/ab+/abc-/ab+", 20) == ["at", "    resistance-5/", "    ab+/abc-/ab+"]
