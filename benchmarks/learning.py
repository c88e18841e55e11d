"""Measures the training of one head under each scheme: python -m benchmarks.learning [--quick] [--seeds N].

400 steps at d = 32, 48 words, with the test after every fifth step, as Learn trains them. The times are the processor's
own, in one thread, for computers on which other programs run. The peer is PyTorch, where it is installed: the same
sentences, loss and steps of Adam in float64 and one thread, its gradients by autograd, without any test.
"""

import argparse
import math
import os
import sys
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

# Before NumPy is loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

from pe_desktop.core.learning.heads import LEARNERS
from pe_desktop.core.learning.run import BATCH, TRAINABLE, Run, sentences, word_vectors
from pe_desktop.core.learning.training import forget, train

MOST_SECONDS = 3.0
N_STEPS, N_QUICK, N_SEEDS = 400, 5, 4
# The schemes that Learn trains at first.
PEERS = ("none", "additive", "rope", "alibi", "t5", "random")


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; 1 where a scheme takes longer than its goal."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.learning", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a few steps: does everything still run?")
    parser.add_argument("--seeds", type=int, default=N_SEEDS, help="so many seeds from 0 on; 4 if not given")
    options = parser.parse_args(arguments)
    n_steps, n_seeds = (N_QUICK, 1) if options.quick else (N_STEPS, options.seeds)
    peer = torch_seconds()
    header = "| scheme | processor, s | at most | reached | PyTorch, s | ratio | accuracy at 48, 96, 192 words, % |"
    sys.stdout.write(f"{header}\n{'|' + ' --- |' * 7}\n")
    is_reached = True
    for scheme in TRAINABLE:
        seconds, shares = trained([Run(scheme=scheme, n_steps=n_steps, seed=seed) for seed in range(n_seeds)])
        theirs = peer(Run(scheme=scheme, n_steps=n_steps)) if peer and scheme in PEERS else math.nan
        own = "- | -" if math.isnan(theirs) else f"{theirs:.2f} | {seconds / theirs:.2f}"
        reached = "yes" if seconds <= MOST_SECONDS else "no"
        is_reached = is_reached and reached == "yes"
        sys.stdout.write(f"| {scheme} | {seconds:.2f} | {MOST_SECONDS:g} s | {reached} | {own} | {shares} |\n")
        sys.stdout.flush()
    return 0 if is_reached or options.quick else 1


def trained(runs: Sequence[Run]) -> tuple[float, str]:
    """The median processor's time of some runs, and the least and greatest accuracy at each length."""
    times, accuracies = [], []
    for run in runs:
        forget(run)
        started = time.process_time()
        accuracies.append([*train(run).by_length.values()])
        times.append(time.process_time() - started)
    ends = [f"{100 * min(column):.1f} to {100 * max(column):.1f}" for column in zip(*accuracies, strict=True)]
    return float(np.median(times)), ", ".join(ends)


def torch_seconds() -> Callable[[Run], float] | None:
    """What measures PyTorch's training of a run; None where it isn't installed."""
    if find_spec("torch") is None:
        return None
    torch: Any = import_module("torch")
    torch.set_num_threads(1)
    torch.set_default_dtype(torch.float64)

    def seconds(run: Run) -> float:
        started = time.process_time()
        _train_by_torch(torch, run)
        return time.process_time() - started

    return seconds


def _train_by_torch(torch: Any, run: Run) -> None:
    generator = np.random.default_rng(run.seed)
    first = {name: generator.standard_normal((run.d_model, run.d_model)) / run.d_model**0.5 for name in ("q", "k")}
    learned = {
        name: torch.tensor(values) for name, values in (first | {**LEARNERS[run.scheme].first(run.d_model)}).items()
    }
    for one in learned.values():
        one.requires_grad_()
    adam = torch.optim.Adam(learned.values(), lr=run.rate, betas=(0.9, 0.99))
    vectors = torch.tensor(word_vectors(run.d_model))
    added = LEARNERS[run.scheme].added(run, run.n_words)
    table = torch.zeros(run.n_words, run.d_model) if added is None else torch.tensor(added)
    places = torch.arange(run.n_words)
    for _ in range(run.n_steps):
        given = sentences(run, generator, BATCH, run.n_words)
        words = vectors[torch.as_tensor(given.words)]
        scores = _torch_scores(torch, run, learned, words + table)
        weights = torch.softmax(scores.masked_fill(places[:, None] < places, -math.inf), -1)
        logits = 8 / run.d_model * (weights @ words) @ vectors.T
        asked = slice(run.back, None)
        right = torch.as_tensor(given.answers[:, asked]).reshape(-1)
        loss = torch.nn.functional.cross_entropy(logits[:, asked].reshape(len(right), -1), right)
        adam.zero_grad()
        loss.backward()
        adam.step()


def _torch_scores(torch: Any, run: Run, learned: Any, inputs: Any) -> Any:
    queries, keys = (inputs @ learned[name] for name in ("q", "k"))
    places = torch.arange(run.n_words)
    if run.scheme == "rope":
        angles = places[:, None] * torch.tensor(10_000.0 ** (-np.arange(run.d_model // 2) / (run.d_model // 2)))
        turns = torch.polar(torch.ones_like(angles), angles)
        queries, keys = (
            torch.view_as_real(torch.view_as_complex(one.unflatten(-1, (-1, 2))) * turns).flatten(-2)
            for one in (queries, keys)
        )
    scores = queries @ keys.transpose(1, 2) / run.d_model**0.5
    distances = (places[:, None] - places).clamp(min=0)
    if run.scheme == "alibi":
        return scores - learned["slope"] * distances
    return scores + learned["biases"][distances.clamp(max=31)] if run.scheme == "t5" else scores


if __name__ == "__main__":
    sys.exit(main())
