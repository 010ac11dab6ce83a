"""What a forum makes of a text."""

import re


def open_tags(text: str) -> list[str]:
    """The tags that are open at its end; each has to close the last one that is open."""
    found: list[str] = []
    for closing, name in re.findall(r"\[(/?)(\w+)[^\]]*\]", text):
        if closing:
            assert found.pop() == name
        else:
            found.append(name)
    return found
