"""Fields: the tables that heat maps draw."""
