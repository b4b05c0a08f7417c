"""Fit the model of how people play on records of real games, and measure it.

    python -m benchmarks.people fit RECORDS        write src/ruse/people/people.json (or --out FILE)
    python -m benchmarks.people validate RECORDS   beliefs by cross-validation against four baselines
    python -m benchmarks.people calibrate RECORDS --out FILE.svg   what was believed, and what was so, in one fold
    python -m benchmarks.people count RECORDS      write the counts behind the page "How people play"

RECORDS is a file with one record per line (docs/reference/json.md), perhaps compressed (.gz). Whole games stay in one
fold. The records are not part of the repository; the figures that they give are.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from itertools import combinations
from math import comb, log
from operator import mul
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.people_baselines import NAMES, Baselines, seat_odds
from ruse.core import atomic_files
from ruse.people.beliefs import BeliefTracker, Evidence, SeatKnowledge, follow
from ruse.people.model import KINDS, PATH, SHOT_FEATURES, PeopleModel
from ruse.people.records import EveningRecord, Proposal, read_record
from ruse.people.shots import shot_features
from ruse.people.situations import (
    CARD_FEATURES,
    INSIDERS,
    TEAM_FEATURES,
    TEAM_INSIGHTS,
    VOTE_FEATURES,
    VOTE_INSIGHTS,
    Seen,
    TableState,
    card_features,
    sight,
    team_features,
    team_insights,
    vote_features,
    vote_insights,
)
from ruse.people.tables import members, seat_sets

FOLDS = 5
RIDGE, RIDGE_PLAIN = 2.0, 20.0  # pulls plain games, which are few, to Avalon's rates
ROLES = ("minion", "morgana", "mordred", "oberon")
SOURCE = (
    "6,367 games played 2019 to 2025, from the public logs github.com/WhoaWhoa/avalonlogs, snapshot dd5242e3 "
    "(the games whose id has an even SHA-256, first 32 bits); fitted by python -m benchmarks.people fit"
)
Array = NDArray[np.float64]


def load(path: Path) -> list[EveningRecord]:
    """All records of a file, checked."""
    return [read_record(record) for record in lines(path)]


def lines(path: Path) -> list[dict[str, Any]]:
    """All records of a file, as they are written."""
    content = path.read_bytes()
    text = (gzip.decompress(content) if path.suffix == ".gz" else content).decode()
    return [json.loads(line) for line in text.splitlines()]


# Observations.


@dataclass
class Choices:
    """Choices among alternatives: rows of features, where each choice begins, and the row that was taken."""

    rows: list[Array]
    starts: list[int]
    ends: list[int]
    taken: list[int]
    games: list[int]  # of each choice

    @staticmethod
    def none() -> Choices:
        return Choices([], [], [], [], [])

    def add(self, game: int, rows: Sequence[Sequence[float]], taken: int) -> None:
        block = np.array(rows, np.float32)
        start = self.ends[-1] if self.ends else 0
        self.starts.append(start)
        self.ends.append(start + len(block))
        self.taken.append(start + taken)
        self.games.append(game)
        self.rows.append(block)


@dataclass
class Observations:
    """Everything that people decided."""

    cards: Choices
    votes: dict[str, tuple[list[list[float]], list[bool], list[int]]]
    teams: dict[str, Choices]
    culprits: Choices  # which of the spies aboard sabotaged, where only some did


def observe(records: Sequence[EveningRecord]) -> Observations:
    seen = Observations(
        Choices.none(),
        {kind: ([], [], []) for kind in KINDS},
        {kind: Choices.none() for kind in KINDS},
        Choices.none(),
    )
    for game, record in enumerate(records):
        state = TableState.begin(record.table, record.plain)
        for mission in record.missions:
            for proposal in mission.proposals:
                _observe_proposal(seen, game, record, state, proposal)
                state = state.after_proposal(proposal)
            if mission.sabotages is not None:
                _observe_cards(seen, game, record, state, mission.team, mission.sabotages, mission.saboteurs)
                state = state.after_mission(mission.team, mission.sabotages)
    return seen


def _observe_proposal(
    seen: Observations, game: int, record: EveningRecord, state: TableState, proposal: Proposal
) -> None:
    roles, leader, team = record.roles, proposal.leader, proposal.team
    assert roles is not None and leader is not None and proposal.votes is not None
    for seat, vote in enumerate(proposal.votes):
        kind, known = (seen_by := Seen.of(roles, seat)).kind, seen_by.spies
        row = vote_features(state, leader, team, seat)
        if kind in INSIDERS:
            aboard, on = (known & team).bit_count(), bool(team >> seat & 1)
            row += vote_insights(state, aboard, on, leader == seat, bool(known >> leader & 1))
        rows, votes, games = seen.votes[kind]
        rows.append(row)
        votes.append(vote)
        games.append(game)
    kind, known = (seen_by := Seen.of(roles, leader)).kind, seen_by.spies
    teams = seat_sets(record.players, record.table.missions[state.mission])
    rows = [
        team_features(state, leader, one)
        + (team_insights(state, (one & known).bit_count()) if kind in INSIDERS else [])
        for one in teams
    ]
    seen.teams[kind].add(game, rows, teams.index(team))


def _observe_cards(
    seen: Observations,
    game: int,
    record: EveningRecord,
    state: TableState,
    team: int,
    sabotages: int,
    saboteurs: int | None,
) -> None:
    roles, spies = record.roles, record.spies
    assert roles is not None and spies is not None
    aboard = (team & spies).bit_count()
    if aboard:
        rows = [
            (
                *card_features(state.table, state.plain, state.mission, state.passed, aboard, count),
                log(comb(aboard, count)),
            )
            for count in range(aboard + 1)
        ]
        seen.cards.add(game, rows, sabotages)
    if saboteurs is not None and 0 < sabotages < aboard:
        sets = [sum(1 << seat for seat in chosen) for chosen in combinations(members(team & spies), sabotages)]
        rows = [[sum(roles[seat] == role for seat in members(one)) for role in ROLES[1:]] for one in sets]
        seen.culprits.add(game, rows, sets.index(saboteurs))


# Fitting: Newton's method with a ridge.


def fit_logistic(rows: Array, taken: Array, ridge: Array) -> Array:
    """Coefficients of a logistic regression."""
    coefficients = np.zeros(rows.shape[1])
    for _ in range(30):
        odds = 1 / (1 + np.exp(-rows @ coefficients))
        slope = rows.T @ (taken - odds) - ridge * coefficients
        bend = (rows * (odds * (1 - odds))[:, None]).T @ rows + np.diag(ridge)
        step = np.linalg.solve(bend, slope)
        coefficients += step
        if np.abs(step).max() < 1e-7:
            break
    return coefficients


def fit_choices(
    rows: Array, starts: NDArray[np.int64], taken: NDArray[np.int64], ridge: Array, offset: Array | None = None
) -> Array:
    """Coefficients of a conditional logit."""
    coefficients = np.zeros(rows.shape[1])
    lengths = np.diff(np.append(starts, len(rows)))
    chosen = rows[taken].sum(axis=0)
    for _ in range(30):
        values = rows @ coefficients + (0 if offset is None else offset)
        values = np.exp(values - np.repeat(np.maximum.reduceat(values, starts), lengths))
        odds = values / np.repeat(np.add.reduceat(values, starts), lengths)
        weighted = rows * odds[:, None]
        means = np.add.reduceat(weighted, starts)
        slope = chosen - weighted.sum(axis=0) - ridge * coefficients
        bend = weighted.T @ rows - means.T @ means + np.diag(ridge)
        step = np.linalg.solve(bend, slope)
        coefficients += step
        if np.abs(step).max() < 1e-7:
            break
    return coefficients


def ridges(names: Sequence[str]) -> Array:
    return np.array([RIDGE_PLAIN if "plain" in name else 0.01 if name == "one" else RIDGE for name in names])


class Fitter:
    """Observations as arrays, from which a model is fitted with some games left out."""

    def __init__(self, records: Sequence[EveningRecord]) -> None:
        self.records = records
        seen = observe(records)
        self.cards = self._arrays(seen.cards)
        self.culprits = self._arrays(seen.culprits)
        self.teams = {kind: self._arrays(choices) for kind, choices in seen.teams.items()}
        self.votes = {
            kind: (np.array(rows, float), np.array(votes, float), np.array(games))
            for kind, (rows, votes, games) in seen.votes.items()
        }

    @staticmethod
    def _arrays(choices: Choices) -> tuple[Array, NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        rows = np.concatenate(choices.rows).astype(float)
        return rows, np.array(choices.starts), np.array(choices.taken), np.array(choices.games)

    def fit(self, games: NDArray[np.bool_], trust: Sequence[float] = (1.0, 1.0, 1.0)) -> dict[str, Any]:
        """The model's JSON, from the games that are marked; shots come later."""
        cards = self._choices(self.cards, games, CARD_FEATURES, offset=True)
        roles = self._choices(self.culprits, games, ROLES[1:])
        return {
            "cards": named(CARD_FEATURES, cards),
            "votes": {kind: self._votes(kind, games) for kind in KINDS},
            "teams": {
                kind: named(names, self._choices(self.teams[kind], games, names))
                for kind in KINDS
                for names in [(*TEAM_FEATURES, *(TEAM_INSIGHTS if kind in INSIDERS else ()))]
            },
            "shots": dict.fromkeys(SHOT_FEATURES, 0.0),
            "trust": dict(zip(("cards", "votes", "teams"), trust, strict=True)),
            "sabotage by role": {"minion": 0.0, **named(ROLES[1:], roles)},
            "about": {},
        }

    def _votes(self, kind: str, games: NDArray[np.bool_]) -> dict[str, float]:
        rows, votes, of = self.votes[kind]
        names = (*VOTE_FEATURES, *(VOTE_INSIGHTS if kind in INSIDERS else ()))
        used = games[of]
        return named(names, fit_logistic(rows[used], votes[used], ridges(names)))

    @staticmethod
    def _choices(
        arrays: tuple[Array, NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]],
        games: NDArray[np.bool_],
        names: Sequence[str],
        offset: bool = False,
    ) -> Array:
        rows, starts, taken, of = arrays
        lengths = np.diff(np.append(starts, len(rows)))
        used = games[of]
        kept, lengths = rows[np.repeat(used, lengths)], lengths[used]
        begins = np.concatenate(([0], np.cumsum(lengths)[:-1]))
        picks = begins + (taken - starts)[used]
        if offset:
            return fit_choices(kept[:, :-1], begins, picks, ridges(names), kept[:, -1])
        return fit_choices(kept, begins, picks, ridges(names))


def named(names: Sequence[str], values: Iterable[float]) -> dict[str, float]:
    return {name: round(float(value), 4) for name, value in zip(names, values, strict=True)}


# Cross-validation.


@dataclass(frozen=True)
class View:
    """What one loyal seat of one game believed after one mission, by model."""

    game: int
    plain: bool
    mission: int  # that was played last, from 1
    over: bool
    odds: dict[str, list[float]]  # by model, of the other seats
    spies: list[bool]


def folds(count: int) -> Array:
    return np.random.default_rng(27).permutation(count) % FOLDS


def fit_trust(model: PeopleModel, records: Sequence[EveningRecord], most: int = 300) -> tuple[float, float, float]:
    """The exponents of cards, votes and teams with the least loss on some games: a coordinate search."""
    chosen = [record for record in records if not record.plain][:most]
    chosen += [record for record in records if record.plain][: most // 3]
    parts = [
        [follow(record, replace(model, trust=(trust == 0, trust == 1, trust == 2))) for trust in range(3)]
        for record in chosen
    ]
    views = [
        (record, [deepcopy(tracker.evidence) for tracker in trackers], trackers[0])
        for record, followed in zip(chosen, parts, strict=True)
        for trackers in zip(*followed, strict=True)
    ]

    def loss(trust: Sequence[float]) -> float:
        return float(np.mean([_mixed_loss(record, evidence, tracker, trust) for record, evidence, tracker in views]))

    trust, step = [1.1, 0.9, 0.7], 0.2
    best = loss(trust)
    while step > 0.04:
        for place in range(3):
            for sign in (1, -1):
                tried = [value + sign * step * (at == place) for at, value in enumerate(trust)]
                if min(tried) > 0 and (value := loss(tried)) < best - 1e-6:
                    trust, best = tried, value
                    break
        step /= 2
    return round(trust[0], 3), round(trust[1], 3), round(trust[2], 3)


def _mixed_loss(
    record: EveningRecord, parts: Sequence[Evidence], tracker: BeliefTracker, trust: Sequence[float]
) -> float:
    """The loss of the first loyal seat, with these exponents."""

    def mixed(rows: Sequence[Sequence[float]]) -> list[float]:
        return [sum(map(mul, trust, values)) for values in zip(*rows, strict=True)]

    cards = parts[0]
    tracker.evidence = replace_evidence(
        cards,
        {spies: trust[0] * score for spies, score in cards.cards.items()},
        mixed([part.good for part in parts]),
        mixed([part.oberon for part in parts]),
        {known: mixed([part.spy[known] for part in parts]) for known in cards.spy},
        {known: mixed([part.merlin[known] for part in parts]) for known in cards.merlin},
    )
    assert record.roles is not None
    seat = record.roles.index("loyal") if "loyal" in record.roles else 0
    return view_loss(*others(record, tracker.beliefs(SeatKnowledge(seat)).spies, seat))


def replace_evidence(evidence: Evidence, cards: Any, good: Any, oberon: Any, spy: Any, merlin: Any) -> Evidence:
    changed = Evidence(evidence.table, evidence.roleset)
    changed.cards, changed.good, changed.oberon, changed.spy, changed.merlin = cards, good, oberon, spy, merlin
    return changed


def people_views(
    record: EveningRecord, model: PeopleModel, one_seat: bool = False
) -> Iterator[tuple[tuple[int, int], list[float], list[bool]]]:
    """After each mission, for each loyal seat without a role: the odds of other seats, and whether they are spies."""
    assert record.roles is not None
    loyal = [seat for seat, role in enumerate(record.roles) if role == "loyal"]
    for number, tracker in enumerate(follow(record, model), 1):
        for seat in loyal[:1] if one_seat else loyal:
            yield (number, seat), *others(record, tracker.beliefs(SeatKnowledge(seat)).spies, seat)


def others(record: EveningRecord, odds: Sequence[float], seat: int) -> tuple[list[float], list[bool]]:
    spies = record.spies or 0
    rest = [other for other in range(record.players) if other != seat]
    return [odds[other] for other in rest], [bool(spies >> other & 1) for other in rest]


def view_loss(odds: Sequence[float], spies: Sequence[bool]) -> float:
    """Loss in nats per other seat."""
    return -sum(log(max(1e-9, share if spy else 1 - share)) for share, spy in zip(odds, spies, strict=True)) / len(odds)


def cross_validate(
    records: Sequence[EveningRecord], fitter: Fitter, with_baselines: bool = True, most: int = FOLDS
) -> list[View]:
    """Views of the games that each of the first folds leaves out."""
    fold = folds(len(records))
    views = []
    for number in range(most):
        training = [record for record, at in zip(records, fold, strict=True) if at != number]
        model = PeopleModel.from_json(fitter.fit(fold != number))
        model = replace(model, trust=fit_trust(model, training))
        print(f"fold {number + 1}: trust {model.trust}", file=sys.stderr)
        baselines = Baselines(training) if with_baselines else None
        for game in np.flatnonzero(fold == number):
            views += game_views(int(game), records[game], model, baselines)
    return views


def game_views(game: int, record: EveningRecord, model: PeopleModel, baselines: Baselines | None) -> Iterator[View]:
    scores = [*baselines.scores(record)] if baselines else []
    last = len(record.played)
    for (mission, seat), odds, spies in people_views(record, model):
        by_model = {"people": odds}
        for name in NAMES if baselines else ():
            by_model[name] = others(record, seat_odds(scores[mission - 1][name], seat, record.players), seat)[0]
        over = mission == last and record.before(mission).over
        yield View(game, record.plain, mission, over, by_model, spies)


def report(views: Sequence[View]) -> None:
    """Losses, and the paired difference between people and leaders."""
    names = (*NAMES, "people")
    print(f"{'':24}{'views':>7}" + "".join(f"{name:>9}" for name in names) + "   people − leaders (s.e. by game)")
    for plain in (True, False):
        for mission, open_only in ((1, 0), (2, 0), (3, 0), (4, 0), (5, 0), (3, 1), (4, 1)):
            some = [
                view
                for view in views
                if view.plain == plain and view.mission == mission and not (open_only and view.over)
            ]
            losses = {name: np.array([view_loss(view.odds[name], view.spies) for view in some]) for name in names}
            mean, error = paired(losses["people"] - losses["leaders"], np.array([view.game for view in some]))
            label = f"{'plain' if plain else 'avalon'}, after {mission}{', not over' if open_only else ''}"
            print(
                f"{label:24}{len(some):7}"
                + "".join(f"{losses[name].mean():9.4f}" for name in names)
                + f"   {mean:+.4f} ± {error:.4f}"
            )


def paired(differences: Array, games: NDArray[np.int64]) -> tuple[float, float]:
    """The mean over views, and its standard error if whole games are drawn."""
    mean = float(differences.mean())
    sums = np.bincount(games, differences - mean)
    return mean, float(np.sqrt((sums**2).sum()) / len(differences))


# The model that comes with ruse.


def fit(records: Sequence[EveningRecord]) -> dict[str, Any]:
    """The model of all records, as JSON."""
    fitter = Fitter(records)
    data = fitter.fit(np.ones(len(records), bool))
    model = PeopleModel.from_json(data)
    data["trust"] = dict(zip(("cards", "votes", "teams"), fit_trust(model, records), strict=True))
    model = PeopleModel.from_json(data)
    data["shots"] = fit_shots(records, replace(model, trust=(1.0, 1.0, 1.0)))
    data["about"] = {
        "source": SOURCE,
        "games": {
            "plain": sum(record.plain for record in records),
            "with roles": sum(not one.plain for one in records),
        },
        "missions with a spy aboard": len(fitter.cards[1]),
        "votes": {kind: len(votes) for kind, (_, votes, _) in fitter.votes.items()},
        "proposed teams": {kind: len(arrays[1]) for kind, arrays in fitter.teams.items()},
        "shots": sum(_shot(record) is not None for record in records),
        "ridge": {"features": RIDGE, "features of plain games": RIDGE_PLAIN},
    }
    return {"about": data.pop("about"), **data}


def _shot(record: EveningRecord) -> int | None:
    """The loyal seat that was shot, if one was and Merlin plays."""
    spies = record.spies or 0
    return None if record.shot is None or spies >> record.shot & 1 or "merlin" not in record.roleset else record.shot


def fit_shots(records: Sequence[EveningRecord], model: PeopleModel) -> dict[str, float]:
    """The Assassin's coefficients."""
    choices = Choices.none()
    for game, record in enumerate(records):
        target, roles, spies = _shot(record), record.roles, record.spies
        if target is None or roles is None or spies is None:
            continue
        seen = sight(roles, roles.index("merlin"))
        features = shot_features(record, [*follow(record, model)][-1], spies, seen)
        choices.add(game, [*features.values()], [*features].index(target))
    rows, starts, taken, _ = Fitter._arrays(choices)
    return named(SHOT_FEATURES, fit_choices(rows, starts, taken, ridges(SHOT_FEATURES)))


def calibration(views: Sequence[View], model: str, bins: int = 10) -> list[tuple[float, float, int]]:
    """In tenths of the odds: the mean odds, the share who are spies, and how many."""
    pairs = [pair for view in views for pair in zip(view.odds[model], view.spies, strict=True)]
    groups: dict[int, list[tuple[float, bool]]] = defaultdict(list)
    for share, spy in pairs:
        groups[min(bins - 1, int(share * bins))].append((share, spy))
    return [
        (sum(share for share, _ in group) / len(group), sum(spy for _, spy in group) / len(group), len(group))
        for _, group in sorted(groups.items())
    ]


def calibration_svg(views: Sequence[View]) -> str:
    """A plot of what was believed against what was so, on games left out of the fit."""
    size, edge = 320, 40
    rows = []
    for plain, colour, name in ((True, "#b3541e", "plain"), (False, "#1f5fa8", "Avalon")):
        points = calibration([view for view in views if view.plain == plain], "people")
        print(f"calibration, {name}: " + ", ".join(f"{mean:.2f} {share:.2f} ({n})" for mean, share, n in points))
        spots = [(edge + mean * size, edge + (1 - share) * size) for mean, share, _ in points]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in spots)
        rows.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        rows += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>' for x, y in spots]
        rows.append(f'<text x="{edge + 12}" y="{edge + 20 + 18 * (not plain)}" fill="{colour}">{name}</text>')
    whole, far = size + 2 * edge, edge + size
    frame = f'<rect x="{edge}" y="{edge}" width="{size}" height="{size}" fill="none" stroke="#888"/>'
    diagonal = f'<line x1="{edge}" y1="{far}" x2="{far}" y2="{edge}" stroke="#888" stroke-dasharray="4 4"/>'
    ticks = "".join(
        f'<text x="{edge + share * size:.0f}" y="{far + 16}" text-anchor="middle">{share:.0%}</text>'
        f'<text x="{edge - 6}" y="{far - share * size + 4:.0f}" text-anchor="end">{share:.0%}</text>'
        for share in (0, 0.5, 1)
    )
    title = (
        f'<text x="{whole / 2:.0f}" y="{whole - 6}" text-anchor="middle">believed to be a spy, in held-out games</text>'
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole} {whole}" width="{whole}" '
        f'font-family="sans-serif" font-size="12"><rect width="{whole}" height="{whole}" fill="#fff"/>'
        f"{frame}{diagonal}{ticks}{title}"
        f'<text x="{edge}" y="{edge - 12}">share who are spies</text>{"".join(rows)}</svg>\n'
    )


# Counts.


def compact_counts(counts: Mapping[str, Any]) -> str:
    """JSON with one line per name."""
    rows = [f"{json.dumps(name)}: {json.dumps(cells)}" for name, cells in counts.items()]
    return "{\n" + ",\n".join(rows) + "\n}\n"


class Tally:
    """Counts k of n by name and key."""

    def __init__(self) -> None:
        self.counts: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(lambda: [0, 0]))

    def add(self, name: str, key: object, happened: object) -> None:
        cell = self.counts[name][str(key)]
        cell[0] += bool(happened)
        cell[1] += 1


def count(records: Sequence[EveningRecord], outcomes: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The counts behind the page "How people play"; Avalon is every game with Merlin."""
    tally = Tally()
    for record, outcome in zip(records, outcomes, strict=True):
        game = "plain" if record.plain else "avalon" if "merlin" in record.roleset else None
        if game is not None:
            _count_game(tally, game, record, outcome)
    return {"source": SOURCE.replace("fitted", "counted").replace(" fit", " count"), **sorted_counts(tally)}


def sorted_counts(tally: Tally) -> dict[str, dict[str, list[int]]]:
    return {name: dict(sorted(cells.items())) for name, cells in sorted(tally.counts.items())}


def _count_game(tally: Tally, game: str, record: EveningRecord, outcome: Mapping[str, Any]) -> None:
    roles, spies = record.roles, record.spies
    assert roles is not None and spies is not None
    tally.add("good wins", f"{game} {record.players}", outcome["winner"] == "good")
    tally.add("ends with five rejected", game, outcome["ended"] == "five proposals rejected")
    shot = outcome["assassin"]
    if shot and shot["target"] is not None:
        tally.add("Merlin found", record.players, shot["hit"])
        if "percival" in roles:
            tally.add("Percival shot", record.players, roles[ord(shot["target"][0]) - ord("a")] == "percival")
    for number, mission in enumerate(record.missions):
        for place, proposal in enumerate(mission.proposals):
            _count_proposal(tally, game, record, number, place, proposal)
        if mission.sabotages is not None:
            tally.add("no spy aboard", f"{game} {record.players} {number + 1}", not mission.team & spies)
            _count_mission(tally, game, record, number, (mission.team & spies).bit_count(), mission.sabotages)


def _count_mission(tally: Tally, game: str, record: EveningRecord, number: int, aboard: int, sabotages: int) -> None:
    passed, failed = record.before(number).score
    if record.table.sabotages[number] > 1:
        if aboard >= 1:
            tally.add("any sabotage, two needed", f"{game} {min(aboard, 3)}", sabotages)
        return
    if aboard:
        tally.add("sabotaged", f"{game} {min(aboard, 3)} {number + 1} {passed}-{failed}", sabotages)
        if number == 0 and aboard == 1:
            tally.add("lone spy, mission 1", f"{game} {record.players}", sabotages)
    if aboard == 2:
        tally.add("both of two sabotage", game, sabotages == 2)


def _count_proposal(
    tally: Tally, game: str, record: EveningRecord, number: int, place: int, proposal: Proposal
) -> None:
    spies = record.spies
    assert spies is not None and proposal.votes is not None and proposal.leader is not None
    tally.add("approved", f"{game} {place + 1}", proposal.approved)
    leader, team = proposal.leader, proposal.team
    spy_leads = bool(spies >> leader & 1)
    tally.add("leader on own team", f"{game} {'spy' if spy_leads else 'good'}", team >> leader & 1)
    if spy_leads and team >> leader & 1:
        tally.add("spy leader takes another spy", f"{game} {record.players}", team & spies & ~(1 << leader))
    for seat, vote in enumerate(proposal.votes):
        if place == 4 or seat == leader or team >> seat & 1:
            continue
        kind = "spy" if spies >> seat & 1 else "good"
        group = "1-2" if number < 2 else "3-4" if number < 4 else "5"
        tally.add("approves from outside", f"{game} {kind} {group}", vote)
        if team.bit_count() >= record.table.loyal and kind == "good":
            tally.add("good approves a team that must hold a spy", game, vote)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=("fit", "validate", "calibrate", "count"))
    parser.add_argument("records", type=Path)
    parser.add_argument("--out", type=Path, help="write to this file instead")
    given = parser.parse_args()
    records = load(given.records)
    if given.command == "fit":
        path = given.out or PATH
        atomic_files.replace(path, (json.dumps(fit(records), indent=1) + "\n").encode())
        print(f"Wrote {path}.")
    elif given.command == "calibrate":
        picture = calibration_svg(cross_validate(records, Fitter(records), with_baselines=False, most=1))
        if given.out:
            atomic_files.replace(given.out, picture.encode())
            print(f"Wrote {given.out}.")
    elif given.command == "validate":
        views = cross_validate(records, Fitter(records))
        report(views)
        if given.out:
            atomic_files.replace(given.out, calibration_svg(views).encode())
            print(f"Wrote {given.out}.")
    else:
        path = given.out or PATH.with_name("counts.json")
        atomic_files.replace(path, compact_counts(count(records, lines(given.records))).encode())
        print(f"Wrote {path}.")


if __name__ == "__main__":
    main()
