"""Orders and pieces: what an order is once it has been read."""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple


class Order:
    """One order: a verb and its arguments. An argument that was not given reads as None."""

    __slots__ = ("args", "verb")

    verb: str
    args: Mapping[str, Any]

    def __init__(self, verb: str, **args: Any) -> None:
        given = {name: value for name, value in args.items() if value is not None and value is not False}
        object.__setattr__(self, "verb", verb)
        object.__setattr__(self, "args", MappingProxyType(given))

    def __getattr__(self, name: str) -> Any:
        found = self.args.get(name)
        if found is None and name.startswith("__"):  # copy, pickle and templates ask for these and must hear the truth
            raise AttributeError(name)
        return found

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"an order does not change: use order.but({name}=...)")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"an order does not change: use order.but({name}=None)")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Order) and self.verb == other.verb and self.args == other.args

    def __hash__(self) -> int:
        return hash((self.verb, frozenset(self.args.items())))

    def __repr__(self) -> str:
        told = "".join(f", {name}={value!r}" for name, value in self.args.items())
        return f"Order({self.verb!r}{told})"

    def __reduce__(self) -> tuple[Callable[..., "Order"], tuple[str, dict[str, Any]]]:
        return _remade, (self.verb, dict(self.args))

    def but(self, **changes: Any) -> "Order":
        """A copy with some arguments replaced; None takes one away."""
        return Order(self.verb, **{**self.args, **changes})


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
        counted = tuple((cu, cus[cu]) for cu in CU_ORDER if cus.get(cu)) if cus else ()
        return cls(tuple(dict.fromkeys(generals)), counted, tuple(dict.fromkeys(royals)))

    def number_of(self, cu: str) -> int:
        """How many CUs of this kind are named."""
        return dict(self.cus).get(cu, 0)

    def count(self, piece: object = None, /) -> int:
        """How many CUs are named; a tuple's own `count`, which looks for a value, is of no use here."""
        return sum(number for _, number in self.cus)


ALL = Pieces((), (), (), True)
NONE = Pieces((), (), ())
