#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tests the card's image: two builds have the same bytes, it is small enough, complete when written by its block map,
# and starts in an emulated Raspberry Pi Zero, whose power is cut ten times (EPUCK_CUTS). Meanwhile its system is
# rebuilt from the same packages, with the same bytes. It does not use this machine's network. It needs root, and up to
# two hours.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ "$(id -u)" -ne 0 ]; then
  echo "test-image: the system's files and the emulated network need root: sudo make test-image" >&2
  exit 1
fi
SECONDS=0
step() { printf '\n== %s (after %s s)\n' "$1" "$SECONDS"; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

step "two builds with the same bytes"
archive=$(scripts/card-root.sh)
image=$(scripts/image --out "$work/first" | tail -n 1)
scripts/image --out "$work/second" >/dev/null
for file in "$work"/first/*; do
  cmp "$file" "$work/second/${file##*/}"
done
rm -rf "$work/second"

step "the part that is written to a card"
bmap=${image%.xz}.bmap
tag() { sed -n "s|.*<$1> *\([0-9]*\) *</$1>.*|\1|p" "$bmap"; }
bytes=$(($(tag MappedBlocksCount) * $(tag BlockSize)))
echo "$bytes bytes are written, $(stat -c %s "$image") are downloaded"
[ "$bytes" -le 400000000 ] || { echo "test-image: more than 400 MB" >&2; exit 1; }
bmaptool -q copy --bmap "$bmap" "$image" "$work/card.img"
xz -dc "$image" >"$work/whole.img"
for part in 1 2; do # of the third partition only used blocks are written
  at=$(partx -g -o START --nr "$part" "$work/whole.img") count=$(partx -g -o SECTORS --nr "$part" "$work/whole.img")
  cmp -i $((at * 512)) -n $((count * 512)) "$work/card.img" "$work/whole.img"
done
rm "$work/whole.img"

# From the same packages, which are cached: the archives may have changed. It uses one core, and QEMU another.
step "rebuild of the system, in parallel"
cp "$archive" "$work/first.tar"
CARD_ROOT=again nice scripts/card-root.sh >"$work/again.log" 2>&1 &
again=$!

step "in an emulated Raspberry Pi Zero" # blocks that the map omits are holes, as on the card
EPUCK_VM=card EPUCK_CARD_IMAGE="$work/card.img" go test -tags system -count=1 -timeout 110m -v -run 'TestCard|TestAnswered' ./deploy/vmtest

step "the rebuilt system has the same bytes"
wait "$again" || { cat "$work/again.log" >&2; exit 1; }
cmp "$work/first.tar" "$archive" || {
  mkdir "$work/1" "$work/2"
  tar -xf "$work/first.tar" -C "$work/1"
  tar -xf "$archive" -C "$work/2"
  diff -rq --no-dereference "$work/1" "$work/2" | head -40
  exit 1
} >&2
step "done"
