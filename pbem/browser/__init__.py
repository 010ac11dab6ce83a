"""The order desk of a page: what a reader's own browser answers, with the very rules that will judge his orders.

One request in, one answer out, both JSON. It knows the published log and what the reader says he holds: no private file, no
dice, nothing that writes. It imports neither mail nor click nor imapclient, for the browser has none of them.
"""
