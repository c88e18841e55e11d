"""pyqtgraph as the application uses it: the templates of PySide6 alone, no data files, no other binding."""

from PyInstaller.utils.hooks import collect_submodules

# Its __init__ imports the template of the binding in use by a name that it puts together.
hiddenimports = [
    name
    for package in ("pyqtgraph.graphicsItems.ViewBox", "pyqtgraph.graphicsItems.PlotItem", "pyqtgraph.imageview")
    for name in collect_submodules(package)
    if "Template" in name
]
hiddenimports.append("pyqtgraph.multiprocess.bootstrap")
excludedimports = ["PyQt5", "PyQt6", "PySide2"]
