#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# gotest.sh FLAG... -- PACKAGE...: go test. With EPUCK_RERUN=1, as in CI, the tests that fail in up to five packages are
# run once more by name, alone on the machine (the whole package, when it ran out of time or no test is named), and the
# run prints their names at its end: such tests must be fixed, but do not hide the results of the others. Failed builds,
# data races and panics are never run again.
set -euo pipefail
flags=()
while [ "$1" != -- ]; do flags+=("$1"); shift; done
shift
log=$(mktemp)
trap 'rm -f "$log" "$log.again"' EXIT

# reasons repeats the messages of the failed tests at the end of a long log.
reasons() { # LOG
  printf '\n== failures:\n'
  grep -E '_test\.go:[0-9]+: |--- FAIL|^panic: |DATA RACE' "$1" | grep -B 8 -A 8 -- '--- FAIL' | cut -c 1-300 | tail -n 30 || true
}

go test "${flags[@]}" "$@" 2>&1 | tee "$log" && exit
reasons "$log"
[ "${EPUCK_RERUN:-}" = 1 ] || exit 1
grep -v '^panic: test timed out' "$log" | grep -qE 'DATA RACE|^panic: |\[(build|setup) failed\]' && exit 1
mapfile -t failed < <(awk -F '\t' '$1 == "FAIL" && NF > 1 { print $2 }' "$log")
if [ "${#failed[@]}" -eq 0 ] || [ "${#failed[@]}" -gt 5 ]; then exit 1; fi

# failedTests prints the names of a package's failed tests as a pattern of -run. The output of a package ends with its
# line "ok" or "FAIL", and go test prints package by package.
failedTests() { # PACKAGE
  awk -F '\t' -v package="$1" '
    /^panic: test timed out/ { late = 1 }
    /^--- FAIL: / { split($0, words, " "); names = names (names == "" ? "" : "|") words[3] }
    ($1 == "FAIL" || $1 ~ /^ok +$/) && NF > 1 {
      if ($2 == package) { if (!late && names != "") print "^(" names ")$"; exit }
      names = ""; late = 0
    }' "$log"
}

: >"$log.again"
for package in "${failed[@]}"; do
  tests=$(failedTests "$package")
  printf '\n== running again, alone: %s %s\n' "$package" "$tests"
  if ! go test -count=1 -p 1 "${flags[@]}" ${tests:+-run "$tests"} "$package" 2>&1 | tee -a "$log.again"; then
    reasons "$log.again"
    exit 1
  fi
done
printf '\n== FLAKY, to be fixed: %s\n' "${failed[*]}"
reasons "$log"
