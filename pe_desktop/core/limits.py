"""Every limit of an encoding, named once, each with its reason."""

from typing import Final

# Ten million positions: the longest table for which the stated phase error (docs/precision.md) is tested.
MAX_POSITIONS: Final = 10_000_000

# 32,768 hands: twice the widest published model, and their frequencies still take some 20 milliseconds.
MAX_DIMENSIONS: Final = 65_536

# Above 1e9 the slowest hand needs more than six billion positions for one turn: nothing would move.
MAX_BASE: Final = 1e9

# What the doubled exponent comes down to at the largest base: such a hand turns by 1e-11 in ten million positions.
MIN_FREQUENCY: Final = 1e-18

# Amplitude and scale: a thousand is the largest in use (timesteps from 0 to 1), and their squares keep all digits.
MAX_FACTOR: Final = 1e6

# A dense M_k of this side holds 128 MiB; wider ones are read block by block.
MAX_DENSE_ROTATION: Final = 4_096

# Positions outside the table are allowed (t + k runs over its end); the stated error is tested up to here.
MAX_ABSOLUTE_POSITION: Final = 2**31
