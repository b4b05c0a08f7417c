"""4-in-a-row."""
