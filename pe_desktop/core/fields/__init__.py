"""Fields: what heat maps draw."""
