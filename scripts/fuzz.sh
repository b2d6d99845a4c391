#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs every fuzz target of the project and stops at the first finding, which Go writes to testdata/fuzz of the package:
# commit it with the mend. FUZZTIME (10s) is for each target. FUZZTOTAL, in seconds, is for all of them together
# instead: each gets its share, at least 2 s and at most a minute, so that CI's time is bounded however many targets
# there are.
set -euo pipefail
cd "$(dirname "$0")/.."

targets=$(grep -rE --include='*_test.go' '^func Fuzz[A-Z]' . |
  sed -E 's|^\./(.*)/[^/]*_test\.go:func (Fuzz[A-Za-z0-9_]+).*|./\1 \2|' | sort -u)
count=$(wc -l <<<"$targets")
if [ -n "${FUZZTOTAL:-}" ]; then
  share=$((FUZZTOTAL / count))
  FUZZTIME=$((share < 2 ? 2 : share > 60 ? 60 : share))s
fi
fuzztime=${FUZZTIME:-10s}
printf '%d targets, %s each\n' "$count" "$fuzztime"
[ "${1:-}" != --list ] || { printf '%s\n' "$targets"; exit; }
log=$(mktemp)
trap 'rm -f "$log"' EXIT
while read -r dir target; do
  printf '== %s %s\n' "$dir" "$target"
  # An input that finds new code is shortened for a second, not for Go's minute, in which nothing else is tried.
  go test -run '^$' -fuzz "^$target\$" -fuzztime "$fuzztime" -fuzzminimizetime 1s "$dir" </dev/null 2>&1 | tee "$log" && continue
  # Go takes its own end of the time for a finding when a worker is slow to hear of it: no input is written then.
  if ! grep -q 'context deadline exceeded' "$log" || grep -q 'Failing input written' "$log"; then
    exit 1
  fi
done <<<"$targets"
