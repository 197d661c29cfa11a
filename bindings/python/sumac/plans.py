# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Plans: the choices for a call, and its memory."""
from __future__ import annotations

from typing import Any, Dict, Optional

from ._library import Handle, Owned, lib, name_of, text, text_or_none


def _names(function: Any, pointer: Any) -> Any:
    index = 0
    while (name := text_or_none(function(pointer, index))) is not None:
        yield name
        index += 1


class Plan(Handle):
    """All choices for one call. A plan may outlive its context; it is immutable, and any threads may share it."""

    _what = "plan"

    def __init__(self, owned: Owned):
        if not isinstance(owned, Owned):
            raise TypeError("a Plan is made by plan(), and not by its caller")
        self._owned = owned

    @property
    def name(self) -> str:
        """The name of the plan, one of Context.plan_names()."""
        return text(lib.sumac_plan_name(self._take().pointer))

    @property
    def milliseconds(self) -> float:
        """The milliseconds that the cost model predicts."""
        return float(lib.sumac_plan_milliseconds(self._take().pointer))

    @property
    def window_bits(self) -> int:
        """The bits of a window, c."""
        return int(lib.sumac_plan_window_bits(self._take().pointer))

    @property
    def precompute_factor(self) -> int:
        """How many multiples of each base are used."""
        return int(lib.sumac_plan_precompute_factor(self._take().pointer))

    @property
    def workspace_bytes(self) -> int:
        """The bytes of workspace that the call takes."""
        return int(lib.sumac_plan_workspace_bytes(self._take().pointer))

    def number(self, name: str) -> float:
        """One of numbers() by its name; 0 if there is no such number."""
        return float(lib.sumac_plan_number(self._take().pointer, name_of(name, "the number's name")))

    def kind(self, stage: str) -> Optional[str]:
        """The kind that was chosen for a stage; None if there is no such stage."""
        return text_or_none(lib.sumac_plan_kind(self._take().pointer, name_of(stage, "the stage")))

    def bytes(self, row: str) -> int:
        """A row of memory() by its name; 0 if there is no such row."""
        return int(lib.sumac_plan_bytes(self._take().pointer, name_of(row, "the row")))

    def numbers(self) -> Dict[str, float]:
        """All numbers of the plan, by name; sumac/plan.h says what they count."""
        owned = self._take()
        return {name: self.number(name) for name in _names(lib.sumac_plan_number_name, owned.pointer)}

    def kinds(self) -> Dict[str, str]:
        """The kind of each stage, in the order in which they run."""
        owned = self._take()
        return {stage: self.kind(stage) or "" for stage in _names(lib.sumac_plan_stage, owned.pointer)}

    def memory(self) -> Dict[str, int]:
        """The bytes of each row of the plan's memory."""
        owned = self._take()
        return {row: self.bytes(row) for row in _names(lib.sumac_plan_row, owned.pointer)}
