"""Games with hidden roles: the rules seat by seat and up to the names of seats, and roles of one's own."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

import ruse
from ruse.core.game import Game, GameError, RuseError, describe
from ruse.core.identity import identity
from ruse.core.walk import check
from ruse.forms.certificate import Certificate
from ruse.forms.reductions.forced import without_forced
from ruse.forms.reductions.refined import refined
from ruse.forms.sequence_form import FormArrays, plain_form
from ruse.games import make
from ruse.games.hidden_roles import Cast, HiddenRoles, Role
from ruse.games.hidden_roles.arrays import ArrayWalk
from ruse.games.hidden_roles.classes import seat_policy
from ruse.games.hidden_roles.orbits import Orbit, Orbits
from ruse.games.hidden_roles.rules import RolesPlay
from ruse.games.hidden_roles.solve import _honest
from ruse.games.hidden_roles.verify import BestResponses, HiddenRolesVerifier
from ruse.games.resistance.table import make_table
from ruse.solution.strategy import Solution
from ruse.solvers.lp import lp
from ruse.verify import VerifyError
from ruse.verify import tree as plain
from seated import games_won

THREE: dict[str, Any] = {"players": 3, "spies": 1, "missions": [1, 1, 1, 1, 1]}
FOUR: dict[str, Any] = {"players": 4, "spies": 1, "missions": [1, 4, 3, 3, 4]}
TWO: dict[str, Any] = {"players": 4, "spies": 2, "missions": [2, 1, 4, 4, 1], "sabotages": [1, 1, 1, 2, 1]}
SMALL: list[dict[str, Any]] = [
    THREE,
    {**THREE, "missions": [1, 2, 1, 2, 1], "talk": "none"},
    {**THREE, "missions": [1, 3, 3, 1, 1], "talk": "round", "truth": "1/3"},
    {
        **THREE,
        "spies": 2,
        "missions": [1, 3, 3, 3, 3],
        "sabotages": [1, 2, 2, 2, 2],
        "roles": "merlin,assassin,mordred",
    },
    {**FOUR, "talk": "none"},
    {**THREE, "missions": [1, 1, 3, 1, 3], "roles": "merlin,assassin,percival"},
    {**TWO, "talk": "none"},
    {**TWO, "missions": [1, 1, 4, 4, 4], "roles": "merlin,assassin,oberon"},
    {**FOUR, "missions": [4, 1, 4, 3, 4]},
]


def value(form: FormArrays) -> Fraction:
    """Of a form, exactly, after all that can be left out of it."""
    forced = without_forced(form)
    form = form if forced is None else forced.form
    alike = refined(form)
    certificate = lp(form if alike is None else alike.form).certificate
    assert certificate.exact
    return certificate.lower


def up_to_names(game: Game, heeding: bool = True) -> FormArrays:
    assert isinstance(game, HiddenRoles)
    return ArrayWalk(Orbits(game, heeding)).written().form


def title(parameters: dict[str, Any]) -> str:
    return make("avalon", parameters).title


@pytest.mark.parametrize("parameters", SMALL, ids=title)
def test_both_games_keep_the_contract(parameters: dict[str, Any]) -> None:
    game = make("avalon", parameters)
    check(game, 300)
    check(Orbits(game), 300)


@pytest.mark.cases(3)
@pytest.mark.slow
@pytest.mark.parametrize("parameters", SMALL, ids=title)
def test_nothing_is_lost_by_leaving_names_and_forced_moves_out(parameters: dict[str, Any]) -> None:
    game = make("avalon", parameters)
    assert value(plain_form(game)) == value(up_to_names(game))


class Won(Orbits):
    """To win pays 1 and to lose nothing."""

    def payoff(self, state: Orbit) -> Fraction:
        return (super().payoff(state) + 1) / 2


@pytest.mark.parametrize("parameters", SMALL, ids=title)
def test_the_form_on_arrays_is_that_of_the_game_up_to_names(parameters: dict[str, Any]) -> None:
    """Every payoff, set by set and move by move; only missions that lose whatever is dealt are no moves."""
    game = make("avalon", parameters)
    assert isinstance(game, HiddenRoles)
    orbits = Won(game)
    written, whole = ArrayWalk(orbits).written(), plain_form(orbits)
    assert orbits.won() >= len(written.form.payoffs) - 1
    sequences = []
    for side, (mine, its) in enumerate(zip(written.form.trees, whole.trees, strict=True)):
        numbers = {describe(orbits, known): number for number, known in enumerate(whole.knowledge[side])}
        found = [0] * mine.sequences
        for number, (parent, first, _) in enumerate(mine.sets()):
            there = numbers.pop(written.position(side, number))
            assert its.parent[there] == found[parent]
            labels = [orbits.label(move) for move in whole.moves[side][there]]
            for sequence, label in enumerate(written.labels(side, number), first):
                found[sequence] = int(its.first[there]) + labels.index(label)
        sequences.append(found)
    entries = {}
    for row, column, payoff in zip(*(x.tolist() for x in (whole.rows, whole.columns, whole.payoffs)), strict=True):
        entries[row, column] = Fraction(2 * payoff, whole.denominator)
    form = written.form
    assert form.rows[0] == form.columns[0] == 0 and form.payoffs[0] == -form.denominator
    assert entries == {
        (sequences[0][row], sequences[1][column]): Fraction(payoff, form.denominator)
        for row, column, payoff in zip(*(x[1:].tolist() for x in (form.rows, form.columns, form.payoffs)), strict=True)
    }


def test_blocks_that_are_split_are_the_same_form(monkeypatch: pytest.MonkeyPatch) -> None:
    game = make("avalon", {"players": 4, "spies": 1, "missions": [2, 3, 2, 3, 3]})
    whole = up_to_names(game)
    monkeypatch.setattr("ruse.games.hidden_roles.arrays.MOST", 100)
    split = up_to_names(game)
    assert [tree.sequences for tree in split.trees] == [tree.sequences for tree in whole.trees]
    assert sorted(split.payoffs.tolist()) == sorted(whole.payoffs.tolist()) and value(split) == value(whole)


# Reports that nobody needs to hear.

ROLE_SETS = [
    "merlin,assassin",
    "merlin,assassin,mordred",
    "merlin,percival,assassin",
    "merlin,percival,assassin,morgana",
    "merlin,percival,mordred,morgana",
    "merlin,assassin,oberon",
]
SEATS: list[tuple[int, int, list[int], list[int]]] = [
    (3, 1, [1, 2, 1, 2, 2], [1, 1, 1, 1, 1]),
    (4, 1, [2, 3, 2, 3, 3], [1, 1, 1, 1, 1]),
    (3, 2, [1, 2, 2, 3, 3], [1, 2, 2, 2, 2]),
    (4, 2, [2, 3, 2, 3, 3], [1, 1, 1, 2, 1]),
]


def tables(roles: str) -> list[HiddenRoles]:
    """Those at which the roles fit."""
    found = []
    for players, spies, missions, sabotages in SEATS:
        if spies == 2 or roles in ("merlin,assassin", "merlin,percival,assassin"):
            if players - spies == 1 and "percival" in roles:
                continue
            parameters = {
                "players": players,
                "spies": spies,
                "missions": missions,
                "sabotages": sabotages,
                "roles": roles,
            }
            game = make("avalon", parameters)
            assert isinstance(game, HiddenRoles)
            found.append(game)
    return found


@pytest.mark.cases(3)
@pytest.mark.parametrize("roles", ROLE_SETS)
def test_nothing_is_lost_by_lies_that_nobody_heeds(roles: str) -> None:
    for game in tables(roles):
        assert value(up_to_names(game, heeding=False)) == value(up_to_names(game))


@pytest.mark.parametrize("roles", ROLE_SETS)
def test_what_is_heeded_is_what_spies_could_have_said_themselves(roles: str) -> None:
    """In all deals that look alike to the spies, the same other lie leaves the mediator with what he heeds."""
    for game in tables(roles):
        spies = game.spies(game.cast.seats)
        known = tuple(kind if kind in game.cast.known else -1 for kind in game.cast.seats)
        alike = [
            deal
            for deal in game.cast.deals
            if game.knows(RolesPlay(deal), 1) == game.knows(RolesPlay(game.cast.seats), 1)
        ]
        for lie in game.lies(spies):
            for deal in alike:
                told = tuple(claim or game.cast.true_claim(deal, seat) for seat, claim in enumerate(lie))
                heeded = game.reports.heeded(told)
                other = tuple(heeded[seat] if seat in spies else None for seat in range(len(told)))
                assert game.reports.believable(other, known) and heeded == game.reports.heeded(heeded)
                assert all(heeded[seat] == told[seat] for seat in range(len(told)) if seat not in spies)
                if deal == alike[0]:
                    same = other
                assert other == same


@pytest.mark.parametrize(
    ("parameters", "lies"),
    [
        ({}, (9, 6)),
        ({"roles": "merlin,assassin,mordred"}, (10, 10)),
        ({"roles": "merlin,percival,assassin,morgana"}, (41, 5)),
        ({"roles": "merlin,percival,mordred,morgana"}, (34, 9)),
        ({"players": 6}, (10, 6)),
    ],
)
def test_few_lies_are_left(parameters: dict[str, Any], lies: tuple[int, int]) -> None:
    game = make("avalon", parameters)
    assert isinstance(game, HiddenRoles)
    assert (len(Orbits(game, heeding=False).lies), len(Orbits(game).lies)) == lies


def test_honest_missions_are_enough_at_five_players_with_merlin_and_the_assassin() -> None:
    game = make("avalon", {"players": 5})
    assert isinstance(game, HiddenRoles)
    assert value(ArrayWalk(Orbits(game), honest=True).written().form) == Fraction(1, 3)


def test_a_silent_merlin_at_five_players_is_found_out_one_time_in_three() -> None:
    game = make("avalon", {"players": 5, "talk": "none"})
    assert (1 + value(up_to_names(game))) / 2 == Fraction(3, 10) * Fraction(2, 3) == Fraction(1, 5)


def test_without_roles_it_is_the_resistance() -> None:
    table = make_table(3, 1, [1, 2, 1, 2, 1])
    game = HiddenRoles("resistance", table, Cast(3, 1))
    known = ruse.solve(ruse.games.resistance(3, 1, [1, 2, 1, 2, 1])).certificate
    assert known.exact and value(plain_form(game)) == value(up_to_names(game)) == known.lower
    five = HiddenRoles("resistance", make_table(5), Cast(5, 2))
    assert value(up_to_names(five)) == Fraction(-2, 5)


def test_a_truth_that_is_as_good_as_chance_is_worth_what_silence_is() -> None:
    """Of two others one is the spy, so Merlin who points at him every second time points at random."""
    table = {**THREE, "missions": [1, 1, 2, 1, 1]}
    silent, random = ({**table, "talk": "none"}, {**table, "talk": "round", "truth": 0})
    assert len({value(up_to_names(make("avalon", one))) for one in (silent, random)}) == 1


def test_spies_see_each_other_but_not_who_plays_alone() -> None:
    game = make("avalon", {**TWO, "roles": "merlin,assassin,oberon"})
    kinds = {role.name: kind for kind, role in enumerate(game.cast.kinds)}  # type: ignore[attr-defined]
    deal = tuple(kinds[name] for name in ("oberon", "merlin", "spy", "servant"))
    state = next(game.play(game.start(), move) for move in game.moves(game.start()) if move.kinds == deal)
    assert describe(game, game.knows(state, 1)) == f"{game.title}@c"
    (merlin,) = [claim for claim in state.said if claim is not None and claim.seats]
    assert merlin.seats == (0, 2)


def test_percival_cannot_tell_merlin_from_morgana_nor_merlin_see_mordred() -> None:
    cast = make("avalon", {"players": 5, "roles": "merlin,assassin,percival,morgana"}).cast  # type: ignore[attr-defined]
    kinds = {role.name: kind for kind, role in enumerate(cast.kinds)}
    deal = tuple(kinds[name] for name in ("spy", "merlin", "percival", "morgana", "servant"))
    assert cast.sees(deal, 2) == (1, 3) and cast.sees(deal, 1) == (0, 3) and cast.sees(deal, 4) == ()
    hidden = make("avalon", {"players": 5, "roles": "merlin,assassin,mordred"}).cast  # type: ignore[attr-defined]
    kinds = {role.name: kind for kind, role in enumerate(hidden.kinds)}
    assert hidden.sees(tuple(kinds[name] for name in ("mordred", "merlin", "spy", "servant", "servant")), 1) == (2,)


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        (
            {"roles": "merlin,assassin,mordred,morgana,percival", "players": 5},
            "no more evil roles than 2 spies, got assassin, mord",
        ),
        ({**FOUR, "roles": "merlin,assassin,mordred"}, "expected no more evil roles than 1 spy, got assassin, mordred"),
        ({"roles": "percival,assassin"}, "expected merlin beside"),
        ({"roles": "assassin"}, "expected merlin beside assassin, got assassin"),
        ({"roles": "merlin,assassin,morgana"}, "expected percival beside morgana"),
        ({"roles": "merlin,assassin,galahad"}, "expected some of merlin, assassin, .* for --roles, got 'galahad'"),
        ({"roles": "merlin,assassin,merlin"}, "expected each role once, got 'merlin' twice"),
        ({"talk": "loud"}, "expected one of none, private, round, vouch for --talk, got 'loud'"),
        ({"talk": "none", "truth": "1/3"}, "expected --truth only with --talk round or vouch, got --talk none"),
        ({"talk": "round", "truth": "3/2"}, "expected truth from 0 to 1, got 3/2"),
    ],
)
def test_bad_tables_are_told_in_a_sentence(parameters: dict[str, Any], sentence: str) -> None:
    with pytest.raises(RuseError, match=sentence):
        make("avalon", parameters)


def test_the_spies_need_company_besides_one_who_plays_alone() -> None:
    with pytest.raises(GameError, match="expected one spy at most who plays alone, and others beside, got oberon"):
        Cast(4, 1, [Role("oberon", evil=True, alone=True)])


@pytest.mark.parametrize("parameters", SMALL, ids=title)
def test_a_title_makes_the_same_game(parameters: dict[str, Any]) -> None:
    from ruse.core.registry import game_of

    game = make("avalon", parameters)
    assert game_of(game.title).parameters == game.parameters
    assert make("avalon", game.parameters).title == game.title


def test_the_how_to_adds_a_role_in_twenty_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (Path(__file__).parents[2] / "docs/how-to/add-a-role.md").read_text(encoding="utf-8")
    code = page.split("```python\n")[1].split("```")[0]
    assert len(code.splitlines()) <= 20
    (tmp_path / "lovers.py").write_text(code, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    private, silent = (ruse.solve(ruse.games.find("lovers.py:lovers", {"talk": talk})) for talk in ("private", "none"))
    assert private.certificate.exact and silent.certificate.exact
    assert private.certificate.lower > silent.certificate.upper  # two who agree outdo one who lies


# Solving, verifying and playing.


@pytest.mark.cases(2)
@pytest.mark.slow
@pytest.mark.parametrize("parameters", [SMALL[0], SMALL[2], SMALL[7]], ids=title)
def test_strategies_hold_by_the_rules_seat_by_seat(parameters: dict[str, Any]) -> None:
    """The verifier goes by classes of positions; a plain walk of the rules says the same."""
    game = make("avalon", parameters)
    solution = ruse.solve(game)
    assert isinstance(game, HiddenRoles) and solution.certificate.exact
    bounds = HiddenRolesVerifier(game).bounds(solution.tables)
    assert bounds == solution.certificate == solution.verify()
    if game.table.players == 3:
        policies = (seat_policy(game, side, solution.tables[side]) for side in (0, 1))
        assert {plain.guarantee(game, side, policy) for side, policy in enumerate(policies)} == {bounds.lower}


def test_lies_that_nobody_heeds_are_answered_by_all_that_was_said() -> None:
    """Spies who say anything, as likely as not: the verifier hears it, and so does a plain walk of the rules."""
    game = make("avalon", SMALL[5])
    assert isinstance(game, HiddenRoles)
    written = ArrayWalk(Orbits(game, heeding=False)).written()
    tree = written.form.trees[1]
    spies = {
        written.position(1, number): {
            label: Fraction(1 + (first + at) % 3, sum(1 + (first + other) % 3 for other in range(end - first)))
            for at, label in enumerate(written.labels(1, number))
        }
        for number, (_, first, end) in enumerate(tree.sets())
    }
    assert len(spies[f"{game.title}@a"]) == 3 > len(Orbits(game).lies)
    found = 2 * BestResponses(game).to_spies(spies.__getitem__) - 1
    assert found == plain.guarantee(game, 1, seat_policy(game, 1, spies))


@pytest.fixture(scope="module")
def silent() -> Solution:
    return ruse.solve(make("avalon", {"players": 5, "talk": "none"}))


def test_a_large_table_is_written_by_class_and_verified(silent: Solution) -> None:
    assert silent.certificate.exact and (1 + silent.certificate.lower) / 2 == Fraction(1, 5)
    assert silent.verify() == silent.certificate
    assert silent.solver == "orbits" and len(silent.tables[0]) < 100


def test_tampered_strategies_are_refused(silent: Solution) -> None:
    (good, spies), claimed = silent.tables, silent.certificate
    start = next(place for place, odds in good.items() if "/" not in place)
    fewer = {place: odds for place, odds in good.items() if place == start}
    with pytest.raises(VerifyError, match=r"expected odds at .*, got none"):
        replace(silent, tables=(fewer, spies)).verify()
    lazy = {place: {"pass": Fraction(1)} if place.endswith("?") else odds for place, odds in spies.items()}
    with pytest.raises(VerifyError, match=r"as is claimed, got|expected odds at"):
        replace(silent, tables=(good, lazy)).verify()
    guess = next(place for place, odds in spies.items() if "name-a" in odds or "name-c" in odds)
    with pytest.raises(VerifyError, match="expected a seat that may be good"):
        replace(silent, tables=(good, spies | {guess: {"name-a": Fraction(1)}})).verify()
    with pytest.raises(VerifyError, match="that good comes to, got"):
        replace(silent, tables=(good | {f"{start}/de+": {"abc": Fraction(1)}}, spies)).verify()
    with pytest.raises(VerifyError, match="as is claimed, got"):
        replace(silent, certificate=Certificate(claimed.lower + 1, claimed.upper + 1)).verify()


def test_a_file_of_another_model_is_not_this_one(silent: Solution) -> None:
    hidden = {"talk": "none", "roles": "merlin,assassin,mordred"}
    others = [make("avalon", other) for other in (hidden, {"talk": "round"}, {}, {"talk": "none", "players": 6})]
    assert len({identity(game) for game in (silent.game, *others)}) == 5
    with pytest.raises(RuseError, match="expected"):
        replace(silent, game=others[0]).verify()


def test_games_played_by_stored_strategies_are_won_as_often_as_certified(silent: Solution) -> None:
    games, share = 400, float((1 + silent.certificate.lower) / 2)
    assert abs(games_won(silent, games, 7) / games - share) < 4 * sqrt(share * (1 - share) / games)


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"players": 9}, r"9 players is .* in about 10[\^]12 ways; choose at most 8 players"),
        ({"players": 10}, r"10 players is .* in about 10[\^]16 ways; choose at most 8 players"),
        ({"players": 9, "talk": "none"}, r"9 players is .* in about 10[\^]7 ways; choose at most 8 players"),
        (
            {"players": 8, "spies": 4},
            "8 players with Merlin, 3 servants and 4 spies is .* report to the mediator in 1,679,616 ways, and ruse "
            r"goes through at most 20,000; choose fewer players or fewer roles, or no talk \(--talk none\)",
        ),
        (
            {"players": 7, "talk": "round"},
            "7 players with .* point at each other in 279,936 ways, and ruse goes through at most 595; choose fewer "
            r"players, or no talk \(--talk none\)",
        ),
    ],
)
def test_tables_that_are_too_large_are_refused_at_once(parameters: dict[str, object], sentence: str) -> None:
    """In figures that people read: no 5e+12, and no inf where nothing is said."""
    with pytest.raises(GameError, match=rf"^a table of {sentence}$"):
        ruse.solve(make("avalon", parameters))


def test_a_table_too_large_to_write_down_gets_bounds_that_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    """At four seats with two spies, where the value is known: bounds by smaller games are on both sides of it."""
    game = make("avalon", {"players": 4, "spies": 2, "missions": [2, 3, 2, 3, 3], "sabotages": [1, 1, 1, 2, 1]})
    exact = value(up_to_names(game))
    monkeypatch.setattr(Orbits, "won", lambda *_: 1 << 60)
    bounded = ruse.solve(game)
    assert bounded.verify() == bounded.certificate
    assert -1 < bounded.certificate.lower <= exact <= bounded.certificate.upper < 1
    assert "bounds by smaller games" in bounded.note


def test_feigned_missions_are_left_out_where_there_would_be_too_many_plays() -> None:
    game = make("avalon", {"players": 4, "spies": 2, "missions": [2, 3, 2, 3, 3], "sabotages": [1, 1, 1, 2, 1]})
    assert isinstance(game, HiddenRoles)
    orbits = Orbits(game)
    feigned, honest = (ArrayWalk(orbits, honest=True, feigned=kept).written().form for kept in (True, False))
    assert len(honest.payoffs) < len(feigned.payoffs)
    assert len(_honest(orbits, len(honest.payoffs)).form.payoffs) == len(honest.payoffs)
    assert value(honest) <= value(feigned) <= value(up_to_names(game))
