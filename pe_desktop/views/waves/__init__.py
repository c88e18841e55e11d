"""The view waves."""
