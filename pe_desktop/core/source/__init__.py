"""Formulas in plain NumPy, readable on their own: cards compute with them, and `code` prints their source."""
