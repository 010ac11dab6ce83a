"""The rulebook as code: a module a chapter, a function a numbered rule, the number first in its docstring.

Knows the position and `g.rules`; no file, no wording, and not by which book it is played.
"""
