#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks that the release programs are reproducible: builds them here and, from a copy of the files, in another
# directory with an empty build cache, another home, language and time zone, and compares the bytes.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/release.sh # both builds are of this version
[ $# -gt 0 ] || set -- armv6 arm64 amd64

work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
modules=$(go env GOMODCACHE)
mkdir -p "$work/elsewhere/a longer way" "$work/home" "$work/here"
copy="$work/elsewhere/a longer way/tree"
mkdir "$copy"
git ls-files -z --cached --others --exclude-standard | while IFS= read -r -d '' f; do [ ! -e "$f" ] || printf '%s\0' "$f"; done |
  tar --null -T - -cf - | tar -xf - -C "$copy"

OUT="$work/here" scripts/cross.sh "$@" >/dev/null
# The copy is no repository: version, commit and time are from the environment.
env HOME="$work/home" GOCACHE="$work/cache" GOMODCACHE="$modules" TZ=Pacific/Auckland LC_ALL=C TMPDIR="$work" \
  OUT=out "$copy/scripts/cross.sh" "$@" >/dev/null
for target in "$@"; do
  if ! cmp "$work/here/epuck-driver-$target" "$copy/out/epuck-driver-$target"; then
    echo "reproduce: two builds of epuck-driver-$target differ" >&2
    exit 1
  fi
  echo "reproduce: epuck-driver-$target $(sha256sum "$work/here/epuck-driver-$target" | cut -c1-16)… twice"
done
