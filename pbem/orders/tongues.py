"""Orders in the player's own words: verbs and joining words of other languages, by the English words that the log has.

One table reads and writes: the first word of a language is the one that it is offered in. Names and kinds of CUs have forms of
their own in the terms of a language; here are only the words between them. Whoever writes English is read as before: a line
without any of these words is left as it is. What stands behind a `=` is only written: it is English already, or another word of
the table that does as well.
"""

import re
from functools import cache

TONGUES = ("de", "it", "ru")
WORDS = {
    # 9 and before: one's own turn
    "roll": "würfeln, würfle, würfel | tira, tirare, tiro | бросок, бросить, бросаю, кубик",
    "raise mercenary at": "ausheben Söldner in, anwerben Söldner in | arruola Mercenario presso | сформировать наёмную БЧ в,"
    " набрать наёмника в",
    "activate": "aktivieren, aktiviere | attiva, attivare, attivo | активировать, активирую",
    "march": "marschieren, marsch, marschiere, ziehe | marcia, marciare | идти, марш, поход",
    "shift": "umstellen | riposiziona | переставить",
    "pick up": "aufnehmen, nimm auf | prendi, raccogli | взять",
    "drop": "absetzen | lascia | оставить",
    "split": "teilen, teile | dividi | разделить",
    "place minor": "aufstellen Unter-General | metti Generale Minore | выставить младшего",
    "remove minor at": "entfernen Unter-General in | togli Generale Minore presso | убрать младшего в",
    "remove minor": "entfernen Unter-General | togli Generale Minore | убрать младшего",
    "disband": "auflösen | sciogli | расформировать, распустить",
    "royal at": "königliche in, königlichen in | Reali presso, Reale presso | царских в, царскую в, царские в",
    "use ability of": "Fähigkeit nutzen von | usa l'abilità di | способность",
    "independent": "unabhängig | indipendente | независимый",
    "place pc at": "setzen K-Marker in | metti CP presso | поставить МК в",
    "remove pc at": "entfernen K-Marker in | togli CP presso | убрать МК в",
    "embark": "einschiffen | imbarca | погрузить",
    "escorted by": "geleitet von | scortato da | эскорт",
    "sail": "segeln, segle | naviga | плыть",
    "disembark": "ausschiffen | sbarca | высадить",
    "naval battle with": "Seeschlacht mit | Battaglia Navale con | морской бой, флоты",
    "siege": "belagern, belagere, belagerung | assedia, assediare, assedio | осаждать, осада, осадить, осаждаю",
    "end activation": "Aktivierung beenden | fine Attivazione | конец активации",
    "end segment": "Segment beenden | fine Segmento | конец сегмента",
    "surrender": "Übergabe | Resa | капитуляции, капитуляция",
    "tyche": "=Tyche | =Tyche | Тихе",
    "forage": "Versorgung | Vettovagliamento | фуражировки, фуражировка",
    "end": "ende, beenden | fine | конец, закончить, заканчиваю",
    "deploy": "aufbieten | schiera | расставить",
    "give back": "zurückgeben | restituisci | вернуть",
    "sit": "Sitzordnung | posti | рассадка",
    "first player": "erster Spieler | primo giocatore | первый игрок",
    "left": "links | sinistra | налево",
    "right": "rechts | destra | направо",
    "reinforce": "verstärken | rinforza | подкрепление в",
    "bury Alexander": "Alexander begraben | seppellisci Alessandro | похоронить Александра",
    "turn up": "aufdecken | scopri | открыть",
    "build capital at": "baue Hauptstadt bei | costruisci capitale a | построить столицу в",
    "loot": "plündern | saccheggia | разграбить",
    "play": "spielen, spiele | gioca, giocare, gioco | сыграть, играть, играю",
    "force march": "Gewaltmarsch | marcia forzata | форсированный марш",
    "discard": "ablegen, abwerfen | scarta | сбросить",
    "train": "ausbilden | addestra | обучить",
    "finish cart with": "fertigstellen Begräbniswagen mit | completa il Carro con | достроить колесницу с",
    "retrieve fleet": "zurückholen Flotte | recupera flotta | возвратить флот",
    "upgrade fleet": "verbessern Flotte, ausbauen Flotte | potenzia flotta | усилить флот",
    "recruit": "rekrutieren | recluta | ввести в игру, призвать",
    # answers
    "pass": "passe, passen, passt | passo, passa, passare | пас, пасую, пасует, пропускаю, пропустить",
    "yes": "ja | sì | да",
    "intercept": "abfangen, abfange, fange ab | intercetta, intercettare, intercetto | перехватить, перехват, перехватываю,"
    " перехватывание",
    "withdraw": "zurückweichen | rinuncia, rinunciare, rinuncio | отойти, отхожу",
    "stay": "bleiben, bleibe | restare, resta, resto | остаться, остаюсь",
    "evade": "ausweichen | evadi, evadere, evado | уклониться, уклоняюсь, уклонение",
    "grant": "gewähren, gewähre | concedo, concedere | разрешить, разрешаю",
    "refuse": "verweigern, ablehnen | nego, negare | отказать, отказываю",
    "reroll": "neu würfeln | ritira | перебросить",
    "honour": "einhalten | rispetta | соблюсти",
    "break": "brechen | viola | нарушить",
    "attack": "angreifen, greife an | attacca, attacco | атаковать, атакую",
    "command": "befehligen | comanda | назначить командующим",
    "lose": "verlieren, verliere | perdo, perdere | потерять, теряю",
    "choose": "wählen | scegli | выбрать",
    # what joins the names
    "with": "mit | con | с, со",
    "with nothing": "=mit nichts | =con niente | ни с чем",
    "leaving": "zurücklassend, lässt | lasciando | оставив",
    "asking passage of": "Passage erbeten von | chiedendo Passaggio a | прося прохода у",
    "openly via": "offen über | apertamente per | открыто через",
    "openly": "offen | apertamente | открыто",
    "inside": "drinnen | dentro | внутри",
    "outside": "draußen | fuori | снаружи",
    "under": "unter | sotto | под началом",
    "using": "durch | usando | используя",
    "playing": "samt Karte, spielt | giocando | сыграв",
    "placing": "dazu, stellt auf | mettendo | выставив",
    "discarding": "gegen Abwurf | scartando | сбросив карточку",
    "to": "zum, nach | per, verso | чтобы",
    "lead": "Führen, Führung | comandare, comando | командовать",
    "on to": "weiter nach | avanti verso | дальше в",
    "as": "als | come | как",
    "event": "Ereignis | evento | событие",
    "ops": "Aktionspunkte | PO | очки",
    "bonus": "=Bonus | =bonus | бонус",
    "surprise": "Überraschung | Sorpresa | сюрприз",
    "on": "Ziel | su | цель",
    "choosing": "Auswahl, Wahl | scegliendo | выбрав",
    "taking": "und zwar, nimmt | prendendo | взяв",
    "then": "dann | poi | затем",
    "from": "von, aus | da | из, от",
    "at": "=in | presso | =в, на, у",
    "into": "=in, ins | =in, entro | в, во",
    "all": "alles, alle, allen, allem | tutto, tutti, tutte | всё, все, всем, всеми, всего, полным составом",
    "nothing": "nichts | niente | ничего, ничем",
    "no fleets": "keiner Flotte, keine Flotten | nessuna flotta | без флотов",
    "a minor": "ein Unter-General, einem Unter-General, einen Unter-General | un Generale Minore | младший военачальник,"
    " младшего военачальника",
    "pc": "K-Marker | CP | МК",
    "card": "Karte | carta | карточка",
    "province": "Provinz | Provincia | провинция",
    "fleet": "Flotte | flotta | флот",
    "cu": "KV | UC | БЧ",
    "sea": "auf See | in mare | на море",
    "loyal": "loyale | Leali | верных",
    "mercenary": "Söldner | Mercenari | наёмных",
    "cavalry": "Kavallerie | Cavalleria | конных",
    "and": "und | e, ed | и",
    # conditions
    "MP": "BP | PM | ОД",
    "passes": "=passt | =passa | =пасует",
    "acts": "handelt | agisce | действует",
    "not at": "nicht in | non presso | не в",
    "is not": "ist nicht | non è | не принадлежит",
    "is": "ist | è | принадлежит",
    "uncontrolled": "unkontrolliert | non controllato | никому, ничей",
    "if": "wenn, falls | se | если",
    "unless": "außer wenn | a meno che | кроме если",
    "regardless": "trotzdem | comunque | несмотря ни на что",
    "else": "sonst | altrimenti | иначе",
    "always": "immer | sempre | всегда",
    # answers in advance
    "standing": "Dauerbefehl, Dauerbefehle | ordine permanente, ordini permanenti | постоянный приказ, постоянные приказы",
    "cancel": "zurücknehmen | annulla | отменить",
    "list": "Liste | elenco | список",
    "once": "einmal | una volta | один раз",
    "twice": "zweimal | due volte | дважды",
    "times": "Mal | volte | раз, раза",
    "until the turn ends": "bis der Spielzug endet | fino alla fine del Turno | до конца хода",
    "against": "gegen | contro | против",
    "evade from": "ausweichen vor | evadi da | уклониться от",
    "grant to": "=gewähren | concedo a | =разрешить",
    "refuse to": "=verweigern | nego a | =отказать",
    "any General": "irgendeinem General | un Generale qualsiasi | любым военачальником",
    "pass on interception": "passe beim Abfangen | passo sull'intercettazione | пас на перехват",
    "pass on evasion": "passe beim Ausweichen | passo sull'evasione | пас на уклонение",
    "pass on the city": "passe bei der Stadt | passo sulla città | пас насчёт города",
    "pass on naval battle": "passe bei Seeschlachten | passo sulla Battaglia Navale | пас на морской бой",
    "I win": "Siegchance | vittoria al | шанс победы",
    "they win": "Gegenchance | sconfitta al | шанс врага",
    "my odds are better than": "Siegchance über | vittoria oltre il | шанс победы больше",
    "his odds are better than": "Gegenchance über | sconfitta oltre il | шанс врага больше",
    "I would lose": "Niederlage droht | sconfitta probabile | грозит поражение",
    "is enough": "reicht | basta | достаточно",
    "they have at least": "Gegner mit mindestens | avversario con almeno | у врага не меньше",
    "they have at most": "Gegner mit höchstens | avversario con al massimo | у врага не больше",
    "they have more than": "Gegner mit über | avversario con più di | у врага больше",
    "they have fewer than": "Gegner mit unter | avversario con meno di | у врага меньше",
}

JOINING = frozenset(word for words in WORDS for word in words.split())

# What is to be filled in, where it is shown how an order is written.
HOLES = {
    "GENERAL": "GENERAL | GENERALE | ВОЕНАЧАЛЬНИК",
    "MINOR": "UNTERGENERAL | MINORE | МЛАДШИЙ",
    "PIECES": "FIGUREN | PEZZI | ФИШКИ",
    "PATH": "WEG | PERCORSO | ПУТЬ",
    "SPACE": "ORT | SPAZIO | ОБЛАСТЬ",
    "SPACES": "ORTE | SPAZI | ОБЛАСТИ",
    "LOCATION": "STELLE | POSTO | МЕСТО",
    "SEAT": "FARBE | COLORE | ЦВЕТ",
    "SEATS": "FARBEN | COLORI | ЦВЕТА",
    "CIRCLE": "RUNDE | GIRO | КРУГ",
    "CARD": "KARTE | CARTA | КАРТОЧКА",
    "FLEET": "FLOTTE | FLOTTA | ФЛОТ",
    "FLEETS": "FLOTTEN | FLOTTE | ФЛОТЫ",
    "NUMBER": "ZAHL | NUMERO | ЧИСЛО",
    "TARGET": "ZIEL | BERSAGLIO | ЦЕЛЬ",
    "LETTER": "BUCHSTABE | LETTERA | БУКВА",
}

# What a language writes, and what it is in English.
SPOKEN: dict[str, dict[str, str]] = {tongue: {} for tongue in TONGUES}
ALIASES: dict[str, str] = {}
for _english, _row in WORDS.items():
    for _tongue, _own in zip(TONGUES, _row.split(" | "), strict=True):
        SPOKEN[_tongue][_english] = _own.split(", ")[0].lstrip("=")
        for _word in (word.lower() for word in _own.split(", ") if not word.startswith("=")):
            ALIASES.update({_word: _english, _word.replace("ß", "ss"): _english})       # as capitals have it, and the Swiss
_FIRST = {word.split()[0].partition("-")[0].partition("'")[0] for word in ALIASES}

# Letters that look like the Latin ones which stand before the answers of a question.
ALIKE = dict(zip("асеорхкіАВСЕНКМОРТХαβονκΑΒΕΗΙΚΜΝΟΡΤΧ", "aceopxkiABCEHKMOPTXabovkABEHIKMNOPTX", strict=True))
# Letters that are plain ones where case is ignored, and nowhere else: a Turkish keyboard has two of them.
PLAIN = str.maketrans("İıſᲀᲁᲂᲃᲄᲅᲆ", "Iisвдосттъ")


def latin(text: str) -> str:
    """With Latin letters for those that only look like them: 9.3A of a Russian keyboard."""
    return "".join(ALIKE.get(letter, letter) for letter in text)


def in_words_of(tongue: str, english: str) -> str:
    """How an order is written, or an example of one, with the words of a language; what is to be filled in stays."""
    if tongue not in TONGUES:
        return english
    longest = sorted((*WORDS, *HOLES), key=lambda words: (-len(words), words))
    found = re.compile(rf"(?<![^\W_])(?:{'|'.join(map(re.escape, longest))})(?![^\W_])")
    own = TONGUES.index(tongue)
    return found.sub(lambda words: SPOKEN[tongue].get(words[0]) or HOLES[words[0]].split(" | ")[own], english)


@cache
def _answers() -> re.Pattern[str]:
    """Where an answer may begin there is such a letter, and no word of one letter: `e` is no and, `с` is no with."""
    others = ("else", "otherwise", *(SPOKEN[tongue]["else"] for tongue in TONGUES))
    behind = (f"(?<={word}{mark} )" for word in others for mark in ("", ",", ":"))
    before = "|".join(("^", "(?<=[:;|])", "(?<=[:;|] )", *behind))
    return re.compile(rf"(?i:{before})([A-Za-z{''.join(ALIKE)}])(?=$|[\s).:;,!])")


@cache
def _phrases() -> re.Pattern[str]:
    longest = sorted(ALIASES, key=lambda word: (-len(word), word))
    return re.compile(rf"(?<![^\W_])(?:{'|'.join(map(re.escape, longest))})(?![^\W_])", re.IGNORECASE)


def in_english(text: str) -> str:
    """The words between the names as the log has them; a letter of another alphabet that looks like an answer's is that one."""
    if text.isascii() and not _FIRST & set(re.findall("[a-z]+", text.lower())):
        return text
    parts = _answers().split(text.translate(PLAIN))         # every other one is a letter
    parts[1::2] = map(latin, parts[1::2])
    parts[::2] = (_phrases().sub(lambda found: ALIASES[found[0].lower()], part) for part in parts[::2])
    return "".join(parts)
