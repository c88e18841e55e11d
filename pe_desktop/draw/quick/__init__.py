"""Marks drawn on the pixels of a screen faster than Qt draws them; each file says what it buys."""
