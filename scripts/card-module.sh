#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the kernel's driver of the Pi-puck's I2C multiplexer (i2c-mux-pca954x) for the kernel of the card's image, from
# Debian's own source: its kernel for the Raspberry Pi Zero comes without it.
#   scripts/card-module.sh PACKAGES RELEASE OUT
# PACKAGES is a folder with RELEASE's packages linux-headers, the robot's linux-kbuild, linux-source and, in here, this
# computer's linux-kbuild (scripts/card-packages.sh). The same packages give the same bytes.
set -euo pipefail
export LC_ALL=C
packages=$1 release=$2 out=$3
series=$(cut -d. -f1,2 <<<"$release")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir tree module kbuild
for deb in "$packages"/linux-headers-*.deb "$packages"/here/*.deb; do dpkg-deb -x "$deb" tree; done
dpkg-deb --fsys-tarfile "$packages/linux-source-$series"_*.deb | tar -xO "./usr/src/linux-source-$series.tar.xz" |
  tar -xJ "linux-source-$series/drivers/i2c/muxes/i2c-mux-pca954x.c"
cp "linux-source-$series/drivers/i2c/muxes/i2c-mux-pca954x.c" module/
echo 'obj-m := i2c-mux-pca954x.o' >module/Makefile
# What describes the module knows one size of pointers: the robot's own program does, on an emulated processor.
dpkg-deb -x "$packages/linux-kbuild-$series"_*.deb kbuild
modpost=$work/tree/usr/lib/linux-kbuild-$series/scripts/mod/modpost
printf '#!/bin/sh\nexec qemu-arm -L /usr/arm-linux-gnueabi %s "$@"\n' "$work/kbuild/usr/lib/linux-kbuild-$series/scripts/mod/modpost" >"$modpost"
chmod +x "$modpost"
source=$work/tree/usr/src/linux-headers-$release
find "$work/tree/usr/src" -name Makefile -exec sed -i "s|/usr/src/linux|$work/tree/usr/src/linux|; s|/usr/lib/linux-kbuild|$work/tree/usr/lib/linux-kbuild|" {} +
find "$work/tree/usr/src" -type l -lname '*linux-kbuild*' | while read -r link; do
  ln -sfn "$work/tree/usr/lib/linux-kbuild-$series/$(basename "$link")" "$link"
done
QEMU_LD_PREFIX=/usr/arm-linux-gnueabi make -s -C "$source" M="$work/module" ARCH=arm CROSS_COMPILE=arm-linux-gnueabi- modules >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
# The number that the linker made of names in this folder, which is called otherwise each time, goes, too.
arm-linux-gnueabi-strip --strip-debug --remove-section=.note.gnu.build-id module/i2c-mux-pca954x.ko
mkdir -p "$out"
cp module/i2c-mux-pca954x.ko "$out/"
