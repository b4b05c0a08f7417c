"""Games with hidden roles: the rules seat by seat and up to the names of seats, and roles of one's own."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

import ruse
from ruse.core.game import GameError, RuseError, describe
from ruse.core.identity import identity
from ruse.core.walk import check
from ruse.forms.certificate import Certificate
from ruse.forms.reductions.forced import without_forced
from ruse.forms.reductions.refined import refined
from ruse.forms.sequence_form import SequenceForm, plain_form, sequence_form
from ruse.games import make
from ruse.games.hidden_roles import Cast, HiddenRoles, Role
from ruse.games.hidden_roles.orbits import Orbits
from ruse.games.hidden_roles.verify import HiddenRolesVerifier, seat_policy
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


def value(form: SequenceForm) -> Fraction:
    """Of a form, exactly, after all that can be left out of it."""
    forced = without_forced(form)
    form = form if forced is None else forced.form
    alike = refined(form)
    certificate = lp(form if alike is None else alike.form).certificate
    assert certificate.exact
    return certificate.lower


def title(parameters: dict[str, Any]) -> str:
    return make("avalon", parameters).title


@pytest.mark.parametrize("parameters", SMALL, ids=title)
def test_both_games_keep_the_contract(parameters: dict[str, Any]) -> None:
    game = make("avalon", parameters)
    check(game, 300)
    check(Orbits(game), 300)


@pytest.mark.slow
@pytest.mark.parametrize("parameters", SMALL, ids=title)
def test_nothing_is_lost_by_leaving_names_and_forced_moves_out(parameters: dict[str, Any]) -> None:
    game = make("avalon", parameters)
    assert value(plain_form(game)) == value(sequence_form(Orbits(game)))


def test_a_silent_merlin_at_five_players_is_found_out_one_time_in_three() -> None:
    form = sequence_form(Orbits(make("avalon", {"players": 5, "talk": "none"})))
    assert (1 + value(form)) / 2 == Fraction(3, 10) * Fraction(2, 3) == Fraction(1, 5)


def test_without_roles_it_is_the_resistance() -> None:
    table = make_table(3, 1, [1, 2, 1, 2, 1])
    game = HiddenRoles("resistance", table, Cast(3, 1))
    known = ruse.solve(ruse.games.resistance(3, 1, [1, 2, 1, 2, 1])).certificate
    assert known.exact and value(plain_form(game)) == value(sequence_form(Orbits(game))) == known.lower
    five = HiddenRoles("resistance", make_table(5), Cast(5, 2))
    assert value(sequence_form(Orbits(five))) == Fraction(-2, 5)


def test_a_truth_that_is_as_good_as_chance_is_worth_what_silence_is() -> None:
    """Of two others one is the spy, so Merlin who points at him every second time points at random."""
    table = {**THREE, "missions": [1, 1, 2, 1, 1]}
    silent, random = ({**table, "talk": "none"}, {**table, "talk": "round", "truth": 0})
    assert len({value(sequence_form(Orbits(make("avalon", one)))) for one in (silent, random)}) == 1


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
        ({"roles": "assassin"}, "expected merlin beside assassin, got 'assassin'"),
        ({"roles": "merlin,assassin,morgana"}, "expected percival beside morgana"),
        ({"roles": "merlin,assassin,galahad"}, "expected roles out of merlin, assassin, .*, got 'galahad'"),
        ({"roles": "merlin,assassin,merlin"}, "expected each role once, got 'merlin' twice"),
        ({"talk": "loud"}, "expected --talk to be one of none, private, round, vouch, got 'loud'"),
        ({"talk": "none", "truth": "1/3"}, "expected --truth only with --talk round or vouch, got --talk none"),
        ({"talk": "round", "truth": "3/2"}, "expected truth from 0 to 1, got 3/2"),
    ],
)
def test_bad_tables_are_told_in_a_sentence(parameters: dict[str, Any], sentence: str) -> None:
    with pytest.raises(GameError, match=sentence):
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


@pytest.mark.parametrize("players", [7, 10])
def test_tables_that_are_too_large_are_refused_at_once(players: int) -> None:
    with pytest.raises(GameError, match=rf"expected at most 3,000,000 ways to name .* in avalon-{players}: use fewer"):
        ruse.solve(make("avalon", {"players": players}))
