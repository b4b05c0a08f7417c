"""What may happen at a position of a game with hidden roles, with odds and values: moves, and what a side may see next.

Of moves that look alike to the side that makes or sees them, one of each class is listed. The advice where a stored
strategy has no entry is the same list: spies who have nothing to decide do the one thing left, and a side that never
reaches a position by itself plays a best response from there on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cache

from ruse.core.game import END, PositionError, describe, moving
from ruse.core.types import Odds, Tables
from ruse.games.hidden_roles.classes import Representative, RepresentativeFinder, at_choice, words_alike, words_in
from ruse.games.hidden_roles.evaluator import RolesEvaluator
from ruse.games.hidden_roles.notation import read, role_name
from ruse.games.hidden_roles.roles import Claim, Seats
from ruse.games.hidden_roles.rules import GOOD, NONE, SPIES, UNKNOWN, Done, HiddenRoles, RolesPlay, Words
from ruse.games.hidden_roles.ways import Way
from ruse.games.resistance.evaluator import payoff
from ruse.games.resistance.notation import listed, read_seats
from ruse.games.resistance.notation import seats as letters
from ruse.games.resistance.rules import subsets
from ruse.games.resistance.table import spy_count
from ruse.present.model import Option
from ruse.present.nodes import Number, as_fraction

MOST_REPORTS = 40  # that are listed with their values: those of a public round are many


def turn_at(game: HiddenRoles, known: RolesPlay) -> int:
    """Who moves, once all have spoken."""
    if known.out is not None:
        return SPIES
    if not game.table.is_over(known.score):
        return GOOD
    return SPIES if game.guesses(known) and known.named is None else END


class Options:
    def __init__(self, game: HiddenRoles, evaluator: RolesEvaluator) -> None:
        self.game, self.table, self.evaluator = game, game.table, evaluator

    def said_value(self, seen: tuple[int, ...], lie: Words | None) -> Number:
        """How often the good side wins if the spies say something, or have nothing to say."""
        evaluator = self.evaluator
        groups = evaluator.after_lie(seen, lie)
        mass = sum(way.weight for ways in groups.values() for way in ways)
        return sum(evaluator.value(SPIES, ways) for ways in groups.values()) / mass

    def lies(self, seen: tuple[int, ...]) -> list[Option]:
        evaluator = self.evaluator
        odds = evaluator.lies(RolesPlay(seen))
        rows = []
        for members in evaluator.lie_classes(seen).values():
            value = payoff(as_fraction(self.said_value(seen, members[0])))
            share = sum((odds.get(lie, Fraction(0)) for lie in members), Fraction(0))
            after = {describe(self.game, known) for known in evaluator.after_lie(seen, members[0])}
            name = self.game.label(members[0])
            position = after.pop() if len(after) == 1 else None
            rows.append((name, as_fraction(share), value, position, lie_in_words(self.game, members[0], len(members))))
        best = min(value for _, _, value, _, _ in rows)
        options = [Option(name, odds, value, value - best, after, gloss) for name, odds, value, after, gloss in rows]
        return sorted(options, key=lambda option: (-option.odds, option.loss, option.move))

    def reports(self) -> list[Option]:
        """What the good side may hear, one of each class."""
        evaluator = self.evaluator
        reports = evaluator.reports()
        likeliest = sorted(reports, key=lambda report: -report[1])
        options = []
        for known, share in likeliest:
            value = None
            if len(reports) <= MOST_REPORTS:
                ways = [way for way in evaluator.ways(GOOD, known) if way.weight]
                value = payoff(as_fraction(evaluator.value(GOOD, ways) / sum(way.weight for way in ways)))
            position = describe(self.game, known)
            options.append(
                Option(position.rpartition("/")[2], as_fraction(share), value, None, position, "or one like it")
            )
        return options

    # What may happen.

    def at(self, side: int, known: RolesPlay, turn: int, ways: Sequence[Way]) -> tuple[list[Option], bool]:
        """The options, and whether the side that moves gets advice because its strategy has no entry here."""
        if turn == END:
            return [], False
        if side == GOOD:
            if turn == GOOD:
                return self._missions(known, ways)
            return (self._results(known, ways) if known.out is not None else self._guessed(known, ways)), False
        if turn == GOOD:
            return self._coming(ways), False
        return self._cards(known, ways) if known.out is not None else self._names(known, ways)

    def _missions(self, known: RolesPlay, ways: Sequence[Way]) -> tuple[list[Option], bool]:
        evaluator = self.evaluator
        good, total, fits = ways[0].seen[GOOD], sum(way.weight for way in ways), evaluator.ways(GOOD, known)
        odds, kept = evaluator.missions(good), evaluator.kept(GOOD, ways)
        classes: list[tuple[Seats, list[Seats], Fraction]] = []
        for members in teams_alike(self.game, evaluator.finder, known):
            classes.append(
                (members[0], members, payoff(as_fraction(evaluator.sending(ways, members[0], kept) / total)))
            )
        best = max(value for _, _, value in classes)
        silent = odds is None
        if odds is None:
            advised = next(members for _, members, value in classes if value == best)
            odds = dict.fromkeys(advised, evaluator.number(Fraction(1, len(advised))))
        options = []
        for team, members, value in classes:
            share = as_fraction(sum((odds.get(member, Fraction(0)) for member in members), Fraction(0)))
            sent = evaluator.out(GOOD, fits, team)
            waits = any(way.state.out is not None for way in sent)
            after = known._replace(out=team) if waits else self.game.knows(sent[0].state, GOOD)
            gloss = alike_in_words(team, members)
            options.append(Option(letters(team), share, value, best - value, describe(self.game, after), gloss))
        return sorted(options, key=lambda option: (-option.odds, option.loss, option.move)), silent

    def _results(self, known: RolesPlay, ways: Sequence[Way]) -> list[Option]:
        evaluator = self.evaluator
        assert known.out is not None
        results, total = evaluator.results(ways), sum(way.weight for way in ways)
        options = []
        for passed, gloss in ((True, "the mission passes"), (False, "the mission fails")):
            after = known._replace(out=None, done=(*known.done, Done(known.out, passed, UNKNOWN)))
            try:
                left = [way for way in results[passed] if way.weight] or evaluator.ways(GOOD, after)
            except PositionError:
                continue
            share = sum((way.weight for way in results[passed]), evaluator.number(Fraction(0)))
            mass = sum(way.weight for way in left)
            value = payoff(as_fraction(evaluator.value(GOOD, left) / mass))
            step = f"{letters(known.out)}{'-+'[passed]}"
            options.append(Option(step, as_fraction(share / total), value, None, describe(self.game, after), gloss))
        return options

    def _guessed(self, known: RolesPlay, ways: Sequence[Way]) -> list[Option]:
        """Whom the spies may name, to the good side."""
        evaluator = self.evaluator
        total = sum(way.weight for way in ways)
        options = []
        for seat in range(self.table.players):
            share = hit = evaluator.number(Fraction(0))
            for way in ways:
                part = way.weight * (evaluator.guesses(way).get(seat) or 0)
                share += part
                hit += part * (way.deal[seat] == self.game.cast.hunted)
            if share:
                value = payoff(as_fraction(1 - hit / share))
                after = describe(self.game, known._replace(named=seat))
                step = f"name-{letters([seat])}"
                options.append(
                    Option(step, as_fraction(share / total), value, None, after, f"the spies name {letters([seat])}")
                )
        return sorted(options, key=lambda option: (-option.odds, option.move))

    def _coming(self, ways: Sequence[Way]) -> list[Option]:
        """What the spies may see next, one of each class."""
        evaluator = self.evaluator
        total = sum(way.weight for way in ways)
        by_class: dict[str, list[list[Way]]] = {}
        for sent in evaluator.coming(ways).values():
            groups: dict[str, list[Way]] = {}
            for way in sent:
                groups.setdefault(describe(self.game, self.game.knows(way.state, SPIES)), []).append(way)
            for group in groups.values():
                representative = group[0].seen[SPIES].text + "?" * (group[0].state.out is not None)
                by_class.setdefault(representative, []).append(group)
        options = []
        for groups_alike in by_class.values():
            first = groups_alike[0]
            mass = sum(way.weight for way in first)
            value = payoff(as_fraction(evaluator.value(SPIES, first) / mass))
            after = describe(self.game, self.game.knows(first[0].state, SPIES))
            team = first[0].state.out or first[0].state.done[-1].seats
            aboard = self.game.aboard(first[0].deal, team)
            gloss = f"{_alike(len(groups_alike))}{spy_count(aboard)} aboard"
            share = as_fraction(sum(way.weight for group in groups_alike for way in group) / total)
            options.append(Option(after.rpartition("/")[2], share, value, None, after, gloss))
        return sorted(options, key=lambda option: (-option.odds, option.move))

    def _cards(self, known: RolesPlay, ways: Sequence[Way]) -> tuple[list[Option], bool]:
        evaluator = self.evaluator
        assert known.out is not None
        aboard, total = self.game.aboard(ways[0].deal, known.out), sum(way.weight for way in ways)
        kept = evaluator.kept(SPIES, ways)
        values = {
            cards: payoff(as_fraction(evaluator.carded(ways, cards, kept) / total)) for cards in range(aboard + 1)
        }
        best = min(values.values())
        odds = evaluator.cards(ways[0].seen[SPIES], known.score, aboard)
        silent = odds is None
        if odds is None:
            odds = {next(cards for cards in values if values[cards] == best): evaluator.number(Fraction(1))}
        options = []
        for cards, value in values.items():
            after = {describe(self.game, self.game.knows(evaluator.over(way, cards).state, SPIES)) for way in ways}
            share = as_fraction(odds.get(cards, Fraction(0)))
            position = after.pop() if len(after) == 1 else None
            gloss = "" if cards < 2 else f"{cards} spies sabotage"
            options.append(Option(self.game.label(cards), share, value, value - best, position, gloss))
        return options, silent

    def _names(self, known: RolesPlay, ways: Sequence[Way]) -> tuple[list[Option], bool]:
        evaluator = self.evaluator
        total, merlin = sum(way.weight for way in ways), evaluator.hunted(ways)
        assert known.deal is not None
        seats = [seat for seat, kind in enumerate(known.deal) if kind == UNKNOWN]
        values = {seat: payoff(as_fraction(1 - merlin.get(seat, Fraction(0)) / total)) for seat in seats}
        best = min(values.values())
        odds = evaluator.named(ways[0])
        silent = odds is None
        if odds is None:
            odds = {next(seat for seat in seats if values[seat] == best): evaluator.number(Fraction(1))}
        options = []
        for members in named_alike(self.game, evaluator.finder, known):
            (seat,), *_ = members
            after = describe(self.game, known._replace(named=seat))
            share = as_fraction(sum((odds.get(member, Fraction(0)) for (member,) in members), Fraction(0)))
            gloss = alike_in_words((seat,), members)
            options.append(Option(_naming((seat,)), share, values[seat], values[seat] - best, after, gloss))
        return sorted(options, key=lambda option: (-option.odds, option.loss, option.move)), silent


def alike_in_words(seats: Seats, members: Sequence[Seats]) -> str:
    """Which other missions, or seats to name, look like one."""
    others = [letters(member) for member in members if member != seats]
    return f"or {' or '.join(others)}" if 0 < len(others) <= 3 else f"or {len(others)} alike" if others else ""


def claim_in_words(game: HiddenRoles, claim: Claim) -> str:
    """What somebody does when he says something."""
    if claim.kind != game.cast.quiet:
        seen = f"sees {listed(letters(claim.seats))}" if claim.seats else "sees nobody"
        return f"claims to be {role_name(game.cast.kinds[claim.kind])}, who {seen}"
    return f"points at {letters(claim.seats)}" if claim.seats else "reports nothing"


def reports_in_words(game: HiddenRoles, knowledge: RolesPlay) -> str:
    """What was said, in a sentence; nothing before that."""
    if not knowledge.said:
        return "" if game.talk == NONE else "Nothing has been said yet."
    claims = {seat: claim for seat, claim in enumerate(knowledge.said) if claim is not None}
    reported = {seat: claim for seat, claim in claims.items() if claim != Claim(game.cast.quiet)}
    if not reported:
        return "Nobody has anything to report." if len(claims) == len(knowledge.said) else "You report nothing."
    sentences = [f"{letters([seat])} {claim_in_words(game, claim)}" for seat, claim in reported.items()]
    quiet = [seat for seat in claims if seat not in reported]
    if quiet:
        whole = len(claims) == len(knowledge.said) and len(quiet) > 1
        who = "the others" if whole else listed(letters(quiet))
        sentences.append(f"{who} {'report' if len(quiet) > 1 else 'reports'} nothing")
    return f"Seat {'; '.join(sentences)}."


def lie_in_words(game: HiddenRoles, lie: Words, alike: int) -> str:
    """What the spies say, and how many ways of saying it are alike, that one included."""
    said = [f"{letters([seat])} {claim_in_words(game, claim)}" for seat, claim in enumerate(lie) if claim]
    return f"{'; '.join(said)}{_others(alike)}"


def _others(count: int) -> str:
    if count == 1:
        return ""
    return f", or {count - 1} alike"


def gloss(game: HiddenRoles, finder: RepresentativeFinder, position: str, move: str) -> str:
    """What a move at a position stands for, to whoever makes it."""
    side, known = read(game, position)
    if known.said is None and side == SPIES:
        lies = {game.label(lie): lie for lie in game.lies(game.spies(known.deal or ()))}
        if move not in lies:
            return ""
        own = at_choice(game, finder, SPIES, known)
        return lie_in_words(game, lies[move], len(words_alike(own, words_in(lies[move], own.renamings[0]))))
    if side == GOOD and known.said is not None and known.out is None and not game.table.is_over(known.score):
        team, classes = read_seats(move, game.table), teams_alike(game, finder, known)
    elif side == SPIES and game.guesses(known) and move.startswith("name-"):
        team, classes = read_seats(move.removeprefix("name-"), game.table), named_alike(game, finder, known)
    else:
        return ""
    return alike_in_words(team, next((members for members in classes if team in members), []))


def teams_alike(game: HiddenRoles, finder: RepresentativeFinder, known: RolesPlay) -> list[list[Seats]]:
    """The missions that the good side may send, by what looks alike to it."""
    teams = subsets(game.table.players, game.table.missions[len(known.done)])
    return _classes(at_choice(game, finder, GOOD, known), teams)


def named_alike(game: HiddenRoles, finder: RepresentativeFinder, known: RolesPlay) -> list[list[Seats]]:
    """The seats that the spies may name, by what looks alike to them."""
    assert known.deal is not None
    seats = [(seat,) for seat, kind in enumerate(known.deal) if kind == UNKNOWN]
    return _classes(at_choice(game, finder, SPIES, known), seats)


def _classes(own: Representative, choices: Iterable[Seats]) -> list[list[Seats]]:
    """Choices in order, grouped by what looks alike to somebody who has seen so much."""
    classes: dict[Seats, list[Seats]] = {}
    for seats in choices:
        classes.setdefault(RepresentativeFinder.sent(own, seats)[1], []).append(seats)
    return list(classes.values())


def alike(evaluator: RolesEvaluator, side: int, known: RolesPlay, move: str) -> list[str]:
    """The moves that look like one to the side that makes it, that one included."""
    game = evaluator.game
    classes: list[list[str]] = []
    if known.said is None:
        assert known.deal is not None
        classes = [[game.label(lie) for lie in lies] for lies in evaluator.lie_classes(known.deal).values()]
    elif side == GOOD:
        classes = [[letters(team) for team in teams] for teams in teams_alike(game, evaluator.finder, known)]
    elif game.guesses(known):
        classes = [[_naming(seat) for seat in seats] for seats in named_alike(game, evaluator.finder, known)]
    return next((members for members in classes if move in members), [move])


def _naming(seat: Seats) -> str:
    return f"name-{letters(seat)}"


def _alike(count: int) -> str:
    if count == 1:
        return ""
    return f"or {count - 1} alike; "


ADVICE = "The strategy never reaches this position; this is a best response from here on."
SPIES_ADVICE = (
    "There is nothing to decide here, or the strategy never reaches this position and this is a best response."
)


def adviser(game: HiddenRoles, side: int, tables: Tables) -> Callable[[str], Odds]:
    """Sensible odds at any representative position where a side moves, given both strategies."""

    @cache
    def evaluator() -> RolesEvaluator:
        return RolesEvaluator(game, tables)

    def advise(position: str) -> Odds:
        _, known = read(game, position, side)
        if known.said is None or turn_at(game, known) != side:
            raise PositionError(
                f"expected a position of {game.title} where {moving(game.sides[side])}, got {position!r}"
            )
        ways = [way for way in evaluator().ways(side, known) if way.weight]
        options, _ = Options(game, evaluator()).at(side, known, side, ways)
        return {option.move: option.odds for option in options if option.odds}

    return advise


def reason(side: int) -> str:
    """Why a strategy of a side can leave a position out."""
    return SPIES_ADVICE if side == SPIES else ADVICE
