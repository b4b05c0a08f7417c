"""Papers recomputed: one module a paper, its tables and figures, ours beside theirs."""
