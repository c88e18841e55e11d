"""Controls as data: which name of the state each shows and sets, in which words, and where it stands."""

from collections.abc import Callable, Mapping
from dataclasses import field
from functools import cached_property
from typing import Any, Final, TypeAlias

from pe_desktop.core.record import record
from pe_desktop.core.state import State
from pe_desktop.resources import resource_json

# What changes of the state: names and their values.
Changes: TypeAlias = Mapping[str, Any]
_HELP: Final = resource_json("help.json")
# The words of controls, by view.
WORDS: Final[Mapping[str, Any]] = _HELP["controls"]
# What is said below figures, by views.
CAPTIONS: Final[Mapping[str, Any]] = _HELP["captions"]


@record(kw_only=True, eq=False)
class Control:
    """label: what it is called, with has_label before it; is_in_title: else it stands in the row above the page."""

    label: str = ""
    tooltip: str = ""
    is_in_title: bool = True
    has_label: bool = False
    is_shown: Callable[[State], bool] = lambda _state: True

    @cached_property
    def key(self) -> str:
        """What its widget is kept by: the name of the state that it sets, or the text of a button."""
        return str(getattr(self, "name", "") or getattr(self, "text", ""))


@record(kw_only=True, eq=False)
class Choice(Control):
    """A few words of which one is the value of a name of the state.

    words: by value; tooltips: by value; also: what else a press sets;
    refusals: by value, why it can't be chosen in a state, "" where it can; shown: which one counts, where that is not
    the value; is_list: they stand in a list that opens, without the rest; n_buttons: so many are buttons, the others
    stand in a list behind them, which is called `more`.
    """

    name: str
    words: Mapping[str, str]
    tooltips: Mapping[str, str] = field(default_factory=dict)
    also: Changes = field(default_factory=dict)
    refusals: Mapping[str, Callable[[State], str]] = field(default_factory=dict)
    shown: Callable[[State], str] | None = None
    is_list: bool = False
    n_buttons: int = 99
    more: str = ""


@record(kw_only=True, eq=False)
class Number(Control):
    """A number that is typed, behind its label; what is refused is said in a sentence below it.

    shown: the number that counts, where that is not the value, and read: the value of a text typed for it, ValueError
    with a sentence; then: what else is set once it is taken; width: in pixels; letters: how many it takes.
    """

    name: str
    is_in_title: bool = False
    has_label: bool = True
    shown: Callable[[State], float | str] | None = None
    read: Callable[[State, str], object] | None = None
    then: Callable[[State], Changes] | None = None
    width: int = 72
    letters: int = 40


@record(kw_only=True, eq=False)
class Range(Number):
    """One of a few words by value, or two numbers that are typed."""

    words: Mapping[str, str]


@record(kw_only=True, eq=False)
class Press(Control):
    """A button: `changes` gives what it sets, None where it does nothing now; action: what it asks the window, an id.

    text: on it; icon: in place of a text, which is then what it is called.
    """

    text: str
    icon: str = ""
    action: str = ""
    changes: Callable[[State], Changes | None] | None = None
    is_in_title: bool = False


@record(kw_only=True, eq=False)
class Flag(Control):
    """A button with a text that is down while a name of the state is true; also: what else a press sets."""

    name: str
    text: str
    also: Changes = field(default_factory=dict)
