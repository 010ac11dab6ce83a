"""Whole random games by the rules as they were when fewer of them had been mended: games that began then are played to their
end by these.

The referees know the rules as they are now, so nobody looks at the positions with them; but nobody may be stuck, and the log
alone gives the same position.
"""

from pbem.dev.games import READ_AGAIN, Wanted, chosen, whole_game
from pbem.editions import EDITIONS, NEWEST


def earlier(number: int) -> Wanted:
    """Every variant with every number of mended rules, one after the other; each is read again from its log."""
    variants, seed = len(EDITIONS), READ_AGAIN * number
    edition = tuple(EDITIONS)[number % variants]
    players = sorted(EDITIONS[edition].instant_points)
    return Wanted(seed, players[number // variants % len(players)], edition, chosen(seed, edition), looks=False,
                  fixes=number // variants % NEWEST)


def earlier_game(number: int) -> list[str]:
    """What is wrong with one of them."""
    return list(whole_game(earlier(number)).met.wrong)
