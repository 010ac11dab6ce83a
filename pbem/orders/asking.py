"""Requests in the player's own words: what he may ask besides his orders, by the English words that the program has.

One table reads and writes, as that of the orders does (`tongues`): a row has the words that a request begins with, and those
that may stand behind them up to a colon. Of each language the first word is printed; what stands behind a `=` is only printed.
Names, numbers and whatever follows a colon are no business of this table.
"""

import re
from functools import cache

from pbem.orders.names import forms_of
from pbem.orders.tongues import TONGUES

AT = {"at": "=in, bei | presso | в, на, у, при", "by": "von | di | от", "of": "=von | =di | ="}
NAMED = ("space", "general", "province", "card")         # what may stand behind them
ANSWERS = {"yes": "ja | sì, si | да", "no": "nein | no | нет"}
END = "/press"

# The first words of a request -> the English of each word of it -> German | Italian | Russian.
# an entry, or what is filed or kept, as a player names it; what has more digits than anybody means is none
NUMBER = r"\d{1,9}"
REQUESTS: dict[str, dict[str, str]] = {
    "help": {"help": "hilfe | aiuto | помощь"},
    "status": {"status": "stand | stato | статус"},
    "options": {"options": "optionen | opzioni | варианты", "all": "alle, alles | tutte, tutto, tutti | все, всё"},
    "hand": {"hand": "handkarten | mano | рука"},
    "map": {"map": "landkarte, karte | mappa | карта", "on": "an, ganz | sì, intera | вкл, целиком",
            "off": "aus, keine | no, nessuna | выкл, нет", "focus": "ausschnitt | dettaglio | часть"},
    "guide": {"guide": "anleitung | guida | руководство", "player": "spieler | giocatore | игрок",
              "orders": "befehle | ordini | приказы", "card": "karte | scheda | памятка"},
    "history": {"history": "verlauf | storia | история", "whole": "ganz | intera, intero, tutta | целиком"},
    "resend": {"resend": "nochmal | rinvia | повтори"},
    "proof": {"proof": "nachweis | prove | доказательство"},
    "check": {"check": "prüfe | prova | проверь"},
    "file": {"file": "hinterlege, hinterlegen | deposita, depositare | отложи, отложить", "back": "zurück | indietro | назад",
             "battle": "für die Schlacht, Schlacht | per la battaglia, battaglia | на бой, бой",
             "sea": "für die See, See | per il mare, mare | на море, море",
             "card": "für eine Karte, Karte | per una carta, carta | на карточку, карточка",
             "death": "für einen Tod, Tod | per una morte, morte | на гибель, гибель",
             "defeat": "für eine Niederlage, Niederlage | per una sconfitta, sconfitta | на поражение, поражение", **AT},
    "reserve": {"reserve": "reserviere, reservieren | riserva, riservare | зарезервируй, оставь",
                "nothing": "nichts | niente, nulla | ничего",
                "battle": "Schlacht, Schlachten | battaglia, battaglie | бой, бои",
                "sea": "See | mare | море", "card": "Karte, Karten | carta, carte | карточку, карточка, карточки",
                "death": "Tod | morte | гибель", "defeat": "Niederlage | sconfitta | поражение", "and": "und | e, ed | и"},
    "undo": {"undo": "zurücknehmen | annulla | отмени", **ANSWERS, "last": "letzten, letzte | ultimo | последнее",
             "the wrong General": "=der falsche General | =il Generale sbagliato | =не тот военачальник"},
    "press": {"press": "brief | lettera | письмо", "all": "alle, allen | tutti | всем, все", "held": "später | dopo | позже",
              "now": "sofort | subito | сразу", "anonymous": "anonym | anonima, anonimo | анонимно", "and": "und | e, ed | и",
              "to": "an | a, al, ai | =", END: "=/brief | =/lettera | =/письмо"},
    "absent": {"absent": "abwesend | assente | отсутствую", "to": "bis | =al | по"},
    "reports": {"reports": "berichte | resoconti | отчёты",
                "daily": "täglich, einmal am Tag | una volta al giorno, ogni giorno | раз в день, ежедневно, каждый день",
                "at once": "sofort | subito | сразу",
                "each turn": "nach jedem Zug, jeden Zug | a ogni turno, ogni turno | после каждого хода, каждый ход"},
    "word": {"word": "wort | parola | слово", "first snow in Pella": "=erster Schnee in Pella | =prima neve a Pella |"
             " =первый снег в Пелле"},
    "observe": {"observe": "beobachter, beobachte | osservatore, osserva | наблюдатель", "stop": "stopp | basta | стоп"},
}


def _words(row: str, tongue: str) -> list[str]:
    return row.split(" | ")[TONGUES.index(tongue)].split(", ")


@cache
def _own(request: str) -> dict[str, str]:
    """What may be read in a row: the words of all languages, in small letters, and what they are in English."""
    found: dict[str, str] = {}
    for english, row in REQUESTS[request].items():
        for one in (one.lower() for tongue in TONGUES for one in _words(row, tongue) if not one.startswith("=")):
            found |= dict.fromkeys((one, one.replace("ё", "е")), english)
    return found


@cache
def _leads() -> dict[str, str]:
    return {own: request for request in REQUESTS for own, english in _own(request).items() if english == request}


def _one_of(words: list[str]) -> re.Pattern[str]:
    longest = sorted(words, key=lambda word: (-len(word), word))
    return re.compile(rf"(?<![^\W_])(?:{'|'.join(map(re.escape, longest))})(?![^\W_])", re.IGNORECASE)


@cache
def _words_behind(request: str) -> re.Pattern[str] | None:
    own = [word for word, english in _own(request).items() if english != request]
    return _one_of([*own, *_names_with(_one_of(own))]) if own else None


def _names_with(words: re.Pattern[str]) -> list[str]:
    """Names in which such a word stands: of `Oasi di Palmyra` nothing is said in English."""
    return [form for kind in NAMED for forms in forms_of(kind).values() for form in forms if words.search(form)]


def requested(line: str) -> tuple[str, bool]:
    """A request with English words, if the line begins like one; and whether it was not in English that it did."""
    first = re.match(r"\s*([^\W_]+)", line)
    if first is None:
        return line, False
    lead = first[1].lower()
    request = _leads().get(lead, lead)
    if request not in REQUESTS:
        return line, False
    head, colon, tail = line[first.end():].partition(":")
    if (words := _words_behind(request)) is not None:
        head = words.sub(lambda found: _own(request).get(found[0].lower(), found[0]), head)
    return f"{request}{head}{colon}{tail}", request != lead


def in_own_words(tongue: str, request: str) -> str:
    """A request as it is printed in a language: its own words, and what the program says in English as it stands."""
    row = REQUESTS.get(request.partition(" ")[0].rstrip(":"))
    if row is None or tongue not in TONGUES:
        return request
    own = {english: _words(said, tongue)[0].lstrip("=") for english, said in row.items()}
    return " ".join(_one_of(list(own)).sub(lambda found: own[found[0]], request).split())


def word_of(tongue: str, request: str, english: str) -> str:
    """A word of a row as it is printed."""
    return _words(REQUESTS[request][english], tongue)[0].lstrip("=") if tongue in TONGUES else english


def ends_a_letter(line: str) -> bool:
    """Is it the line that says where a letter ends, in any language?"""
    return line.strip().lower() in (END, *(word.lstrip("=") for word in re.split(r" \| ", REQUESTS["press"][END])))
