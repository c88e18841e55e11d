"""The downloads for Linux: an archive with an installer, a Debian package, an AppImage where its runtime is given."""

import platform
import shutil
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from build import archives, elf, icons, product
from build.product import BUILD, COMMAND, ROOT, WORK

RECIPES: Final = BUILD / "linux"
_FOR_ALL: Final = "usr/share"
# Debian's names of machines.
MACHINES: Final = {"x86_64": "amd64", "aarch64": "arm64"}
# Ubuntu and newer Debians have renamed it.
_RENAMED: Final = {"libglib2.0-0": "libglib2.0-0 | libglib2.0-0t64"}


def make(bundle: Path, name: str, appimage_runtime: Path | None) -> list[Path]:
    """Make the downloads of a bundle under a name such as pe-desktop-0.1.0-linux-x86_64 and return them."""
    add_installer(bundle)
    made = [archives.tar_xz(bundle, product.DIST / f"{name}.tar.xz", name), _debian_package(bundle, name)]
    if appimage_runtime is not None:
        made.append(appimage(bundle, name, appimage_runtime))
    return made


def filled(text: str) -> str:
    """A recipe with the facts of this version in it."""
    day = time.strftime("%Y-%m-%d", time.gmtime(archives.source_date()))
    facts = {"IDENTIFIER": product.IDENTIFIER, "VERSION": product.version(), "DATE": day}
    facts["PACKAGES"] = " ".join(product.SYSTEM_PACKAGES)
    facts |= {"MIME": product.SESSION_MIME, "SESSION": product.SESSION_NAME, "SUFFIX": product.SESSION_SUFFIX}
    for name, value in facts.items():
        text = text.replace(f"@{name}@", value)
    return text


def add_share(folder: Path) -> None:
    """Fill a folder such as /usr/share: desktop entry, type of sessions, AppStream metadata, icons in every size."""
    (folder / "applications").mkdir(parents=True, exist_ok=True)
    shutil.copyfile(RECIPES / "pe_desktop.desktop", folder / "applications" / "pe_desktop.desktop")
    described = {"metainfo.xml": "metainfo/pe_desktop.metainfo.xml", "mime.xml": "mime/packages/pe_desktop.xml"}
    for recipe, name in described.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(filled((RECIPES / recipe).read_text(encoding="utf-8")), encoding="utf-8")
    drawing = ROOT / "resources" / "icons" / "app.svg"
    pictures = {f"{side}x{side}/apps/pe_desktop.png": icons.png(drawing, side) for side in icons.PNG_SIDES}
    pictures["scalable/apps/pe_desktop.svg"] = drawing.read_bytes()
    for name, content in pictures.items():
        path = folder / "icons" / "hicolor" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def add_installer(bundle: Path) -> None:
    """Put into the bundle what a person needs who unpacks it."""
    add_share(bundle / "share")
    for name in ("install.sh", "uninstall.sh"):
        shutil.copyfile(RECIPES / name, bundle / name)
        (bundle / name).chmod(0o755)
    (bundle / "README.txt").write_text(filled((RECIPES / "README.txt").read_text(encoding="utf-8")), encoding="utf-8")


def control(machine: str, kilobytes: int, glibc: Sequence[int]) -> str:
    """What a Debian package says of itself."""
    needed = [_RENAMED.get(package, package) for package in product.SYSTEM_PACKAGES]
    return (
        f"Package: {COMMAND}\nVersion: {product.version()}\nArchitecture: {MACHINES[machine]}\n"
        f"Maintainer: {product.PUBLISHER} <pe_desktop@localhost>\nInstalled-Size: {kilobytes}\n"
        f"Depends: libc6 (>= {'.'.join(map(str, glibc))}), {', '.join(needed)}\n"
        "Section: education\nPriority: optional\n"
        f"Description: {product.SUMMARY}\n"
        " Every pair of dimensions of a Transformer's positional encoding as a hand of a clock, as a wave,\n"
        " as rows of a heat map, as a rotation, and as exact numbers.\n"
    )


def _debian_package(bundle: Path, name: str) -> Path:
    """Make a package that a double click installs on Debian and Ubuntu, and return it."""
    root = _placed(bundle, WORK / "deb", _FOR_ALL)
    (root / "usr" / "bin").mkdir(parents=True)
    (root / "usr" / "bin" / COMMAND).symlink_to(f"../lib/{COMMAND}/{COMMAND}")
    notes = root / "usr" / "share" / "doc" / COMMAND
    notes.mkdir(parents=True)
    shutil.copyfile(ROOT / "LICENSE", notes / "copyright")
    kilobytes = sum(path.stat().st_size for path in root.rglob("*") if path.is_file() and not path.is_symlink()) // 1000
    asked = max(elf.glibc_demands(bundle).values(), default=product.GLIBC_FLOOR)
    (root / "DEBIAN").mkdir()
    (root / "DEBIAN" / "control").write_text(control(platform.machine(), kilobytes, asked), encoding="utf-8")
    target = product.DIST / f"{name}.deb"
    _ask("dpkg-deb", "--root-owner-group", "-Zxz", "-z9", "--build", str(root), str(target))
    return target


def appimage(bundle: Path, name: str, runtime: Path) -> Path:
    """Make one file that runs without being unpacked: AppImage's runtime with a squashfs behind it."""
    root = _placed(bundle, WORK / "AppDir", _FOR_ALL)
    (root / "AppRun").symlink_to(f"usr/lib/{COMMAND}/{COMMAND}")
    shutil.copyfile(RECIPES / "pe_desktop.desktop", root / "pe_desktop.desktop")
    shutil.copyfile(root / _FOR_ALL / "icons/hicolor/256x256/apps/pe_desktop.png", root / "pe_desktop.png")
    (root / ".DirIcon").symlink_to("pe_desktop.png")
    packed = WORK / "appimage.squashfs"
    packed.unlink(missing_ok=True)
    date = str(archives.source_date())
    # The runtime knows zstd and zlib; large blocks at the highest level save 5 MB.
    dense = ["-comp", "zstd", "-Xcompression-level", "22", "-b", "1M"]
    _ask("mksquashfs", str(root), str(packed), "-root-owned", "-noappend", "-all-time", date, *dense)
    target = product.DIST / f"{name}.AppImage"
    target.write_bytes(runtime.read_bytes() + packed.read_bytes())
    target.chmod(0o755)
    return target


def _placed(bundle: Path, root: Path, share: str) -> Path:
    """The tree of a system with the bundle under usr/lib and what belongs to it under usr/share."""
    if root.exists():
        shutil.rmtree(root)
    place = root / "usr" / "lib" / COMMAND
    place.mkdir(parents=True)
    shutil.copy2(product.executable(bundle), place / COMMAND)
    shutil.copytree(bundle / "_internal", place / "_internal", symlinks=True)
    add_share(root / share)
    return root


def _ask(*command: str) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
