"""Decoder: which t hands say, whether n stands so many places before m."""
