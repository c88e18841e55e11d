"""The view compare."""
