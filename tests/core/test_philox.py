"""The generator against the known answers of its authors' reference program (Random123, kat_vectors)."""

import numpy as np
import pytest

from pe_desktop.core.kinds.naive import philox

PI = ((0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344), (0xA4093822, 0x299F31D0))


@pytest.mark.parametrize(
    ("counter", "key", "answer"),
    [
        ((0,) * 4, (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
        ((2**32 - 1,) * 4, (2**32 - 1,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
        (*PI, (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1)),
    ],
)
def test_words_are_those_of_the_reference(counter, key, answer):
    first, second, third, fourth = (np.array([word], dtype=np.uint64) for word in counter)
    words = philox((first, second, third, fourth), key)
    assert tuple(int(word[0]) for word in words) == answer
