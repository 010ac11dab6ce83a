"""Texts as tests compare them."""


def flat(text: str) -> str:
    """In one line, however it was folded."""
    return " ".join(text.split())
