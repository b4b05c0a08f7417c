"""The numbers of reasons for moves, recomputed by plain walks of the rules that share no code with the reasons.

`TreeNumbers` is for games with small trees and `SeatNumbers` for The Resistance, seat by seat. Both take the strategies
that the costs are counted against. `unexplained` lists the numbers in a text that no number of the reason accounts for.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any

from responding import Response, Table

NOTHING, ONE = Fraction(0), Fraction(1)
CHANCE, END = -1, -2
NAMED = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
WORDS = {name: number for number, name in enumerate(NAMED)}
TIMES = re.compile(rf"\b({'|'.join(WORDS)}) times? in ({'|'.join(WORDS)})\b|\bhalf the time\b")
NUMBER = re.compile(r"(?<![\w.@/-])-?\d+(?:\.\d+)?(?:e-\d+)?(?:/\d+)?(%| percentage points?)?(?![\w-])")
Numbers = Mapping[str, Fraction]


# Numbers in texts.


def unexplained(text: str, numbers: Numbers, names: Sequence[str] = ()) -> list[str]:
    """Return the numbers that the text mentions and `numbers` do not account for; `names` are moves and secrets."""
    text = re.sub(r"Player [12]", "_", text)
    for name in sorted(names, key=len, reverse=True):
        text = re.sub(rf"(?<![\w./(-]){re.escape(name)}(?![\w/%-]|\.\d| percentage points?)", "_", text)
    left = []
    for times in TIMES.finditer(text):
        share = Fraction(WORDS[times[1]], WORDS[times[2]]) if times[1] else Fraction(1, 2)
        if not any(abs(share - number) <= Fraction(1, 40) for number in _shares(numbers)):
            left.append(times[0])
    text = TIMES.sub("_", text)
    for found in NUMBER.finditer(text):
        unit, digits = found[1] or "", found[0].removesuffix(found[1] or "")
        if not any(_rounds(number, digits) for number in _meant(numbers, unit.strip(), "/" in digits)):
            left.append(found[0])
    for word, share in ((" always ", ONE), (" never ", NOTHING)):
        if word in text.replace(",", " ") and numbers and share not in _shares(numbers):
            left.append(word.strip())
    return left


def _shares(numbers: Numbers) -> set[Fraction]:
    shares = set(numbers.values()) | {(1 + number) / 2 for number in numbers.values()}
    return shares | {1 - share for share in shares}


def _meant(numbers: Numbers, unit: str, fraction: bool) -> set[Fraction]:
    """What a number in a text may be, once its unit is taken off."""
    given = set(numbers.values())
    shares = _shares(numbers)
    differences = {abs(first - second) for first in shares for second in shares}
    if unit == "%":
        return {100 * share for share in shares}
    if unit:
        return {50 * abs(number) for number in given} | {100 * number for number in differences}
    return given | {abs(number) for number in given} | (shares if fraction else set())


def _rounds(number: Fraction, digits: str) -> bool:
    if "/" in digits:
        return Fraction(digits) == number
    if "e" in digits:
        return abs(Fraction(digits) - number) <= abs(number) / 10
    places = len(digits.partition(".")[2])
    close = abs(Fraction(digits) - number) <= Fraction(1, 2 * 10**places)
    return close or (
        number != 0 and abs(number) < Fraction(1, 100) and abs(Fraction(digits) - number) <= abs(number) / 10
    )


# Games with small trees.


class TreeNumbers:
    """What the reasons of a game with a small tree say, if both sides play by these tables."""

    def __init__(self, game: Any, tables: tuple[Table, Table]) -> None:
        self.game, self.tables = game, tables
        self.responses = Response(game, 0, tables[1]), Response(game, 1, tables[0])
        self.weights: dict[str, Fraction] = {}  # of each position where a side moves, if both follow their tables
        self._walk(game.start(), ONE)

    def position(self, state: Any, side: int) -> str:
        text: str = self.game.title + self.game.format_position(self.game.knows(state, side))
        return text

    def _walk(self, state: Any, weight: Fraction) -> None:
        game, turn = self.game, self.game.turn(state)
        if turn == END or not weight:
            return
        moves = game.moves(state)
        if turn == CHANCE:
            odds = list(game.odds(state))
        else:
            position = self.position(state, turn)
            self.weights[position] = self.weights.get(position, NOTHING) + weight
            odds = [self.tables[turn][position].get(game.label(move), NOTHING) for move in moves]
        for move, share in zip(moves, odds, strict=True):
            self._walk(game.play(state, move), weight * share)

    def states(self, position: str, side: int) -> list[tuple[Any, Fraction]]:
        response = self.responses[side]
        return [(state, weight / response.reach(position)) for state, weight in response.met[position] if weight]

    def played(self, position: str, side: int, move: str) -> list[tuple[Any, Fraction]]:
        after = []
        for state, weight in self.states(position, side):
            chosen = next(one for one in self.game.moves(state) if self.game.label(one) == move)
            after.append((self.game.play(state, chosen), weight))
        return after

    def mine(self, state: Any, side: int) -> Fraction:
        payoff = Fraction(self.game.payoff(state))
        return payoff if side == 0 else -payoff

    def cost(self, position: str, side: int, move: str) -> dict[str, Fraction]:
        response = self.responses[side]
        costs = response.costs(position)
        values = {name: value / response.reach(position) for name, value in response.moves(position).items()}
        numbers = {"cost": costs[move], "after": values[move]}
        others = {name: cost for name, cost in costs.items() if name != move}
        if others:
            rival = min(others, key=others.__getitem__)
            numbers["instead"] = values[rival]
            if not costs[move] and costs[rival]:
                numbers["margin"] = costs[rival]
        return numbers

    def answers(self, position: str, side: int, move: str) -> dict[str, list[tuple[Any, Fraction]]]:
        """The states after each answer of the other side, with their probabilities."""
        groups: dict[str, list[tuple[Any, Fraction]]] = {}
        for state, weight in self.played(position, side, move):
            if self.game.turn(state) != 1 - side:
                groups.setdefault("", []).append((state, weight))
                continue
            for answer, share in self.responses[side].others(state).items():
                if share:
                    after = self.game.play(state, answer), weight * share
                    groups.setdefault(self.game.label(answer), []).append(after)
        return groups

    def answered(self, position: str, side: int, move: str) -> dict[str, Fraction]:
        numbers = {}
        for label, states in self.answers(position, side, move).items():
            odds = sum(weight for _, weight in states)
            numbers[f"odds:{label}"] = odds
            reach = self.responses[side].reach(position)
            scaled = [(state, weight * reach) for state, weight in states]  # as best responses weigh states
            numbers[f"value:{label}"] = self.responses[side]._after(scaled) / reach / odds
            if label != "fold" and all(self.game.turn(state) == END for state, _ in states):
                numbers[f"wins:{label}"] = self.ending(states, side, 1) / odds
                numbers[f"ties:{label}"] = self.ending(states, side, 0) / odds
        if move in ("bet", "raise") and "odds:fold" in numbers:
            called = self._called_instead(position, side, move)
            if all(self.game.turn(state) == END for state, _ in called):
                numbers["beaten:fold"] = self.won(called, side) / numbers["odds:fold"]
        return numbers

    def _called_instead(self, position: str, side: int, move: str) -> list[tuple[Any, Fraction]]:
        """The states after a call by each hand that folds, with the odds of the fold."""
        after = []
        for state, weight in self.played(position, side, move):
            odds = {self.game.label(answer): share for answer, share in self.responses[side].others(state).items()}
            if odds.get("fold"):
                call = next(answer for answer in self.game.moves(state) if self.game.label(answer) == "call")
                after.append((self.game.play(state, call), weight * odds["fold"]))
        return after

    def won(self, states: Sequence[tuple[Any, Fraction]], side: int) -> Fraction:
        share = {1: ONE, 0: Fraction(1, 2), -1: NOTHING}
        total = NOTHING
        for state, weight in states:
            payoff = self.mine(state, side)
            total += weight * share[(payoff > 0) - (payoff < 0)]
        return total

    def cost_names(self, position: str, side: int) -> list[str]:
        return list(self.responses[side].costs(position))

    def ending(self, states: Sequence[tuple[Any, Fraction]], side: int, sign: int) -> Fraction:
        """How likely one wins (1) or ties (0)."""
        payoffs = [(self.mine(state, side), weight) for state, weight in states]
        return sum((weight for payoff, weight in payoffs if (payoff > 0) - (payoff < 0) == sign), NOTHING)

    def bid(self, position: str, side: int, move: str) -> dict[str, Fraction]:
        """The cost in liar's dice, and whether the bid that stands is true."""
        stands = {"standing": self.truth(position, side, "liar")["true"]} if "/" in position else {}
        return self.cost(position, side, move) | stands

    def called(self, position: str, side: int, move: str) -> dict[str, Fraction]:
        """The answers to a bid in liar's dice."""
        told = self.answered(position, side, move)
        odds = {name[5:]: share for name, share in told.items() if name.startswith("odds:")}
        numbers = {"calls": odds.get("liar", NOTHING)}
        for other in self.cost_names(position, side):
            if other != "liar":
                again = self.answers(position, side, other).get("liar", [])
                numbers[f"calls:{other}"] = sum((weight for _, weight in again), NOTHING)
        if "liar" in odds:
            numbers["called"] = told["value:liar"]
        higher = {bid: share for bid, share in odds.items() if bid != "liar"}
        if higher and "liar" in odds:
            numbers["bids on"] = sum(share * told[f"value:{bid}"] for bid, share in higher.items()) / sum(
                higher.values()
            )
            numbers["likeliest"] = max(higher.values())
        return numbers

    def hands(self, position: str, move: str, group: Any) -> dict[str, Fraction]:
        """What somebody thinks of the secrets of the side to move who sees only what is public."""
        public = position.partition("@")[2].partition("/")[2]
        before: dict[str, Fraction] = {}
        made: dict[str, Fraction] = {}
        for other, weight in self.weights.items():
            secret, _, steps = other.partition("@")[2].partition("/")
            if steps == public and "@" in other:
                name, side = group(secret), self._mover(other)
                before[name] = before.get(name, NOTHING) + weight
                made[name] = made.get(name, NOTHING) + weight * self.tables[side][other].get(move, NOTHING)
        total, after = sum(before.values()), sum(made.values())
        numbers = {f"before:{name}": weight / total for name, weight in before.items()}
        numbers |= {f"often:{name}": made[name] / weight for name, weight in before.items() if weight}
        return numbers | ({f"after:{name}": made[name] / after for name in before} if after else {})

    def _mover(self, position: str) -> int:
        return next(side for side in (0, 1) if position in self.tables[side])

    def pot_odds(self, position: str, side: int) -> dict[str, Fraction]:
        states = self.played(position, side, "call")
        folded = self.played(position, side, "fold")
        lost = -self.mine(folded[0][0], side)
        stake = max(abs(self.mine(state, side)) for state, _ in states)
        price, pot = stake - lost, stake + lost
        return {"price": price, "pot": pot, "needed": price / (pot + price)} | {
            name: self.ending(states, side, sign) for name, sign in (("wins", 1), ("ties", 0))
        }

    def holds(self, position: str, side: int, group: Any) -> dict[str, Fraction]:
        numbers: dict[str, Fraction] = {}
        chances: dict[str, Fraction] = {}
        for state, weight in self.states(position, side):
            name = group(state.cards[1 - side])
            numbers[f"holds:{name}"] = numbers.get(f"holds:{name}", NOTHING) + weight
        for state, chance in self._possible(position, side):
            name = group(state.cards[1 - side])
            chances[name] = chances.get(name, NOTHING) + chance
        total = sum(chances.values())
        for name, chance in chances.items():
            numbers[f"cards:{name}"] = chance / total
            numbers.setdefault(f"holds:{name}", NOTHING)
        return numbers

    def _possible(self, position: str, side: int) -> list[tuple[Any, Fraction]]:
        """The states of a position, weighed by chance alone."""
        found, waiting = [], [(self.game.start(), ONE)]
        while waiting:
            state, chance = waiting.pop()
            turn = self.game.turn(state)
            if turn == side and self.position(state, side) == position:
                found.append((state, chance))
            elif turn != END and position.startswith(self.position(state, side).split("/")[0]):
                odds = self.game.odds(state) if turn == CHANCE else [ONE] * len(self.game.moves(state))
                for move, share in zip(self.game.moves(state), odds, strict=True):
                    waiting.append((self.game.play(state, move), chance * share))
        return found

    def truth(self, position: str, side: int, move: str) -> dict[str, Fraction]:
        """How likely a bid of liar's dice is true, as the other side bids and by the dice alone."""
        roll, *bids = position.partition("@")[2].split("/")
        need, face = (bids[-1] if move == "liar" else move).split("-")
        counts = (face, str(self.game.wild))
        own = sum(die in counts for die in self.game.dice_of[roll])

        def enough(other: str) -> bool:
            return own + sum(die in counts for die in self.game.dice_of[other]) >= int(need)

        dice = [
            (other, Fraction(ways, self.game.faces ** self.game.dice[1 - side]))
            for other, ways in zip(self.game.rolls[1 - side], self.game.ways[1 - side], strict=True)
        ]
        return {
            "true": sum(
                (weight for state, weight in self.states(position, side) if enough(state.rolls[1 - side])), NOTHING
            ),
            "dice": sum((chance for other, chance in dice if enough(other)), NOTHING),
        }


# The Resistance, seat by seat.


class SeatNumbers:
    """What the reasons of The Resistance say, by spy sets and teams of seats, if both sides play by these tables."""

    def __init__(self, game: Any, tables: tuple[Table, Table]) -> None:
        self.game, self.table, self.tables = game, game.table, tables
        self.spy_sets = list(combinations("abcdefghij"[: self.table.players], self.table.spies))

    def sabotages(self, spies: Sequence[str], steps: Sequence[str], team: str) -> Fraction:
        """The odds that these spies fail a team after some steps such as "ab+"."""
        number = len(steps)
        failed = [(step, fails) for step, fails in zip(steps, self.table.sabotages, strict=False) if step[-1] == "-"]
        if any(len(set(step) & set(spies)) < fails for step, fails in failed):
            return NOTHING  # these spies cannot have come here
        if len(set(team) & set(spies)) < self.table.sabotages[number]:
            return NOTHING
        score = [sum(step.endswith(sign) for step in steps) for sign in "+-"]
        if 2 in score:
            return ONE
        position = "/".join([f"{self.game.title}@{''.join(spies)}", *steps, f"{team}?"])
        named, _ = self.game.representative_position(position, 1)
        return Fraction(self.tables[1][named].get("sabotage", 0))

    def suspicion(self, steps: Sequence[str]) -> dict[tuple[str, ...], Fraction] | None:
        """How likely each spy set is after the steps; None if these spies never let that happen."""
        weights = {}
        for spies in self.spy_sets:
            weight = ONE
            for number, step in enumerate(steps):
                odds = self.sabotages(spies, steps[:number], step[:-1])
                weight *= odds if step.endswith("-") else 1 - odds
            weights[spies] = weight
        total = sum(weights.values())
        return {spies: weight / total for spies, weight in weights.items()} if total else None

    def spy(self, steps: Sequence[str], seat: str) -> Fraction | None:
        likely = self.suspicion(steps)
        return None if likely is None else sum((odds for spies, odds in likely.items() if seat in spies), NOTHING)

    def passes(self, steps: Sequence[str], team: str) -> Fraction:
        likely = self.suspicion(steps)
        assert likely is not None
        return sum((odds * (1 - self.sabotages(spies, steps, team)) for spies, odds in likely.items()), NOTHING)

    def clean(self, steps: Sequence[str], team: str) -> Fraction:
        likely, needed = self.suspicion(steps), self.table.sabotages[len(steps)]
        assert likely is not None
        return sum((odds for spies, odds in likely.items() if len(set(team) & set(spies)) < needed), NOTHING)

    def best(self, steps: Sequence[str]) -> Fraction:
        """How often the resistance wins with its best response."""
        score = [sum(step.endswith(sign) for step in steps) for sign in "+-"]
        if 3 in score:
            return Fraction(score[0] == 3)
        teams = combinations("abcdefghij"[: self.table.players], self.table.missions[len(steps)])
        return max(self.sent(steps, "".join(team)) for team in teams)

    def sent(self, steps: Sequence[str], team: str) -> Fraction:
        share = self.passes(steps, team)
        value = NOTHING
        for sign, odds in (("+", share), ("-", 1 - share)):
            if odds:
                value += odds * self.best([*steps, f"{team}{sign}"])
        return value

    def next_fails(self, steps: Sequence[str], spies: str) -> Fraction | None:
        """How likely the next team has enough of these spies aboard; None where the strategy lists no team."""
        position = "/".join([self.game.title, *steps])
        named, _ = self.game.representative_position(position, 0)
        if named not in self.tables[0]:
            return None
        records = {
            seat: "".join(step[-1] if seat in step[:-1] else "." for step in steps)
            for seat in "abcdefghij"[: self.table.players]
        }
        kept = named.removeprefix(self.game.title).strip("/")
        names = {
            seat: "".join(step[-1] if seat in step[:-1] else "." for step in kept.split("/") if kept)
            for seat in "abcdefghij"[: self.table.players]
        }
        needed, total = self.table.sabotages[len(steps)], NOTHING
        for team, share in self.tables[0][named].items():
            pattern = sorted(names[seat] for seat in team)
            alike = [
                other
                for other in combinations(records, len(team))
                if sorted(records[seat] for seat in other) == pattern
            ]
            fails = sum(len(set(other) & set(spies)) >= needed for other in alike)
            total += share * Fraction(fails, len(alike))
        return total


# Avalon, seat by seat.


class RolesNumbers:
    """What the reasons of a game with roles say, by deals and seats, where both sides follow strategies by class.

    A strategy by class lists one position of those that differ by the names of seats. Here it is that strategy with
    the seats named at random: the mean over all names that lead to the listed position.
    """

    def __init__(self, game: Any, tables: tuple[Table, Table]) -> None:
        self.game, self.tables = game, tables
        self.letters = "abcdefghij"[: game.table.players]
        self.names = [dict(zip(self.letters, order, strict=True)) for order in permutations(self.letters)]
        self.met: dict[tuple[int, str], list[tuple[Any, Fraction]]] = {}  # with the odds that both lead to a state
        self.kept: dict[tuple[int, str], dict[str, Fraction] | None] = {}
        self._walk(game.start(), ONE)

    def position(self, state: Any, side: int) -> str:
        text: str = self.game.title + self.game.format_position(self.game.knows(state, side))
        return text

    def _walk(self, state: Any, weight: Fraction) -> None:
        turn = self.game.turn(state)
        if turn in (0, 1):
            self.met.setdefault((turn, self.position(state, turn)), []).append((state, weight))
        if turn != END:
            for move, share in (self.follow(state) or {}).items():
                if share:
                    self._walk(self.game.play(state, move), weight * share)

    def follow(self, state: Any) -> dict[Any, Fraction] | None:
        """The odds of each move; None where a strategy does not say."""
        game, turn, moves = self.game, self.game.turn(state), self.game.moves(state)
        if turn == CHANCE:
            return dict(zip(moves, game.odds(state), strict=True))
        if len(moves) == 1:
            return {moves[0]: ONE}
        odds = self.odds(self.position(state, turn), turn)
        labels = [game.label(move) for move in moves]
        if odds is None and "sabotage" in labels and 2 in self.score(state):
            odds = {"sabotage": ONE}
        return None if odds is None else {move: odds.get(game.label(move), NOTHING) for move in moves}

    def score(self, state: Any) -> tuple[int, int]:
        passed = sum(mission.passed for mission in state.done)
        return passed, len(state.done) - passed

    def odds(self, position: str, side: int) -> dict[str, Fraction] | None:
        key = side, position
        if key not in self.kept:
            listed = [
                (names, self.tables[side][there])
                for names in self.names
                if (there := self.renamed(position, names)) in self.tables[side]
            ]
            shares: dict[str, Fraction] = {}
            for names, table in listed:
                back = {new: old for old, new in names.items()}
                for move, share in table.items():
                    mine = self.step(move, back)
                    shares[mine] = shares.get(mine, NOTHING) + share / len(listed)
            self.kept[key] = shares if listed else None
        return self.kept[key]

    def renamed(self, position: str, names: Mapping[str, str]) -> str:
        head, *steps = position.removeprefix(self.game.title).split("/")
        if head:
            head = "@" + "".join(sorted(names[seat] for seat in head.removeprefix("@")))
        return "/".join([self.game.title + head, *(self.step(step, names) for step in steps)])

    def step(self, step: str, names: Mapping[str, str]) -> str:
        if "=" in step:
            claims = [claim.split("=") for claim in step.split(",")]
            named = []
            for seat, claim in claims:
                role, _, seats = claim.partition(":")
                named.append(f"{names[seat]}={role}:{''.join(sorted(names[one] for one in seats))}")
            return ",".join(sorted(named))
        if step.startswith("name-"):
            return f"name-{names[step[-1]]}"
        if step in ("quiet", "pass", "sabotage"):
            return step
        team, sign = (step[:-1], step[-1]) if step[-1] in "+-?" else (step, "")
        return "".join(sorted(names[seat] for seat in team)) + sign

    def likely(self, side: int, position: str) -> list[tuple[Any, Fraction]]:
        states = self.met[side, position]
        total = sum(weight for _, weight in states)
        return [(state, weight / total) for state, weight in states]

    def spies(self, state: Any) -> set[str]:
        return {self.letters[seat] for seat in self.game.spies(state.deal)}

    def worth(self, state: Any) -> Fraction | None:
        """What the good side gets if both follow their strategies; None where those do not say."""
        if self.game.turn(state) == END:
            return Fraction(self.game.payoff(state))
        odds, total = self.follow(state), NOTHING
        for move, share in ({} if odds is None else odds).items():
            if share:
                after = self.worth(self.game.play(state, move))
                if after is None:
                    return None
                total += share * after
        return None if odds is None else total

    def after(self, side: int, position: str, label: str) -> list[tuple[Any, Fraction]]:
        game, after = self.game, []
        for state, odds in self.likely(side, position):
            move = next(move for move in game.moves(state) if game.label(move) == label)
            after.append((game.play(state, move), odds))
        return after

    def value(self, side: int, position: str, label: str) -> Fraction | None:
        worths = [(self.worth(state), odds) for state, odds in self.after(side, position, label)]
        if any(worth is None for worth, _ in worths):
            return None
        return sum((odds * worth for worth, odds in worths if worth is not None), NOTHING)

    def results(self, position: str, team: str) -> dict[str, Fraction] | None:
        """How often a team of the good side passes and fails."""
        shares = {"+": NOTHING, "-": NOTHING}
        for state, odds in self.after(0, position, team):
            follow = {None: ONE} if state.out is None else self.follow(state)
            if follow is None:
                return None
            for move, share in follow.items():
                ended = state if move is None else self.game.play(state, move)
                shares["+" if ended.done[-1].passed else "-"] += odds * share
        return shares

    def value_after(self, position: str, team: str) -> dict[str, Fraction] | None:
        """What the good side gets after a pass and after a failure, of those that may be."""
        masses, worths = {"+": NOTHING, "-": NOTHING}, {"+": NOTHING, "-": NOTHING}
        for state, odds in self.after(0, position, team):
            follow = {None: ONE} if state.out is None else self.follow(state)
            for move, share in ({} if follow is None else follow).items():
                ended = state if move is None else self.game.play(state, move)
                worth, result = self.worth(ended), "+" if ended.done[-1].passed else "-"
                if follow is None or worth is None:
                    return None
                masses[result] += odds * share
                worths[result] += odds * share * worth
        return {result: worths[result] / mass for result, mass in masses.items() if mass}

    def boarded(self, position: str, order: str) -> Fraction | None:
        """How likely the next team has enough spies aboard to fail, to the spies."""
        total = NOTHING
        for state, odds in self.after(1, position, order):
            if self.game.turn(state) != 0 or (follow := self.follow(state)) is None:
                return None
            needed = self.game.table.sabotages[len(state.done)]
            for move, share in follow.items():
                aboard = set(self.game.label(move)) & self.spies(state)
                total += odds * share * (len(aboard) >= needed)
        return total

    def share(self, side: int, position: str, holds: Any) -> Fraction:
        return sum((odds for state, odds in self.likely(side, position) if holds(state)), NOTHING)
