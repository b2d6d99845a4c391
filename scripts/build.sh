#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds bin/epuck-driver for this machine and reports what it does: build.sh LDFLAGS [TAGS]. Without compiled packages
# in Go's cache (the first time) that takes minutes of processor time, so it counts the packages as they are compiled.
set -euo pipefail
cd "$(dirname "$0")/.."
export CGO_ENABLED=0
go=${GO:-go} out=${BIN:-bin/epuck-driver}

# Downloads of modules are reported by go itself.
total=$("$go" list -deps -tags "${2-}" ./cmd/epuck-driver | wc -l)
begin=$SECONDS

# count reads the output of go build -v: a line that is only a package path is counted, every other line is an error.
count() {
  local n=0 clear='' line
  while IFS= read -r line; do
    if [[ ! $line =~ ^[A-Za-z0-9._~/-]+$ ]]; then
      printf '%s%s\n' "$clear" "$line"
      clear=''
      continue
    fi
    n=$((n + 1))
    [ $n != 20 ] || echo "building epuck-driver: up to $total packages; the first time this takes minutes"
    if [ $n -ge 20 ] && [ -t 2 ]; then
      clear=$'\r\e[K'
      printf '%scompiled %d of %d: %s' "$clear" $n "$total" "$line"
    elif [ $((n % 100)) = 0 ]; then
      echo "compiled $n of $total"
    fi
  done
  printf '%s' "$clear"
} >&2

"$go" build -v -trimpath -tags "${2-}" -ldflags "$1" -o "$out" ./cmd/epuck-driver 2>&1 | count
[ $((SECONDS - begin)) -lt 10 ] || echo "built $out in $((SECONDS - begin)) s" >&2
