"""The view look-back."""
