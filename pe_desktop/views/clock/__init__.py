"""The view clock."""
