"""A session that was saved comes back as it was, and no other file does any harm."""

import json
import os
import random
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pe_desktop.core import KINDS, PRESETS, SinusoidalEncoding, choices, kind_rules
from pe_desktop.core.choices import COLOR_RANGES, RangeRule, VectorRule, _KeyRule, _SchemesRule
from pe_desktop.core.cursor import Cursor, Span
from pe_desktop.core.rules import NumberRule, WordRule, _FlagRule
from pe_desktop.core.scores.attention import _OrderRule, _TextRule
from pe_desktop.core.state import _RULES, STATE_NAMES, State, with_name, with_preset
from pe_desktop.export.session import (
    LARGEST_FILE,
    NOTHING_CHANGED,
    Session,
    SessionError,
    parsed_session,
    read_session,
    session_text,
    write_session,
)
from pe_desktop.files import ExportError
from tests.tables import table

VALID = {
    "pe_desktop_session": 1,
    "encoding": {"kind": "sinusoidal", "n_positions": 200, "d_model": 64, "base": 5000.0, "layout": "half-split"},
    "cursor": {"position": 12.25, "offset": -3.0, "pair": 7, "pinned_pairs": [0, 7]},
    "span": [3.5, 90.0],
}


def numbers_of(rule: NumberRule) -> list[float]:
    middle = rule.nearest(round((rule.lowest + rule.highest) / 2))
    return [rule.lowest, rule.highest, *([middle] if rule.is_whole else [1.0, middle + 0.25])]


NAMES = [name for name in STATE_NAMES if name not in ("preset", "convention")]
# Values that a name can be given in the state of the first start: all of them where they can be counted.
VALUES: dict[type, Callable[[Any], Iterable[Any]]] = {
    WordRule: lambda rule: rule.words,
    _FlagRule: lambda _: (True, False),
    NumberRule: numbers_of,
    RangeRule: lambda rule: (*(COLOR_RANGES if rule.words == COLOR_RANGES else (None,)), Span(2.5, 9.125)),
    VectorRule: lambda _: ((), (0.1, -1e6) * 16),
    _KeyRule: lambda rule: ("", *(rule.keys or ("many-hands", "quiz-17"))),
    choices._WordsRule: lambda rule: ((), ("look-back", "clock") if rule.many == "panels" else ("2.1", "12.3")),
    _TextRule: lambda _: ("", 'The "dog" asks: [3/4] größer? \\ ☕ \ud800', "_a-b c", "12", "true"),
    _OrderRule: lambda _: ((), (4, 3, 2, 1, 0)),
    _SchemesRule: lambda _: ((), ("none", "t5")),
    choices._GuessRule: lambda _: ("", "c", "81.5", "1 0.5 -2"),
    choices._AnswersRule: lambda _: ((), ("2:c", "4:81.5")),
}
OTHER_VALUES: dict[str, Iterable[Any]] = {
    "kind": KINDS,
    "position": (0.0, 127.0, 0.1),
    "offset": (-1e7, 0.3),
    "pair": (0, 15),
    "pinned_pairs": ((), (0, 32767), range(256)),
    "span": (None, Span(2.5, 9.125)),
    "wavelengths": ((), (60.0, 3600.0, 43200.0), (0.1, 1e12)),
}


def values_of(kind: str, name: str) -> Iterable[Any]:
    """What a name can be given where this kind is shown."""
    rules = {**_RULES, **kind_rules(kind)}
    return OTHER_VALUES.get(name) or (VALUES[type(rules[name])](rules[name]) if name in rules else ())


def random_state(luck: random.Random) -> State:
    """A kind with parameters, a cursor and choices of its views, each of the values that it can be given."""
    kind = luck.choice([*KINDS])
    state = with_name(State(), "kind", kind)
    for name in luck.sample(NAMES, 40):
        values = [*values_of(kind, name)]
        with suppress(ValueError):  # vectors and ranges of another width, a shift without its spacing
            state = with_name(state, name, luck.choice(values)) if values else state
    place = luck.uniform(0.0, state.encoding.n_positions - 1.0)
    return state.with_cursor(replace(state.cursor, position=place, offset=luck.uniform(-1e7, 1e7)))


def saved(session: Session) -> bytes:
    return session_text(session.state, session.kept).encode()


def opened(stored: Any) -> Session:
    return parsed_session(json.dumps(stored).encode(), "talk.pesession")


def test_what_was_saved_is_what_is_opened(luck: random.Random) -> None:
    states = [with_preset(State(), preset) for preset in PRESETS] + [random_state(luck) for _ in range(100)]
    for state in states:
        assert parsed_session(saved(Session(state)), "a") == Session(state)


@pytest.mark.parametrize("name", NAMES)
def test_every_choice_of_every_name_is_opened_again(name: str) -> None:
    kinds = [kind for kind in KINDS if name in kind_rules(kind)] or ["random"]
    given = [(kind, value) for kind in kinds for value in values_of(kind, name)]
    n_taken = 0
    for kind, value in given:
        try:
            state = with_name(with_name(State(), "kind", kind), name, value)
        except ValueError:  # more hands than positions, a shift without its spacing
            continue
        again = parsed_session(saved(Session(state)), "a")
        assert (again.state, again.left_out) == (state, ())
        n_taken += 1
    assert n_taken > len(given) / 3


def test_a_session_is_text_that_people_read_and_write_and_what_it_leaves_out_is_as_at_the_first_start() -> None:
    session = opened(VALID)
    state = session.state
    assert state.encoding == SinusoidalEncoding(200, 64, 5000.0, layout="half-split")
    assert state.cursor == Cursor(12.25, -3.0, 7, (0, 7))
    assert (state.span, session.notes) == (Span(3.5, 90.0), ())
    lines = session_text(State(SinusoidalEncoding(base=0.1 + 1), Cursor(position=0.1 + 0.2))).splitlines()
    assert '  "base": 1.1,' in lines
    assert '  "position": 0.30000000000000004,' in lines
    assert opened({"pe_desktop_session": 1, "encoding": {}}) == Session(State(SinusoidalEncoding(), Cursor()))
    fairseq = opened({"pe_desktop_session": 1, "encoding": {"convention": "fairseq", "d_model": 16}}).state.encoding
    assert fairseq == SinusoidalEncoding(d_model=16, spacing="inclusive", layout="half-split", start=2)


def test_unknown_keys_are_told_and_come_back_when_saved(tmp_path: Path) -> None:
    stored = {**VALID, "comment": "for Monday ☕", "cursor": {**VALID["cursor"], "colour": [1, {"deep": None}]}}  # type: ignore[dict-item]
    session = opened(stored)
    assert session.notes == ("Kept but not understood: colour, comment.",)
    again = json.loads(saved(session))
    assert (again["comment"], again["state"]["colour"]) == ("for Monday ☕", [1, {"deep": None}])
    assert parsed_session(saved(session), "a") == session
    [note] = opened({**VALID, **{f"k{number}": number for number in range(9)}}).notes
    assert note == "Kept but not understood: k0, k1, k2, k3, k4 and 4 more."
    # A key of the first format that the second uses gives way to the state.
    for stray in (5, {"d_model": 8}, {"colour": 1}):
        session = opened({**VALID, "state": stray})
        assert session == opened(VALID)
        assert read_session(write_session(tmp_path / "a.pesession", session, overwrite=True)) == session


BAD = table("export/bad_sessions")
# What is no value of a name, and what is said of it.
UNREADABLE = [
    *BAD["values"],
    ("kind", "\ud800", "kind can't be"),
    ("pinned_pairs", [*range(257)], "257 numbers, more than the 256"),
    ("order", [0] * 300_000, "order has 300000 numbers, more than the 512"),
]


@pytest.mark.parametrize(("name", "value", "reason"), UNREADABLE)
def test_a_name_that_can_not_be_read_costs_that_name_alone(name: str, value: object, reason: str) -> None:
    named = {"n_positions": 64, "layout": "half-split", "position": 9, "pinned_pairs": [0, 7], "clock.mode": "each"}
    session = opened({"pe_desktop_session": 2, "state": {**named, name: value}})
    others = {key: other for key, other in named.items() if key != name}
    assert session.state == opened({"pe_desktop_session": 2, "state": others}).state
    ([note], [left_out]) = session.notes, session.left_out
    assert reason in left_out
    assert note.startswith(f"Not taken: {left_out}")
    assert (len(note.splitlines()), len(note.encode()) // 400) == (1, 0)
    assert parsed_session(saved(session), "again").notes == ()


def test_more_values_than_a_name_takes_are_left_out_before_any_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(_rule: NumberRule, text: str) -> float:
        pytest.fail(f"{text} was read")

    monkeypatch.setattr(NumberRule, "read", read)
    [left_out] = opened({"pe_desktop_session": 2, "state": {"pinned_pairs": [1] * 300_001}}).left_out
    assert "300001 numbers, more than the 256" in left_out
    opened({"pe_desktop_session": 2, "state": {"decoder.vector": [1] * 300_001}})


def nested(depth: int) -> str:
    """The valid session with a value that makes it as deep as this."""
    return json.dumps(VALID)[:-1] + f', "more": {"[" * (depth - 1)}{"]" * (depth - 1)}}}'


NASTIES: dict[str, tuple[str | bytes, str]] = {
    **BAD["files"],
    "picture": (b"\x89PNG\r\n\x1a\n\x00\x00", "no text in UTF-8"),
    "UTF-16": (json.dumps(VALID).encode("utf-16"), "no text in UTF-8"),
    "cut off": (json.dumps(VALID)[:60], "damaged"),
    "deep": (nested(21), "more than 20 deep"),
    "deeper than Python": ("[" * 400_000, "more than 20 deep"),
    "endless integer": (json.dumps(VALID)[:-1] + f', "seed": {"9" * 100_000}}}', "too large"),
}


@pytest.mark.parametrize("content, reason", NASTIES.values(), ids=NASTIES.keys())  # noqa: PT006
def test_no_session_is_answered_by_one_sentence(content: str | bytes, reason: str) -> None:
    with pytest.raises(SessionError) as refusal:
        parsed_session(content if isinstance(content, bytes) else content.encode(), "talk.pesession")
    sentence = str(refusal.value)
    assert sentence.startswith("talk.pesession can't be opened: ")
    assert reason in sentence
    assert re.search(rf"[^?]\. {NOTHING_CHANGED}$|[^.]\? {NOTHING_CHANGED}$", sentence)
    assert len(sentence.splitlines()) == 1
    assert len(sentence) < 400
    sentence.encode()  # what can be printed anywhere


def test_brackets_in_a_text_do_not_count_as_depth_and_a_byte_order_mark_is_no_harm() -> None:
    assert opened({**VALID, "comment": '"' + "[" * 50 + "\\"}).state.encoding.d_model == 64
    assert parsed_session(nested(20).encode(), "a").state.cursor.pair == 7
    assert parsed_session(json.dumps(VALID).encode("utf-8-sig"), "a") == opened(VALID)


def test_random_damage_is_answered_or_leaves_a_session_that_can_be_saved() -> None:
    luck = random.Random(20260117)
    valid = saved(replace(opened(VALID), kept={"comment": "ü"}))
    n_opened = n_refused = 0
    for _ in range(1200):
        content = bytearray(valid)
        for _ in range(luck.choice((1, 1, 1, 2, 5, 40))):
            place = luck.randrange(len(content))
            match luck.randrange(4):
                case 0:
                    content[place] = luck.randrange(256)
                case 1:
                    content[place] = luck.choice(b'0123456789-+.eE"\\{}[],:')
                case 2:
                    del content[place : place + luck.randrange(1, 8)]
                case _:
                    content[place:place] = content[luck.randrange(len(content)) :][: luck.randrange(1, 30)]
        try:
            session = parsed_session(bytes(content), "talk.pesession")
        except SessionError:  # what it says is seen above
            n_refused += 1
        else:
            assert parsed_session(saved(session), "again") == session
            n_opened += 1
    assert n_opened > 60
    assert n_refused > 600


def test_more_than_one_megabyte_is_neither_written_nor_read(tmp_path: Path) -> None:
    session = replace(opened(VALID), kept={"comment": "☕" * 300_000})
    with pytest.raises(ExportError, match=r"could not be opened again: it is larger than 1 MB.*Nothing was written\.$"):
        write_session(tmp_path / "a.pesession", session, overwrite=False)
    assert list(tmp_path.iterdir()) == []
    path = tmp_path / "large.pesession"
    path.write_bytes(b" " * (LARGEST_FILE + 1))
    with pytest.raises(SessionError, match="larger than 1"):
        read_session(path)


def test_what_is_no_file_is_answered_and_a_pipe_does_not_hold_the_program(tmp_path: Path) -> None:
    names = {"none.pesession": "no such file", ".": "not an ordinary file", "a\0b": "this name"}
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.pesession")
        names["pipe.pesession"] = "not an ordinary file"
    for name, reason in names.items():
        with pytest.raises(SessionError, match=reason):
            read_session(tmp_path / name)
