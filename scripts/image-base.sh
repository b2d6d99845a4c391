# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2154
# Sourced by scripts/image: puts the driver, the overlay and the settings into an image of Raspberry Pi OS Lite without
# starting it. The package itself is installed at the first start, by epuck-card-install.service.
deb=${CARD_PACKAGE:-$(OUT="$work" scripts/package.sh armhf | tail -n 1)}
image=$work/base.img
refuse() { echo "image: $base $*" >&2; exit 1; }
if ! [ -f "$base" ] || ! [ -r "$base" ]; then refuse "is not a readable file"; fi
case $base in
  *.xz) xz -dc "$base" >"$image" || refuse "is no whole .xz file: download it again" ;;
  *.zip | *.gz | *.7z | *.bz2 | *.zst) refuse "has an unknown compression: unpack it to an .img first" ;;
  *) cp --sparse=always "$base" "$image" ;;
esac
# The first partition is the firmware's, the second the system's: sectors.
{ read -r boot_kind boot_start _ && read -r root_kind root_start root_count; } < <("$work/epuck-image" parts "$image") ||
  refuse "has no two partitions: it is no image of Raspberry Pi OS, or not a whole one"
case $boot_kind/$root_kind in
  [bce]/83) ;;
  *) refuse "has partitions of the kinds $boot_kind and $root_kind, not c (FAT) and 83 (Linux)" ;;
esac
[ "$(((root_start + root_count) * 512))" -le "$(stat -c %s "$image")" ] || refuse "ends before its second partition does: download it again"
dd if="$image" of="$work/ext4" bs=512 skip="$root_start" count="$root_count" conv=sparse status=none
# (grep reads to the end: a pipe that it closed would end debugfs)
there() { debugfs -R "stat $1" "$work/ext4" 2>/dev/null | grep '^Inode:' >/dev/null; }
there etc/debian_version || refuse "has no Debian in its second partition: is it Raspberry Pi OS?"
there usr/lib/ld-linux-armhf.so.3 || refuse "is not of 32 bits (armhf), which the Raspberry Pi Zero W needs: take Raspberry Pi OS Lite, 32-bit"
[ "$board" = zero2w ] || debugfs -R "cat usr/lib/os-release" "$work/ext4" 2>/dev/null | grep '^ID=raspbian$' >/dev/null ||
  refuse "is Debian's own armhf (ARMv7), which a Raspberry Pi Zero W can't run: take Raspberry Pi OS Lite, 32-bit; for a Zero 2 W --board zero2w"
debugfs -R "cat etc/fstab" "$work/ext4" 2>/dev/null | grep '[[:space:]]/boot/firmware[[:space:]]' >/dev/null ||
  refuse "is older than Debian 12 (bookworm): its boot partition is not /boot/firmware"

# 1. The boot partition.
export MTOOLS_SKIP_CHECK=1
fat="$image@@$((boot_start * 512))"
mtype -i "$fat" ::/config.txt >"$work/config.txt" || refuse "has no config.txt in its first partition: is it Raspberry Pi OS?"
if ! grep -q '^dtoverlay=epuck' "$work/config.txt"; then
  { printf '\n[all]\n'; grep -v '^# SPDX' deploy/card/config.txt; } >>"$work/config.txt"
fi
find "$work/config.txt" "$work/epuck.txt" "$work/epuck.dtbo" -exec touch -d "@$SOURCE_DATE_EPOCH" {} +
mcopy -o -m -i "$fat" "$work/config.txt" "$work/epuck.txt" ::/
mmd -D s -i "$fat" ::/overlays 2>/dev/null || true
mcopy -o -m -i "$fat" "$work/epuck.dtbo" ::/overlays/epuck.dtbo

# 2. The system: files, their folders, and the links that enable the units. debugfs writes them as root's.
stage=$work/stage
put() { install -D -m "${3:-644}" "$1" "$stage/$2"; }
put "$deb" usr/lib/epuck-card/epuck-driver.deb
put "$work/epuck-card" usr/sbin/epuck-card 755
put deploy/card/epuck-card.service etc/systemd/system/epuck-card.service
put deploy/card/epuck-card-install.service etc/systemd/system/epuck-card-install.service
put deploy/card/journald.conf etc/systemd/journald.conf.d/epuck.conf
put deploy/card/sshd.conf etc/ssh/sshd_config.d/epuck.conf
sed -i '/^HostKey/d' "$stage/etc/ssh/sshd_config.d/epuck.conf" # it makes its own at the first start
mkdir -p "$stage/etc/systemd/system/multi-user.target.wants" "$stage/etc/ssh/authorized_keys"
find "$stage" -exec touch -d "@$SOURCE_DATE_EPOCH" {} +
(
  cd "$stage" || exit
  find . -mindepth 1 -type d -printf '%P\n' | sort | while read -r dir; do
    debugfs -R "stat $dir" "$work/ext4" 2>/dev/null | grep 'Type: directory' >/dev/null || echo "mkdir $dir"
  done
  find . -type f -printf '%P\n' | sort | while read -r file; do
    printf 'rm %s\nwrite %s %s\nset_inode_field %s mode 0100%s\n' "$file" "$stage/$file" "$file" "$file" "$(stat -c %a "$stage/$file")"
    printf 'set_inode_field %s uid 0\nset_inode_field %s gid 0\n' "$file" "$file"
  done
  for unit in epuck-card epuck-card-install; do
    printf 'rm etc/systemd/system/multi-user.target.wants/%s.service\n' "$unit"
    printf 'symlink etc/systemd/system/multi-user.target.wants/%s.service /etc/systemd/system/%s.service\n' "$unit" "$unit"
  done
  for unit in swap.target dphys-swapfile.service; do # a card wears out by swapping
    printf 'rm etc/systemd/system/%s\nsymlink etc/systemd/system/%s /dev/null\n' "$unit" "$unit"
  done
) >"$work/commands"
E2FSPROGS_FAKE_TIME=$SOURCE_DATE_EPOCH debugfs -w -f "$work/commands" "$work/ext4" >"$work/log" 2>&1
e2fsck -fn "$work/ext4" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
for file in usr/lib/epuck-card/epuck-driver.deb usr/sbin/epuck-card; do
  debugfs -R "cat $file" "$work/ext4" 2>/dev/null | cmp - "$stage/$file" || refuse "has no space for $file"
done
dd if="$work/ext4" of="$image" bs=512 seek="$root_start" conv=notrunc,sparse status=none
name=$(basename "$base")
name=$out/epuck-$VERSION-${name%%.img*}.img
if [ -n "$raw" ]; then mv "$image" "$name"; else xz -T2 -3 <"$image" >"$name.xz" && name=$name.xz; fi
echo "$name"
