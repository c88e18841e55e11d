"""PE Desktop: see how transformers encode positions."""

__version__ = "0.1.0"
