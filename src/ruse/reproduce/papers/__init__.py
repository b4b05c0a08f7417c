"""One module a paper: `ITEMS` has, for each number in `papers.toml`, the function that computes it and how long that takes
in seconds, quick and full."""
