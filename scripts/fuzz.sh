#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs every fuzz target of the project, one for each core at a time. It fails if one finds a failing input, which Go
# writes to testdata/fuzz of the package: commit it with the fix. FUZZTIME (10s) is the time of each target. FUZZTOTAL,
# in seconds, is the time of all of them instead, which bounds the time in CI: targets of packages that differ from
# FUZZBASE (HEAD~1) share half of it, up to a minute each, the others share the rest, at least 2 s each. Build times are
# not included. FUZZONLY, a pattern, selects from the lines that --list prints.
set -euo pipefail
cd "$(dirname "$0")/.."

targets=$(grep -rE --include='*_test.go' '^func Fuzz[A-Z]' . |
  sed -E 's|^\./(.*)/[^/]*_test\.go:func (Fuzz[A-Za-z0-9_]+).*|./\1 \2|' | sort -u | grep -E "${FUZZONLY:-.}")
jobs=$(nproc)
changed=$(git diff --name-only "${FUZZBASE:-HEAD~1}" -- '*.go' 2>/dev/null | sed -E 's|^|./|; s|/[^/]*$||' | sort -u || true)

# isChanged reports whether a target's package has changed.
isChanged() { grep -qxF "$1" <<<"$changed"; }

count=0 new=0
while read -r dir _; do
  count=$((count + 1))
  if isChanged "$dir"; then new=$((new + 1)); fi
done <<<"$targets"
share=${FUZZTIME:-10s} newShare=${FUZZTIME:-10s}
if [ -n "${FUZZTOTAL:-}" ]; then
  all=$((FUZZTOTAL * jobs)) long=0
  if [ "$new" -gt 0 ]; then
    long=$((all / 2 / new > 60 ? 60 : all / 2 / new))
    long=$((long < 2 ? 2 : long))
  fi
  rest=$((count > new ? (all - new * long) / (count - new) : 0))
  rest=$((rest < 2 ? 2 : rest > 60 ? 60 : rest))
  share=${rest}s newShare=$((long > rest ? long : rest))s
fi
printf '%d targets, %s each; %d of changed packages, %s each; %d at a time\n' "$count" "$share" "$new" "$newShare" "$jobs"
[ "${1:-}" != --list ] || { printf '%s\n' "$targets"; exit; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cache=$(go env GOCACHE)/fuzz
module=$(go list -m)

# run fuzzes one target: its folder, name and time.
run() {
  local dir=$1 target=$2 log="$work/$2.$$.$RANDOM"
  # Inputs that reach new code are minimised for a second instead of Go's default, a minute.
  if (cd "$dir" && "$work/bin/${dir//\//_}" -test.run '^$' -test.fuzz "^$target\$" -test.fuzztime "$3" -test.parallel 1 \
    -test.fuzzminimizetime 1s -test.fuzzcachedir "$cache/$module/${dir#./}" </dev/null) >"$log" 2>&1; then
    printf '== %s %s: %s\n' "$dir" "$target" "$(grep 'elapsed' "$log" | tail -1)"
    return
  fi
  # If a worker is slow, Go reports the end of the time as a failure, but writes no input.
  if grep -q 'context deadline exceeded' "$log" && ! grep -q 'Failing input written' "$log"; then
    printf '== %s %s: ended late\n' "$dir" "$target"
    return
  fi
  printf '== %s %s: FOUND\n' "$dir" "$target"
  cat "$log"
  return 1
}
export -f run
export work cache module

mkdir "$work/bin"
while read -r dir; do
  go test -tags peers,system,long -c -fuzz Fuzz -o "$work/bin/${dir//\//_}" "$dir" </dev/null
done < <(cut -d' ' -f1 <<<"$targets" | sort -u)
while read -r dir target; do
  if isChanged "$dir"; then echo "$dir $target $newShare"; else echo "$dir $target $share"; fi
done <<<"$targets" | xargs -P "$jobs" -L 1 bash -c 'set -euo pipefail; run "$@" || exit 255' fuzz
