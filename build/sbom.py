"""What is in a bundle, for machines: a bill of materials in CycloneDX's words."""

import hashlib
import json
import platform
from pathlib import Path
from typing import Any

from build import licences, product


def bill(bundle: Path) -> dict[str, Any]:
    """The bill of materials of a bundle: its packages with versions and licences, and every file with its hash."""
    contents = product.contents(bundle)
    names = [path.relative_to(contents).as_posix() for path in contents.rglob("*")]
    packages = licences.packages_in(names, licences.installed_packages())
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": _component("application", product.COMMAND, product.version(), "MIT")},
        "components": [
            _component("platform", "python", platform.python_version(), "Python-2.0", "pkg:generic/python"),
            *(_component("library", p.name, p.version, p.licence, f"pkg:pypi/{p.name}") for p in packages),
            *(_file(path, bundle) for path in sorted(bundle.rglob("*")) if path.is_file() and not path.is_symlink()),
        ],
    }


def write(bundle: Path, target: Path) -> Path:
    """Write the bill of a bundle and return where."""
    target.write_text(json.dumps(bill(bundle), indent=1) + "\n", encoding="utf-8")
    return target


def _component(kind: str, name: str, version: str, licence: str, address: str = "") -> dict[str, Any]:
    component: dict[str, Any] = {
        "type": kind,
        "name": name,
        "version": version,
        "licenses": [{"license": {"name": licence}}],
    }
    return {**component, "purl": f"{address}@{version}"} if address else component


def _file(path: Path, bundle: Path) -> dict[str, Any]:
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    name = path.relative_to(bundle).as_posix()
    return {"type": "file", "name": name, "hashes": [{"alg": "SHA-256", "content": digest}]}
