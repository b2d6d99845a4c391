#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the static release programs with the camera: bin/epuck-driver-armv6 (Pi Zero W), -arm64, -amd64, or only those
# named as arguments. Equal commits result in equal bytes on every machine with the same Go and Debian 12 compilers
# (scripts/reproduce.sh checks it). OUT (bin) is the output folder; VERSION, COMMIT and SOURCE_DATE_EPOCH default to
# those of git; OVERLAY is a file for go build -overlay (scripts/size-parts.sh).
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/release.sh # VERSION, COMMIT, SOURCE_DATE_EPOCH
. scripts/musl.sh
out=${OUT:-bin}
# Bytes, stripped: what the robot's SD card and a slow Wi-Fi should bear. A larger program is built, with a warning; a
# test of the suite system fails. 64-bit code is larger, and arm64 and amd64 include what ARMv6 lacks: swarms,
# experiments, maps, navigation, calibrations, described robots with the generic driver. amd64, which no robot uses, also
# includes SQLite (3.6 MB) for the bags of ROS 2 Humble.
budget() { case $1 in armv6) echo 21000000 ;; arm64) echo 33000000 ;; *) echo 40000000 ;; esac; }

# Debian's gnueabi compiler generates ARMv5TE code, which every Raspberry Pi runs; the gnueabihf compiler generates
# ARMv7 code, on which a Pi Zero stops with "illegal instruction". Go's code is ARMv6 with floating point (GOARM=6).
# The 32-bit program is linked with musl, which takes 0.55 MB less than glibc (scripts/musl.sh).
build() { # suffix, GOARCH, C compiler, GOARM
  local file="$out/epuck-driver-$1" size=() cflags="-O2"
  [ "$3" != "$MUSL_CC" ] || cflags=$MUSL_CFLAGS
  # Smaller code: for ARMv6 only time-critical packages are inlined, which saves a tenth (scripts/armv6.gcflags; its
  # last lines exclude packages that run once a second, once a picture or at the start). For ARM64 and amd64 packages
  # that serve users and browsers are not inlined (scripts/arm64.gcflags, scripts/amd64.gcflags).
  [ ! -e "scripts/$1.gcflags" ] || mapfile -t size <"scripts/$1.gcflags"
  command -v "$3" >/dev/null || { echo "cross: $3 is missing: scripts/setup.sh cross installs it" >&2; exit 1; }
  CGO_ENABLED=1 GOOS=linux GOARCH=$2 GOARM=$4 CC=$3 CGO_CFLAGS="$cflags" CGO_LDFLAGS="" GOFLAGS="" \
    go build -trimpath -buildvcs=false -tags netgo,osusergo,nethttpomithttp2 ${OVERLAY:+-overlay "$OVERLAY"} "${size[@]}" -o "$file" \
    -ldflags "-s -w -linkmode external -extldflags '-static -Wl,--build-id=none' \
      -X main.version=$VERSION -X main.commit=$COMMIT -X main.date=$(date -u -d "@$SOURCE_DATE_EPOCH" +%F)" \
    ./cmd/epuck-driver
  local bytes most
  most=$(budget "$1")
  bytes=$(stat -c %s "$file")
  printf '%s\t%d bytes\n' "$file" "$bytes"
  if [ "$bytes" -gt "$most" ]; then
    echo "cross: warning: $file has $bytes bytes, more than the budget of $most" >&2
  fi
}

[ $# -gt 0 ] || set -- armv6 arm64 amd64
mkdir -p "$out"
for target in "$@"; do
  case $target in
    armv6) build armv6 arm "$MUSL_CC" 6 ;;
    arm64) build arm64 arm64 aarch64-linux-gnu-gcc "" ;;
    amd64) build amd64 amd64 x86_64-linux-gnu-gcc "" ;;
    armv7) build armv7 arm "$MUSL_CC" 7 ;; # 32-bit systems of later Raspberry Pis
    *) echo "cross: unknown target $target: want armv6, armv7, arm64 or amd64" >&2; exit 2 ;;
  esac
done
