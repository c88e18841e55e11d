#!/bin/sh
# Removes PE Desktop from where install.sh put it; settings and exported files stay.
set -eu

place=$(cd "$(dirname "$0")" && pwd -P)
prefix=${place%/lib/pe-desktop}
if [ "$prefix" = "$place" ] || [ ! -x "$place/pe-desktop" ]; then
    echo "uninstall.sh: this copy was not put here by install.sh; just delete its folder" >&2
    exit 1
fi

if [ -L "$prefix/bin/pe-desktop" ]; then rm "$prefix/bin/pe-desktop"; fi
rm -f "$prefix/share/applications/pe_desktop.desktop" "$prefix/share/metainfo/pe_desktop.metainfo.xml"
rm -f "$prefix/share/mime/packages/pe_desktop.xml"
rm -f "$prefix"/share/icons/hicolor/*/apps/pe_desktop.png "$prefix"/share/icons/hicolor/scalable/apps/pe_desktop.svg
rm -rf "$place"

refresh() { if command -v "$1" >/dev/null 2>&1; then "$@" >/dev/null 2>&1 || true; fi; }
refresh update-mime-database "$prefix/share/mime"
refresh update-desktop-database "$prefix/share/applications"
refresh gtk-update-icon-cache -q -t "$prefix/share/icons/hicolor"
echo "PE Desktop is removed. Settings, if there are any, stay in ~/.config/pe_desktop."
