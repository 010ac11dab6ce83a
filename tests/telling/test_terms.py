"""The words of the books: the German 4th edition's, the Russian 3rd edition's. A term is one word, wherever it stands.

Russian is compared without the dots of ё, which the book does not print.
"""

import re

import pytest

from pbem.base.language import sentences
from pbem.base.paths import data_dir, templates_dir
from pbem.components.catalogue import facts
from pbem.dev.sentences import flat

# Key in terms.yaml: German, Russian.
TERMS = {
    "segment.surrender": ("Übergabe-Segment", "сегмент капитуляции"), "segment.tyche": ("Tyche-Segment", "сегмент Тихе"),
    "segment.activation": ("Aktivierung-Segment", "сегмент движения"),
    "segment.forage": ("Versorgung-Segment", "сегмент фуражировки"),
    "phase.preparations": ("Zug-Vorbereitungsphase", "фаза подготовки"),
    "phase.reinforcements": ("Nachschubphase", "фаза подкрепления"),
    "phase.deal": ("Tyche-Kartenphase", "раздача карточек Тихе"), "phase.strategy": ("Strategiephase", "фаза стратегии"),
    "phase.isolation": ("Isolationsphase", "фаза изоляции"), "phase.turn_end": ("Endphase", "конец хода"),
    "card_kind.event": ("eine Ereigniskarte", "карточка события"),
    "card_kind.bonus": ("eine Bonuskarte", "карточка-«бонус»"),
    "card_kind.surprise": ("eine Überraschungskarte", "карточка-«сюрприз»"),
    "kind.space": ("Ort", "область"), "kind.province": ("Provinz", "провинция"),
    "kind.general": ("General", "военачальник"),
    "kind.royal": ("Mitglied der Königsfamilie", "член царского семейства"), "kind.fleet": ("Flotte", "флот"),
    "kind.card": ("Karte", "карточка"), "status.champion": ("Champion", "защитник"),
    "status.successor": ("Nachfolger", "диадох"),
    "status.usurper": ("Usurpator", "узурпатор"), "total.L": ("L", "Л"), "total.VP": ("SP", "ПО"),
    "source.lord_of_asia": ("Beherrscher Asiens", "царь Азии"),
    "source.largest_fleet": ("Größte Flotte", "самый большой флот"),
    "source.hellespont": ("Hellespont", "Геллеспонт"), "source.sacred_ground": ("Heiliger Boden", "священная земля"),
    "source.tomb": ("Grabmal", "гробница"), "source.helepolis": ("Helepolis", "гелеполис"),
    "source.legitimacy": ("Legitimität", "легитимность"), "source.own_capital": ("Hauptstadt", "столица"),
    "victory.instant-L": ("Sofortiger Sieg durch Legitimität", "автоматическая победа по легитимности"),
    "victory.regency": ("Regentschaftssieg durch den Erben", "победа регента при наследнике"),
    "cu.local_troops": ("Lokale Truppen", "местных войск"), "cu.elephant": ("Elefanten", "слонов"),
    "cu.mercenary": ("Söldner", "наемных"),
    "cu.silver": ("Silberschilde", "аргираспидов"), "place.dispersed box": ("Aufgerieben-Feld", "ячейка рассеянных"),
    "place.holding box": ("Ablagefeld", "специальная ячейка"),
    "dice_table.attrition": ("die Zermürbungstabelle", "таблица истощения"),
    "window.interception": ("Abfangen", "перехватывание"), "window.evasion": ("Ausweichen", "уклонение от битвы"),
    "window.free_passage": ("Freie Passage", "дружественный проход"), "window.naval_battle": ("Seeschlacht", "морской бой"),
    "section.generals": ("Generäle", "военачальники"),
    "section.minor_generals": ("Unter-Generäle", "младшие военачальники"),
    "section.independents": ("Unabhängige Armeen", "независимые войска"),
}

# A sentence, and the word of the book that it is told with.
TOLD = {
    "events.overrun_began": ("überrennt", "опрокидывает"), "events.battle_began": ("Landschlacht", "бой на суше"),
    "events.attrition_rolled": ("Zermürbung", "Истощение"), "events.withdrew": (" zurück", "отказался от битвы"),
    "events.evasion_rolled": ("auszuweichen", "уклоняется от битвы"),
    "events.passage_asked": ("Freie Passage", "дружественного прохода"),
    "events.isolated": ("isoliert", "изолирован"), "events.general_dispersed": ("aufgerieben", "рассеял"),
    "events.condemned": ("verachtet", "осужден"), "events.local_troops": ("Lokale Truppen", "Местные войска"),
    "events.battle_strength": ("Stärke", "Сила битвы"), "events.battle_rolled": ("Schlachtenwert", "счет битвы"),
    "events.siege_points_changed": ("Belagerungspunkte", "Очки осады"), "events.prestige_compared": ("Prestige", "Престиж"),
    "events.disbanded": ("löste", "расформировал"), "events.mercenary_raised": ("hob", "сформировал наемную"),
    "events.fleet_upgraded": ("verbesserte", "усилил"), "events.general_recruited": ("rekrutierte", "ввел в игру"),
    "events.pc_placed": ("platzierte", "'поместил'"), "events.card_discarded": ("legte", "сбросил"),
    "events.heir_assassinated": ("ermordet", "убит"), "events.cart_lost": ("Begräbniswagen", "колесница"),
    "events.reinforcements_due": ("Nachschub", "Подкрепления"), "events.retreated": ("zog sich", "отступил"),
    "events.command_chosen": ("Befehl", "командующим"), "events.champion_lost": ("Nachfolger", "диадох"),
    "lasting.training": ("bildet", "обучает"), "lasting.dispersed": ("Aufgerieben-Feld", "ячейке рассеянных"),
    "refusals.no_pc_on_transit_point": ("Transitpunkt", "точка перехода"),
    "refusals.city_needs_siege": ("Große Stadt", "большой город"),
    "refusals.minor_city_is_not_besieged": ("Große Stadt", "большой город"),
    "refusals.no_place_for_independent_pc": ("Kleine Stadt oder eine Festung", "малый город или укрепление"),
    "phrases.waiting_for": ("Gewartet", "Ждем"),
}

# Cards by how the books call them; those that a book does not name are not here.
CARDS = {
    "1": ("Den Schierling trinken", "Пей болиголов"), "2": ("Diplomatie", "Дипломатия"), "4": ("Epidemie", "Эпидемия"),
    "5": ("Griechische Söldner", "Греческие наемники"), "7": ("Thrakische Söldner", "Фракийские наемники"),
    "8": ("Kappadokische Söldner", ""), "11": ("Die pontische Flotte", ""),
    "12": ("Makedonische Verstärkung", "Македонские подкрепления"),
    "14": ("Die Helepolis", "Гелеполис"), "15": ("Verachtung", ""), "16": ("Ägyptische Militärkolonisten", ""),
    "17": ("Unruhen", "Беспорядок"), "19": ("Unruhen breiten sich aus", "Беспорядок распространяется"),
    "20": ("Großer Feldzug", "Большая кампания"), "24": ("Desertierungen", ""),
    "26": ("Unterstützung des persischen Volkes", "Поддержка персидского населения"),
    "27": ("Eigene Pläne", "Их собственные планы"),
    "28": ("Kilikische Seeräuber", "Киликийские пираты"), "29": ("Eurydike spricht für Philippos", ""),
    "30": ("", "Филипп III убегает от опекуна"), "31": ("Kleopatra bietet die Heirat an", "Клеопатра предлагает брак"),
    "32": ("Thessalonike bietet die Heirat an", ""), "33": ("Migration Illyrischer Stämme", ""),
    "34": ("Skythische Invasion", ""),
    "35": ("23.000 Griechische Soldaten", ""), "37": ("Kassandros", "Кассандр"), "40": ("Geplünderte Schatzstadt", ""),
    "43": ("", "Предатель"), "44": ("", "Предательство"), "47A": ("Silberschilde", "Аргираспиды"),
    "48": ("Elefanten-Abwehr", "Противослоновые устройства"), "49": ("Verräter in der Stadt", "Предатель внутри города"),
    "50": ("Kretischer Lügner", "Критянин-лжец"), "53": ("Nebel", "Туман"), "54": ("Meuterei", "Мятеж"),
    "55": ("Sturm auf See", "Шторма на море"), "57": ("Die Rednergabe", "Дар красноречия"),
    "58": ("Ahura Mazda & Ahriman", ""), "O60": ("Überlegene Reiterei", ""), "O62": ("Gründung einer Hauptstadt", ""),
    "O63": ("Diplomatische Heirat", ""), "O64": ("Orakel", ""), "O65": ("Alexanders Geist", ""),
    "O66": ("Überlegener Admiral", ""),
    "O68": ("Preis des Versagens", ""), "O69": ("Neue Lieferung im Hafen", ""),
}

# People as the Russian book names them.
PEOPLE = {
    "perdikkas": "Пердикка", "antipatros": "Антипатр", "krateros": "Кратер", "ptolemaios": "Птолемей",
    "leonnatos": "Леоннат",
    "peithon": "Пифон", "antigonos": "Антигон", "eumenes": "Евмен", "lysimachos": "Лисимах", "seleukos": "Селевк",
    "polyperchon": "Полисперхонт", "demetrios": "Деметрий", "kassandros": "Кассандр", "peukestas": "Певкест",
    "ariarathes": "Ариарат", "alexandros": "Александр IV", "philippos": "Филипп III", "herakles": "Геракл",
    "olympias": "Олимпиада",
    "kleopatra": "Клеопатра", "thessalonike": "Фессалоника",
}
PROVINCES = {
    "aigyptos": "Египет", "armenia": "Армения", "babylonia": "Вавилония", "epeiros": "Эпир", "hellas": "Греция",
    "karia": "Кария",
    "hyrkania": "Гиркания", "kappadokia": "Каппадокия", "kilikia": "Киликия", "koile_syria": "Келесирия", "kypros": "Кипр",
    "libye": "Ливия", "lydia": "Лидия", "makedonia": "Македония", "media": "Мидия", "mikra_phrygia": "Геллеспонтина",
    "persis": "Персида", "phoenike": "Финикия", "phrygia": "Фригия", "sousiane": "Сузиана", "syria": "Сирия",
    "thessalia": "Фессалия", "thrake": "Фракия",
}
LANGUAGES = ("de", "ru")


def as_printed(text: str) -> str:
    return text.replace("ё", "е").replace("Ё", "Е")


@pytest.mark.parametrize(("place", "language"), list(enumerate(LANGUAGES)))
def test_a_term_is_that_of_the_book(place: int, language: str) -> None:
    known = flat("terms", language)
    assert {key: as_printed(known[key]) for key in TERMS} == {key: words[place] for key, words in TERMS.items()}


@pytest.mark.parametrize(("place", "language"), list(enumerate(LANGUAGES)))
def test_what_happens_is_told_with_the_words_of_the_book(place: int, language: str) -> None:
    for key, words in TOLD.items():
        file, _, name = key.partition(".")
        assert words[place] in as_printed(flat(file, language)[name]), key


@pytest.mark.parametrize(("place", "language"), list(enumerate(LANGUAGES)))
def test_a_card_has_the_title_that_the_book_gives_it(place: int, language: str) -> None:
    titles = sentences(language, "terms")["name"]["card"]
    for id, words in CARDS.items():
        if words[place]:
            assert as_printed(titles.get(id, words[place])) == words[place] and id in facts().cards


def test_a_game_is_called_what_the_german_book_calls_it() -> None:
    """Successors and one game of it alike are a Spiel there."""
    texts = [*(templates_dir() / "de").rglob("*.*"), data_dir() / "verifier.html"]
    assert len(texts) > 15 and [path.name for path in texts if re.search(r"\bPartien?\b", path.read_text("utf-8"))] == []


@pytest.mark.parametrize("names", [PEOPLE, PROVINCES], ids=["people", "provinces"])
def test_a_name_is_written_as_the_russian_book_writes_it(names: dict[str, str]) -> None:
    known = sentences("ru", "terms")["name"]
    forms = {**known["general"], **known["royal"], **known["province"]}
    assert {id: as_printed(forms[id][0]) for id in names} == names
