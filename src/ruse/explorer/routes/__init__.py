"""The addresses of the explorer, one file per topic."""
