#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Downloads the packages that the card's system is made of into a folder that is a Debian archive of its own: what is
# made of it later does not depend on what the archives hold by then.
#   scripts/card-packages.sh FOLDER SOURCES PACKAGES OUTSIDE
# SOURCES are lines of a sources.list for armel, PACKAGES what is installed (with what it depends on, and the essential
# ones), OUTSIDE what is only unpacked; both are words. In the folder are then
#   *.deb, Packages, Release   what is installed
#   outside/                   what is unpacked, the kernel among it
#   module/                    what scripts/card-module.sh builds with
#   manifest                   the packages that are on the card, with their versions
set -euo pipefail
export LC_ALL=C
folder=$1 sources=$2 packages=$3 outside=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work" # apt fetches as another user

# An apt of its own, that knows armel alone and no package as installed. Proxies and the like are this computer's.
mkdir -p "$work"/{etc/{apt.conf.d,preferences.d,sources.list.d,trusted.gpg.d},state/lists/partial,cache/archives/partial}
printf '%s\n' "$sources" >"$work/etc/sources.list"
: >"$work/status"
{
  apt-config dump Acquire | sed -n '/"";$/d; /Languages/d; p'
  cat <<END
APT::Architecture "armel";
APT::Architectures { "armel"; };
APT::Install-Recommends "false";
Acquire::Languages "none";
Dir::Etc "$work/etc";
Dir::State "$work/state";
Dir::State::status "$work/status";
Dir::Cache "$work/cache";
END
} >"$work/apt.conf"
armel() { APT_CONFIG=$work/apt.conf "$@"; }
armel apt-get update -qq
depends() { armel apt-cache depends "$1" | sed -n "s/.*Depends: \($2\)$/\1/p" | head -n 1; }
kernel=$(depends linux-image-rpi 'linux-image-[0-9].*')
release=${kernel#linux-image-}
series=$(cut -d. -f1,2 <<<"$release")

rm -rf "$folder"
mkdir -p "$folder"/{outside,module/here}
# shellcheck disable=SC2086 # words
armel apt-get install -qq --yes --download-only '?and(?codename(^bookworm$),?essential)' $packages \
  usr-is-merged usrmerge- >/dev/null # a system whose /usr is merged from the start
mv "$work"/cache/archives/*.deb "$folder/"
# shellcheck disable=SC2086
(cd "$folder/outside" && armel apt-get download -qq -o APT::Sandbox::User=root "$kernel" $outside)
(cd "$folder/module" && armel apt-get download -qq -o APT::Sandbox::User=root "linux-headers-$release" "$(depends "linux-headers-$release" 'linux-headers-.*-common.*')" \
  "linux-kbuild-$series" "linux-source-$series")
(cd "$folder/module/here" && apt-get download -qq -o APT::Sandbox::User=root "linux-kbuild-$series") # the tools run on this computer

cd "$folder"
for deb in *.deb; do
  dpkg-deb -f "$deb"
  printf 'Filename: ./%s\nSize: %s\nSHA256: %s\n\n' "$deb" "$(stat -c %s "$deb")" "$(sha256sum "$deb" | cut -d' ' -f1)"
done >Packages
printf 'Origin: Debian\nSuite: bookworm\nCodename: bookworm\nArchitectures: armel\nSHA256:\n %s %s Packages\n' \
  "$(sha256sum Packages | cut -d' ' -f1)" "$(stat -c %s Packages)" >Release
echo "$release" >release
# shellcheck disable=SC2016 # dpkg's
for deb in *.deb outside/*.deb; do dpkg-deb -W --showformat '${Package} ${Version}\n' "$deb"; done | sort >manifest
