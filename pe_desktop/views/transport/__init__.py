"""The view transport."""
