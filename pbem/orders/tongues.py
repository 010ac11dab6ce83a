"""Orders in the player's own words: verbs and joining words of other languages, by the English word that the log has.

Names and kinds of CUs have aliases of their own in the data; here are only the words between them. Whoever writes English is
read as before: a line without any of these words is left as it is.
"""

import re

ALIASES = {
    "pass": "passe passen passt passo passa passare пас пасую пасует пропускаю пропустить",
    "yes": "ja sì да",
    "roll": "würfeln würfle würfel tira tirare tiro бросок бросить бросаю кубик",
    "end": "ende beenden конец закончить заканчиваю fine",
    "march": "marsch marschiere marschieren ziehe marcia marciare марш поход идти",
    "intercept": "abfangen intercetta intercettare intercetto перехват перехватить перехватываю перехватывание",
    "evade": "ausweichen evadi evadere evado уклониться уклоняюсь уклонение",
    "withdraw": "zurückweichen rinuncia rinunciare rinuncio отойти отхожу",
    "stay": "bleiben bleibe resta restare resto остаться остаюсь",
    "siege": "belagern belagere belagerung assedia assediare assedio осада осадить осаждаю",
    "play": "spiele spielen gioca giocare gioco играть играю сыграть",
    "lose": "verliere verlieren perdo perdere теряю потерять",
    "grant": "gewähre gewähren concedo concedere разрешаю разрешить",
    "refuse": "ablehnen verweigern nego negare отказываю отказать",
    "with": "mit con с со",
    "from": "von aus da из от",
    "to": "nach verso",
    "into": "в во",
    "all": "alle alles allen tutti tutte tutto все всё всем всеми",
    "and": "und и",
    "if": "wenn falls se если",
}
_ENGLISH = {own: english for english, words in ALIASES.items() for own in words.split()}

# Letters that look like the Latin ones which stand before the answers of a question.
_ALIKE = dict(zip("асеорхкіАВСЕНКМОРТХαβονκΑΒΕΗΙΚΜΝΟΡΤΧ", "aceopxkiABCEHKMOPTXabovkABEHIKMNOPTX", strict=True))
_LETTER = rf"^([{''.join(_ALIKE)}])(?=$|[\s).:,])"


def in_english(text: str) -> str:
    """The words between the names as the log has them; a letter of another alphabet that looks like an answer's is that one."""
    if text.isascii() and not _ENGLISH.keys() & set(re.findall("[a-z]+", text.lower())):
        return text
    text = re.sub(_LETTER, lambda found: _ALIKE[found[1]], text)
    return re.sub(r"[^\W\d_]+", lambda found: _ENGLISH.get(found[0].lower(), found[0]), text)
