"""The games. GAMES is the only list of them; to add one, write its file and add its line.

A game's parameters are those of its factory (ruse.core.parameters). What else it brings (its views, its picture, its
own way to be solved) it says itself, as `parts` of its class (ruse.core.registry). Rules and moves are for people who
have never seen the game; where they are left out, the docstring of the game's file tells its rules.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import TYPE_CHECKING

from ruse.core.game import Game
from ruse.core.parameters import Parameter, UnknownParameter
from ruse.core.registry import (
    Choice,
    GameSpec,
    UnknownGame,
    find,
    game_of,
    is_own,
    know,
    make,
    named,
    names,
    parameters_of,
)

if TYPE_CHECKING:
    from ruse.core.plain_games.matrix import matrix
    from ruse.formats.gambit_games import efg, nfg
    from ruse.formats.openspiel import openspiel
    from ruse.games.avalon import avalon
    from ruse.games.battleship.rules import battleship
    from ruse.games.four_in_a_row.rules import four_in_a_row
    from ruse.games.goofspiel.rules import goofspiel
    from ruse.games.guess_who.rules import guess_who
    from ruse.games.holdem.rules import holdem
    from ruse.games.kubicek import kubicek
    from ruse.games.kuhn.rules import kuhn
    from ruse.games.leduc.rules import leduc
    from ruse.games.liars_dice.rules import liars_dice
    from ruse.games.mafia import mafia
    from ruse.games.mini_poker import mini_poker
    from ruse.games.morra.rules import morra
    from ruse.games.nim.rules import nim
    from ruse.games.oshi_zumo.rules import oshi_zumo
    from ruse.games.phantom.four_in_a_row import phantom_four_in_a_row
    from ruse.games.phantom.tic_tac_toe import phantom_tic_tac_toe
    from ruse.games.pig.rules import pig
    from ruse.games.poker.rules import poker
    from ruse.games.policy_deck import policy_deck
    from ruse.games.resistance import resistance
    from ruse.games.rock_paper_scissors import rock_paper_scissors
    from ruse.games.tic_tac_toe.rules import tic_tac_toe

__all__ = [
    "ELSEWHERE",
    "GAMES",
    "GameSpec",
    "Parameter",
    "UnknownGame",
    "UnknownParameter",
    "avalon",
    "battleship",
    "efg",
    "find",
    "four_in_a_row",
    "game_of",
    "goofspiel",
    "guess_who",
    "holdem",
    "is_own",
    "know",
    "kubicek",
    "kuhn",
    "leduc",
    "liars_dice",
    "mafia",
    "make",
    "matrix",
    "mini_poker",
    "morra",
    "named",
    "names",
    "nfg",
    "nim",
    "openspiel",
    "oshi_zumo",
    "parameters_of",
    "phantom_four_in_a_row",
    "phantom_tic_tac_toe",
    "pig",
    "poker",
    "policy_deck",
    "resistance",
    "rock_paper_scissors",
    "tic_tac_toe",
]

GROUPS = {  # of games on the home page, in order; what is left takes long to solve, or needs rules first
    "Hidden roles": ("resistance", "avalon", "mafia", "policy-deck"),
    "Cards and dice": ("liars-dice", "kuhn", "leduc", "poker", "holdem", "goofspiel", "pig", "mini-poker"),
    "Boards and classics": (
        *("tic-tac-toe", "battleship", "guess-who", "nim", "oshi-zumo"),
        *("rock-paper-scissors", "morra", "phantom-tic-tac-toe", "kubicek"),
    ),
}
ROLE_SETS = {
    "merlin,assassin": "Merlin and the Assassin",
    "merlin,assassin,mordred": "Merlin, Assassin, Mordred",
    "merlin,percival,assassin,morgana": "Merlin, Percival, Assassin, Morgana",
    "merlin,percival,mordred,morgana": "Merlin, Percival, Mordred, Morgana",
    "merlin,assassin,oberon": "Merlin, Assassin, Oberon",
}
AVALON_TERMS = (
    ("Merlin", "is good and sees the spies."),
    ("Assassin", "is the spy who names Merlin after three passed missions."),
    ("Mordred", "is a spy whom Merlin does not see."),
    ("Percival", "is good and sees Merlin, but also Morgana if she plays, and not which is which."),
    ("Morgana", "is a spy who looks like Merlin to Percival."),
    ("Oberon", "is a spy who does not know the other spies, and they do not know him."),
    ("Mediator", "hears everybody’s report in secret and picks the teams for the good side. Spies may lie to it."),
    (
        "What ruse can solve",
        "With a mediator: 5 and 6 players exactly, in seconds to minutes; 7 players with Merlin and the Assassin "
        "within bounds; not 7 with Percival and not 8. Without talk: 5 to 8 players, in seconds.",
    ),
)

_GAMES = (
    GameSpec(
        "resistance",
        "ruse.games.resistance:resistance",
        heading="The Resistance",
        pitch="Find the spies before they sabotage three missions.",
        choices=[Choice("players", "Table", {str(players): f"{players} players" for players in range(5, 11)})],
        more=[
            (
                "What this leaves out",
                "leaders, votes and table talk. The resistance plays as one player who does not know who its members "
                "are, and the spies coordinate. At a real table you know your own role, and people make mistakes.",
            ),
        ],
        rules="Some seats are secretly spies, who know each other. Each round the resistance sends a team on a "
        "mission, and spies aboard may sabotage it: everybody sees how many did, nobody sees who. Three "
        "passed missions win for the resistance, three failed missions win for the spies.",
        moves="Seats are letters. A mission is the letters of those who go, in any order, such as ab; spies aboard "
        "pass or sabotage.",
        offered=[{"players": players} for players in range(5, 11)],
        tables=("The Resistance", "Seats, spies and missions"),
        advice="Official tables for 5 to 10 players fill in what you leave out. Any other number of seats needs spies "
        "and missions, such as 2 3 2 3 3.",
    ),
    GameSpec(
        "avalon",
        "ruse.games.avalon:avalon",
        heading="Avalon",
        pitch="The Resistance with Merlin, who knows the spies and must not be found out.",
        choices=[
            Choice("players", "Table", {str(players): f"{players} players" for players in (5, 6, 7, 8)}),
            Choice("roles", "Roles", ROLE_SETS),
            Choice("talk", "Talk", {"private": "In secret, to a mediator", "none": "Nobody says anything"}),
        ],
        more=AVALON_TERMS,
        rules="Some seats are secretly spies, who know each other; Merlin is good and sees the spies. Each round the "
        "good side sends a team on a mission, and spies aboard may sabotage it: three failed missions win for the "
        "spies. After three passed missions the spies name a seat, and win if that is Merlin.",
        moves="Seats are letters. A mission is the letters of those who go, such as ab; spies report, pass or "
        "sabotage, and in the end name-c names a seat.",
        offered=[],  # takes minutes as it comes
        advice="Official tables for 5 to 10 players fill in what you leave out. Any other number of seats needs spies "
        "and missions.",
    ),
    GameSpec(
        "mafia",
        "ruse.games.mafia:mafia",
        heading="Mafia",
        pitch="Vote somebody out by day, and hope to live through the night.",
        rules="Some seats are mafia, and only they know who. By day the citizens eliminate a seat, by night the mafia "
        "kills a citizen, and whoever goes shows its role. The citizens win once no mafia is left, the mafia once it "
        "is half of those who live. A detective may check a seat each night.",
        moves="By day unchecked and caught eliminate such a seat, and spare nobody; by night kill and spare.",
    ),
    GameSpec(
        "policy-deck",
        "ruse.games.policy_deck:policy_deck",
        heading="Policy deck",
        pitch="Three cards, two who may lie about them, and one verdict.",
        rules="The president draws three policies, hands two to the chancellor, who enacts one in the open. Both say "
        "how many fascist policies they had. Liberals tell the truth, fascists need not. The table trusts both or "
        "accuses one of them.",
        moves="pass-FL hands on a fascist and a liberal policy, enact-F enacts a fascist one; drew-2 and got-1 say how "
        "many were fascist; trust, president and chancellor are the verdict.",
    ),
    GameSpec(
        "kuhn",
        "ruse.games.kuhn.rules:kuhn",
        heading="Kuhn poker",
        pitch="The smallest poker: three cards, one bet, and already a reason to bluff.",
        rules="Three cards, J, Q and K: each side antes 1 and gets one. The first side checks or bets 1, the second "
        "may bet after a check, and a bet is answered by fold or call. The higher card wins the pot.",
    ),
    GameSpec(
        "leduc",
        "ruse.games.leduc.rules:leduc",
        heading="Leduc poker",
        pitch="Poker with six cards and two rounds of betting, with a card on the table.",
        rules="Six cards, J, Q and K in two suits: each side antes 1 and gets one. There is a round of betting, "
        "then a public card, then another round. A pair with the public card wins, else the higher card.",
        moves="A call without a raise before it is a check: it adds nothing. A card is J, Q or K with its suit, s "
        "or h.",
    ),
    GameSpec(
        "poker",
        "ruse.games.poker.rules:poker",
        heading="Poker",
        pitch="Poker with a deck, hands and bets of your choice.",
        rules="Each side antes and gets one card or two. Rounds of betting follow, some after public cards, which "
        "count for both. More of a kind wins, then the higher ranks. Deck, rounds and bets are yours to choose.",
        moves="A call without a raise before it is a check: it adds nothing. A card is a rank and a suit, such as Ks.",
    ),
    GameSpec(
        "holdem",
        "ruse.games.holdem.rules:holdem",
        heading="Hold’em",
        pitch="Real spots of poker: a board, two ranges, and bet sizes of your choice.",
        rules="Each side holds two cards out of its range. On each street the side out of position checks or bets; "
        "whoever faces a bet folds, calls or raises. The best five of seven cards win the pot.",
        moves="bet33 puts in 33 chips on this street, raise90 makes it 90 in all.",
        advice="A flop with wide ranges takes minutes and a gigabyte; begin with a river.",
    ),
    GameSpec(
        "mini-poker",
        "ruse.games.mini_poker:mini_poker",
        heading="Mini poker",
        pitch="One card each, one bet: bluff or pass.",
        rules="Each side antes 1 and gets a card, 0 or 1. The first side passes, and the cards are shown, or bets 1 "
        "more, which the second calls or folds. The higher card wins; equal cards split the pot.",
    ),
    GameSpec(
        "rock-paper-scissors",
        "ruse.games.rock_paper_scissors:rock_paper_scissors",
        heading="Rock, paper, scissors",
        pitch="What should you play when a win with paper pays more?",
        rules="Both sides show a hand at the same time. Rock beats scissors, scissors beat paper and paper beats "
        "rock, for 1. You can change what paper wins from rock.",
    ),
    GameSpec(
        "matrix",
        "ruse.core.plain_games.matrix:matrix",
        heading="A payoff table",
        pitch="One side picks a row, the other a column.",
        rules="One side picks a row of a table, the other a column, at the same time. The number where they meet is "
        "what the second side pays the first.",
        offered=[],  # of which table?
    ),
    GameSpec(
        "kubicek",
        "ruse.games.kubicek:kubicek",
        heading="Kubíček’s example",
        pitch="A textbook game of three choices, one of them secret.",
        rules="The first side picks A or B in the open, then makes a second choice in secret. The second side "
        "answers with what it has seen. A table says who pays what.",
        moves="The first side plays A or B, then one of two letters; the second answers with another letter.",
    ),
    GameSpec(
        "tic-tac-toe",
        "ruse.games.tic_tac_toe.rules:tic_tac_toe",
        heading="Tic-tac-toe",
        pitch="Three in a row wins, and between perfect players nobody does.",
        rules="The sides take turns to take a free cell of a three-by-three board. Three in a row wins. Nothing is "
        "hidden.",
        moves="A move is the letter of a free cell: a, b, c are the top row, and g, h, i are the bottom row.",
    ),
    GameSpec(
        "liars-dice",
        "ruse.games.liars_dice.rules:liars_dice",
        heading="Liar’s dice",
        pitch="Bid on all the dice when you see only your own, or call the bluff.",
        rules="Both sides roll a die in secret, then take turns to bid how many dice show a face, each bid higher "
        "than the last. The highest face is wild. Whoever does not believe a bid calls it: if the bid is true, "
        "the bidder wins.",
        moves="A bid of 2-5 says that at least two dice show a 5 or the highest face; liar calls the last bid.",
    ),
    GameSpec(
        "goofspiel",
        "ruse.games.goofspiel.rules:goofspiel",
        heading="Goofspiel",
        pitch="Bid your cards for prizes, and guess what the other side bids.",
        rules="Both sides hold the cards 1 to N and each round bid one of them, at the same time, for a prize that "
        "shrinks from round to round. The higher card takes the prize, and only the winner is announced. "
        "Whoever has more points wins.",
        moves="A move is the card that you bid.",
    ),
    GameSpec(
        "battleship",
        "ruse.games.battleship.rules:battleship",
        heading="Battleship",
        pitch="Hide your ships where nobody shoots first.",
        rules="Both sides hide their ships on a small board, then take turns to shoot, never twice at the same cell. "
        "Each shot is called a miss, a hit, or a hit that sank a ship. Sunk ships pay.",
        moves="A cell is a letter and a number, such as b2. A ship of several cells is its two ends, such as a1-b1; "
        "once all are hidden, a move is the cell that you shoot at.",
    ),
    GameSpec(
        "oshi-zumo",
        "ruse.games.oshi_zumo.rules:oshi_zumo",
        heading="Oshi-Zumo",
        pitch="Spend your coins to push the wrestler off the other side’s end.",
        rules="A wrestler stands between the two sides, and each side has coins. Both bid at the same time, the bids "
        "are spent, and the higher bid pushes the wrestler a step away. Pushing him off the far end wins.",
        moves="A move is how many coins you bid.",
    ),
    GameSpec(
        "guess-who",
        "ruse.games.guess_who.rules:guess_who",
        heading="Guess who",
        pitch="Find the other side’s character: ask safely, or ask boldly when you are behind.",
        rules="Each side has a secret character, and a list of candidates for the other side's. The sides take "
        "turns to ask whether it is among some of these candidates, and the answer leaves either those or the rest. "
        "Whoever knows the other side's character first wins.",
        moves="A move is a number: 12 asks about twelve of the characters that you have left.",
    ),
    GameSpec(
        "pig",
        "ruse.games.pig.rules:pig",
        heading="Pig",
        pitch="Roll again or hold: one dice roll can cost you the whole turn.",
        rules="Roll a die as often as you like in your turn. A 2 to 6 adds to your turn total; a 1 ends the turn and "
        "loses that total. Hold to add it to your score. Whoever reaches 100 first wins.",
    ),
    GameSpec(
        "nim",
        "ruse.games.nim.rules:nim",
        heading="Nim",
        pitch="Take matches from the heaps; whoever takes the last one loses.",
        rules="There are some heaps of matches. The sides take turns to take as many matches as they like from one "
        "heap. Whoever takes the last match loses.",
        moves="Heaps are letters: b3 takes three matches from heap b.",
    ),
    GameSpec(
        "morra",
        "ruse.games.morra.rules:morra",
        heading="Morra",
        pitch="Show some fingers, and guess how many both of you show.",
        rules="Both sides show some fingers and guess, at the same time, how many there are in all. If just one side "
        "is right, it wins. Otherwise it is a draw.",
        moves="A move such as 2-5 shows two fingers and guesses that there are five in all, your own included.",
    ),
    GameSpec(
        "phantom-tic-tac-toe",
        "ruse.games.phantom.tic_tac_toe:phantom_tic_tac_toe",
        heading="Phantom tic-tac-toe",
        pitch="Tic-tac-toe without seeing the other side’s stones.",
        rules="Tic-tac-toe in which neither side sees the other's moves. Each side writes a list of all cells before "
        "the first move. A turn takes the first cell of its list that is still free.",
        moves="A list names each cell once. Cells are letters, row by row, starting with a.",
    ),
    GameSpec(
        "phantom-4-in-a-row",
        "ruse.games.phantom.four_in_a_row:phantom_four_in_a_row",
        heading="Phantom four in a row",
        pitch="Nobody sees the other side’s stones. Takes minutes or longer.",
        rules="Four in a row in which nobody sees the board. Each side writes a list of columns before the first "
        "stone falls. A turn takes the first entry of its list whose column has room.",
        moves="A list names each column, by its letter, as often as there are rows.",
        offered=[],  # takes minutes as it comes
    ),
    GameSpec(
        "4-in-a-row",
        "ruse.games.four_in_a_row.rules:four_in_a_row",
        heading="Four in a row",
        pitch="Takes minutes or longer, depending on the board.",
        rules="The sides take turns to drop a stone into a column. Four in a line wins. Nothing is hidden.",
        moves="A move is the letter of the column that the stone falls into.",
        offered=[],  # takes minutes as it comes
    ),
)

GAMES: dict[str, GameSpec] = {spec.name: spec for spec in _GAMES}


def _refuse_openspiel(parameters: Mapping[str, str]) -> None:
    """Raise GameError for parameters of a game of OpenSpiel's that a page must not make."""
    from ruse.formats.openspiel import refuse

    refuse(parameters)


# Games that come from files and from other libraries.
ELSEWHERE: dict[str, GameSpec] = {
    spec.name: spec
    for spec in (
        GameSpec("efg", "ruse.formats.gambit_games:efg", "A Gambit tree", "The text of an .efg file.", offered=[]),
        GameSpec("nfg", "ruse.formats.gambit_games:nfg", "A Gambit table", "The text of an .nfg file.", offered=[]),
        GameSpec(
            "openspiel",
            "ruse.formats.openspiel:openspiel",
            "A game of OpenSpiel",
            "If OpenSpiel is installed here.",
            offered=[],
            refuse=_refuse_openspiel,
        ),
    )
}

FACTORIES = {str(spec.made_by).partition(":")[2]: spec for spec in (*GAMES.values(), *ELSEWHERE.values())}


class _Games(ModuleType):
    """This package, which imports the module of a game when its factory is first used."""

    def __getattr__(self, name: str) -> Callable[..., Game]:
        if name not in FACTORIES:
            raise AttributeError(f"module 'ruse.games' has no attribute {name!r}")
        return FACTORIES[name].factory

    def __setattr__(self, name: str, value: object) -> None:
        """Keep `kuhn` a function when Python imports the package `ruse.games.kuhn` and sets it here."""
        if not (isinstance(value, ModuleType) and name in FACTORIES):
            super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return sorted(__all__)


sys.modules[__name__].__class__ = _Games
