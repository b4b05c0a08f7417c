"""One module a paper: `ITEMS` has, for each number in `papers.toml`, the function that computes it, and about how many
seconds that takes, quick and full."""
