"""Scores: what a query at one position and a key at another give, under each scheme of positions."""
