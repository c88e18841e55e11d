"""The main window: docks, actions, settings, style, dialogs."""
