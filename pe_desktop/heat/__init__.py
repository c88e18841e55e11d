"""Heat maps: on the processor and with OpenGL."""
