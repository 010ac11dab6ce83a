"""What several tests of the engine behind a page are tried on."""

import asked_once
import pytest


@pytest.fixture(scope="session")
def asked(tmp_path_factory: pytest.TempPathFactory) -> dict[str, asked_once.Asked]:
    """Every kind of question, once each."""
    return asked_once.each(tmp_path_factory.mktemp("led"))
