"""The text of Gambit's files: words, quoted labels, braces and commas, each with its line and column.

Blanks mean nothing outside quotes. Inside, \\" is a quote, and a backslash before anything else is itself: so
Gambit reads, and so it cannot end a label with a backslash. Every number is read exactly.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from math import lcm
from pathlib import Path
from typing import NamedTuple
from unicodedata import combining, normalize

from ruse.core import atomic_files, rationals
from ruse.core.clock import tick
from ruse.core.game import Parameters, RuseError

MOST_BYTES = 256_000_000  # of a file
MOST_DIGITS = 300  # of a number, above and below the line: so it has a float, and so have sums of many
MOST_COMMON_DIGITS = 10_000  # of the common denominator of all odds and payoffs
MOST_LABEL = 200  # characters of a name in a position
SHOWN = 40

TOKEN = re.compile(r"""[ \t\r\n\f\v]*+(?:([{},])|"([^"]*+(?:(?<=\\)"[^"]*+)*+)"|([^ \t\r\n\f\v{},"]++))""")
BLANKS = re.compile(r"[ \t\r\n\f\v]*+")
NUMBER = re.compile(r"([-+]?)(?:([0-9]++)/([0-9]++)|([0-9]*+)(?:\.([0-9]*+))?(?:[eE]([-+]?[0-9]++))?)")
WHOLE = re.compile(r"[0-9]{1,18}")
NOT_TEXT = re.compile("[\0\ud800-\udfff]")
MARK, TEXT, WORD, END = 1, 2, 3, 4  # kinds of tokens, the first three by their groups in TOKEN

MEANT = re.compile(r"""(?:[,;.]?[\s/@?#:"\\()])+""")  # what has a meaning in positions and rule files
PLAIN = re.compile(r"([!-\[\]-~]+( [!-\[\]-~]+)*)?")
TITLE = re.compile(r"[a-z][a-z0-9-]*(\([\w=,.:-]*\))?")
POSITION = re.compile(r"""(@[^\s/@#:"\\()]+)?(/[^\s/@#:"\\()]+)*""")


class FormatError(RuseError):
    """A file that holds no game that ruse can solve, with the line and column of the error."""


class Tokens:
    """A cursor over the tokens of a text."""

    def __init__(self, text: str, source: str) -> None:
        self._text, self._source = text, source
        self._next = 0
        self._numbers: dict[str, Fraction] = {}
        self._common = 1
        self._ends: tuple[Fraction, int] | None = None  # what the payoffs of the first end add up to, and where it is
        if (wrong := NOT_TEXT.search(text)) is not None:
            raise self.error("text", f"the character {wrong[0]!r}", wrong.start())
        self._move_on()

    def _move_on(self) -> None:
        match = TOKEN.match(self._text, self._next)
        if match is not None:
            self.kind: int = match.lastindex or END
            self.word: str = match[self.kind]
            self.at = match.start(self.kind) - (self.kind == TEXT)  # a text begins with its quote
            self._next = match.end()
            return
        blanks = BLANKS.match(self._text, self._next)
        self.kind, self.word, self.at = END, "", len(self._text) if blanks is None else blanks.end()
        if self.at < len(self._text):  # nothing but a quote can be there
            raise self.error("a quote that ends this text", "none")

    def error(self, expected: str, got: str | None = None, at: int | None = None) -> FormatError:
        """What to raise: here, or where it says, something else was expected."""
        offset = self.at if at is None else at
        line, column = self._place(offset)
        place = f"{self._source}, line {line}, column {column}"
        return FormatError(f"expected {expected}, got {self.shown() if got is None else got} ({place})")

    def _place(self, offset: int) -> tuple[int, int]:
        """A line and column, from 1."""
        return self._text.count("\n", 0, offset) + 1, offset - self._text.rfind("\n", 0, offset)

    def shown(self) -> str:
        """The token here, as a sentence can hold it."""
        if self.kind == END:
            return "the end of the file"
        word = self.word if len(self.word) <= SHOWN else f"{self.word[:SHOWN]}…"
        return f"the text {word!r}" if self.kind == TEXT else repr(word)

    def skip(self, mark: str) -> bool:
        """Pass over a brace or comma, if it is here."""
        here = self.is_at(mark)
        if here:
            self._move_on()
        return here

    def take_mark(self, mark: str) -> None:
        if not self.skip(mark):
            raise self.error(repr(mark))

    def take_word(self, purpose: str, *words: str) -> str:
        """One of these words."""
        word = self.word
        if self.kind != WORD or word not in words:
            raise self.error(purpose)
        self._move_on()
        return word

    def take_text(self, purpose: str) -> str:
        """A text in quotes."""
        if self.kind != TEXT:
            raise self.error(f"{purpose} in quotes")
        text = self.word.replace('\\"', '"')
        self._move_on()
        return text

    def take_whole(self, purpose: str) -> int:
        if self.kind != WORD or not WHOLE.fullmatch(self.word):
            raise self.error(f"{purpose}, a whole number")
        number = int(self.word)
        self._move_on()
        return number

    def take_number(self, purpose: str) -> Fraction:
        """An integer, decimal or fraction, of a length that can be worked with."""
        tick()
        number = self._numbers.get(self.word) if self.kind == WORD else None
        if number is None:
            number = self._numbers[self.word] = self._read_number(purpose)
        self._move_on()
        return number

    def _read_number(self, purpose: str) -> Fraction:
        match = NUMBER.fullmatch(self.word) if self.kind == WORD else None
        if match is None or not (match[2] or match[4] or match[5]):
            raise self.error(f"{purpose}, a number such as -1, 0.25 or 1/2")
        sign, above, below, whole, part, exponent = match.groups(default="")
        if not above:
            above, below = whole + part, "1" + "0" * len(part)
        shift = int(exponent) if 0 < len(exponent) < 8 else 0
        length = max(len(above), len(below)) + (abs(shift) if len(exponent) < 8 else MOST_DIGITS)
        if length > MOST_DIGITS:
            raise self.error(f"{purpose}, a number of at most {MOST_DIGITS:,} digits")
        if int(below) == 0:
            raise self.error(f"{purpose}, a number such as -1, 0.25 or 1/2")
        number = Fraction(int(sign + above), int(below)) * Fraction(10) ** shift
        self._common = lcm(self._common, number.denominator)
        if self._common.bit_length() * 3 > MOST_COMMON_DIGITS * 10:  # a digit is more than 10/3 bits
            raise self.error(
                f"numbers with a common denominator of at most {MOST_COMMON_DIGITS:,} digits", "a longer one"
            )
        return number

    @property
    def at_end(self) -> bool:
        return self.kind == END

    def is_at(self, mark: str) -> bool:
        return self.kind == MARK and self.word == mark

    def items(self) -> Iterator[None]:
        """Yield once before every item of a list in braces."""
        self.take_mark("{")
        yield from self.more_items()

    def more_items(self) -> Iterator[None]:
        """Yield once before every item up to the closing brace; commas after items are optional."""
        while not self.skip("}"):
            if self.at_end:
                raise self.error("'}'")
            yield
            self.skip(",")

    def check_sum(self, payoffs: tuple[Fraction, Fraction], at: int) -> None:
        """Check that the payoffs of both players have the same sum at every end as at the first one."""
        total = payoffs[0] + payoffs[1]
        if self._ends is None:
            self._ends = total, at
        expected, first = self._ends
        if total != expected:
            line, column = self._place(first)
            raise self.error(
                f"payoffs that add up to {rationals.brief(expected)}, as they do at line {line}, column {column} "
                "(the same at every end: a zero-sum or constant-sum game)",
                f"{rationals.brief(payoffs[0])} and {rationals.brief(payoffs[1])}, "
                f"which add up to {rationals.brief(total)}",
                at,
            )

    @property
    def constant(self) -> Fraction:
        """The sum of both players' payoffs at every end."""
        return Fraction(0) if self._ends is None else self._ends[0]


class GambitHeading(NamedTuple):
    """The names in the first line of a file."""

    title: str
    players: tuple[str, str]
    parameters: Parameters  # the parameters that make the game again


def opened(source: str | Path, title: str | None, kind: str, version: str) -> tuple[Tokens, GambitHeading]:
    """Read the first line of a file, and return the cursor after it. A given title replaces that of the file."""
    path = source if isinstance(source, Path) else None
    text = str(source).removeprefix("\ufeff") if path is None else read_text(path)
    tokens = Tokens(text, "the text" if path is None else str(path))
    if tokens.kind != WORD or tokens.word != kind:
        hint = "; give a Path to read a file" if tokens.word.lower().endswith((".efg", ".nfg")) else ""
        raise tokens.error(f"a file that begins with {kind}", tokens.shown() + hint)
    tokens.take_word(kind, kind)
    tokens.take_word(f"version {version} of the format", version)
    tokens.take_word("R or D", "R", "D")
    own = tokens.take_text("the title")
    begin = tokens.at
    players = [tokens.take_text("the name of a player") for _ in tokens.items()]
    if len(players) != 2:
        raise tokens.error("two players", str(len(players)), begin)
    first, second = distinct([safe(name) or f"player-{number}" for number, name in enumerate(players, 1)])
    if title is None and not safe(own) and path is not None:
        title = safe(path.stem)
    parameters = {"text": text} | ({} if title is None else {"title": title})
    return tokens, GambitHeading(
        safe_title(own if title is None else title) or kind.lower(), (first, second), parameters
    )


def read_text(path: Path) -> str:
    """Read the text of a file."""
    try:
        content = atomic_files.read(path, MOST_BYTES)
    except (OSError, ValueError) as error:
        raise FormatError(f"cannot read the game {path}: {atomic_files.reason(error)}") from error
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = content[: error.start].decode("utf-8", errors="replace")
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        got = f"the byte {content[error.start]:#04x}"
        raise FormatError(f"expected text in UTF-8, got {got} ({path}, line {line}, column {column})") from error


def safe(label: str) -> str:
    """Turn a label into a step of a position: blanks and characters with a meaning become dashes. May be empty."""
    if not label.isprintable():
        label = "".join(character if character.isprintable() else " " for character in label)
    return "-".join(part for part in MEANT.split(label) if part)[:MOST_LABEL]


def safe_title(title: str) -> str:
    """Turn a title into the beginning of positions: unchanged if it fits, such as resistance(players=7)."""
    return title if len(title) <= MOST_LABEL and TITLE.fullmatch(title) else safe(title).lower()


def safe_position(name: str) -> str:
    """Turn a name into the end of a position: unchanged if it fits, such as @K/check, else @ and one step."""
    if name.isprintable() and len(name) <= MOST_LABEL and POSITION.fullmatch(name):
        return name
    step = safe(name)
    return step and f"@{step}"


def distinct(names: Sequence[str]) -> list[str]:
    """Number names that occur several times, x_1, x_2, …, as Gambit does."""
    counts, taken = Counter(names), set(names)
    numbers: Counter[str] = Counter()
    distinct_names = []
    for name in names:
        numbered = name
        while counts[name] > 1 and numbered in taken:
            numbers[name] += 1
            numbered = f"{name}_{numbers[name]}"
        taken.add(numbered)
        distinct_names.append(numbered)
    return distinct_names


def plain(label: str) -> str:
    """Turn a label into one that Gambit reads: printable ASCII, single blanks between words, and no backslash.

    Accents are dropped, and other characters are written as their numbers, such as u2192.
    """
    if PLAIN.fullmatch(label):
        return label
    bare = "".join(character for character in normalize("NFD", label) if not combining(character))
    words = " ".join(bare.replace("\\", "/").split())
    return "".join(character if " " <= character <= "~" else f"u{ord(character):04x}" for character in words)


def quoted(label: str) -> str:
    return '"' + plain(label).replace('"', '\\"') + '"'


def quoted_names(labels: Iterable[str]) -> list[str]:
    """Quote labels, so that all are different and none is empty."""
    return [quoted(label) for label in distinct([plain(label) or str(n) for n, label in enumerate(labels, 1)])]
