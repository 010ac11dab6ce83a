"""The rule cases run against the real engine: a position, orders with their dice, and what has to follow.

tests/cases/README.md says what a case may contain and what its verdicts mean.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from pbem.base.errors import BadLog, PbemError
from pbem.dev.finding import Finding
from pbem.dev.given import NotBuilt, NotKnown, staged
from pbem.dev.then import findings, offered, parts
from pbem.dev.when import DUE, WHERE, Driver

VERDICTS = ("pass", "fail", "skip", "unknown")
KEYS = frozenset({"id", "rule", "also", "title", "assume", "given", "otherwise", "when", "then", "note"})


class Verdict(NamedTuple):
    id: str
    rule: str
    verdict: str
    detail: str


def run(files: Iterable[Path | str], only: str | None = None) -> list[Verdict]:
    """Judge every case of the files, or those of one rule and its paragraphs."""
    return [judge(case) for file in files for case in load(Path(file)) if wanted(case, only)]


def load(file: Path) -> list[dict[str, Any]]:
    import yaml

    try:
        cases = yaml.load(file.read_bytes(), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (OSError, yaml.YAMLError) as problem:
        raise BadLog("unreadable_cases", file=str(file), problem=str(problem)) from problem
    if not isinstance(cases, list) or not all(isinstance(case, dict) and "id" in case for case in cases):
        raise BadLog("no_list_of_cases", file=str(file))
    return cases


def wanted(case: Mapping[str, Any], only: str | None) -> bool:
    """Asked for are all cases, one by its id, or those of a rule and of everything below it."""
    if only is None or case["id"] == only:
        return True
    rule = parts(only)
    return parts(str(case["rule"]))[:len(rule)] == rule


def judge(case: Mapping[str, Any]) -> Verdict:
    verdict, detail = _judged(case)
    return Verdict(str(case["id"]), str(case["rule"]), verdict, detail)


def _judged(case: Mapping[str, Any]) -> tuple[str, str]:
    strange = case.keys() - KEYS
    if strange:
        return "unknown", f"the case has {', '.join(sorted(strange))}"
    try:
        driver = Driver(staged(case))
        driver.run()
        found = findings(driver, str(case["rule"]), [str(rule) for rule in case.get("also", [])])
        return verdict_on(driver, [*found, *unopened(case, driver)])
    except NotBuilt as reason:
        return "skip", str(reason)
    except NotKnown as reason:
        return "unknown", str(reason)
    except PbemError as problem:
        return "fail", f"the position is refused: {problem}"
    except Exception as fault:  # a fault of the engine is one case's failure, not the end of the list
        return "fail", f"the engine broke down: {type(fault).__name__}: {fault}{_place(fault)}"


def unopened(case: Mapping[str, Any], driver: Driver) -> Iterator[Finding]:
    """A window that is not offered has to be one that would have been: where it is due has to be reached; and if the case says
    how the position would be `otherwise`, there it opens."""
    for kind, sides in ((kind, sides) for item in case.get("then", ()) for kind, sides in item.get("not_offered", {}).items()):
        if (changes := case.get("otherwise", {}).get(kind)) is None:
            yield Finding(DUE.get(kind, kind) not in WHERE or DUE.get(kind, kind) in driver.reached,
                          f"not_offered: {kind} was never due")
            continue
        other = Driver(staged({**case, "given": {**case["given"], **changes}}))
        other.run()
        yield offered(other, {kind: sides})._replace(text=f"otherwise: {kind} is not offered there either")


def _place(fault: BaseException) -> str:
    trace = fault.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return f" ({Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno})" if trace is not None else ""


def verdict_on(driver: Driver, found: list[Finding]) -> tuple[str, str]:
    """What the comparison comes to, and why."""
    differences = [one.text for one in found if one.met is False]
    open_ = [one.text for one in found if one.met is None]
    left_over = [] if driver.rejection else driver.left_over()
    expects_refusal = any("refused" in item for item in driver.stage.then)
    if driver.not_written:
        enough = driver.stands and not (differences or open_ or left_over or expects_refusal)
        return ("pass", "") if enough else ("unknown", f"{driver.not_written} is not written yet")
    wrong = []
    if driver.rejection and not expects_refusal:
        wrong.append(f"step {driver.rejection.step + 1} was refused: {driver.rejection.told}")
    if driver.no_die and left_over:
        wrong.append(f"the case gives no die for {driver.no_die}")
    wrong += [*left_over, *differences]
    if wrong:
        return "fail", "; ".join(dict.fromkeys(wrong))
    return ("unknown", "; ".join(open_)) if open_ else ("pass", "")


# --- telling ------------------------------------------------------------------------------------------------------


def show(verdicts: Iterable[Verdict]) -> str:
    """The counts by section, then every case that does not pass, with the difference."""
    told = list(verdicts)
    sections: dict[str, list[Verdict]] = {}
    for one in told:
        sections.setdefault(parts(one.rule)[0], []).append(one)
    lines = [_counts(section, some) for section, some in sections.items()]
    for verdict in VERDICTS[1:]:
        rest = [one for one in told if one.verdict == verdict]
        if rest:
            lines += ["", f"{verdict}:", *(f"  {one.id}: {one.detail}" for one in rest)]
    return "\n".join([*lines[:len(sections)], _counts("all", told), *lines[len(sections):]])


def _counts(section: str, verdicts: list[Verdict]) -> str:
    counted = "  ".join(f"{sum(one.verdict == verdict for one in verdicts):4} {verdict}" for verdict in VERDICTS)
    return f"{section:>4}: {counted}"
