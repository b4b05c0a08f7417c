"""Games in which both sides play lists unseen."""
