"""The view matrix."""
