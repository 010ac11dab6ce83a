"""The mailbox: what comes in, what goes out, and who may command.

Reaches the servers; changes games through the desk alone.
"""
