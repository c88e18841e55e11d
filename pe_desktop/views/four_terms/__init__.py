"""The view of the four terms."""
