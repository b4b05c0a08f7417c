"""A game as flat arrays, certificates on them, and smaller games that are worth the same."""
