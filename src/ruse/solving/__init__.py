"""From a game to a certified solution."""
