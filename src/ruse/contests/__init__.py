"""Learning strategies for contests: the race, the five methods and the tournaments that compare what they find."""
