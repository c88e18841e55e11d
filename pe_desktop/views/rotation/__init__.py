"""The view rotation."""
