"""The view rotary."""
