"""What Windows shows of the program under Properties > Details."""

import re
from pathlib import Path

from build import product

_LANGUAGE, _CODE_PAGE = 0x0409, 1200  # English, Unicode


def numbers(version: str) -> tuple[int, int, int, int]:
    """A version as the four numbers that Windows wants: 0.1.0 is (0, 1, 0, 0)."""
    found = [int(number) for number in re.findall(r"\d+", version)[:4]]
    first, second, third, fourth = (*found, 0, 0, 0, 0)[:4]
    return first, second, third, fourth


def text(version: str) -> str:
    """The resource in the words that PyInstaller reads."""
    strings = {
        "CompanyName": product.PUBLISHER,
        "FileDescription": product.NAME,
        "FileVersion": version,
        "InternalName": product.COMMAND,
        "LegalCopyright": product.COPYRIGHT,
        "ProductName": product.NAME,
        "ProductVersion": version,
    }
    rows = ", ".join(f"StringStruct({name!r}, {value!r})" for name, value in strings.items())
    return (
        f"VSVersionInfo(ffi=FixedFileInfo(filevers={numbers(version)}, prodvers={numbers(version)}, mask=0x3f, "
        "flags=0x0, OS=0x40004, fileType=0x1, subtype=0x0, date=(0, 0)), "
        f"kids=[StringFileInfo([StringTable('{_LANGUAGE:04X}{_CODE_PAGE:04X}', [{rows}])]), "
        f"VarFileInfo([VarStruct('Translation', [{_LANGUAGE}, {_CODE_PAGE}])])])\n"
    )


def write(path: Path) -> Path:
    """Write the resource of this version."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text(product.version()), encoding="utf-8")
    return path
