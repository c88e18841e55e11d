"""The view precision."""
