"""What macOS reads of the application: its Info.plist."""

from typing import Any

from build import product


def info() -> dict[str, Any]:
    """The entries of Info.plist beside those that PyInstaller writes itself."""
    return {
        "CFBundleDisplayName": product.NAME,
        "CFBundleShortVersionString": product.version(),
        "CFBundleDevelopmentRegion": "en",
        "LSApplicationCategoryType": "public.app-category.education",
        # What PySide6's wheels are built for.
        "LSMinimumSystemVersion": "13.0",
        "NSHighResolutionCapable": True,
        "NSHumanReadableCopyright": product.COPYRIGHT,
        "NSRequiresAquaSystemAppearance": False,
    }
