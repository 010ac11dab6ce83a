"""For those who work on pbem: rule cases, random play, proofs, mutation, measurements.

May look into every room, and no room may look into it.
"""
