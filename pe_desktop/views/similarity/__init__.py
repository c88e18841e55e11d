"""The view similarity."""
