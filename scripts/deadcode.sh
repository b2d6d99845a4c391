#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Lists the functions that no program and no documented feature of the library uses, for people to read: packages for
# tests are among them, and what only other systems use. An Example documents a feature; a test is no use. The tool
# analyses the project with renamed test functions, so that programs and Examples are the only entry points.
# `go run ./scripts/report -v deadcode` runs this.
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
grep -v '_test\.go:' "$work/all" | sed -E 's/ unreachable func: / /' | sort || true
