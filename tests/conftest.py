from hypothesis import settings

# Fixed seeds: the same tests pass or fail everywhere. `pytest --hypothesis-profile=prove` searches wider.
settings.register_profile("tests", derandomize=True, deadline=None, database=None)
settings.register_profile("prove", deadline=None, database=None, max_examples=5_000)
settings.load_profile("tests")
