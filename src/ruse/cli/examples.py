"""What `ruse COMMAND --help` shows besides options: examples, and the solvers that are installed."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Sequence

from ruse import solvers

EXAMPLES: dict[str, tuple[tuple[str, str], ...]] = {
    "games": (
        ("ruse games", "all games, their parameters, and the contests"),
        ("ruse games liars-dice", "the rules and parameters of one game"),
        ("ruse games mygame.py", "the parameters of your own game"),
    ),
    "new": (
        ("ruse new game --kind hidden-roles mytable", "mytable.py with roles, talk and a vote, and test_mytable.py"),
        ("ruse new game --kind bluffing mybluff", "mybluff.py with a secret die, a claim and a doubt, and its test"),
        ("ruse new game --kind cards mycards --force", "start again, and overwrite the files of an earlier try"),
    ),
    "check": (
        ("ruse check mygame.py", "the first mistake in your rules, if there is one, and where"),
        ("ruse check mygame.py:Auction --rounds 3 --time 10", "one game of a file with several, for ten seconds"),
    ),
    "solve": (
        ("ruse solve resistance --players 7 --out seven.ruse", "solve seven-player Resistance and save the solution"),
        ("ruse solve resistance --players 5 --missions 2,2,2,3,3", "a variant with other missions"),
        ("ruse solve kuhn --solver pdcfr+ --gap 1e-6 --plot kuhn.png", "iterate, and plot the convergence of the gap"),
        ("ruse solve liars-dice --time 60 --json", "what can be proved in a minute, as JSON"),
        ("ruse solve game.efg", "a Gambit file"),
        ("ruse solve mygame.py", "your own game"),
    ),
    "show": (
        ("ruse show five.ruse", "both strategies"),
        ("ruse show five.ruse resistance-5/ab+/abc-", "what to do at a position"),
        ("ruse show five.ruse resistance-5@bd/ab+/abc?", "what spies b and d do there"),
        ("ruse show five.ruse resistance-5@bd/ab+/abc? --why=pass", "why they pass, or why not"),
    ),
    "verify": (
        ("ruse verify five.ruse", "check a solution from the rules alone; exit status 1 if it is wrong"),
        ("ruse verify mine.ruse --game mygame.py", "a solution of your own game"),
        ("ruse verify --standalone kuhn.ruse --out check.py", "a proof in one file that any Python can check"),
    ),
    "score": (
        ("ruse score resistance --players 5 rules.txt", "what the rules in a file guarantee"),
        ("ruse score kuhn bot.py:strategy --side second", "what a Python function guarantees"),
        ("ruse score kuhn policy.csv", "what a policy in a table guarantees, and its exploitability"),
    ),
    "insight": (
        ("ruse insight kuhn", "how many strategies are optimal"),
        ("ruse insight kuhn.ruse kuhn@J", "how often optimal strategies make each move, and what each move costs"),
        ("ruse insight five.ruse resistance-5/ab+/abc- --slip 1/10", "beliefs about spies who make mistakes"),
        ("ruse insight kuhn --csv kuhn.csv", "all positions as a table"),
    ),
    "exploit": (
        (
            "ruse exploit resistance --players 5 --against people --risk 1/100",
            "win most against people, at a risk of 1 percentage point",
        ),
        ("ruse exploit kuhn --against uniform --risk 1/10 --curve", "how much you can win at every risk"),
        (
            "ruse exploit kuhn.ruse --against rules.txt --side second --out safe.ruse",
            "win most against the rules in a file, and save the strategy",
        ),
    ),
    "export": (
        ("ruse export five.ruse --card five.html", "a card to print"),
        ("ruse export kuhn.ruse --csv kuhn.csv --parquet kuhn.parquet", "strategies as tables"),
        ("ruse export liars-dice --faces 3 --efg dice.efg", "a game for Gambit"),
        ("ruse export kuhn.ruse --vipr kuhn.vipr", "a proof of the value for the checker viprchk"),
    ),
    "play": (
        ("ruse play", "a menu: unfinished games, and games to start"),
        ("ruse play resistance --players 7 --side spies --coach", "with a coach who says what each move cost"),
        ("ruse play resistance --seat c", "in a seat of your own, with leaders, votes and a secret role"),
        ("ruse play leduc --from leduc.ruse --seed 7", "against a solution in a file, with a fixed deal"),
    ),
    "learn": (
        ("ruse learn", "the lessons"),
        ("ruse learn resistance-spy", "when a spy should sabotage, in ten minutes"),
        ("ruse learn kuhn --json", "a lesson with all its facts as data"),
    ),
    "bot": (
        ("ruse bot resistance --seat c --model optimal", "a seat at a table of five, for another program"),
        (
            "ruse bot avalon --seat a --players 7 --roles merlin,assassin,percival,morgana",
            "a seat at an Avalon table of seven with these roles",
        ),
    ),
    "serve": (
        ("ruse serve --mcp", "for an assistant's settings: the command that starts its tools"),
        ("ruse serve --mcp five.ruse --time 20", "with a solution of yours, and short answers"),
        ("ruse serve --mcp mine.ruse --game mygame.py", "with a solution of your own game"),
    ),
    "explore": (
        ("ruse explore", "the library of solutions, in the browser"),
        ("ruse explore five.ruse", "one solution"),
        ("ruse explore resistance --players 7", "a game, which ruse solves first"),
        ("ruse explore --host 0.0.0.0 --expose", "allow access from other machines, with the printed token"),
    ),
    "studio": (
        ("ruse studio mygame.py", "your own game; when you save the file, the page solves it again"),
        ("ruse studio mygame.py:Auction --rounds 3", "one game of a file with several, starting from these parameters"),
        ("ruse studio resistance --players 7", "a game that comes with ruse"),
    ),
    "companion": (
        (
            "ruse companion --players 6 --names Ada,Ben,Cy,Dot,Eve,Fay --out evening.html",
            "a page for tonight, on a phone",
        ),
        ("ruse companion --from evening.json", "continue a saved evening"),
        (
            "ruse companion avalon --players 5 --roles merlin,assassin,mordred",
            "Avalon with these roles, in the terminal",
        ),
    ),
    "evolve": (
        ("ruse evolve pig --time 30 --out pig.ruse", "learn for half a minute and save the strategy"),
        ("ruse evolve war --method iterative --iterations 100 --seed 1", "a reproducible run"),
    ),
    "tournament": (
        ("ruse tournament pig baseline pig.ruse", "the learned strategy against the baseline"),
        (
            "ruse tournament guess-who-deter dichotomy OL ONL --games 20000 --plot rates.png",
            "compare three strategies and plot the win rates",
        ),
    ),
    "metrics": (
        ("ruse metrics liars-dice --faces 3", "how long games are, how often people bluff, what skill is worth"),
        ("ruse metrics seven.ruse --only length,drama --json", "two metrics of a saved solution, as JSON"),
        ("ruse metrics mygame.py --metric mymetrics.py", "with your own metrics"),
    ),
    "sweep": (
        ("ruse sweep resistance --players 5..7 --spies 1..3 --out tables.csv", "all variants, one row each"),
        (
            "ruse sweep resistance --players 5 --missions 2,2..3,2,2..3,3 --plot map.png",
            "ranges within a list, plotted as a map",
        ),
        ("ruse sweep liars-dice --faces 2..5 --json", "variants of another game, as JSON"),
        ("ruse sweep mygame.py --rounds 2..4 --report rounds.html", "your own game, as one page to share"),
    ),
    "balance": (
        (
            "ruse balance resistance --players 5 --target 1/2 --near official",
            "a fair variant close to the official one",
        ),
        (
            "ruse balance resistance --players 7 --spies 2..3 --target 2/5 --changes 2",
            "the closest variants with at most two changes",
        ),
    ),
    "compare": (
        ("ruse compare resistance-5 resistance-6", "values and rules side by side"),
        ("ruse compare mine.ruse yours.ruse --at resistance-5/ab+ --full", "and the strategies at one position"),
        ("ruse compare my-game 'my-game(rounds=3)' --game mygame.py --report both.html", "as one page to share"),
    ),
    "reproduce": (
        ("ruse reproduce --quick", "all five papers, in at most five minutes"),
        ("ruse reproduce kubicek --out reports", "one paper"),
        ('ruse reproduce bossle --item "Table 6.1"', "one table, on the screen"),
    ),
    "cache": (
        ("ruse cache list", "what is saved, where, and how much of it belongs to older versions"),
        ("ruse cache clear variants", "make sweeps solve everything again"),
    ),
    "sizes": (
        ("ruse sizes leduc", "states, information sets and sequences"),
        ("ruse sizes liars-dice --faces 5..15", "where the game stops fitting in memory, without solving it"),
        ("ruse sizes resistance --players 10 --json", "counted without listing them"),
    ),
    "completion": (
        ("ruse completion bash", "the script; its first lines say how to install it"),
        ("ruse completion fish --words=sol", "completions of a word"),
    ),
}


class Help(argparse.HelpFormatter):
    """Help with wrapped paragraphs, where paragraphs of several lines stay as they are and names stay in one piece."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        return textwrap.wrap(" ".join(text.split()), width, break_on_hyphens=False)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return "\n\n".join(
            part if "\n" in part else super(Help, self)._fill_text(part, width, indent) for part in text.split("\n\n")
        )


def format_examples(examples: Sequence[tuple[str, str]]) -> str:
    """Format examples: each command on a line, and its purpose on the next."""
    return "\n".join(["examples:", *(f"  {command}\n      {text}" for command, text in examples)])


def complete(command: argparse.ArgumentParser) -> None:
    """Name all solvers, and end the help of a command with its examples."""
    name = command.prog.rpartition(" ")[2]
    if name in EXAMPLES and command.formatter_class is not Help:
        command.formatter_class = Help
        command.epilog = "\n\n".join(part for part in (command.epilog, format_examples(EXAMPLES[name])) if part)
    for option in command._actions:
        if option.dest == "solver":
            option.help = ", ".join(solvers.names())
