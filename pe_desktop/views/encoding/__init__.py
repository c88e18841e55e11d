"""The view encoding."""
