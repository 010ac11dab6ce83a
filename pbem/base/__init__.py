"""What every room stands on: what can be wrong, strict YAML, whole-file writes, the lock, the clock, a language's sentences.

Touches the disk; imports nothing of pbem.
"""
