#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the virtual machine's disk (Debian 12 amd64 with systemd and the distribution's own kernel) and prints the
# directory with vmlinuz, initrd and root.ext4. The directory is a cache outside the tree, named after what went into
# it: this file and the archives that apt is configured for. It needs root: files in a root belong to root.
set -euo pipefail
export LC_ALL=C

packages=(
  systemd systemd-sysv dbus udev kmod linux-image-amd64 iproute2 procps
  qemu-guest-agent # how the tests run commands inside
  i2c-tools python3-minimal python3-smbus # other people's I2C programs, which must find the simulated chips
  v4l-utils        # a second opinion on the vivid camera
)
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
# Where Debian comes from is apt's business: the same archives, proxy and settings as this machine's.
sources=$(apt-get indextargets --format \
    "deb [signed-by=$keyring] \$(REPO_URI) \$(RELEASE) \$(COMPONENT)|\$(ORIGIN)|\$(CODENAME)" 'Created-By: Packages' |
  sed -n 's/|Debian|bookworm[a-z-]*$//p' | sort -u)
if [ -z "$sources" ]; then
  echo "vm-image: apt knows no Debian 12 (bookworm) archive; run apt-get update" >&2
  exit 1
fi
key=$( (cat "$0"; printf '%s\n' "$sources") | sha256sum | cut -c1-16)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/epuck-driver/vm
image=$cache/$key
mkdir -p "$cache"
exec 9>"$cache/lock"
flock 9 # two tests that start at once build one image
if [ -e "$image/done" ]; then
  touch "$image" # used today
  echo "$image"
  exit 0
fi
if [ "$(id -u)" -ne 0 ]; then
  echo "vm-image: building the virtual machine's disk needs root; run it with sudo once, the result is kept in $cache" >&2
  exit 1
fi

work=$(mktemp -d "$cache/work.XXXXXX")
trap 'rm -rf "$work"' EXIT
echo "vm-image: building $image" >&2
apt-config dump Acquire | sed -n '/"";$/d; /Languages/d; p' >"$work/apt.conf"
# The machine's own first file system is on a virtio disk; nothing else is needed to mount it.
cat >"$work/setup" <<'SETUP'
mkdir -p "$1/etc/initramfs-tools/conf.d"
printf '%s\n' virtio_pci virtio_blk ext4 >"$1/etc/initramfs-tools/modules"
printf '%s\n' MODULES=list COMPRESS=zstd BUSYBOX=n >"$1/etc/initramfs-tools/conf.d/vm"
SETUP
cat >"$work/customize" <<'CUSTOMIZE'
echo robot >"$1/etc/hostname"
printf '127.0.0.1 localhost robot\n' >"$1/etc/hosts"
: >"$1/etc/machine-id" # made at the first boot
printf '/dev/vda / ext4 rw,noatime 0 1\n' >"$1/etc/fstab"
mkdir -p "$1/etc/systemd/network" "$1/etc/systemd/system" "$1/var/log/journal"
printf '[Match]\nName=eth0\n[Network]\nAddress=10.77.0.2/24\nLinkLocalAddressing=no\n' >"$1/etc/systemd/network/10-robot.network"
chroot "$1" systemctl -q enable systemd-networkd.service
mkdir -p "$1/etc/systemd/system/qemu-guest-agent.service.d"
printf '[Service]\nLogLevelMax=notice\n' >"$1/etc/systemd/system/qemu-guest-agent.service.d/quiet.conf" # it logs each call
for unit in systemd-networkd-wait-online.service getty@tty1.service apt-daily.timer apt-daily-upgrade.timer \
  dpkg-db-backup.timer fstrim.timer e2scrub_all.timer e2scrub_reap.service; do
  ln -sf /dev/null "$1/etc/systemd/system/$unit"
done
rm -rf "$1"/var/cache/apt/*.bin "$1"/var/lib/apt/lists/*
CUSTOMIZE
chmod +x "$work/setup" "$work/customize"
mmdebstrap --quiet --mode=root --variant=minbase --include="$(IFS=,; echo "${packages[*]}")" \
  --aptopt="$work/apt.conf" --aptopt='Acquire::Languages "none"' --dpkgopt=force-unsafe-io \
  --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/locale/*' --dpkgopt='path-exclude=/usr/share/man/*' \
  --setup-hook="$work/setup" --customize-hook="$work/customize" \
  bookworm "$work/root" - <<<"$sources" >&2
cp "$work"/root/boot/vmlinuz-* "$work/vmlinuz"
cp "$work"/root/boot/initrd.img-* "$work/initrd"
mkfs.ext4 -q -F -m 0 -d "$work/root" "$work/root.ext4" 1500M
rm -rf "$work/root" "$work/setup" "$work/customize" "$work/apt.conf"
touch "$work/done"
mv "$work" "$image"
trap - EXIT
find "$cache" -mindepth 1 -maxdepth 1 -type d -mtime +14 -exec rm -rf {} + # images that were not used for two weeks
echo "$image"
