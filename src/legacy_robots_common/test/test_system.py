# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The registry: systems of one name in two packages, and systems of some packages alone."""

import pytest

from legacy_robots_common import system as registry


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Installs packages that declare a system; the registry then knows them alone."""
    monkeypatch.setenv(registry.ONLY_OF, "")
    registry.systems.cache_clear()

    def install(package, name):
        place = tmp_path / package
        metadata = place / f"{package}-0.1.0.dist-info"
        metadata.mkdir(parents=True)
        (metadata / "METADATA").write_text(f"Name: {package}\nVersion: 0.1.0\n")
        entry = f"[{registry.GROUP}]\n{name} = {package}:SYSTEM\n"
        (metadata / "entry_points.txt").write_text(entry)
        (place / f"{package}.py").write_text(
            "from legacy_robots_common.system import Place, System\n"
            f"SYSTEM = System('{name}', '', '', {{}}, {{}}, Place('base', 0.0, 0.0))\n"
        )
        monkeypatch.syspath_prepend(str(place))
        return place

    yield install
    registry.systems.cache_clear()


def test_two_systems_of_one_name_are_an_error_with_both_places(installed):
    places = [installed("one_registry_test", "twice"), installed("other_registry_test", "twice")]
    with pytest.raises(registry.DuplicateSystemError) as error:
        registry.systems()
    assert "'twice'" in str(error.value)
    assert all(str(place) in str(error.value) for place in places)


def test_the_systems_of_some_packages_alone_can_be_known(installed, monkeypatch):
    installed("one_registry_test", "one")
    installed("other_registry_test", "other")
    assert {"one", "other"} <= set(registry.names())
    registry.systems.cache_clear()
    monkeypatch.setenv(registry.ONLY_OF, "one_registry_test,nothing")
    assert registry.names() == ("one",)
