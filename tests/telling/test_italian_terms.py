"""The words of the Italian 4th edition, as `test_terms` holds those of the German and the Russian book."""

from pbem.base.language import sentences
from pbem.components.catalogue import facts
from pbem.dev.sentences import flat

TERMS = {
    "segment.surrender": "Segmento Resa", "segment.tyche": "Segmento Tyche", "segment.activation": "Segmento Attivazione",
    "segment.forage": "Segmento Vettovagliamento", "phase.preparations": "Fase Preparativi",
    "phase.reinforcements": "Fase Rinforzi", "phase.deal": "Fase Distribuzione Carte Tyche", "phase.strategy": "Fase Strategia",
    "phase.isolation": "Fase Isolamento", "phase.turn_end": "Fine del Turno", "card_kind.event": "una carta Evento",
    "card_kind.bonus": "una carta Bonus", "card_kind.surprise": "una carta Sorpresa", "kind.province": "una Provincia",
    "kind.royal": "un Membro della Famiglia Reale", "status.champion": "Campione", "status.successor": "Successore",
    "status.usurper": "Usurpatore", "total.L": "L", "total.VP": "PV", "source.lord_of_asia": "Signore dell'Asia",
    "source.largest_fleet": "Flotta Più Grande", "source.hellespont": "Ellesponto", "source.sacred_ground": "Terreno Sacro",
    "source.tomb": "Tomba", "source.helepolis": "Elepoli", "source.legitimacy": "Legittimità", "source.own_capital": "Capitale",
    "victory.instant-L": "Vittoria Istantanea per Legittimità", "victory.regency": "Vittoria per Reggenza",
    "cu.local_troops": "Truppe Locali", "cu.elephant": "Elefanti", "cu.mercenary": "Mercenari", "cu.silver": "Scudi d'Argento",
    "cu.royal": "Reali", "cu.loyal": "Leali", "place.dispersed box": "Casella Dispersi",
    "place.holding box": "casella di raccolta", "dice_table.battle": "la Tabella Battaglia",
    "dice_table.attrition": "la Tabella Attrito", "dice_table.siege": "la Tabella Assedio",
    "window.free_passage": "Libero Passaggio", "window.naval_battle": "una Battaglia Navale",
}
TOLD = {
    "events.overrun_began": "annienta", "events.battle_began": "Battaglia Terrestre", "events.attrition_rolled": "Attrito",
    "events.withdrew": "ha rinunciato", "events.evasion_rolled": "evadere", "events.passage_asked": "Libero Passaggio",
    "events.isolated": "isolato", "events.general_dispersed": "ha disperso", "events.condemned": "condannato",
    "events.local_troops": "Truppe Locali", "events.battle_strength": "Forza", "events.battle_rolled": "Punteggio",
    "events.siege_points_changed": "Punti Assedio", "events.prestige_compared": "Prestigio", "events.disbanded": "sciolto",
    "events.mercenary_raised": "ha introdotto", "events.fleet_upgraded": "potenziato", "events.general_recruited": "reclutato",
    "events.pc_placed": "ha messo", "events.card_discarded": "scartato", "events.heir_assassinated": "assassinato",
    "events.cart_lost": "Carro Funebre", "events.retreated": "ritirato", "events.command_chosen": "comando",
    "events.champion_lost": "Successore", "lasting.training": "addestramento", "lasting.dispersed": "Casella Dispersi",
    "refusals.no_pc_on_transit_point": "Punto di Transito", "refusals.city_needs_siege": "Città Maggiore",
    "refusals.no_place_for_independent_pc": "Città Minore o in una Roccaforte",
}
CARDS = {
    "1": "Bere la Cicuta", "4": "Epidemia", "5": "Mercenari Greci", "7": "Mercenari Traci", "8": "Mercenari Cappadoci",
    "11": "La Flotta Pontica", "12": "Rinforzi Macedoni", "14": "L'Elepoli", "15": "Condanna", "16": "Coloni Militari Egizi",
    "17": "Disordini", "19": "I Disordini si Allargano", "20": "Campagna Maggiore", "24": "Diserzioni",
    "26": "Supporto Popolare Persiano", "27": "Piani per Conto Loro", "28": "Pirati di Kilikia",
    "29": "Eurydike Parla in favore di Philippos", "31": "Kleopatra si Offre in Sposa", "32": "Thessalonike si Offre in Sposa",
    "33": "Migrazione delle Tribù Illiriche", "34": "Invasione Scita", "35": "23.000 Soldati Greci",
    "40": "Città Tesoro Saccheggiata", "47A": "Scudi d'Argento", "48": "Dispositivi Anti-Elefanti",
    "49": "Traditore all'Interno della Città", "50": "Bugiardo Cretese", "53": "Nebbia", "54": "Ammutinamento",
    "55": "Tempeste Marine", "57": "Dono dell'Oratoria", "58": "Ahura Mazda e Ahriman", "O60": "Superiorità di Cavalleria",
    "O62": "Fondazione di una Capitale", "O63": "Matrimonio Diplomatico", "O64": "Oracolo", "O65": "Il Fantasma di Alessandro",
    "O66": "Ammiraglio Superiore", "O68": "Il Prezzo del Fallimento", "O69": "Porto Rifornito",
}


def test_a_term_is_that_of_the_italian_book() -> None:
    known = flat("terms", "it")
    assert {key: known[key] for key in TERMS} == TERMS


def test_what_happens_is_told_with_the_words_of_the_italian_book() -> None:
    for key, word in TOLD.items():
        file, _, name = key.partition(".")
        assert word in flat(file, "it")[name], key


def test_a_card_has_the_title_that_the_italian_book_gives_it() -> None:
    titles = sentences("it", "terms")["name"]["card"]
    assert {id: titles[id] for id in CARDS} == CARDS and CARDS.keys() <= facts().cards.keys()
