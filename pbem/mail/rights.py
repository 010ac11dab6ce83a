"""Who may command: one table, read from the top; the first row that fits decides.

The address is the parsed one of the `From` field, never a name beside it, never `Reply-To`. The token is `valid` for this
seat and an open window, `other` for another seat, or `none`: unknown and dead tokens are none. The last column is
what our own mail server found out about the sender.
"""

APPLY, APPLY_WITH_NOTE, CONFIRM = "apply", "apply_with_note", "confirm"
HOLD, HOLD_AND_ANSWER = "hold", "hold_and_answer"               # for the moderator; the second also tells the address on file
QUARANTINE, QUARANTINE_AND_TELL = "quarantine", "quarantine_and_tell"
# Besides the table: its question is closed; or the moderator, or its sender's own word, lets it through.
LATE, RELEASED = "late", "released"
COUNT = (APPLY, APPLY_WITH_NOTE, RELEASED)

VALID, OTHER, NONE = "valid", "other", "none"
PASS, FAIL = "pass", "fail"
ANY = (PASS, FAIL, NONE)

# address of the seat, token, our server's DMARC, exactly one open window (None: does not matter) -> what to do
TABLE = (
    (True, VALID, (PASS, NONE), None, APPLY),
    (True, VALID, (FAIL,), None, HOLD_AND_ANSWER),
    (True, NONE, (PASS,), True, APPLY_WITH_NOTE),
    (True, NONE, ANY, None, CONFIRM),
    (True, OTHER, ANY, None, QUARANTINE_AND_TELL),
    (False, VALID, ANY, None, HOLD),
    (False, OTHER, ANY, None, HOLD),                            # whose seat is "other", if the sender has none?
    (False, NONE, ANY, None, QUARANTINE),
)


def judge(known: bool, token: str, dmarc: str, windows: int) -> str:
    """What to do with a human's mail: is its address `known` for the seat, what of its token, how many windows has the seat."""
    for address, kind, results, single, verdict in TABLE:
        if address == known and kind == token and dmarc in results and single in (None, windows == 1):
            return verdict
    return QUARANTINE_AND_TELL                                  # a value that the table does not know gives no rights
