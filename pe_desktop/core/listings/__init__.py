"""Programs of a few lines that compute what is shown, with NumPy, PyTorch or JAX."""
