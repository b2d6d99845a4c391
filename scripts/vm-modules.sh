#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the kernel's virtual codec (vicodec, a memory-to-memory device like the Raspberry Pi's GPU) for the kernel of
# the tests' virtual machine, from Debian's own packages: Debian's kernel lacks it. Prints the directory with
# v4l2-mem2mem.ko and vicodec.ko, which is cached in the folder of the machine's disk.
set -euo pipefail
export LC_ALL=C
root=$(cd "$(dirname "$0")/.." && pwd)
image=$("$root/scripts/vm-image.sh")
# The release is where the header of the kernel's file says (Documentation/x86/boot.rst: kernel_version, at 0x20e).
at=$(($(od -An -tu2 -j 526 -N 2 "$image/vmlinuz") + 512))
release=$(dd if="$image/vmlinuz" bs=1 skip="$at" count=64 status=none | tr '\0' ' ' | cut -d' ' -f1)
series=$(cut -d. -f1,2 <<<"$release")
out=$(dirname "$image")/modules-$release-$(sha256sum <"$0" | cut -c1-8)
exec 9>"$(dirname "$image")/modules.lock"
flock 9
if [ -e "$out/done" ]; then
  echo "$out"
  exit 0
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
chmod 755 . # apt fetches as another user
echo "vm-modules: building for $release" >&2
apt-get download -qq "linux-headers-$release" "linux-headers-${release%-*}-common" "linux-kbuild-$series" "linux-source-$series" 2>/dev/null >&2 ||
  { echo "vm-modules: apt does not have the headers of $release; remove $image to build a machine with the present kernel" >&2; exit 1; }
mkdir headers module
for deb in linux-headers-*.deb linux-kbuild-*.deb; do dpkg-deb -x "$deb" headers; done
media=linux-source-$series/drivers/media
dpkg-deb --fsys-tarfile "linux-source-$series"_*.deb | tar -xO "./usr/src/linux-source-$series.tar.xz" |
  tar -xJ "$media/v4l2-core/v4l2-mem2mem.c" "$media/test-drivers/vicodec"
cp "$media"/v4l2-core/v4l2-mem2mem.c "$media"/test-drivers/vicodec/*.[ch] module/
cat >module/Makefile <<'MAKE'
obj-m := v4l2-mem2mem.o vicodec.o
vicodec-objs := vicodec-core.o codec-fwht.o codec-v4l2-fwht.o
MAKE
tree=$work/headers/usr/src/linux-headers-$release
sed -i "s|/usr/src/|$work/headers/usr/src/|" "$tree/Makefile"
make -s -C "$tree" M="$work/module" modules >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
mkdir -p "$out"
cp module/v4l2-mem2mem.ko module/vicodec.ko "$out/"
touch "$out/done"
echo "$out"
