"""The measured programs by name, and the lines of the table that they fill, with the goals they are held against."""

from dataclasses import dataclass, replace

from benchmarks.work import Work

DEFAULT_POSITIONS, DEFAULT_DIMENSIONS = 128, 32
MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is measured: interleaved rounds (more for the start), steps, seconds of playing, and how carefully.

    Careful is a process for each case, one after the other. Else a tool's cases share one, and both tools run at once.
    """

    n_rounds: int
    n_start_rounds: int
    n_steps: int
    seconds: float
    is_careful: bool


FULL = Effort(n_rounds=5, n_start_rounds=7, n_steps=60, seconds=5.0, is_careful=True)
# To see that everything runs; its times mean nothing.
QUICK = Effort(n_rounds=1, n_start_rounds=1, n_steps=2, seconds=0.3, is_careful=False)


@dataclass(frozen=True, slots=True)
class Case:
    """A program of this folder, run in a process of its own."""

    module: str
    work: Work


@dataclass(frozen=True, slots=True)
class Goal:
    """A bound on the application's number ("ours"), on peer / application ("ratio") or application - peer ("above")."""

    quantity: str
    words: str
    at_most: float = float("inf")
    at_least: float = float("-inf")

    def is_reached(self, value: float) -> bool:
        """Whether a value lies within the bound."""
        return self.at_least <= value <= self.at_most


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the table: which number of which two cases."""

    words: str
    unit: str
    key: str
    ours: str
    peer: str | None = None
    goals: tuple[Goal, ...] = ()
    note: str = ""


def cases(effort: Effort) -> dict[str, Case]:
    """All programs by name."""
    step = Work("step", n_steps=effort.n_steps)
    small_step = replace(step, n_positions=DEFAULT_POSITIONS, d_model=DEFAULT_DIMENSIONS, first_position=37.0)
    playing = Work("playing", seconds=effort.seconds)
    small = replace(playing, n_positions=DEFAULT_POSITIONS, d_model=DEFAULT_DIMENSIONS, first_position=37.0)
    clock = Work("clock", n_steps=effort.n_steps)
    waves = Work("waves", n_positions=10_000, n_steps=effort.n_steps)
    long_waves = replace(waves, n_positions=10 * MILLION)
    ours = {
        "step": step,
        "step million": replace(step, n_positions=MILLION),
        "step small": small_step,
        "playing": playing,
        "playing small": small,
        "clock face": replace(clock, variant="face"),
        "clock": clock,
        "waves bare": replace(waves, variant="bare"),
        "waves redraw": replace(waves, variant="redraw"),
        "waves cursor": replace(waves, variant="cursor"),
        "long waves bare": replace(long_waves, variant="bare"),
        "long waves redraw": replace(long_waves, variant="redraw"),
        "long waves cursor": replace(long_waves, variant="cursor"),
    }
    peer = {
        "step": step,
        "step million": replace(step, n_positions=MILLION),
        "step small": small_step,
        "playing": playing,
        "playing small": small,
        "clock": clock,
        "waves bare": replace(waves, variant="bare"),
        "waves bare smooth": replace(waves, variant="bare smooth"),
        "waves redraw": replace(waves, variant="redraw"),
        "waves redraw smooth": replace(waves, variant="redraw smooth"),
        "waves cursor": replace(waves, variant="cursor"),
        "waves cursor smooth": replace(waves, variant="cursor smooth"),
    }
    start = Work("start")
    return {
        "ours start": Case("start_ours", start),
        "peer start": Case("start_empty", start),
        **{f"ours {name}": Case("ours", work) for name, work in ours.items()},
        **{f"peer {name}": Case("peer", work) for name, work in peer.items()},
    }


def lines(effort: Effort) -> list[Line]:
    """The table."""
    return [*_step_lines(), *_playing_lines(effort), *_start_lines(), *_clock_lines(), *_wave_lines()]


def _at_most(milliseconds: float) -> Goal:
    return Goal("ours", f"at most {milliseconds:g} ms", at_most=milliseconds)


def _times_as_fast(ratio: float) -> Goal:
    return Goal("ratio", f"at least {ratio:g} times as fast", at_least=ratio)


def _step_lines() -> list[Line]:
    sizes = (
        ("step small", "d = 32, N = 128", 7.0),
        ("step", "d = 512, N = 512", 8.0),
        ("step million", "d = 512, N = 1 000 000", 8.0),
    )
    found: list[Line] = []
    for name, words, most in sizes:
        pair = f"ours {name}", f"peer {name}"
        found += [
            Line(f"cursor step, {words}, by the clock", "ms", "milliseconds", *pair),
            Line(f"cursor step, {words}, processor time", "ms", "processor", *pair, (_at_most(most),)),
        ]
    return found


def _playing_lines(effort: Effort) -> list[Line]:
    every = Goal("ours", f"{60 * effort.seconds:g}: 60 a second", at_least=60 * effort.seconds)
    at_most_65 = Goal("ours", "at most 65 %", at_most=65.0)
    found: list[Line] = []
    for name, words in (("playing small", "d = 32, N = 128"), ("playing", "d = 512, N = 512")):
        pair = f"ours {name}", f"peer {name}"
        found += [
            Line(f"frames in {effort.seconds:g} s of playing, {words}", "", "frames", *pair, (every,)),
            Line(f"longest gap between frames, {words}", "ms", "longest_gap", *pair),
            Line(f"processor time per frame, {words}", "ms", "work", *pair),
            Line(f"share of a core while playing, {words}", "%", "core", *pair, (at_most_65,)),
        ]
    return found


def _start_lines() -> list[Line]:
    pair = "ours start", "peer start"
    return [
        Line("start to first frame", "ms", "first", *pair, (Goal("ratio", "at most 1 x", at_least=1.0),)),
        Line(
            "start to everything drawn and measured",
            "ms",
            "drawn",
            *pair,
            (Goal("ratio", "at most 1.5 x", at_least=1 / 1.5),),
        ),
        Line("memory when everything is drawn", "MB", "resident", *pair, (Goal("above", "at most 40 MB above", 40.0),)),
    ]


def _clock_lines() -> list[Line]:
    return [
        Line("a ready picture shown again (floor)", "ms", "milliseconds", "ours clock face"),
        Line(
            "clock, 256 hands as shown; dots and lines",
            "ms",
            "milliseconds",
            "ours clock",
            "peer clock",
            (_at_most(3.0),),
        ),
    ]


def _wave_lines() -> list[Line]:
    goals = (_at_most(6.0), _times_as_fast(6.0))
    found: list[Line] = []
    for what, words in (("bare", "curves alone"), ("redraw", "all drawn anew"), ("cursor", "cursor moved")):
        pair = f"ours waves {what}", f"peer waves {what}"
        short, long = f"64 waves of 10 000, {words}", f"64 waves of 10 000 000, {words}"
        found += [
            Line(f"{short}; antialiased", "ms", "milliseconds", pair[0], f"{pair[1]} smooth", goals),
            Line(f"{short}; jagged", "ms", "milliseconds", *pair, goals),
            Line(long, "ms", "milliseconds", f"ours long waves {what}", None, goals[:1]),
        ]
    return found
