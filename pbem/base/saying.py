"""What a sentence needs when it is said: it was made code by jinja2 before, and jinja2 itself is only asked for what is rare.

The code that jinja2 writes imports these names. Whatever is not here is taken from jinja2 as soon as it is wanted.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import CodeType, SimpleNamespace
from typing import Any

missing: Any = type("Missing", (), {"__repr__": lambda self: "missing"})()


def _later(name: str) -> Callable[..., Any]:
    """A name of jinja2's, once it is called."""
    def called(*args: Any, **named: Any) -> Any:
        import jinja2.runtime

        return getattr(jinja2.runtime, name)(*args, **named)

    return called


Macro, Markup, Namespace, TemplateReference = map(_later, ("Macro", "Markup", "Namespace", "TemplateReference"))
TemplateNotFound = TemplateRuntimeError = RuntimeError
escape, markup_join = map(_later, ("escape", "markup_join"))


def str_join(parts: Iterable[Any]) -> str:
    return "".join(map(str, parts))


def identity(value: Any) -> Any:
    return value


internalcode = identity


def Undefined(*told: Any, **named: Any) -> str:  # noqa: N802
    """What `a if b` says where nothing is said of the other case."""
    return ""


class LoopContext:
    """What a sentence may ask of a loop: which turn it is, and whether it is the first or the last."""

    def __init__(self, items: Iterable[Any], undefined: Any = None) -> None:
        self._items = list(items)
        self.index0 = -1

    def __iter__(self) -> Iterator[tuple[Any, "LoopContext"]]:
        for item in self._items:
            self.index0 += 1
            yield item, self

    @property
    def index(self) -> int:
        return self.index0 + 1

    @property
    def first(self) -> bool:
        return self.index0 == 0

    @property
    def last(self) -> bool:
        return self.index0 == len(self._items) - 1


class Absent:
    """A fact that is not there: one may ask whether it is, and nothing else."""

    def __init__(self, *, name: object = "", obj: object = missing) -> None:
        object.__setattr__(self, "_told", f"{name!r} is undefined" if obj is missing else f"{obj!r} has no {name!r}")

    def _fail(self, *given: object, **named: object) -> Any:
        from jinja2.exceptions import UndefinedError

        raise UndefinedError(object.__getattribute__(self, "_told"))

    __str__ = __iter__ = __bool__ = __len__ = __eq__ = __ne__ = __call__ = __getitem__ = __contains__ = _fail
    __add__ = __radd__ = __sub__ = __lt__ = __le__ = __gt__ = __ge__ = __mod__ = __int__ = __hash__ = __getattr__ = _fail


def defined(value: Any) -> bool:
    return not isinstance(value, Absent)


class Rest(dict[str, Any]):
    """Filters or tests; one that is not among these is looked for in jinja2."""

    def __init__(self, own: Mapping[str, Any], where: str) -> None:
        super().__init__(own)
        self.where = where

    def __missing__(self, name: str) -> Any:
        from jinja2 import defaults

        self[name] = getattr(defaults, self.where)[name]
        return self[name]


def _join(eval_ctx: Any, items: Iterable[Any], between: str = "") -> str:
    return str(between).join(map(str, items))


def _replace(eval_ctx: Any, text: object, old: object, new: object) -> str:
    return str(text).replace(str(old), str(new))


def _sort(environment: "Environment", items: Iterable[Any], attribute: str, reverse: bool = False) -> list[Any]:
    return sorted(items, key=lambda one: environment.getitem(one, attribute), reverse=reverse)


def _first(environment: "Environment", items: Iterable[Any]) -> Any:
    return next(iter(items))


def _last(environment: "Environment", items: Sequence[Any]) -> Any:
    return items[-1]


def _sum(environment: "Environment", items: Iterable[Any], attribute: Any = None) -> Any:
    return sum(items if attribute is None else (environment.getitem(one, attribute) for one in items))


def _map(context: "Context", items: Iterable[Any], name: str = "", *args: Any, attribute: Any = None) -> list[Any]:
    environment = context.environment
    if not name:
        return [environment.getitem(one, attribute) for one in items]
    given = (context.eval_ctx,) if name in ("join", "replace") else ()
    return [environment.filters[name](*given, one, *args) for one in items]


def _rejectattr(context: "Context", items: Iterable[Any], attribute: Any) -> list[Any]:
    return [one for one in items if not context.environment.getitem(one, attribute)]


def _list(eval_ctx: Any, items: Iterable[Any]) -> list[Any]:
    return list(items)


def _format(pattern: str, *values: Any) -> str:
    return str(pattern) % values


def _default(value: Any, otherwise: Any) -> Any:
    return value if defined(value) else otherwise


TESTS = {"defined": defined, "none": lambda value: value is None, "in": lambda value, there: value in there}
FILTERS = {"length": len, "join": _join, "replace": _replace, "sort": _sort, "sum": _sum, "map": _map, "list": _list,
           "rejectattr": _rejectattr, "default": _default, "first": _first, "last": _last, "format": _format}




class Environment:
    """With whose filters and whose ink sentences are said."""

    undefined = Absent
    concat = "".join

    def __init__(self, filters: Mapping[str, Any], given: Mapping[str, Any], ink: Callable[[Any], str]) -> None:
        self.filters, self.tests = Rest({**FILTERS, **filters}, "DEFAULT_FILTERS"), Rest(TESTS, "DEFAULT_TESTS")
        self.given = given
        self.ink = ink

    def finalize(self, context: Any, value: Any) -> str:
        return self.ink(value)

    def getattr(self, one: Any, name: str) -> Any:
        try:
            return getattr(one, name)
        except AttributeError:
            pass
        try:
            return one[name]
        except (TypeError, LookupError, AttributeError):
            return self.undefined(obj=one, name=name)

    def getitem(self, one: Any, key: Any) -> Any:
        try:
            return one[key]
        except (AttributeError, TypeError, LookupError):
            if isinstance(key, str) and hasattr(one, key):
                return getattr(one, key)
            return self.undefined(obj=one, name=key)

    def saying(self, code: CodeType) -> "Saying":
        return Saying(self, code)


class Context:
    """The facts of one sentence."""

    eval_ctx = SimpleNamespace(autoescape=False, volatile=False)

    def __init__(self, environment: Environment, facts: Mapping[str, Any]) -> None:
        self.environment = environment
        self.facts = facts
        self.vars: dict[str, Any] = {}
        self.exported_vars: set[str] = set()
        self.blocks: dict[str, Any] = {}

    def resolve_or_missing(self, name: str) -> Any:
        return self.facts.get(name, missing)

    @staticmethod
    def call(what: Callable[..., Any], *args: Any, _loop_vars: Any = None, _block_vars: Any = None, **named: Any) -> Any:
        return what(*args, **named)


class Saying:
    """A sentence that can be said with any facts."""

    __slots__ = ("environment", "root")

    def __init__(self, environment: Environment, code: CodeType) -> None:
        self.environment = environment
        space: dict[str, Any] = {"environment": environment}
        exec(code, space)
        self.root = space["root"]

    def render(self, *given: Mapping[str, Any], **facts: Any) -> str:
        known = {**self.environment.given}
        for more in (*given, facts):
            known.update(more)
        return "".join(self.root(Context(self.environment, known)))
