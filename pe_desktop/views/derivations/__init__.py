"""The view derivations."""
