"""Games that are written out: trees, payoff tables, choices made at once."""
