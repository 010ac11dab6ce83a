"""What people type: the names of things, and the order language, text -> Order and back.

Text in, text out: it knows the catalogue for its names, and judges nothing.

One table, `VERBS`, holds a pattern per order; the reader and the writer are both made from it. In a pattern,
`{arg}` or `{arg:kind}` is something to fill in, `[...]` may be left out, `{arg=value}` is understood without
being written, `{arg!}` is the word itself, `{arg:one|two}` a choice of words. Where people say the same thing
in other ways, `also` lists patterns that are read and never written.

Expressions stay text until they are used (`re` keeps what it compiled): a program that reads no orders should
not pay for them at its start.
"""

from pbem.orders.answers import Alternative, read_answer, say_answer
from pbem.orders.language import LONGEST_LINE, LONGEST_ORDER, parse, say
from pbem.orders.lines import Condition, Line, read_condition, read_line, say_line
from pbem.orders.order import ALL, CU_ORDER, NONE, ONE_CU, PASS, Order, Pieces
from pbem.orders.patterns import Maybe, Node, Slot
from pbem.orders.table import LETTERS, STARTS, VERBS

__all__ = [
    "ALL",
    "Alternative",
    "CU_ORDER",
    "Condition",
    "LETTERS",
    "LONGEST_LINE",
    "LONGEST_ORDER",
    "Line",
    "Maybe",
    "NONE",
    "Node",
    "ONE_CU",
    "Order",
    "PASS",
    "Pieces",
    "STARTS",
    "Slot",
    "VERBS",
    "parse",
    "read_answer",
    "read_condition",
    "read_line",
    "say",
    "say_answer",
    "say_line",
]
