"""Fact cards: what the texts say, whether it is so, and how that is measured."""
