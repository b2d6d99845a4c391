# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2154
# Sourced by scripts/image: puts the driver, the overlay and the settings into an image of Raspberry Pi OS Lite without
# starting it. The package itself is installed at the first start, by epuck-card-install.service.
deb=${CARD_PACKAGE:-$(OUT="$work" scripts/package.sh armhf | tail -n 1)}
image=$work/base.img
case $base in
  *.xz) xz -dc "$base" >"$image" ;;
  *) cp --sparse=always "$base" "$image" ;;
esac
# The first partition is the firmware's, the second the system's: sectors.
{ read -r boot_kind boot_start _ && read -r root_kind root_start root_count; } < <("$work/epuck-image" parts "$image") ||
  { echo "image: $base has no two partitions" >&2; exit 1; }
case $boot_kind/$root_kind in
  [bce]/83) ;;
  *) echo "image: $base has partitions of the kinds $boot_kind and $root_kind, not c (FAT) and 83 (Linux)" >&2; exit 1 ;;
esac

# 1. The boot partition.
export MTOOLS_SKIP_CHECK=1
fat="$image@@$((boot_start * 512))"
mtype -i "$fat" ::/config.txt >"$work/config.txt" || { echo "image: no config.txt in $base: is it Raspberry Pi OS?" >&2; exit 1; }
if ! grep -q '^dtoverlay=epuck' "$work/config.txt"; then
  { printf '\n[all]\n'; grep -v '^# SPDX' deploy/card/config.txt; } >>"$work/config.txt"
fi
find "$work/config.txt" "$work/epuck.txt" "$work/epuck.dtbo" -exec touch -d "@$SOURCE_DATE_EPOCH" {} +
mcopy -o -m -i "$fat" "$work/config.txt" "$work/epuck.txt" ::/
mmd -D s -i "$fat" ::/overlays 2>/dev/null || true
mcopy -o -m -i "$fat" "$work/epuck.dtbo" ::/overlays/epuck.dtbo

# 2. The system: files, their folders, and the links that enable the units. debugfs writes them as root's.
dd if="$image" of="$work/ext4" bs=512 skip="$root_start" count="$root_count" conv=sparse status=none
stage=$work/stage
put() { install -D -m "${3:-644}" "$1" "$stage/$2"; }
put "$deb" usr/lib/epuck-card/epuck-driver.deb
put "$work/epuck-card" usr/sbin/epuck-card 755
put deploy/card/epuck-card.service etc/systemd/system/epuck-card.service
put deploy/card/epuck-card-install.service etc/systemd/system/epuck-card-install.service
put deploy/card/sshd.conf etc/ssh/sshd_config.d/epuck.conf
sed -i '/^HostKey/d' "$stage/etc/ssh/sshd_config.d/epuck.conf" # it makes its own at the first start
mkdir -p "$stage/etc/systemd/system/multi-user.target.wants" "$stage/etc/ssh/authorized_keys"
find "$stage" -exec touch -d "@$SOURCE_DATE_EPOCH" {} +
(
  cd "$stage" || exit
  find . -mindepth 1 -type d -printf '%P\n' | sort | while read -r dir; do
    debugfs -R "stat $dir" "$work/ext4" 2>/dev/null | grep -q 'Type: directory' || echo "mkdir $dir"
  done
  find . -type f -printf '%P\n' | sort | while read -r file; do
    printf 'rm %s\nwrite %s %s\nset_inode_field %s mode 0100%s\n' "$file" "$stage/$file" "$file" "$file" "$(stat -c %a "$stage/$file")"
    printf 'set_inode_field %s uid 0\nset_inode_field %s gid 0\n' "$file" "$file"
  done
  for unit in epuck-card epuck-card-install; do
    printf 'rm etc/systemd/system/multi-user.target.wants/%s.service\n' "$unit"
    printf 'symlink etc/systemd/system/multi-user.target.wants/%s.service /etc/systemd/system/%s.service\n' "$unit" "$unit"
  done
) >"$work/commands"
E2FSPROGS_FAKE_TIME=$SOURCE_DATE_EPOCH debugfs -w -f "$work/commands" "$work/ext4" >"$work/log" 2>&1
e2fsck -fn "$work/ext4" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
for file in usr/lib/epuck-card/epuck-driver.deb usr/sbin/epuck-card; do
  debugfs -R "cat $file" "$work/ext4" 2>/dev/null | cmp - "$stage/$file" || { echo "image: no room for $file in $base" >&2; exit 1; }
done
dd if="$work/ext4" of="$image" bs=512 seek="$root_start" conv=notrunc,sparse status=none
name=$(basename "$base")
name=$out/epuck-$VERSION-${name%%.img*}.img
if [ -n "$raw" ]; then mv "$image" "$name"; else xz -T2 -3 <"$image" >"$name.xz" && name=$name.xz; fi
echo "$name"
