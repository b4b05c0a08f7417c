"""Games as they are drawn for those who play them, where that helps: what the person knows and nothing else."""
