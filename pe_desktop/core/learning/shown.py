"""What a state trains and shows: the run of its choices, and what is said of what is learned and what is not."""

from typing import Final

from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.learning.heads import LEARNERS
from pe_desktop.core.learning.run import BACK, N_WORDS, WORDS, Run, learning_refusal
from pe_desktop.core.scores.schemes import SCHEMES
from pe_desktop.core.state import State

# What the help of the panel says.
WHAT_IS_DRAWN: Final = (
    f"Drawn once, never changed: {len(WORDS)} words, and the sentences of each step. Values are the words themselves, "
    "and the output is compared with them. The same seed gives the same curves."
)
WHAT_IT_SHOWS: Final = (
    "One head in one layer, with fixed values, is no proof about deep models. Where a scheme does not learn a task "
    "here, this head does not; a model with more layers may. Without positions the score is the same at every "
    "distance; that of ALiBi is a straight line over distance, so its largest is always at an end: the word itself "
    "and the nearest ones, or with a negative slope the first word. Where positions are taken away, the loss jumps "
    "and falls again, but only to that of a head which never had any; the language models of DroPE, with many "
    "layers and a causal mask, come back close to the loss that they had."
)


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
