"""Everything in the bundle has its licence text; what has none stops the build."""

import pytest

from build import licences
from build.licences import MissingLicenceError, Package, installed_packages, packages_in, texts_of


def names(packages):
    return [package.name for package in packages]


def test_a_package_is_found_by_its_modules_and_libraries_and_not_listed_where_nothing_of_it_is_packed() -> None:
    packages = installed_packages()
    for packed, name in (
        ("numpy.linalg", "numpy"),
        ("numpy.libs/libgfortran-040039e1.so.5", "numpy"),
        (r"PySide6\Qt6Core.dll", "pyside6-essentials"),
    ):
        assert name in names(packages_in([packed], packages))
    assert "pytest" in names(packages)
    assert "pytest" not in names(packages_in(["numpy", "pyqtgraph.graphicsItems", "json"], packages))


def test_every_package_of_the_application_has_a_licence_text_and_one_without_stops_the_build() -> None:
    packages = {package.name: package for package in installed_packages()}
    for name in ("numpy", "pyqtgraph", "pyside6-essentials", "shiboken6", "colorama"):
        sizes = [text.stat().st_size for text in texts_of(packages[name])]
        assert min(sizes, default=0) > 200, name
    with pytest.raises(MissingLicenceError, match=r"novel 1\.0 brings no licence text"):
        texts_of(Package("novel", "1.0", "?", frozenset({"novel"}), ()))


def test_qt_comes_with_both_texts_that_the_lgpl_asks_for_and_every_text_of_a_table_is_there() -> None:
    for name, words in (
        ("LGPL-3.0.txt", "GNU LESSER GENERAL PUBLIC LICENSE"),
        ("GPL-3.0.txt", "GENERAL PUBLIC LICENSE"),
    ):
        assert words in (licences.TEXTS / name).read_text(encoding="utf-8")
    tables = (licences.QT_TEXTS, licences.TEXTS_OF_LIBRARIES.values(), *licences.TEXTS_OF_PACKAGES.values())
    assert {name for table in tables for name in table if not (licences.TEXTS / name).is_file()} == set()


def test_licences_are_packed_under_the_folder_that_about_shows_with_an_index_of_all_and_the_source_of_qt(tmp_path):
    chosen = [package for package in installed_packages() if package.name in {"numpy", "shiboken6"}]
    text = licences.index(chosen)
    for package in chosen:
        assert f"{package.name} {package.version}: " in text
    assert "code.qt.io" in text
    assert "LGPL-3.0.txt" in text
    entries = licences.collected(["numpy", "PySide6.QtCore"], tmp_path / "licences")
    packed = [name for name, _, _ in entries]
    assert f"{licences.FOLDER}/{licences.INDEX}" in packed
    # NumPy holds the licences of what it is made of, OpenBLAS among them.
    assert len([name for name in packed if name.startswith(f"{licences.FOLDER}/numpy/")]) > 5
