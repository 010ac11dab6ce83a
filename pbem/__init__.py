"""Runs games of Successors for players who are never in the room together."""

__version__ = "0.1.0"
