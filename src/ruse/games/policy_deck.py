"""A policy deck, as in Secret Hitler: three cards, two chances to lie, and a table that has to judge by one card.

The president draws three policies, discards one in secret, and hands two to the chancellor, who discards another and
enacts the last. Everybody sees the policy that is enacted. Then the president says how many of the three were fascist,
and the chancellor how many of the two. The table decides whom it believes to be a fascist: nobody, or one of them.

What is modelled: one government. Chance deals both chairs from a table of liberals and fascists, and the three cards
from the deck. Liberals in a chair enact what they can for the liberals, and tell the truth. Fascists know each other,
choose freely, and may claim whatever the enacted policy allows. A liberal policy pays the table `worth`, a fascist one
costs as much; a right verdict pays 1, a wrong one costs 1. What is not: the election, later governments, powers,
Hitler, a fascist who plays the liberal for the rest of the game, and liberals who lie.

Moves of fascists read `pass-FL` (the two cards that are handed on), `enact-F`, `drew-2` and `got-1` (how many fascist
cards they say there were), and those of the table `trust`, `president`, `chancellor`. Positions are what a side knows:
`policy-deck@table/F/drew-2/got-1`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import comb
from typing import Annotated, ClassVar, NamedTuple

from ruse.core.capabilities import Ranged
from ruse.core.game import CHANCE, END, GameError, Titled
from ruse.core.parameters import game_factory
from ruse.core.presentation import Presentation

TABLE, FASCISTS = 0, 1
LIBERALS, FASCIST_CARDS, PLAYERS, EVIL, WORTH = 6, 11, 5, 2, Fraction(1)
DRAWN, PASSED = 3, 2
CHAIRS = ("LL", "LF", "FL", "FF")  # president and chancellor
VERDICTS = ("trust", "president", "chancellor")


class Government(NamedTuple):
    """A state, and what a side knows of it: None of what has not happened, or is not seen."""

    chairs: str = ""
    drawn: int | None = None  # fascist cards of the three
    passed: int | None = None  # fascist cards of the two
    enacted: str = ""
    said: tuple[int, ...] = ()  # by the president, and by the chancellor
    verdict: str = ""


class PolicyDeck(Titled):
    name = "policy-deck"
    sides = ("table", "fascists")
    wins: ClassVar[tuple[str, ...]] = ()
    provides = (Ranged,)
    parts: ClassVar[Mapping[str, str]] = {"presentation": "ruse.games.policy_deck:PolicyDeckPresentation"}

    def __init__(
        self,
        liberal: int = LIBERALS,
        fascist: int = FASCIST_CARDS,
        players: int = PLAYERS,
        fascists: int = EVIL,
        worth: Fraction = WORTH,
    ) -> None:
        if liberal < 0 or fascist < 0 or liberal + fascist < DRAWN:
            raise GameError(f"expected a deck of at least {DRAWN} cards, got {liberal} liberal and {fascist} fascist")
        if players < 2 or not 0 <= fascists <= players:
            raise GameError(f"expected at least 2 players and 0 to {players} fascists, got {players} and {fascists}")
        if worth < 0:
            raise GameError(f"expected a policy to be worth at least 0, got {worth}")
        self.liberal, self.fascist, self.players, self.fascists, self.worth = liberal, fascist, players, fascists, worth
        usual = {"liberal": LIBERALS, "fascist": FASCIST_CARDS, "players": PLAYERS, "fascists": EVIL, "worth": WORTH}
        changed = {name: value for name in usual if (value := getattr(self, name)) != usual[name]}
        self.parameters: dict[str, object] = {
            "liberal": liberal, "fascist": fascist, "players": players, "fascists": fascists, "worth": str(worth)
        }  # fmt: skip
        inside = ",".join(f"{name}={str(value).replace('/', ':')}" for name, value in changed.items())
        self.title = f"{self.name}({inside})" if inside else self.name
        good = players - fascists
        pairs = {"LL": good * (good - 1), "LF": good * fascists, "FL": good * fascists, "FF": fascists * (fascists - 1)}
        self._chairs = {chairs: Fraction(ways, players * (players - 1)) for chairs, ways in pairs.items() if ways}
        cards = liberal + fascist
        hands = {count: comb(fascist, count) * comb(liberal, DRAWN - count) for count in range(DRAWN + 1)}
        self._hands = {count: Fraction(ways, comb(cards, DRAWN)) for count, ways in hands.items() if ways}

    def start(self) -> Government:
        return Government()

    def turn(self, state: Government) -> int:
        if state.drawn is None:
            return CHANCE
        if len(state.said) < 2:
            return FASCISTS
        return END if state.verdict else TABLE

    def moves(self, state: Government) -> Sequence[str]:
        if not state.chairs:
            return list(self._chairs)
        if state.drawn is None:
            return [f"draw-{count}" for count in self._hands]
        if state.passed is None:
            return [f"pass-{'F' * count + 'L' * (PASSED - count)}" for count in _kept(state.drawn, DRAWN)]
        if not state.enacted:
            return [f"enact-{'LF'[count]}" for count in _kept(state.passed, PASSED)]
        if len(state.said) < 2:
            word, most = (("drew", DRAWN), ("got", PASSED))[len(state.said)]
            lowest = int(state.enacted == "F")
            return [f"{word}-{count}" for count in range(lowest, most + lowest)]
        return VERDICTS

    def odds(self, state: Government) -> Sequence[Fraction]:
        return list((self._hands if state.chairs else self._chairs).values())

    def play(self, state: Government, move: str) -> Government:
        return self._honest(self._moved(state, move))

    def _moved(self, state: Government, move: str) -> Government:
        if not state.chairs:
            return state._replace(chairs=move)
        word, _, content = move.partition("-")
        match word:
            case "draw":
                return state._replace(drawn=int(content))
            case "pass":
                return state._replace(passed=content.count("F"))
            case "enact":
                return state._replace(enacted=content)
            case "drew" | "got":
                return state._replace(said=(*state.said, int(content)))
        return state._replace(verdict=move)

    def _honest(self, state: Government) -> Government:
        """What liberals do by themselves: the best for the liberals, and the truth."""
        if state.drawn is None:
            return state
        president, chancellor = tuple(state.chairs)
        if state.passed is None and president == "L":
            state = state._replace(passed=max(state.drawn - 1, 0))
        if state.passed is not None and not state.enacted and chancellor == "L":
            state = state._replace(enacted="LF"[state.passed == PASSED])
        if state.enacted and not state.said and president == "L" and state.drawn is not None:
            state = state._replace(said=(state.drawn,))
        if len(state.said) == 1 and chancellor == "L" and state.passed is not None:
            state = state._replace(said=(*state.said, state.passed))
        return state

    def knows(self, state: Government, side: int) -> Government:
        if side == TABLE:
            return Government(enacted=state.enacted, said=state.said, verdict=state.verdict)
        drawn = state.drawn if state.chairs[:1] == "F" else None
        return state._replace(drawn=drawn, passed=state.passed if "F" in state.chairs else None)

    def payoff(self, state: Government) -> Fraction:
        president, chancellor = tuple(state.chairs)
        right = {
            "trust": state.chairs == "LL", "president": president == "F", "chancellor": chancellor == "F"
        }[state.verdict]  # fmt: skip
        return (1 if right else -1) + (self.worth if state.enacted == "L" else -self.worth)

    def payoff_range(self) -> tuple[Fraction, Fraction]:
        return -1 - self.worth, 1 + self.worth

    def label(self, move: str) -> str:
        return move

    def format_position(self, knowledge: Government) -> str:
        """The table's and the fascists' knowledge differ by what comes first."""
        steps = [knowledge.chairs or "table"]
        steps += [f"draw-{knowledge.drawn}"] if knowledge.drawn is not None else []
        steps += [f"pass-{knowledge.passed}"] if knowledge.passed is not None else []
        steps += [knowledge.enacted] if knowledge.enacted else []
        steps += [f"{word}-{count}" for word, count in zip(("drew", "got"), knowledge.said, strict=False)]
        return "@" + "/".join([*steps, *([knowledge.verdict] if knowledge.verdict else [])])


def _kept(fascist: int, cards: int) -> list[int]:
    """How many of some cards may be fascist once one of them is discarded."""
    return [count for count in (fascist - 1, fascist) if 0 <= count < cards]


class PolicyDeckPresentation(Presentation[PolicyDeck]):
    """How a government is shown: the cards that a side has seen, and what was said."""

    def setup(self) -> str:
        game = self.game
        return (
            f"{game.players} players, {game.fascists} of them fascists; "
            f"{game.liberal} liberal and {game.fascist} fascist policies"
        )

    def model(self) -> str:
        return (
            "One government, and then a verdict. Liberals enact what they can and tell the truth; fascists know each "
            "other. Elections, later governments, powers and Hitler are left out."
        )

    def move_phrase(self, position: str, move: str) -> str:
        word, _, content = move.partition("-")
        return {
            "pass": f"hand on {content.count('F')} fascist and {content.count('L')} liberal",
            "enact": f"enact the {'fascist' if content == 'F' else 'liberal'} policy",
            "drew": f"say that {content} of three were fascist",
            "got": f"say that {content} of two were fascist",
            "trust": "trust both",
            "president": "accuse the president",
            "chancellor": "accuse the chancellor",
        }[word]

    def bluff(self, state: Government, move: str) -> bool | None:
        """A claim is a bluff if it is false."""
        word, _, content = move.partition("-")
        if word not in ("drew", "got"):
            return None
        return int(content) != (state.drawn if word == "drew" else state.passed)

    def picture(self, knowledge: Government, side: int, end: Government | None) -> Sequence[str]:
        seen = end or knowledge
        lines = []
        if seen.chairs:
            names = {"L": "a liberal", "F": "a fascist"}
            lines.append(f"The president is {names[seen.chairs[0]]}, the chancellor {names[seen.chairs[1]]}.")
        if seen.drawn is not None:
            lines.append(f"The president drew {seen.drawn} fascist of three policies.")
        if seen.passed is not None:
            lines.append(f"The chancellor got {seen.passed} fascist of two policies.")
        if seen.enacted:
            lines.append(f"A {'fascist' if seen.enacted == 'F' else 'liberal'} policy is enacted.")
        for who, count in zip(
            ("president says that three had", "chancellor says that two had"), seen.said, strict=False
        ):
            lines.append(f"The {who} {count} fascist.")
        return lines


@game_factory
def policy_deck(
    liberal: Annotated[int, "liberal policies in the deck"] = LIBERALS,
    fascist: Annotated[int, "fascist policies in the deck"] = FASCIST_CARDS,
    players: Annotated[int, "seats from which the chairs are dealt"] = PLAYERS,
    fascists: Annotated[int, "how many of them are fascists"] = EVIL,
    worth: Annotated[Fraction, "what a liberal policy pays the table"] = WORTH,
) -> PolicyDeck:
    """The policy deck of Secret Hitler: draw three, hand on two, enact one, and lie about it."""
    return PolicyDeck(liberal, fascist, players, fascists, worth)
