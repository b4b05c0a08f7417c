"""The games of ruse's that people start from, as small as they come, and what can be changed in a rule of each."""

from __future__ import annotations

from dataclasses import dataclass

PLAYERS_MOVE = "game.turn(state) in (0, 1)"
DEALT = "bool(state.cards)"  # where `turn` asks `moves`, which then cannot ask `turn`


@dataclass(frozen=True)
class Base:
    """A class of ruse's, and how it is made."""

    where: str  # "module:class"
    made: str  # the arguments of its constructor
    weight: float = 1.0
    before: str = ""  # lines that the arguments need
    smaller: str = ""  # lines that make `Base` a smaller game, which the oracle solves quickly
    chance: bool = False  # whether chance moves anywhere
    seen: bool = False  # whether nothing is hidden: what a side knows need not tell how it came about
    returns: bool = False  # whether play can come back to a state
    won: bool = False  # whether payoffs are wins, losses and draws
    players_move: str = PLAYERS_MOVE
    finer: str = ""  # all that there is to know, as knowledge
    coarser: str = ""  # less than the rules tell, with perfect recall


# Jacks and kings only, and one raise, once the public card is known. The suits stay alike.
SMALL_LEDUC = """
class Base(Base):
    def moves(self, state):
        raised = not state.public or "raise" in state.rounds[-1]
        return [move for move in super().moves(state) if move[0] != "Q" and not (raised and move == "raise")]
    def odds(self, state):
        return [Fraction(1, len(Base.moves(self, state)))] * len(Base.moves(self, state))
"""
TABLE = "from ruse.games.resistance.table import make_table"
BASES: dict[str, Base] = {
    "kuhn": Base(
        "ruse.games.kuhn:Kuhn",
        "",
        3,
        chance=True,
        players_move=DEALT,
        finer="state",
        coarser='state._replace(cards="")',
    ),
    "mini-poker": Base(
        "ruse.games.mini_poker:MiniPoker",
        "",
        3,
        chance=True,
        players_move=DEALT,
        finer="state",
        coarser='state._replace(cards="")',
    ),
    "liars-dice": Base(
        "ruse.games.liars_dice:LiarsDice",
        "2",
        3,
        chance=True,
        won=True,
        finer="state",
        coarser="state._replace(rolls=())",
    ),
    "goofspiel": Base(
        "ruse.games.goofspiel:Goofspiel", "3", 2, won=True, coarser="game.knows_all(state, side)._replace(results=())"
    ),
    "battleship": Base("ruse.games.battleship:Battleship", '"2x1", [1], [1], 2', 3),
    "oshi-zumo": Base("ruse.games.oshi_zumo:OshiZumo", "2, 1, 2, 0, False", 3, won=True, finer="state.bids"),
    "kubicek": Base("ruse.games.kubicek:Kubicek", "", 2, finer="state"),
    "rock-paper-scissors": Base("ruse.games.rock_paper_scissors:RockPaperScissors", "Fraction(1)", 2),
    "morra": Base("ruse.games.morra:Morra", "1", 1, won=True),
    "nim": Base("ruse.games.nim:Nim", "(1, 2)", 2, seen=True, won=True),
    "guess-who": Base("ruse.games.guess_who:GuessWho", "4, 3", 2, chance=True, seen=True, won=True),
    "pig": Base("ruse.games.pig:Pig", "4", 0.5, chance=True, seen=True, returns=True, won=True),
    "resistance": Base(
        "ruse.games.resistance.game:Resistance",
        "make_table(3, 1, (3, 3, 2, 3, 3), (1, 1, 1, 1, 1))",
        0.3,
        TABLE,
        chance=True,
        won=True,
    ),
    "leduc": Base(
        "ruse.games.leduc:Leduc",
        "",
        1.5,
        smaller=SMALL_LEDUC,
        chance=True,
        finer="state",
        coarser="state._replace(cards=())",
    ),
}


@dataclass(frozen=True)
class Change:
    """What becomes of what a rule says: the body of a function of (game, found, k, state, side)."""

    rule: str
    body: str
    keeps_wins: bool = True


SOME = "crc32(repr(state).encode())"
SCALE = Change("payoff", "return found * (1 + k)", False)
SHIFT = Change("payoff", "return found + k", False)
HERE_AND_THERE = Change("payoff", f"return found + (k if {SOME} % 3 == 0 else 0)", False)
TURNED = Change("payoff", f"return -found if {SOME} % (2 + k) == 0 else found")
ODDS = Change(
    "odds",
    "weights = [share * (1 + k * (place == 0)) for place, share in enumerate(found)]\n"
    "    return [share / sum(weights) for share in weights]",
)


def changes(base: Base) -> list[Change]:
    """Every change that a game can take."""
    fewer = (
        "found = list(found)\n"
        f"    if len(found) > 1 and {base.players_move}:\n"
        "        del found[k % len(found)]\n"
        "    return found"
    )
    found = [SCALE, SHIFT, HERE_AND_THERE, TURNED]
    if not base.returns:  # or play might never end
        found.append(Change("moves", fewer))
    if base.chance:
        found.append(ODDS)
    for knowledge in (base.finer, base.coarser):
        if knowledge:
            told = knowledge.replace("game.knows_all(state, side)", "found")
            found.append(Change("knows", f"return {told} if side == k % 2 else found"))
    return found
