"""The view properties."""
