"""What macOS reads of the application: its Info.plist."""

from typing import Any

from build import product


def info() -> dict[str, Any]:
    """The entries of Info.plist beside those that PyInstaller writes itself; Qt hands a clicked session to us."""
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
        "CFBundleDocumentTypes": [
            {
                "CFBundleTypeName": product.SESSION_NAME,
                "CFBundleTypeRole": "Editor",
                "LSHandlerRank": "Owner",
                "LSItemContentTypes": [product.SESSION_UTI],
            }
        ],
        "UTExportedTypeDeclarations": [
            {
                "UTTypeIdentifier": product.SESSION_UTI,
                "UTTypeDescription": product.SESSION_NAME,
                "UTTypeConformsTo": ["public.json"],
                "UTTypeTagSpecification": {
                    "public.filename-extension": [product.SESSION_SUFFIX.removeprefix(".")],
                    "public.mime-type": [product.SESSION_MIME],
                },
            }
        ],
    }
