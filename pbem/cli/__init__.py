"""The commands: each parses, calls the desk or the mailbox, and prints.

Imports what is heavy inside the command that needs it.
"""
