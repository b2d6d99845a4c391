#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs every fuzz target of the project for FUZZTIME each (default 10s) and stops at the first finding, which Go writes
# to testdata/fuzz of the package: commit it with the mend.
set -euo pipefail
cd "$(dirname "$0")/.."
fuzztime=${FUZZTIME:-10s}
grep -rlE '^func Fuzz[A-Z]' --include='*_test.go' . | xargs -n1 dirname | sort -u | while read -r dir; do
  grep -hoE '^func Fuzz[A-Za-z0-9_]+' "$dir"/*_test.go | sed 's/func //' | sort -u | while read -r target; do
    printf '== %s %s\n' "$dir" "$target"
    go test -run '^$' -fuzz "^$target\$" -fuzztime "$fuzztime" "$dir" </dev/null
  done
done
