"""What an editor struck out of the texts, language by language, as a table: none of it comes back.

Looked for in all that is kept of what is told (every sentence of each language, the end of a game in every format), and in the
sentences as they are written.
"""

import re
from pathlib import Path

import pytest

from pbem.base.paths import languages, templates_dir
from pbem.dev.sentences import HYPHEN, LEFT_OVER, LESS, QUOTED, STRAIGHT, flat, lines

TOLD = Path(__file__).with_name("told")

# Each row: what was wrong, and a line of it, so that a rule which finds nothing any more is noticed.
WRONG = {
    "en": [
        (r"[ (]0 left|\basked 0 h", "from Thilabos to Phaliga: 2 MPs, 0 left."),
        (r"\b2 of 1\b|\b[45] of 3\b", "Pella  6  2 (4 of 3)"),
        (r"\b1 CUs\b|\b1 CU have\b", "exactly 1 CU have to go"),
        (r"\bno elephant to\b", "there are no elephant to lose"),
        (r"came to inside|at inside|from inside (?!the)", "Philippos came to inside Babylon"),
        (r"\b(?:only|by|for) who (?:controls|holds|asks)", "only who controls it"),
        (r"\+ : \d", "needs 4+ : 50 %"),
        (r"\d %(?!})", "needs 4+: 50 %"),
        (r"\d MPs [A-Z](?!MP)", "rolled a 6: 4 MPs Antigonos"),
        (r"not unlearnt", "Known since and not unlearnt"),
        (r"\bof the 0\b|, each a Surprise card", "only 0 of the 0 loyal there may besiege"),
        (r"\(0 MPs left\)", "Attalos went ashore (0 MPs left)"),
        (r"step siege", "step siege is under way"),
        (r"die T\d", "the die T3,R1,black,activation,theft,red,1"),
        (r"\bwho (?:is besieged|was granted|was never|has none)", "who is besieged inside Pella cannot"),
        (r"Within reach are|the Army of another", "Within reach are Pella"),
        (r"\bloyal (?:is not|does not)|within 1 sea paths|\b1 data\b|sieges waits", "loyal is not inside Pella"),
        (r"root of the deck|beacon none", "beacon none"),
    ],
    "de": [
        (r"\bPartien?\b", "Verlauf der Partie"),
        (r"\bwirfst .{0,20}\bab\b|\babgeworfen\b", "Du spielst eine Ereigniskarte oder wirfst eine ab"),
        (r"17\.5, 17\.5|\bBlau an Blau\b", "Nachfolger statt Champion (17.5, 17.5)"),
        (r"\bKV \((?:loyaler|königlicher|Elefant)\)", "mit 1 KV (königlicher) in See"),
        (r"\bKV \(loyale\)", "zog mit 2 KV (loyale)"),
        (r"wären 1 ", "Abzulegen wären 1 Karte"),
        (r"von 0\b", "keiner von 0 KV (loyale)"),
        (r"innerhalb von", "verließ innerhalb von Babylon den Spielplan"),
        (r"\b1 berichtigte Angaben", "gelten 1 berichtigte Angaben"),
        (r"keine loyale\b|: loyale, die", "Ausgebildet werden keine loyale KV"),
        (r"gewinn\w+ mit \d", "Du gewinnst mit 23 %, Unentschieden 16 %"),
        (r"\bK von\b|Unabhängige K:", "K von Rot: Karia"),
        (r"Pontic mountains|nach Pontisch", "von Zela nach Pontic mountains"),
        (r'"The |"(?:Fog|Mutiny)"', 'Blau spielte "The Helepolis" für 3 AP'),
        (r"\bKopf [0-9a-f]{8}|Wurzel des Stapels", "Kopf 8cc88e00"),
        (r"Schritt siege", "jetzt läuft Schritt siege"),
        (r"\((?:Rome|Moscow)\)|\bbis \d{4}-\d\d-\d\dT", "bis 2026-12-01T18:00Z"),
        (r'Antworte "', 'Antworte "intercept" und einen General'),
        (r"\bvon \d+ auf \d+ (?:SP|L)\b", "stiegen von 4 auf 7 SP"),
        (r"\+ : \d", "braucht 4+ : 50 %"),
        (r"würfelte .{0,40}: \d BP [A-Z]", "würfelte für die Bewegung eine 6: 4 BP Perdikkas"),
        (r"\b(?:2 von 1|[345] von 2|[456] von 3)\b", "jetzt 2 von 1"),
        (r"(?:^|[ (])-\d+ [A-Za-zÄÖÜ]", "gewürfelt 2, -1 Hafen ohne Flotte"),
        (r"\b(?:in|nach|von|aus|über) (?:\w+ioi|Pisidai|Dardanoi|Triballoi|Getai|Paraitakenai|Mardoi|Kardouchoi)\b",
         "von Ekbatana nach Kyrtioi"),
        (r"\bden Weg [A-Z]\w+ >", "zog den Weg Pella > Lynkos > Molossia"),
        (r"\bin [A-Z]\w+, in [A-Z]", "K-Marker in Salamis, in Sousa und in Charax"),
        (r"auf ihrer normalen Seite|\d P Popularität|hatte den Prüfsumme", "kam zu Rot, auf ihrer normalen Seite"),
        (r"T\d,R\d", "T1,R1,black,activation,movement,1 zeigt 2"),
        (r"\d\. (?:Auflage|Ausgabe)|Operationspunkte|Desertion", "wie die 4. Ausgabe"),
        (r"^(?:- )?die unabhängige Fraktion, [A-Z]", "die unabhängige Fraktion, Leosthenes (3): Stärke 7"),
        (r"(?:Rot|Blau|Gelb|Schwarz)\) \([a-z]", "Lion (Gelb) (wer Spielzug II beginnt)"),
        (r"(?<![.\w'])VP(?![\w'_]| }})", "Wie VP und L über die Spielrunden verliefen"),
        (r"(?<!-)(?<!gelassenes )\bFeld(?:er|ern|es)?\b", "die Kennung eines Feldes"),
        (r"Zusatzregel|Leichenwagen|Verstärkungen|zerstreute Fl|Spielleiter\b|Unterg?eneräle\b|Großst|Durchgangsf",
         "damit der Leichenwagen früher fertig ist (Zusatzregel)"),
        (r"Spielplan|\bBrett|\bOPs?\b|\bKM\b|\bTE\b|\bFaden\b|\bMoment|\bFassung\b|ändige Befehle",
         "`landkarte` zeigt das Brett"),
        (r"Runde (?:ist )?zu Ende|\bWurzel\b|\bKopf\b|\bHash\b|\bEntscheid\b|\bLogs?\b", "wenn die Runde zu Ende ist"),
        (r"„(\w+)“ \(\1\)", "Antworte mit „gewähren“ (gewähren)"),
        (r"\b(?:GAME|NUMBER|ADDRESS|SEAT|VALUE|ENTRY|FILE|DIR)\b", "pbem paste PLACE --post NUMBER"),
        (r"freie Passage|unabhängige\w? (?:Fraktion|Armee|K-Marker|Festung|General)|erdeckte\w? Antwort",
         "um freie Passage gebeten"),
        (r"\bK (?:anderer|werden)\b", "bis zu zwei K anderer Farben"),
        (r"1 KV \((?:die|den|das) ", "Du verlierst in Apollonia 1 KV (die Belagerung)"),
        (r", 0 übrig|noch 0 BP|\(0 BP", "zog von Gaza nach Tyros: 4 BP, 0 übrig"),
        (r"nwerben|bwerfen|abgeworfen|Nachschub .*: für alle", "Ein Söldner: anwerben Söldner in Salamis"),
        (r"eroberte die [A-Z]\w+(?:oi|ai)\b|Wird die", "Wird die Pisidai belagert, so fällt der Ort"),
        (r"und (?:im |in |auf )?[A-Z]\w+ nicht abfangen: Der Ort",
         "konnte in Heliopolis und Naukratis nicht abfangen: Der Ort ist"),
        (r"(?:der|die|das|wo|wer|wenn|sag|du|ich) [^:„“]{4,60}: (?:es ist|es gibt|lass|sieh|wenn|dort|hier|alle) ",
         "wo ein Lauf beginnt, gibt es keine Umgebung: lass das Passwort"),
    ],
    "it": [
        (r"(?<!\d)1?\d-1?\d(?!\d)", "colonna 10-12"),
        (r"\ba A[a-z]", "è arrivato a Apollonia"),
        (r"\be E[a-z]", "Lysimachos e Eumenes"),
        (r"(?<!UC )\b1 (?:Leali|Reali|Mercenari|Elefanti|Indipendenti)\b", "(1 Leali, 2 Mercenari)"),
        (r"Pontic mountains", "da Zela a Pontic mountains"),
        (r"\((?:Rome|Moscow)\)|\bfino a \d{4}-\d\d-\d\dT", "13:00 (Rome)"),
        (r"\btesta [0-9a-f]{4}", "testa 8cc88e"),
        (r"\+ : \d|\d %(?!})", "serve 4+ : 50 %"),
        (r"passo siege", "siamo al passo siege"),
        (r"faro none", "faro none"),
        (r"\bpercorso\b", "più di un percorso per Astibos"),
        (r"\b1 tragitti|ci sono 1 UC|per degli|\b1 dati", "entro 1 tragitti Marini"),
        (r"adatte \d|\b0 UC\b", "delle UC Leali lì presenti (0), adatte 0"),
        (r"\bda \d+ a \d+ P[VL]\b", "sono saliti da 4 a 7 PV"),
        (r": \d PM [A-Z]", "tirato un 2 per il movimento: 3 PM Antigonos"),
    ],
    "ru": [
        (r"\bс ничем\b", "перехватить Лисимахом из Сард с ничем"),
        (r"стоявший,", "Младший военачальник Амфотер (Красный), стоявший, убран"),
        (r"\b1 (?:царских|верных|слонов|наёмных)", "расформировать 1 царских"),
        (r"област[ьи] [А-Я]", "из области Пелла в область Амфиполь"),
        (r"\b[2-4] (?:слонов|аргираспидов)\b", "(3 царских, 2 слонов)"),
        (r"получили каждый", "получили каждый: 5 карточек"),
        (r"Независимый получил", "Независимый получил контроль"),
        (r"обычной стороной вверх", "Флот Афины перешёл, обычной стороной вверх"),
        (r"\bголова [0-9a-f]{4}|корень колоды", "голова 8cc88e"),
        (r"\((?:Rome|Moscow)\)|\bдо \d{4}-\d\d-\d\dT", "15:00 (Moscow)"),
        (r"шаг siege", "сейчас шаг siege"),
        (r"\(кто(?:: | его| вёл)", "осаду здесь уже вели (кто: Селевк)"),
        (r"маяк none", "маяк none"),
        (r"с \d+ до \d+ (?:ПО|Л)\b", "выросли с 4 до 7 ПО"),
        (r"\+ : \d", "нужно 4+ : 50 %"),
        (r"рука: ничего", "Твоя рука: ничего."),
        (r"Битва[ ,]|\b(?:перед битвами|после битв|в битву|до битвы)\b", "Битва, Амфиполь"),
        (r"осаждает \S+ под началом", "Красный осаждает Аполлонию под началом Лисимаха"),
        (r"\bБЕ\b|\bОО\b|рупн\w+ город|ранзитн|толбец|протокол", "без БЕ"),
        (r"верных, стоящие|сражении", "верных, стоящие в этом сражении в стороне"),
        (r"\b0 БЧ\b", "без них есть 0 БЧ, а нужно 3"),
        (r"Поражение", "Поражение в области Амфиполь: Красный потерял"),
        (r"олковод", "когда гибнет Полководец"),
        (r"годных здесь 0", "годных здесь 0 из 0"),
        (r"по \d*1 карточка\b", "получили по 21 карточка"),
        (r"\b(?:2 из 1|[345] из 2|[456] из 3)\b", "теперь 2 из 1"),
        (r"(?:^|[ (])-\d+ [А-Яа-яЁё]", "выпало 2, -1 порт без флота"),
        (r"\bпуть [А-Я]\w+ >", "прошёл путь Пелла > Линк > Молоссия"),
        (r"\bв [А-Я]\w+, в [А-Я]", "МК в Саламине, в Сузах и в Хараксе"),
        (r"Памфили\w+ и Лики", "над провинциями Памфилия и Ликия и Иудея"),
        (r"T\d,R\d", "T1,R2,red,activation,movement,1 — 2"),
        (r"очки престижа: \d|потеряно 1 БЧ|могут 1 БЧ|сколько было сдано", "получил очки престижа: 1"),
        (r"изнутри|внутрь города", "отбросило назад внутрь города Саламин"),
        (r"^(?:бой|морской бой) .*:$", "бой в Сардах:"),
        (r"[А-Я]\w+\) \([а-я]", "Lion (Жёлтый) (кто начинает игровой ход II)"),
        (r"одчиненн", "его подчиненный"),
        (r"(?<![.\w'])VP(?![\w'_]| }})", "Как менялись VP и L по ходам игры"),
        (r"\bкарт(?:ам|ами|ах)?\b|(?:твои|эти|сработать) карты", "с другими картами и кубиками"),
        (r"\bарми[яиюей]{1,2}\b|повозк|Гелеполид|\bиздани|царск\w+ семь|фигур[аыу]?\b|расписк|\bхеш\b", "где стоит твоя армия"),
        (r"\bведущ(?:ий|его|ему|им|ем)\b", "только со слов ведущего"),
        (r"\b(?:\w{2,}йте|[Сс]равните|[Вв]озьмите|[Пп]ереведите|[Кк]ладите|[Нн]апишите|[Пп]ришлите|[Вв]ыберите)\b|\bвы играете",
         "Сравните её с той, что в письмах"),
        (r"\b[Тт]ы(?: \w+){0,2} \w+(?:ал|ил|ел|ёл|ул)\b", "На это ты уже ответил"),
        (r"\bголов[аы]\b|\bкорн|\bкорень|ход[аоуме]{0,2} игры|ходам игры|\bслучай (?:для|уже)", "когда ход игры кончится"),
        (r"\b(?:GAME|NUMBER|ADDRESS|SEAT|VALUE|ENTRY|FILE|DIR|TEXT|DATUM|ИГРА)\b", "pbem paste PLACE --post NUMBER"),
        (r"на поле\b|покажет поле|при перехвате\b|дополнительн\w+ правил|Нанима|стартов", "Ещё не на поле"),
        (r"\b(?:бьет|еще|ее|идет|ведет|берет|дает|придет|пойдет|войдет|уйдет|несет|трех|четырех|трем|вдвоем|счет|твое|свое)\b",
         "бьет первым"),
        (r"(?:Бой на суше|Морской бой|осада), [А-Я{]", "Бой на суше, Пелла (Красный)"),
        (r"чужие БЧ: [А-Я]|\d-го морск", "В Каране появились чужие БЧ: Жёлтый"),
        (r", осталось 0|осталось 0 ОД", "прошёл в Газу: 4 ОД, осталось 0"),
        (r"Только для тебя: |: каждому \d", "Только для тебя: Теперь у тебя на руках"),
        (r"\bгород[аеу]?м? (?:[А-Я]\w+|\{\{ space \| place \}\})", "внутри города Амфиполь"),
        (r"(?:от|у|к|осаждал\w*|через|покорил\w*) (?:Писид|Элиме|Мард|Гет|Дардан|Трибалл|Киртии|Киртия|Киртие|Долин)\w+",
         "к Элимеям"),
        (r" и (?:в |на )?[А-Я]\w+: эта область", "в Гелиополе и Навкратисе: эта область не свободна"),
        (r"с ничего|набрать наёмника|взял(?:и)? [А-Я]", "переставить Антипатра с ничего внутри"),
        (r"тайн[ыу] в нём|обещанные тайны|просьбы (?:начинаются|\()|следующей просьбы",
         "кроме приказов там есть просьбы (map)"),
    ],
}


# As it is written: by every command, to the moderator, in mails, on pages; and the guides.
WRITTEN = sorted(path.stem for path in (templates_dir() / "en").glob("*.yaml"))


def told(language: str) -> list[str]:
    """All that is kept of a language, rows of a table, too; and how it is written what stands in no kept file."""
    kept = [line for path in sorted(TOLD.glob(f"{language}.*")) for line in path.read_text("utf-8").splitlines()]
    guides = [line for path in sorted((templates_dir() / language / "guide").glob("*.md"))
              for line in path.read_text("utf-8").splitlines()]
    return kept + guides + [written for file in WRITTEN for written in flat(file, language).values()]


@pytest.mark.parametrize("language", WRONG)
def test_what_was_wrong_does_not_come_back(language: str) -> None:
    lines = told(language)
    assert len(lines) > 1500
    found = {pattern: [line[:160] for line in lines if re.search(pattern, line)][:3] for pattern, _ in WRONG[language]}
    assert {pattern: said for pattern, said in found.items() if said} == {}


LOGIC = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{\w*\}|`[^`]*`|\d{4}-\d\d-\d\d\S*", re.DOTALL)
AS_IT_IS = ("terms.cases", "terms.plural", "terms.date")


@pytest.mark.parametrize("language", sorted(set(WRONG) - {"en"}))
def test_what_is_written_has_the_dashes_and_quotation_marks_of_its_language_and_no_english(language: str) -> None:
    """Also what is said by commands and on pages, of which no kept file has every sentence."""
    rules = {**STRAIGHT, **HYPHEN, **LESS, **LEFT_OVER}
    found = []
    for file in WRITTEN:
        for key, written in flat(file, language).items():
            plain = LOGIC.sub("…", written if not written.startswith("[") else written[1:-1].replace('"', "").replace("'", ""))
            if not f"{file}.{key}".startswith(AS_IT_IS):
                found += [f"{file}.{key}: {plain[:120]} ({what})" for wrong, what in rules.items()
                          if re.search(wrong, plain if wrong in STRAIGHT else QUOTED.sub("…", plain))]
    assert found == []


# What a rule may have against a sentence of which a sample has not all facts as they are.
OF_LANGUAGE = {
    "two full stops", "a noun that does not go with its number", "a case that does not go with its preposition", "one of many",
    "no word of its rulebook", "a space before a percent sign",
    "many as one", "a preposition said twice", "a people without its article", "a name without its article",
    *(f"KeyError: '{case}'" for case in ("gen", "dat", "acc", "ins"))}


@pytest.mark.parametrize("language", languages())
def test_what_mails_and_commands_say_goes_with_its_numbers_and_prepositions(language: str) -> None:
    said = list(lines(language, ("mail", "phrases", "checks", "orders", "editions")))
    assert len({(one.file, one.key) for one in said if one.said}) > 350
    assert [one for one in said if OF_LANGUAGE & set(one.trouble)] == []


@pytest.mark.parametrize("language", ["de"])
def test_a_refusal_is_a_sentence_behind_a_colon(language: str) -> None:
    """German writes it with a capital; Russian and Italian go on small, unless a name begins it."""
    for key, written in flat("refusals", language).items():
        assert not LOGIC.sub("", written).lstrip()[:1].islower() or written.lstrip().startswith("{"), key


def test_a_russian_refusal_goes_on_small() -> None:
    names = ("Александра", "Полисперхонт", "МК", "Там")
    for key, written in flat("refusals", "ru").items():
        assert not written.lstrip()[:1].isupper() or written.startswith(names), key


@pytest.mark.parametrize(("language", "pattern", "wrong"), [
    (language, *row) for language, rows in WRONG.items() for row in rows])
def test_each_rule_finds_what_it_is_for(language: str, pattern: str, wrong: str) -> None:
    assert re.search(pattern, wrong)
