"""What may happen at a position of a game with hidden roles, with odds and values: moves, and what a side may see next.

Of moves that look alike to the side that makes or sees them, one of each class is told.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from ruse.core.game import END, PositionError, describe
from ruse.games.hidden_roles.beliefs import called
from ruse.games.hidden_roles.classes import Filed, Filing, words_alike, words_in
from ruse.games.hidden_roles.filing import filed_choice
from ruse.games.hidden_roles.places import read
from ruse.games.hidden_roles.roles import Claim, Seats
from ruse.games.hidden_roles.rules import GOOD, NONE, SPIES, UNKNOWN, Done, HiddenRoles, Play, Words
from ruse.games.hidden_roles.ways import Way
from ruse.games.hidden_roles.worth import Worth
from ruse.games.resistance.notation import listed, read_seats
from ruse.games.resistance.notation import seats as letters
from ruse.games.resistance.rules import subsets
from ruse.games.resistance.table import POINTS_TO_WIN
from ruse.present.model import Option
from ruse.present.nodes import Number, as_fraction

MOST_REPORTS = 40  # that are told with their values: those of a public round are many


def turn_at(game: HiddenRoles, known: Play) -> int:
    """Who moves, once all have spoken."""
    if known.out is not None:
        return SPIES
    if POINTS_TO_WIN not in known.score:
        return GOOD
    return SPIES if game.guesses(known) and known.named is None else END


def payoff(win: Fraction) -> Fraction:
    return 2 * win - 1


class Options:
    def __init__(self, game: HiddenRoles, worth: Worth) -> None:
        self.game, self.table, self.worth = game, game.table, worth

    def said_value(self, seen: tuple[int, ...], lie: Words | None) -> Number:
        """How often the good side wins if the spies say something, or have nothing to say."""
        worth = self.worth
        groups = worth.after_lie(seen, lie)
        mass = sum(way.weight for ways in groups.values() for way in ways)
        return sum(worth.value(SPIES, ways) for ways in groups.values()) / mass

    def lies(self, seen: tuple[int, ...]) -> list[Option]:
        worth = self.worth
        odds = worth.lies(Play(seen))
        found = []
        for members in worth.lie_classes(seen).values():
            value = payoff(as_fraction(self.said_value(seen, members[0])))
            share = sum((odds.get(lie, Fraction(0)) for lie in members), Fraction(0))
            after = {describe(self.game, known) for known in worth.after_lie(seen, members[0])}
            name = self.game.label(members[0])
            position = after.pop() if len(after) == 1 else None
            found.append((name, as_fraction(share), value, position, lie_in_words(self.game, members[0], len(members))))
        best = min(value for _, _, value, _, _ in found)
        options = [Option(name, odds, value, value - best, after, gloss) for name, odds, value, after, gloss in found]
        return sorted(options, key=lambda option: (-option.odds, option.loss, option.move))

    def reports(self) -> list[Option]:
        """What the good side may hear, one of each class."""
        worth = self.worth
        found = worth.reports()
        likeliest = sorted(found, key=lambda one: -one[1])
        options = []
        for known, share in likeliest:
            value = None
            if len(found) <= MOST_REPORTS:
                ways = [way for way in worth.ways(GOOD, known) if way.weight]
                value = payoff(as_fraction(worth.value(GOOD, ways) / sum(way.weight for way in ways)))
            position = describe(self.game, known)
            options.append(
                Option(position.rpartition("/")[2], as_fraction(share), value, None, position, "or one like it")
            )
        return options

    # What may happen.

    def at(self, side: int, known: Play, turn: int, ways: Sequence[Way]) -> tuple[list[Option], bool]:
        """And whether the side that moves gets advice, as its strategy says nothing here."""
        if turn == END:
            return [], False
        if side == GOOD:
            if turn == GOOD:
                return self._missions(known, ways)
            return (self._results(known, ways) if known.out is not None else self._guessed(known, ways)), False
        if turn == GOOD:
            return self._coming(ways), False
        return self._cards(known, ways) if known.out is not None else self._names(known, ways)

    def _missions(self, known: Play, ways: Sequence[Way]) -> tuple[list[Option], bool]:
        worth = self.worth
        good, total, fits = ways[0].filed[GOOD], sum(way.weight for way in ways), worth.ways(GOOD, known)
        odds, kept = worth.missions(good), worth.kept(GOOD, ways)
        found: list[tuple[Seats, list[Seats], Fraction]] = []
        for members in teams_alike(self.game, worth.filing, known):
            found.append((members[0], members, payoff(as_fraction(worth.sending(ways, members[0], kept) / total))))
        best = max(value for _, _, value in found)
        silent = odds is None
        if odds is None:
            advised = next(members for _, members, value in found if value == best)
            odds = dict.fromkeys(advised, worth.number(Fraction(1, len(advised))))
        options = []
        for team, members, value in found:
            share = as_fraction(sum((odds.get(one, Fraction(0)) for one in members), Fraction(0)))
            gone = worth.out(GOOD, fits, team)
            waits = any(way.state.out is not None for way in gone)
            after = known._replace(out=team) if waits else self.game.knows(gone[0].state, GOOD)
            gloss = alike_in_words(team, members)
            options.append(Option(letters(team), share, value, best - value, describe(self.game, after), gloss))
        return sorted(options, key=lambda option: (-option.odds, option.loss, option.move)), silent

    def _results(self, known: Play, ways: Sequence[Way]) -> list[Option]:
        worth = self.worth
        assert known.out is not None
        results, total = worth.results(ways), sum(way.weight for way in ways)
        options = []
        for passed, gloss in ((True, "the mission passes"), (False, "the mission fails")):
            after = known._replace(out=None, done=(*known.done, Done(known.out, passed, UNKNOWN)))
            try:
                left = [way for way in results[passed] if way.weight] or worth.ways(GOOD, after)
            except PositionError:
                continue
            share = sum((way.weight for way in results[passed]), worth.number(Fraction(0)))
            mass = sum(way.weight for way in left)
            value = payoff(as_fraction(worth.value(GOOD, left) / mass))
            step = f"{letters(known.out)}{'-+'[passed]}"
            options.append(Option(step, as_fraction(share / total), value, None, describe(self.game, after), gloss))
        return options

    def _guessed(self, known: Play, ways: Sequence[Way]) -> list[Option]:
        """Whom the spies may name, to the good side."""
        worth = self.worth
        total = sum(way.weight for way in ways)
        options = []
        for seat in range(self.table.players):
            share = found = worth.number(Fraction(0))
            for way in ways:
                part = way.weight * (worth.guesses(way).get(seat) or 0)
                share += part
                found += part * (way.deal[seat] == self.game.cast.hunted)
            if share:
                value = payoff(as_fraction(1 - found / share))
                after = describe(self.game, known._replace(named=seat))
                step = f"name-{letters([seat])}"
                options.append(
                    Option(step, as_fraction(share / total), value, None, after, f"the spies name {letters([seat])}")
                )
        return sorted(options, key=lambda option: (-option.odds, option.move))

    def _coming(self, ways: Sequence[Way]) -> list[Option]:
        """What the spies may see next, one of each class."""
        worth = self.worth
        total = sum(way.weight for way in ways)
        found: dict[str, list[list[Way]]] = {}
        for gone in worth.coming(ways).values():
            groups: dict[str, list[Way]] = {}
            for way in gone:
                groups.setdefault(describe(self.game, self.game.knows(way.state, SPIES)), []).append(way)
            for group in groups.values():
                filed = group[0].filed[SPIES].text + "?" * (group[0].state.out is not None)
                found.setdefault(filed, []).append(group)
        options = []
        for groups_alike in found.values():
            first = groups_alike[0]
            mass = sum(way.weight for way in first)
            value = payoff(as_fraction(worth.value(SPIES, first) / mass))
            after = describe(self.game, self.game.knows(first[0].state, SPIES))
            team = first[0].state.out or first[0].state.done[-1].seats
            aboard = self.game.aboard(first[0].deal, team)
            gloss = f"{_alike(len(groups_alike))}{_spies(aboard)} aboard"
            share = as_fraction(sum(way.weight for group in groups_alike for way in group) / total)
            options.append(Option(after.rpartition("/")[2], share, value, None, after, gloss))
        return sorted(options, key=lambda option: (-option.odds, option.move))

    def _cards(self, known: Play, ways: Sequence[Way]) -> tuple[list[Option], bool]:
        worth = self.worth
        assert known.out is not None
        aboard, total = self.game.aboard(ways[0].deal, known.out), sum(way.weight for way in ways)
        kept = worth.kept(SPIES, ways)
        values = {cards: payoff(as_fraction(worth.carded(ways, cards, kept) / total)) for cards in range(aboard + 1)}
        best = min(values.values())
        odds = worth.cards(ways[0].filed[SPIES], known.score, aboard)
        silent = odds is None
        if odds is None:
            odds = {next(cards for cards in values if values[cards] == best): worth.number(Fraction(1))}
        options = []
        for cards, value in values.items():
            after = {describe(self.game, self.game.knows(worth.over(way, cards).state, SPIES)) for way in ways}
            share = as_fraction(odds.get(cards, Fraction(0)))
            position = after.pop() if len(after) == 1 else None
            gloss = "" if cards < 2 else f"{cards} spies sabotage"
            options.append(Option(self.game.label(cards), share, value, value - best, position, gloss))
        return options, silent

    def _names(self, known: Play, ways: Sequence[Way]) -> tuple[list[Option], bool]:
        worth = self.worth
        total, merlin = sum(way.weight for way in ways), worth.hunted(ways)
        assert known.deal is not None
        seats = [seat for seat, kind in enumerate(known.deal) if kind == UNKNOWN]
        values = {seat: payoff(as_fraction(1 - merlin.get(seat, Fraction(0)) / total)) for seat in seats}
        best = min(values.values())
        odds = worth.named(ways[0])
        silent = odds is None
        if odds is None:
            odds = {next(seat for seat in seats if values[seat] == best): worth.number(Fraction(1))}
        options = []
        for members in named_alike(self.game, worth.filing, known):
            (seat,), *_ = members
            after = describe(self.game, known._replace(named=seat))
            share = as_fraction(sum((odds.get(one, Fraction(0)) for (one,) in members), Fraction(0)))
            gloss = alike_in_words((seat,), members)
            options.append(Option(_naming((seat,)), share, values[seat], values[seat] - best, after, gloss))
        return sorted(options, key=lambda option: (-option.odds, option.loss, option.move)), silent


def alike_in_words(seats: Seats, members: Sequence[Seats]) -> str:
    """Which other missions, or seats to name, look like one."""
    others = [letters(one) for one in members if one != seats]
    return f"or {' or '.join(others)}" if 0 < len(others) <= 3 else f"or {len(others)} alike" if others else ""


def claim_in_words(game: HiddenRoles, claim: Claim) -> str:
    """What somebody does when he says something."""
    if claim.kind != game.cast.quiet:
        seen = f"sees {listed(letters(claim.seats))}" if claim.seats else "sees nobody"
        return f"claims to be {called(game.cast.kinds[claim.kind])}, who {seen}"
    return f"points at {letters(claim.seats)}" if claim.seats else "reports nothing"


def reports_in_words(game: HiddenRoles, knowledge: Play) -> str:
    """What was said, in a sentence; nothing before that."""
    if not knowledge.said:
        return "" if game.talk == NONE else "Nothing has been said yet."
    claims = {seat: claim for seat, claim in enumerate(knowledge.said) if claim is not None}
    spoken = {seat: claim for seat, claim in claims.items() if claim != Claim(game.cast.quiet)}
    if not spoken:
        return "Nobody has anything to report." if len(claims) == len(knowledge.said) else "You report nothing."
    told = [f"{letters([seat])} {claim_in_words(game, claim)}" for seat, claim in spoken.items()]
    quiet = [seat for seat in claims if seat not in spoken]
    if quiet:
        whole = len(claims) == len(knowledge.said) and len(quiet) > 1
        who = "the others" if whole else listed(letters(quiet))
        told.append(f"{who} {'report' if len(quiet) > 1 else 'reports'} nothing")
    return f"Seat {'; '.join(told)}."


def lie_in_words(game: HiddenRoles, lie: Words, alike: int) -> str:
    """What the spies say, and how many ways of saying it are alike, that one included."""
    said = [f"{letters([seat])} {claim_in_words(game, claim)}" for seat, claim in enumerate(lie) if claim]
    return f"{'; '.join(said)}{_others(alike)}"


def _others(count: int) -> str:
    if count == 1:
        return ""
    return f", or {count - 1} alike"


def gloss(game: HiddenRoles, filing: Filing, position: str, move: str) -> str:
    """What a move at a position stands for, to whoever makes it."""
    side, known = read(game, position)
    if known.said is None and side == SPIES:
        lies = {game.label(lie): lie for lie in game.lies(game.spies(known.deal or ()))}
        if move not in lies:
            return ""
        own = filed_choice(game, filing, SPIES, known)
        return lie_in_words(game, lies[move], len(words_alike(own, words_in(lies[move], own.renamings[0]))))
    if side == GOOD and known.said is not None and known.out is None and POINTS_TO_WIN not in known.score:
        team, classes = read_seats(move, game.table), teams_alike(game, filing, known)
    elif side == SPIES and game.guesses(known) and move.startswith("name-"):
        team, classes = read_seats(move.removeprefix("name-"), game.table), named_alike(game, filing, known)
    else:
        return ""
    return alike_in_words(team, next((members for members in classes if team in members), []))


def teams_alike(game: HiddenRoles, filing: Filing, known: Play) -> list[list[Seats]]:
    """The missions that the good side may send, by what looks alike to it."""
    teams = subsets(game.table.players, game.table.missions[len(known.done)])
    return _classes(filed_choice(game, filing, GOOD, known), teams)


def named_alike(game: HiddenRoles, filing: Filing, known: Play) -> list[list[Seats]]:
    """The seats that the spies may name, by what looks alike to them."""
    assert known.deal is not None
    seats = [(seat,) for seat, kind in enumerate(known.deal) if kind == UNKNOWN]
    return _classes(filed_choice(game, filing, SPIES, known), seats)


def _classes(own: Filed, choices: Iterable[Seats]) -> list[list[Seats]]:
    """Choices in order, by what looks alike to whoever files what he has seen so."""
    found: dict[Seats, list[Seats]] = {}
    for seats in choices:
        found.setdefault(Filing.sent(own, seats)[1], []).append(seats)
    return list(found.values())


def alike(worth: Worth, side: int, known: Play, move: str) -> list[str]:
    """The moves that look like one to the side that makes it, that one included."""
    game = worth.game
    classes: list[list[str]] = []
    if known.said is None:
        assert known.deal is not None
        classes = [[game.label(lie) for lie in lies] for lies in worth.lie_classes(known.deal).values()]
    elif side == GOOD:
        classes = [[letters(team) for team in teams] for teams in teams_alike(game, worth.filing, known)]
    elif game.guesses(known):
        classes = [[_naming(seat) for seat in seats] for seats in named_alike(game, worth.filing, known)]
    return next((members for members in classes if move in members), [move])


def _naming(seat: Seats) -> str:
    return f"name-{letters(seat)}"


def _spies(count: int) -> str:
    return f"{count or 'no'} {'spy' if count == 1 else 'spies'}"


def _alike(count: int) -> str:
    if count == 1:
        return ""
    return f"or {count - 1} alike; "
