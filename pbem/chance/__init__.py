"""Commitments, named draws, who holds which card, and what checks them; `verify_min` shares no code with the rest.

Knows no rule and writes nothing.
"""
