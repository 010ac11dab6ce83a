"""What a number of mended rules stands for is written down: logs count by it, so it never comes to mean anything else.

    python tests/editions/test_points.py

writes down what is new, and leaves what stands there.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pbem.base import yamlfile
from pbem.editions import EDITIONS, ruleset
from pbem.editions.fixes import FIXES

WRITTEN = Path(__file__).with_name("points.yaml")


def plain(value: object) -> Any:
    """A point as a file has it: a function by its name."""
    if callable(value):
        return f"{value.__module__}.{value.__qualname__}"
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, set | frozenset):
        return sorted(plain(one) for one in value)
    if isinstance(value, tuple | list):
        return [plain(one) for one in value]
    return value if type(value) in (int, str) else {True: "yes", False: "no", None: "none"}[value]      # type: ignore[index]


def played() -> dict[str, dict[str, Any]]:
    """The points of each variant as they were before anything was mended, and those that each number replaces."""
    variants = {name: ruleset(name, fixes=0)._asdict() for name in EDITIONS}
    return {name: {point: plain(value) for point, value in points.items() if point not in ("fixes", "name")}
            for name, points in (*variants.items(), *((f"fix {number}", fix.points) for number, fix in enumerate(FIXES, 1)))}


def both(written: Mapping[str, Mapping[str, Any]], now: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """What is written, and what is new: a variant may get a point that nobody knew; a number that was given takes in none."""
    return {name: {**({} if name.startswith("fix") and name in written else now.get(name, {})), **written.get(name, {})}
            for name in {**written, **now}}


def test_no_number_comes_to_mean_another_rule() -> None:
    now = played()
    assert both(yamlfile.load(WRITTEN), now) == now, "games under way are played by these: what is mended is a Fix of its own"


def test_what_is_new_is_written_down() -> None:
    written = yamlfile.load(WRITTEN)
    assert both(written, played()) == written


if __name__ == "__main__":
    old = yamlfile.load(WRITTEN) if WRITTEN.exists() else {}
    WRITTEN.write_text("".join(f"{name}:\n" + "".join(f"  {point}: {yamlfile.dump(value)}\n" for point, value in points.items())
                               for name, points in both(old, played()).items()), "utf-8")
