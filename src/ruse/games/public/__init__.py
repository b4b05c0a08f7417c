"""Public rules of games: what both sides see, with matrices of what hands get at the ends (ruse.forms.public_tree)."""
