"""How simple optimal play can be."""

from __future__ import annotations

from ruse.metrics.metric import ALL, Measure, MeasuredPlay

NO_INSIGHT = "it takes insight into all optimal strategies, which takes too long for a game of this size"


def simplicity(play: MeasuredPlay) -> Measure:
    """The number of positions at which the simplest optimal strategies of both sides mix, over all optimal ones."""
    insight = play.pair.insight
    if insight is None:
        return Measure(None, reason=NO_INSIGHT)
    simplest = {play.original.sides[side]: insight.simplest(side) for side in (0, 1)}
    fields = {
        name: {
            "mixed": answer.mixed,
            "at_least": answer.at_least,
            "denominator": answer.denominator,
            "words": answer.words,
        }
        for name, answer in simplest.items()
    }
    mixed = sum(answer.mixed for answer in simplest.values())
    least = sum(answer.at_least for answer in simplest.values())
    proof = "no optimal strategies mix at fewer" if mixed == least else f"at least {least} are needed"
    return Measure(mixed, fields, text=f"optimal play can mix at only {mixed} positions of both sides; {proof}", of=ALL)
