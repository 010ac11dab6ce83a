"""The mailbox: what comes in, what goes out, and who may command."""
