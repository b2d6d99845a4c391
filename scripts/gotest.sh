#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# gotest.sh FLAG... -- PACKAGE...: go test. With EPUCK_RERUN=1, as in CI, up to three packages that fail are run once
# more, alone on the machine, and the run prints their names at its end: such tests must be fixed, but do not hide the
# results of the others. Failed builds, data races and panics are never run again.
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
if [ "${#failed[@]}" -eq 0 ] || [ "${#failed[@]}" -gt 3 ]; then exit 1; fi
printf '\n== running again, alone: %s\n' "${failed[*]}"
if ! go test -count=1 -p 1 "${flags[@]}" "${failed[@]}" 2>&1 | tee "$log.again"; then
  reasons "$log.again"
  exit 1
fi
printf '\n== FLAKY, to be fixed: %s\n' "${failed[*]}"
reasons "$log"
