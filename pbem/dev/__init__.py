"""For those who work on pbem: random play, proofs, measurements."""
