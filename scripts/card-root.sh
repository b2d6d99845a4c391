#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the system of the card's image, a Debian 12 for the Raspberry Pi Zero's processor (armel), as an archive with a
# manifest (FILE.manifest: each package with its version), and prints its path. It includes kernel, firmware and the one
# module that Debian's kernel lacks, the driver of the Pi-puck's multiplexer. The archive and its packages are cached
# outside the tree; the key is these scripts and the archives that apt is configured for. CARD_ROOT=again rebuilds it
# from the same packages, with the same bytes; CARD_ROOT=new from the current packages. It needs root.
set -euo pipefail
export LC_ALL=C
export SOURCE_DATE_EPOCH=1700000000 # of the packages' own scripts; the image has the commit's

packages=(
  apt systemd systemd-sysv dbus udev kmod iproute2
  avahi-daemon chrony openssh-server wpasupplicant wireless-regdb # epuck.local, the clock, logging in, Wi-Fi
  systemd-resolved # chrony's servers have names
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
key=$( (cat "$0" "$scripts/card-packages.sh" "$scripts/card-module.sh"; printf '%s\n' "$sources") | sha256sum | cut -c1-16)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/epuck-driver/card
archive=$cache/$key.tar store=$cache/$key.packages
mkdir -p "$cache"
exec 9>"$cache/lock"
flock 9 # two that start at once build one
if [ -e "$archive" ] && [ -z "${CARD_ROOT:-}" ]; then
  touch "$archive" "$store"
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
if [ ! -e "$store/manifest" ] || [ "${CARD_ROOT:-}" = new ]; then
  echo "card-root: downloading packages" >&2
  "$scripts/card-packages.sh" "$work/packages" "$sources" "${packages[*]}" "${outside[*]}"
  rm -rf "$store"
  mv "$work/packages" "$store"
fi
echo "card-root: building $archive (about ten minutes)" >&2
printf '%s\n' "$sources" >"$work/sources.list"
# The packages that are only unpacked, the module, and what is of this computer alone.
cat >"$work/customize" <<'CUSTOMIZE'
set -eu
root=$1 store=$2 scripts=$3 sources=$4
version=$(cat "$store/release")
for deb in "$store"/outside/*.deb; do dpkg-deb --fsys-tarfile "$deb" | tar -x --keep-directory-symlink -C "$root"; done
"$scripts/card-module.sh" "$store/module" "$version" "$root/usr/lib/modules/$version/updates"
chroot "$root" depmod "$version"
cp "$sources" "$root/etc/apt/sources.list"
sed -i /force-unsafe-io/d "$root/etc/dpkg/dpkg.cfg.d/99mmdebstrap" # a robot's power may go while it installs
cd "$root"
# Host keys and the machine's number are each robot's own; logs, lists, proxies and name servers are this computer's.
rm -rf etc/ssh/ssh_host_* var/cache/apt/*.bin var/lib/apt/lists/* var/log/* var/cache/ldconfig/aux-cache var/lib/dbus/machine-id etc/*- \
  etc/apt/apt.conf.d/99mmdebstrap etc/resolv.conf usr/share/doc usr/share/man usr/share/locale usr/share/info
ln -s ../run/systemd/resolve/stub-resolv.conf etc/resolv.conf
: >etc/machine-id
echo epuck >etc/hostname
CUSTOMIZE
mmdebstrap --quiet --mode=root --architectures=armel --variant=minbase --hook-dir=/usr/share/mmdebstrap/hooks/merged-usr \
  --include="$(IFS=,; echo "${packages[*]}")" \
  --aptopt='Acquire::Languages "none"' --aptopt='APT::Install-Recommends "false"' --aptopt='APT::Sandbox::User "root"' \
  --dpkgopt=force-unsafe-io --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
  --dpkgopt='path-exclude=/usr/share/man/*' --customize-hook="sh $work/customize \"\$1\" $store $scripts $work/sources.list" \
  bookworm "$work/root.tar" "deb [trusted=yes arch=armel] copy:$store ./" >&2
cp "$store/manifest" "$archive.manifest"
mv "$work/root.tar" "$archive"
find "$cache" -name '*.tar' -mtime +14 | while read -r old; do # those that were not used for two weeks
  rm -rf "$old" "$old.manifest" "${old%.tar}.packages"
done
echo "$archive"
