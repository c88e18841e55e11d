"""What a state trains and shows: the run of its choices, and what is said of what is learned and what is not."""

from functools import cache
from typing import Final

from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.learning.heads import LEARNERS
from pe_desktop.core.learning.run import BACK, N_WORDS, Run, learning_refusal
from pe_desktop.core.scores.schemes import SCHEMES
from pe_desktop.core.state import State
from pe_desktop.resources import resource_json

# What is said of it everywhere: "drawn" what is drawn and never changed, "shows" what one head shows.
said_of_learning: Final = cache(lambda: resource_json("help.json")["learning"])


def run_of(state: State, scheme: str = "") -> Run:
    """The run that a state describes, of the scheme that it shows or of another one.

    Schemes that read no hands have the same run for every encoding of a width. ValueError with a sentence where no
    head of this width is trained.
    """
    view = state.views.learn
    scheme = scheme or view.scheme
    encoding = state.encoding
    if refusal := learning_refusal(encoding):
        raise ValueError(refusal)
    reads_hands = scheme in SCHEMES and SCHEMES[scheme].reads_hands
    return Run(
        encoding=encoding if reads_hands else SinusoidalEncoding(d_model=encoding.d_model),
        scheme=scheme,
        task=view.task,
        back=int(BACK.nearest(abs(round(state.cursor.offset)))),
        n_steps=view.steps,
        rate=view.rate,
        seed=view.seed,
        n_words=int(N_WORDS.nearest(state.trained_length or 48)),
        change=view.change,
    )


def scheme_title(scheme: str) -> str:
    """What a trained scheme is called."""
    return SCHEMES[scheme].title if scheme in SCHEMES else scheme.capitalize()


def what_is_learned(run: Run) -> str:
    """What the steps of a run change, in a sentence."""
    count = f"2 × {run.d_model} × {run.d_model} numbers"
    own = LEARNERS[run.scheme].learns
    return f"Learned: W_Q and W_K, {count}{f', and {own}' if own else ''}."
