"""Facts: what the texts say, measured, a card for each claim."""
