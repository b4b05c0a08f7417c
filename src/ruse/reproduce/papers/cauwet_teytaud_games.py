"""Cauwet & Teytaud 2018, §V: War and Batawaf, Guess Who with Fig. 1, Cheat."""

from __future__ import annotations

from ruse.contests import arena
from ruse.contests.arena import cheat_never_lose
from ruse.contests.tournament import hold
from ruse.reproduce import guess_who
from ruse.reproduce.papers.cauwet_teytaud_tables import SLIP, percent
from ruse.reproduce.report import Chart, Outcome, compare, said


def good_cards(full: bool) -> Outcome:
    said_there = {"war": ("70.0", "53.3"), "batawaf": ("68.8", "57.5")}
    games = 200_000 if full else 20_000
    lines = []
    for name, printed in said_there.items():
        contest = arena.find(name)
        tournament = hold(
            name,
            {order: contest.strategy(contest.named[order]) for order in ("descending", "random", "ascending")},
            games,
            seed=1,
        )
        for place, (other, theirs) in enumerate(zip(("random", "ascending"), printed, strict=True), 1):
            rate = tournament.rate(0, place)
            assert rate is not None
            lines.append(
                compare(f"{name}: best card first against {other} order", theirs, 100 * rate, within=1.0, unit="%")
            )
    return Outcome(
        lines,
        f"{games:,} matches each, to within a percentage point. War differs: against ascending order half of the "
        "matches never end (a million moves are a draw), and no convention "
        "for a side that runs out of cards in a tie, of which the paper says nothing, fits all four rates. Batawaf's "
        "deck is not given; 6 ranks of 6 fit.",
        slip=f"{SLIP}, §V-A",
        commands=(f"ruse tournament war descending random ascending --games {games}",),
    )


def questions(full: bool) -> Outcome:
    lines = []
    readings = {
        "δ = max(n − m, 0)": guess_who.strategies(),
        "δ as printed, half that": guess_who.strategies(printed=True),
    }
    for reading, known in readings.items():
        for name, other, words in guess_who.SAID:
            if reading.startswith("δ as") and name in ("OL", "dichotomy"):
                continue  # which have no δ
            rate = guess_who.curve(known[name], known[other])[-1]
            agrees = {
                "wins": rate > 0.5,
                "reaches 50%": rate >= 0.499,
                "does not reach 50%": rate < 0.5,
                "performs very poorly": rate < 0.4,
            }[words]
            lines.append(said(f"{name} – {other}, {reading}", words, percent(float(rate)), agrees))
    return Outcome(
        lines,
        "128 characters each, exact, over both who may begin. Eq. 2 prints δ with a half; with that ONL loses to OL, "
        "against the text, and without it everything fits.",
        slip=f"{SLIP}, Eq. 2",
        commands=("python -m ruse.reproduce.guess_who",),
    )


def panels(full: bool) -> Outcome:
    known = guess_who.strategies()
    charts, lines = [], []
    for opponent in guess_who.PANELS:
        series: dict[str, list[tuple[float | str, float]]] = {}
        for name in guess_who.SHOWN:
            rates = guess_who.curve(known[name], known[opponent])
            series[name] = [(number, float(rate)) for number, rate in enumerate(rates, 2)]
        charts.append(Chart(f"Against {opponent}", "characters at the start", "winning rate", series))
    against_god = [rate for _, rate in charts[0].series["OL"]]
    lowest = min(float(rate) for rate in against_god)
    at = [str(number) for number, rate in charts[0].series["OL"] if float(rate) > 0.4999]
    lines.append(
        said(
            "OL against the optimum",
            "reaches 50%",
            f"at {', '.join(at)} characters; at least {percent(lowest)}",
            lowest > 0.4999,
        )
    )
    lines.append(
        said(
            "dichotomy against the optimum at 128",
            "performs very poorly",
            percent(float(charts[0].series["dichotomy"][-1][1])),
            float(charts[0].series["dichotomy"][-1][1]) < 0.4,
        )
    )
    return Outcome(
        lines,
        "All three panels, drawn again from exact rates.",
        "The text has the caption only, which says that OL performs well against the optimum; that it does so at 2, 3 "
        "and powers of two alone is not said.",
        slip=f"{SLIP}, Fig. 1",
        charts=charts,
        commands=("python -m ruse.reproduce.guess_who --plot fig1.svg", "ruse solve guess-who --mine 128 --theirs 128"),
    )


def never_losing(full: bool) -> Outcome:
    lines = []
    for colours, each, few in ((4, 2, 3), (4, 3, 3), (3, 4, 2), (2, 4, 3)):
        result = cheat_never_lose.search(colours, each, few)
        verdict = "can lose" if result.lost else f"never loses; the other side keeps {result.fewest} cards or more"
        lines.append(
            said(
                f"{colours} colours of {each}, {result.positions:,} positions",
                "never loses" if colours == 4 else "",
                verdict,
                not result.lost if colours == 4 else None,
            )
        )
    return Outcome(
        lines,
        "Every position that the three rules can come to, whatever the other side does. They need four colours; with "
        "two they can lose.",
        "52 cards are too many to list; `docs/explanation/cheat.md` has the argument for them.",
        slip=f"{SLIP}, §V-C",
        commands=("python -m ruse.contests.arena.cheat_never_lose",),
    )
