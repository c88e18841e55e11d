#!/bin/sh
# Installs PE Desktop for this user, without root and without a network:   sh install.sh
# For everyone on this machine, as root:                                    sh install.sh --prefix /usr/local
set -eu

prefix=${HOME:-}/.local
case ${1:-} in
    --prefix) prefix=${2:?"--prefix needs a folder"} ;;
    "") ;;
    *) echo "usage: sh install.sh [--prefix FOLDER]" >&2; exit 2 ;;
esac
case $prefix in
    /*) ;;
    *) echo "install.sh: the prefix must begin with /: $prefix" >&2; exit 2 ;;
esac

here=$(cd "$(dirname "$0")" && pwd -P)
place=$prefix/lib/pe-desktop
if [ -e "$place" ] && [ ! -e "$place/uninstall.sh" ]; then
    echo "install.sh: $place is there and is not PE Desktop; move it away first" >&2
    exit 1
fi

# The new copy is whole before it takes the place of the old one.
mkdir -p "$prefix/lib" "$prefix/bin" "$prefix/share/applications"
rm -rf "$place.new"
mkdir "$place.new"
cp -R "$here/pe-desktop" "$here/_internal" "$here/uninstall.sh" "$place.new/"
rm -rf "$place"
mv "$place.new" "$place"
ln -sf "$place/pe-desktop" "$prefix/bin/pe-desktop"
(cd "$here/share" && find . -type f ! -name '*.desktop') | while IFS= read -r file; do
    mkdir -p "$prefix/share/$(dirname "$file")"
    cp "$here/share/$file" "$prefix/share/$file"
done

# A desktop entry quotes the path of its program, and marks in it what means something else there.
quoted=$(printf '%s' "$place/pe-desktop" | sed -e 's/[\\"`$]/\\\\&/g' -e 's/%/%%/g' -e 's/[\\&|]/\\&/g')
sed "s|^Exec=pe-desktop|Exec=\"$quoted\"|" "$here/share/applications/pe_desktop.desktop" \
    > "$prefix/share/applications/pe_desktop.desktop"

refresh() { if command -v "$1" >/dev/null 2>&1; then "$@" >/dev/null 2>&1 || true; fi; }
refresh update-mime-database "$prefix/share/mime"
refresh update-desktop-database "$prefix/share/applications"
refresh gtk-update-icon-cache -q -t "$prefix/share/icons/hicolor"

echo "PE Desktop is installed in $place and stands in the menu of applications."
case ":$PATH:" in
    *":$prefix/bin:"*) ;;
    *) echo "For the command pe-desktop, add $prefix/bin to PATH." ;;
esac
echo "To remove it: sh \"$place/uninstall.sh\""
