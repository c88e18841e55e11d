"""What is measured of an encoding."""
