"""Losses by plain loops, and gradients as the derivatives of these: every scheme, every learned number."""

import cmath
import math

import numpy as np
import pytest

from pe_desktop.core import SCHEMES, SinusoidalEncoding
from pe_desktop.core.learning.heads import LEARNERS
from pe_desktop.core.learning.run import TRAINABLE, Run, Sentences, random_vectors, sentences, word_vectors
from pe_desktop.core.learning.training import _loss_and_gradients

D, BASE = 4, 100.0
ENCODING = SinusoidalEncoding(64, D, BASE)
# Long enough for the last bias of T5 and the last vector of Shaw to be shared.
LONG = {"t5": 35, "shaw": 20}
OMEGA = [BASE ** (-2 * pair / D) for pair in range(D // 2)]


def added(scheme, t):
    if scheme == "additive":
        return [wave(t * omega) for omega in OMEGA for wave in (math.sin, math.cos)]
    return list(random_vectors(D, 64)[t]) if scheme == "random" else [0.0] * D


def turned(scheme, q, k, offset):
    """The sum over the pairs: RoPE, p-RoPE with one of two pairs turning, the sines of RoPE++'s second half."""
    total = 0.0
    for pair, omega in enumerate(OMEGA if scheme != "p-rope" else [OMEGA[0], 0.0]):
        along = q[2 * pair] * k[2 * pair] + q[2 * pair + 1] * k[2 * pair + 1]
        across = q[2 * pair + 1] * k[2 * pair] - q[2 * pair] * k[2 * pair + 1]
        cosine = math.cos(offset * omega)
        sine = math.sin(offset * omega)
        total += along * sine + across * cosine if scheme == "rope-pp" else along * cosine - across * sine
    return total


def in_polar_form(learned, q, k, offset):
    turns = [cmath.cos(-offset * BASE ** (-c / D) + learned["phases"][c]) for c in range(D)]
    lengths = [cmath.log(1 + cmath.exp(a)) * cmath.log(1 + cmath.exp(b)) for a, b in zip(q, k, strict=True)]
    return sum(length * turn for length, turn in zip(lengths, turns, strict=True))


def score(scheme, learned, q, k, t, s, words):
    """One query at t and one key at s, number by number."""
    offset = t - s
    plain = sum(a * b for a, b in zip(q, k, strict=True))
    if scheme in ("rope", "p-rope", "rope-pp"):
        plain = turned(scheme, q, k, offset)
    elif scheme == "pope":
        plain = in_polar_form(learned, q, k, offset)
    elif scheme == "shaw":
        plain += sum(a * b for a, b in zip(q, learned["vectors"][min(offset, 16)], strict=True))
    bias: complex = 0.0
    if scheme == "alibi":
        bias = -learned["slope"] * offset
    elif scheme == "t5":
        bias = learned["biases"][min(offset, 31)]
    elif scheme == "kerple":
        bias = -learned["r1"] * cmath.log(1 + learned["r2"] * offset)
    elif scheme == "fox":
        gates = [sum(learned["w"] * words[place]) + learned["b"] for place in range(s + 1, t + 1)]
        bias = -sum(cmath.log(1 + cmath.exp(-gate)) for gate in gates)
    return plain / math.sqrt(D) + bias


def loss(scheme, learned, given):
    """The mean of -log of the share that the right word gets; learned numbers may be complex."""
    vectors = word_vectors(D)
    surprises = []
    for words, answers, is_asked in zip(given.words, given.answers, given.is_asked, strict=True):
        x = [vectors[word] for word in words]
        z = [x[t] + np.asarray(added(scheme, t)) for t in range(len(x))]
        queries, keys = ([one @ learned[name] for one in z] for name in ("queries", "keys"))
        for t in np.flatnonzero(is_asked):
            powers = [cmath.exp(score(scheme, learned, queries[t], keys[s], t, s, x)) for s in range(t + 1)]
            output = sum(power * x[s] for s, power in enumerate(powers)) / sum(powers)
            logits = [8 / D * (output @ vector) for vector in vectors]
            right = logits[answers[t]]
            surprises.append(cmath.log(sum(cmath.exp(logit - right) for logit in logits)))
    return sum(surprises) / len(surprises)


def case(scheme):
    """Learned numbers away from their first values, and two sentences."""
    generator = np.random.default_rng(5)
    learned = {name: generator.standard_normal((D, D)) / 2 for name in ("queries", "keys")}
    for name, first in LEARNERS[scheme].first(D).items():
        learned[name] = first + (-0.3 if scheme == "pope" else 0.3) * generator.uniform(0.2, 1, first.shape)
    run = Run(ENCODING, scheme)
    return run, learned, sentences(run, generator, 2, LONG.get(scheme, 7))


@pytest.mark.parametrize("scheme", TRAINABLE)
def test_the_loss_is_that_of_plain_loops_and_gradients_are_its_derivatives(scheme):
    run, learned, given = case(scheme)
    found, gradients = _loss_and_gradients(run, scheme, learned, given)
    assert found == pytest.approx(loss(scheme, learned, given).real, rel=1e-13)
    assert {*gradients} == {*learned}
    # The derivative of f at x is Im f(x + ih) / h to the last digit: nothing is subtracted.
    step = 1e-30
    for name, values in learned.items():
        slopes = np.empty(values.shape)
        for place in np.ndindex(values.shape):
            moved = np.array(values, dtype=complex)
            moved[place] += 1j * step
            slopes[place] = loss(scheme, {**learned, name: moved}, given).imag / step
        assert np.abs(slopes).max() > 1e-4, name
        np.testing.assert_allclose(gradients[name], slopes, rtol=0, atol=1e-13)


def test_gradients_of_many_sentences_are_the_mean_of_those_of_each():
    run, learned, _ = case("t5")
    given = sentences(Run(ENCODING, task="first"), np.random.default_rng(1), 9, 48)
    whole, gradients = _loss_and_gradients(run, "t5", learned, given)
    counts = np.count_nonzero(given.is_asked, axis=1)
    parts = [Sentences(given.words[n : n + 1], given.answers[n : n + 1], given.is_asked[n : n + 1]) for n in range(9)]
    each = [_loss_and_gradients(run, "t5", learned, part) for part in parts]
    assert whole == pytest.approx(np.average([one for one, _ in each], weights=counts), rel=1e-13)
    for name, gradient in gradients.items():
        mean = np.average([slopes[name] for _, slopes in each], axis=0, weights=counts)
        np.testing.assert_allclose(gradient, mean, rtol=0, atol=1e-14)


def test_every_scheme_of_scores_can_be_trained():
    assert {*SCHEMES} - {*LEARNERS} == set()
    assert tuple(LEARNERS) == TRAINABLE
