"""Examples at the end of each command's help."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Sequence

EXAMPLES: dict[str, tuple[tuple[str, str], ...]] = {
    "games": (
        ("ruse games", "all games, their parameters, and the contests"),
        ("ruse games liars-dice", "the rules and parameters of one"),
        ("ruse games mygame.py", "the parameters of your own"),
    ),
    "check": (
        ("ruse check mygame.py", "what is wrong with your rules, if anything, and where"),
        ("ruse check mygame.py:Auction --rounds 3 --time 10", "one game of several, for ten seconds"),
    ),
    "solve": (
        ("ruse solve resistance --players 7 --out seven.ruse", "solve a table, and keep the solution"),
        ("ruse solve resistance --players 5 --missions 2,2,2,3,3", "another table"),
        ("ruse solve kuhn --solver pdcfr+ --gap 1e-6 --plot kuhn.png", "iterate, and draw how the gap closed"),
        ("ruse solve liars-dice --time 60 --json", "what can be proved in a minute, as JSON"),
        ("ruse solve game.efg", "a game of Gambit's"),
        ("ruse solve mygame.py", "your own"),
    ),
    "show": (
        ("ruse show five.ruse", "both strategies"),
        ("ruse show five.ruse resistance-5/ab+/abc-", "what to do at a position"),
        ("ruse show five.ruse resistance-5@bd/ab+/abc?", "what spies b and d do there"),
    ),
    "verify": (
        ("ruse verify five.ruse", "check a solution from the rules alone; status 1 if it does not hold"),
        ("ruse verify mine.ruse --game mygame.py", "one of your own game"),
    ),
    "score": (
        ("ruse score resistance --players 5 rules.txt", "what the rules in a file guarantee"),
        ("ruse score kuhn bot.py:strategy --side second", "what a Python function guarantees"),
    ),
    "insight": (
        ("ruse insight kuhn", "how many strategies are optimal"),
        ("ruse insight kuhn.ruse kuhn@J", "how often each move may be made, and what it costs"),
        ("ruse insight five.ruse resistance-5/ab+/abc- --slip 1/10", "beliefs about spies who slip"),
        ("ruse insight kuhn --csv kuhn.csv", "all positions as a table"),
    ),
    "export": (
        ("ruse export five.ruse --card five.html", "a card to print"),
        ("ruse export kuhn.ruse --csv kuhn.csv --parquet kuhn.parquet", "strategies as tables"),
        ("ruse export liars-dice --faces 3 --efg dice.efg", "a game for Gambit"),
    ),
    "play": (
        ("ruse play", "a menu: games that were left, and games to begin"),
        ("ruse play resistance --players 7 --side spies --coach", "hear what each move cost"),
        ("ruse play leduc --from leduc.ruse --seed 7", "against a solution in a file, with the same deal again"),
    ),
    "explore": (
        ("ruse explore", "the library of solutions, in the browser"),
        ("ruse explore five.ruse", "one solution"),
        ("ruse explore resistance --players 7", "a game, which is solved first"),
        ("ruse explore --host 0.0.0.0 --expose", "let others in, with the token that is printed"),
    ),
    "companion": (
        ("ruse companion --players 6 --names Ada,Ben,Cy,Dot,Eve,Fay --out evening.html", "for tonight, on a phone"),
        ("ruse companion --from evening.json", "go on with a saved evening"),
        ("ruse companion avalon --players 5 --roles merlin,assassin,mordred", "with roles, in the terminal"),
    ),
    "evolve": (
        ("ruse evolve pig --time 30 --out pig.ruse", "learn for half a minute, and keep the strategy"),
        ("ruse evolve war --method iterative --iterations 100 --seed 1", "the same run on every machine"),
    ),
    "tournament": (
        ("ruse tournament pig baseline pig.ruse", "what was learned against the baseline"),
        ("ruse tournament guess-who-deter dichotomy OL ONL --games 20000 --plot rates.png", "three, drawn"),
    ),
    "sweep": (
        ("ruse sweep resistance --players 5..7 --spies 1..3 --out tables.csv", "all of these, as rows"),
        ("ruse sweep resistance --players 5 --missions 2,2..3,2,2..3,3 --plot map.png", "ranges in a list, drawn"),
        ("ruse sweep liars-dice --faces 2..5 --json", "another game"),
    ),
    "balance": (
        ("ruse balance resistance --players 5 --target 1/2 --near official", "a fair table, near to the official one"),
        ("ruse balance resistance --players 7 --spies 2..3 --target 2/5 --changes 2", "with at most two changes"),
    ),
    "compare": (
        ("ruse compare resistance-5 resistance-6", "values and rules side by side"),
        ("ruse compare mine.ruse yours.ruse --at resistance-5/ab+", "and what is done at a position"),
    ),
    "reproduce": (
        ("ruse reproduce --quick", "all five papers, in at most five minutes"),
        ("ruse reproduce kubicek --out reports", "one of them"),
        ('ruse reproduce bossle --item "Table 6.1"', "one table, on the screen"),
    ),
    "cache": (
        ("ruse cache list", "what is kept, where, and how much of it older versions have left"),
        ("ruse cache clear variants", "let sweeps solve everything anew"),
    ),
    "sizes": (
        ("ruse sizes leduc", "states, information sets and sequences"),
        ("ruse sizes resistance --players 10 --json", "without writing them all down"),
    ),
    "completion": (
        ("ruse completion bash", "the script; how to keep it is in its first lines"),
        ("ruse completion fish --words=sol", "what may be meant"),
    ),
}


class Help(argparse.HelpFormatter):
    """Folds text, but leaves lines as they are where a paragraph has several, and names in one piece."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        return textwrap.wrap(" ".join(text.split()), width, break_on_hyphens=False)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return "\n\n".join(
            part if "\n" in part else super(Help, self)._fill_text(part, width, indent) for part in text.split("\n\n")
        )


def told(examples: Sequence[tuple[str, str]]) -> str:
    """Examples as lines: a command, and what it is for below it."""
    return "\n".join(["examples:", *(f"  {command}\n      {text}" for command, text in examples)])


def tell(parsers: dict[str, argparse.ArgumentParser]) -> None:
    """End the help of each command with its examples."""
    for name, command in parsers.items():
        if name in EXAMPLES:
            command.formatter_class = Help
            command.epilog = "\n\n".join(part for part in (command.epilog, told(EXAMPLES[name])) if part)
