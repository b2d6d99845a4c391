#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Lists the functions that no program and no documented feature of the library uses, and fails if there are any that
# scripts/deadcode.allow lacks. An Example documents a feature; a test is no use. The tool analyses the project with
# renamed test functions, so that programs and Examples are the only entry points.
set -euo pipefail
cd "$(dirname "$0")/.."
version=v0.40.0 # of golang.org/x/tools

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
{
  printf '{"Replace":{'
  separator=""
  while read -r file; do
    mkdir -p "$work/$(dirname "$file")"
    sed -E 's/^func (Test|Benchmark|Fuzz)([A-Z0-9_])/func not\1\2/; s/^func notTestMain\(/func TestMain(/' "$file" >"$work/$file"
    printf '%s"%s":"%s"' "$separator" "$PWD/$file" "$work/$file"
    separator=,
  done < <(git ls-files --cached --others --exclude-standard '*_test.go')
  printf '}}'
} >"$work/overlay.json"

GOFLAGS="-overlay=$work/overlay.json" go run "golang.org/x/tools/cmd/deadcode@$version" -test ./... >"$work/all"
grep -v '_test\.go:' "$work/all" | sed -E 's/:[0-9]+:[0-9]+: unreachable func: /: /' | sort >"$work/found"
sed -E '/^(#|$)/d; s/ -- .*//' scripts/deadcode.allow >"$work/allowed"
# An allowed item is a package, a file or a function of a file.
while read -r line; do
  while read -r allowed; do
    [[ $line != "$allowed" && $line != "$allowed"/* && $line != "$allowed":* ]] || continue 2
  done <"$work/allowed"
  echo "$line"
done <"$work/found" >"$work/dead"
while read -r allowed; do
  grep -qE "^$allowed(/|:|\$)" "$work/found" || { echo "deadcode: the line $allowed of scripts/deadcode.allow is not needed" >&2; exit 1; }
done <"$work/allowed"
cat "$work/dead"
count=$(wc -l <"$work/dead")
if [ "$count" -gt 0 ]; then
  echo "deadcode: $count functions that no program and no Example uses" >&2
  exit 1
fi
