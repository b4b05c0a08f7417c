"""One module per paper: `ITEMS` maps each number in `papers.toml` to the function that computes it, with its estimated
seconds, quick and full."""
