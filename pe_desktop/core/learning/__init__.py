"""A head that learns: what it is trained on, its scores under each scheme, the training, and what is read from it."""
