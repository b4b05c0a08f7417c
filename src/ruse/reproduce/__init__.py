"""Recompute the tables, figures, examples and claims of five papers, one module per paper."""
