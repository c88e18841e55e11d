"""Learn: one head is trained under each scheme of positions, and its film is seen step by step."""
