"""The rules of a game in about three sentences: here, or from the docstring of its rules."""

from __future__ import annotations

import inspect
import re
from functools import lru_cache

from ruse.games import ELSEWHERE, GAMES, own

SENTENCES = 3
SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
SOURCES = re.compile(r"\s*\((?:[^()]*\d{4}[^()]*|see [^()]*)\)")  # "(Kuhn 1950)"

# For people who have never seen the game. One that is not here is told by the first sentences of its docstring.
RULES = {
    "resistance": "Some seats are secretly spies, who know each other. Each round the resistance sends a team on a "
    "mission, and spies aboard may sabotage it: everybody sees how many did, nobody sees who. Three passed missions "
    "win for the resistance, three failed ones for the spies.",
    "kuhn": "Three cards, J, Q and K: each side antes 1 and gets one. The first side checks or bets 1, the second may "
    "bet after a check, and a bet is answered by fold or call. The higher card wins the pot.",
    "leduc": "Six cards, J, Q and K in two suits: each side antes 1 and gets one. There is a round of betting, then a "
    "public card, then another round. A pair with the public card wins, else the higher card.",
    "mini-poker": "Each side antes 1 and gets a card, 0 or 1. The first side passes, and the cards are shown, or bets 1"
    " more, which the second calls or folds. The higher card wins, equal cards split.",
    "rock-paper-scissors": "Both sides show a hand at the same time. Rock beats scissors, scissors beat paper and "
    "paper beats rock, for 1. What paper gets from rock can be changed.",
    "kubicek": "The first side picks A or B in the open, then makes a second choice in secret. The second side answers "
    "with what it has seen. A table says who pays what.",
    "tic-tac-toe": "In turns both sides take a free cell of a board of three by three. Three in a row win. Nothing is "
    "hidden.",
    "liars-dice": "Both sides roll a die in secret, then bid in turns how many dice show a face, each bid higher than "
    "the last. The highest face counts as any. Who does not believe a bid calls it: a true bid wins for the bidder.",
    "goofspiel": "Both sides hold the cards 1 to N and bid one a round, at the same time, for a prize that falls from "
    "round to round. The higher card takes the prize, and only who won is shown. More points win.",
    "battleship": "Both sides hide their ships on a small board, then shoot in turns, never twice at one cell. A shot "
    "is told to be a miss, a hit, or a hit that sank something. Sunk ships pay.",
    "oshi-zumo": "Two wrestlers, and coins for each side. Both bid at the same time, the bids are spent, and the "
    "higher one pushes the wrestler a step. Pushing him off the far end wins.",
    "guess-who": "Each side has some characters left that may be the other's. In turns they ask about so many of them, "
    "and the answer leaves those or the rest. Who first knows the other's character wins.",
    "pig": "Roll a die as often as you like in your turn. A 2 to 6 adds to the turn, a 1 loses the turn and all of it; "
    "hold to keep what you have. Who first has 100 wins.",
    "nim": "Some heaps of matches. In turns each side takes as many as it likes from one heap. Who takes the last "
    "match loses.",
    "morra": "Both sides show some fingers and guess, at the same time, how many there are in all. Who alone is right "
    "wins. Otherwise it is a draw.",
    "matrix": "One side picks a row of a table, the other a column, at the same time. The number where they meet is "
    "what the second side pays the first.",
    "phantom-tic-tac-toe": "Tic-tac-toe in which nobody sees the other's moves. Each side writes a list of all cells "
    "before the first move. A turn takes the first cell of its list that is still free.",
    "phantom-4-in-a-row": "Four in a row in which nobody sees the board. Each side writes a list of columns before the "
    "first stone falls. A turn takes the first entry of its list whose column has room.",
    "4-in-a-row": "In turns both sides drop a stone into a column. Four in a line win. Nothing is hidden.",
}

# What moves look like, where that does not speak for itself.
MOVES = {
    "resistance": "Seats are letters. A mission is the letters of those who go, in any order, such as ab; spies aboard "
    "pass or sabotage.",
    "leduc": "A call without a raise before it is a check: it adds nothing. A card is J, Q or K with its suit, s or h.",
    "kubicek": "The first side plays A or B, then one of two letters; the second answers with another letter.",
    "tic-tac-toe": "A move is the letter of a free cell: a, b, c are the top row, g, h, i the bottom one.",
    "liars-dice": "A bid of 2-5 says that at least two dice show a 5 or the highest face; liar calls the last bid.",
    "goofspiel": "A move is the card that you bid.",
    "battleship": "A cell is a letter and a number, such as b2. A ship of several cells is its two ends, such as "
    "a1-b1; once all are hidden, a move is the cell that you shoot at.",
    "oshi-zumo": "A move is how many coins you bid.",
    "guess-who": "A move is a number: 12 asks about twelve of the characters that you have left.",
    "nim": "Heaps are letters: b3 takes three matches from heap b.",
    "morra": "A move such as 2-5 shows two fingers and guesses that there are five in all, your own included.",
    "phantom-tic-tac-toe": "A list has each cell once. Cells are letters, row by row from a on.",
    "phantom-4-in-a-row": "A list has each column, a letter, as often as it has rows.",
    "4-in-a-row": "A move is the letter of the column that the stone falls into.",
}


def moves(name: str) -> str:
    """What a move looks like and means, in a sentence or two, or nothing."""
    return MOVES.get(name, "")


def summary(name: str) -> str:
    """A game in a line."""
    factory = own.OWN[name].factory if name in own.OWN else (GAMES | ELSEWHERE)[name]
    return (inspect.getdoc(factory) or "").partition("\n")[0]  # python -OO drops it


def rules(name: str) -> str:
    """How a game is played; of those that come from elsewhere, nothing; of one's own, what its docstring says."""
    if name in own.OWN:
        return _brief(own.OWN[name].text)
    factory = GAMES.get(name)
    if factory is None:
        return ""
    module = inspect.getmodule(factory)
    return RULES.get(name) or _brief(module.__doc__ or "" if module else "")


@lru_cache(maxsize=64)
def _brief(text: str) -> str:
    """The first sentences of the paragraph that follows the heading."""
    paragraphs = [" ".join(one.split()) for one in text.strip().split("\n\n")]
    body = paragraphs[1] if len(paragraphs) > 1 else paragraphs[0]
    sentences = SENTENCE_END.split(SOURCES.sub("", body))
    return " ".join(sentences[:SENTENCES])
