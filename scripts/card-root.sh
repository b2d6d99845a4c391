#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the system of the card's image, a Debian 12 for the Raspberry Pi Zero's processor (armel), as an archive beside
# its manifest (FILE.manifest: each package with its version), and prints its path. Kernel, firmware and the one module
# that Debian's kernel lacks, the driver of the Pi-puck's multiplexer, are in it. It is kept in a cache outside the
# tree, named after this file and the archives that apt is configured for: CARD_ROOT=new makes it anew, with the
# packages of today. It needs root.
set -euo pipefail
export LC_ALL=C
export SOURCE_DATE_EPOCH=1700000000 # of the packages' own scripts; the image has the commit's

packages=(
  systemd systemd-sysv dbus udev kmod iproute2
  avahi-daemon chrony openssh-server wpasupplicant wireless-regdb # epuck.local, the clock, logging in, Wi-Fi
  sudo e2fsprogs
)
outside=(raspi-firmware firmware-brcm80211) # unpacked only: their scripts are for a Raspberry Pi that runs
scripts=$(cd "$(dirname "$0")" && pwd)
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
# Where Debian comes from is apt's business. There are no security updates for armel in an archive of their own.
sources=$(apt-get indextargets --format \
    "deb [arch=armel signed-by=$keyring] \$(REPO_URI) \$(RELEASE) \$(COMPONENT)|\$(ORIGIN)|\$(CODENAME)|\$(LABEL)" 'Created-By: Packages' |
  sed -n 's/ main|Debian|bookworm\(-updates\)*|Debian$/ main non-free-firmware/p' | sort -u)
if [ -z "$sources" ]; then
  echo "card-root: apt knows no Debian 12 (bookworm) archive; run apt-get update" >&2
  exit 1
fi
key=$( (cat "$0" "$scripts/card-module.sh"; printf '%s\n' "$sources") | sha256sum | cut -c1-16)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/epuck-driver/card
archive=$cache/$key.tar
mkdir -p "$cache"
exec 9>"$cache/lock"
flock 9 # two that start at once build one
if [ -e "$archive" ] && [ "${CARD_ROOT:-}" != new ]; then
  touch "$archive"
  echo "$archive"
  exit 0
fi
if [ "$(id -u)" -ne 0 ]; then
  echo "card-root: building the card's system needs root; run it with sudo once, the result is kept in $cache" >&2
  exit 1
fi

# Programs of the robot run here while packages are set up: by qemu-user-static, which the kernel has to know.
if ! arch-test armel >/dev/null 2>&1; then
  [ -e /proc/sys/fs/binfmt_misc/register ] || mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc
  cat /usr/lib/binfmt.d/qemu-arm.conf >/proc/sys/fs/binfmt_misc/register
fi

work=$(mktemp -d "$cache/work.XXXXXX")
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
echo "card-root: building $archive (about ten minutes)" >&2
apt-config dump Acquire | sed -n '/"";$/d; /Languages/d; p' >"$work/apt.conf"
# What Debian calls the kernel's package of the day, the packages that are only unpacked, and what the module needs.
cat >"$work/customize" <<'CUSTOMIZE'
set -eu
export APT_CONFIG="$MMDEBSTRAP_APT_CONFIG"
image=$(apt-cache depends linux-image-rpi | sed -n 's/.*Depends: \(linux-image-[0-9].*\)/\1/p')
version=${image#linux-image-}
mkdir -m 777 "$2/debs" "$2/headers" "$2/headers/kbuild" # apt fetches as another user
cd "$2/debs"
apt-get download -qq "$image" $3
cd "$2/headers"
apt-get download -qq "linux-headers-$version" $(apt-cache depends "linux-headers-$version" | sed -n 's/.*Depends: \(linux-headers-.*-common.*\)/\1/p')
(cd kbuild && apt-get download -qq "linux-kbuild-$(echo "$version" | cut -d. -f1,2)")
cd "$2/debs"
for deb in *.deb; do dpkg-deb --fsys-tarfile "$deb" | tar -x --keep-directory-symlink -C "$1"; done
env -u APT_CONFIG "$4/card-module.sh" "$2/headers" "$version" "$1/usr/lib/modules/$version/updates"
chroot "$1" depmod "$version"
{ chroot "$1" dpkg-query -W -f '${Package} ${Version}\n'; for deb in "$2"/debs/*.deb; do dpkg-deb -W --showformat '${Package} ${Version}\n' "$deb"; done; } | sort >"$2/manifest"
cd "$1"
# Host keys and the machine's number are each robot's own; logs and lists are of this computer.
rm -rf etc/ssh/ssh_host_* var/cache/apt/*.bin var/lib/apt/lists/* var/log/* var/cache/ldconfig/aux-cache var/lib/dbus/machine-id etc/*- \
  usr/share/doc usr/share/man usr/share/locale usr/share/info
: >etc/machine-id
CUSTOMIZE
mmdebstrap --quiet --mode=root --architectures=armel --variant=minbase --include="$(IFS=,; echo "${packages[*]}")" \
  --aptopt="$work/apt.conf" --aptopt='Acquire::Languages "none"' --aptopt='APT::Install-Recommends "false"' \
  --dpkgopt=force-unsafe-io --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
  --dpkgopt='path-exclude=/usr/share/man/*' --customize-hook="sh $work/customize \"\$1\" $work '${outside[*]}' $scripts" \
  bookworm "$work/root.tar" - <<<"$sources" >&2
mv "$work/manifest" "$archive.manifest"
mv "$work/root.tar" "$archive"
find "$cache" -name '*.tar' -mtime +14 -delete # those that were not used for two weeks
echo "$archive"
