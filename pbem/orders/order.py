"""Orders and pieces: what an order is once it has been read."""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple


class Order:
    """One order: a verb and its arguments. An argument that was not given reads as None."""

    verb: str

    # Whatever a pattern of the order language can ask for.
    at: Any = None
    card: Any = None
    direction: Any = None
    discarding: Any = None
    fleet: Any = None
    fleets: Any = None
    from_: Any = None
    general: Any = None
    how: Any = None
    kind: Any = None
    leave: Any = None
    letter: Any = None
    loc: Any = None
    location: Any = None
    minor: Any = None
    minor_role: Any = None
    number: Any = None
    openly: Any = None
    passage: Any = None
    path: Any = None
    pc: Any = None
    pieces: Any = None
    route: Any = None
    seat: Any = None
    seating: Any = None
    space: Any = None
    spaces: Any = None
    target: Any = None
    then: Any = None
    to: Any = None

    def __init__(self, verb: str, **args: Any) -> None:
        own = self.__dict__
        for name, value in args.items():
            if value is not None and value is not False:
                own[name] = value
        own["verb"] = verb

    @property
    def args(self) -> Mapping[str, Any]:
        """The arguments that were given."""
        given = dict(self.__dict__)
        del given["verb"]
        return MappingProxyType(given)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"an order does not change: use order.but({name}=...)")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"an order does not change: use order.but({name}=None)")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Order) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash(frozenset(self.__dict__.items()))

    def __repr__(self) -> str:
        told = "".join(f", {name}={value!r}" for name, value in self.args.items())
        return f"Order({self.verb!r}{told})"

    def __reduce__(self) -> tuple[Callable[..., "Order"], tuple[str, dict[str, Any]]]:
        return _remade, (self.verb, dict(self.args))

    def but(self, **changes: Any) -> "Order":
        """A copy with some arguments replaced; None takes one away."""
        return Order(**{**self.__dict__, **changes})


def _remade(verb: str, args: dict[str, Any]) -> Order:
    return Order(verb, **args)


CU_ORDER = ("loyal", "royal", "silver", "elephant", "mercenary", "cavalry", "independent")


class Pieces(NamedTuple):
    """What an order takes, leaves or loses: generals, CUs by kind, Royal Family Members, or simply all."""

    generals: tuple[str, ...]
    cus: tuple[tuple[str, int], ...]
    royals: tuple[str, ...]
    everything: bool = False

    @classmethod
    def of(
        cls, generals: Iterable[str] = (), cus: Mapping[str, int] | None = None, royals: Iterable[str] = ()
    ) -> "Pieces":
        """Pieces in the one order in which they are always kept."""
        counted = tuple([(cu, cus[cu]) for cu in CU_ORDER if cu in cus and cus[cu]]) if cus else ()
        return cls(tuple(dict.fromkeys(generals)) if generals else (), counted, tuple(dict.fromkeys(royals)) if royals else ())

    def number_of(self, cu: str) -> int:
        """How many CUs of this kind are named."""
        return dict(self.cus).get(cu, 0)

    def count(self, piece: object = None, /) -> int:
        """How many CUs are named; a tuple's own `count`, which looks for a value, is of no use here."""
        return sum(number for _, number in self.cus)


ALL = Pieces((), (), (), True)
NONE = Pieces((), (), ())
ONE_CU = {kind: Pieces((), ((kind, 1),), ()) for kind in CU_ORDER}
PASS = (Order("pass"),)             # what the answer to a poll is where somebody wants nothing
