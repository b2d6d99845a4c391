# SPDX-License-Identifier: Apache-2.0
# Sourced by the scripts of the suites, with the name of the suite (and build tag) as its argument. A suite continues after
# a failure, stops what a part left running, and ends with a table, also in bin/suites/NAME.tsv; suite_end returns 1 if
# anything failed.
# shellcheck shell=bash
. scripts/suite-table.sh
suite=$1
tags=${2:-$1}
suite_folder=bin/suites
suite_rows="$suite_folder/$suite.tsv"
mkdir -p "$suite_folder"
: >"$suite_rows"
suite_work=$(mktemp -d)
suite_ended=no
trap suite_exit EXIT
export RAPID_SEED=${RAPID_SEED:-1}
go mod download # some tests build programs in a namespace without a network
if [ "$(id -u)" -ne 0 ]; then echo "$suite: some tests need root: private networks, packages, virtual machines" >&2; fi

# suite_exit counts a suite that stops before its end as a failure, also in its sums.
suite_exit() {
  if [ $suite_ended = no ]; then
    row "the suite stopped before its end" 0 1 "$SECONDS"
    suite_sums "$suite"
  fi
  rm -rf "$suite_work"
}

row() { # NAME PASSED FAILED SECONDS
  printf '%s\t%d\t%d\t%d\n' "$@" >>"$suite_rows"
  printf '== %s: %s: %d passed, %d failed, %d s\n' "$suite" "$@"
}

# The packages that have tests of this suite, and a pattern of the names of these tests.
{ read -ra suite_packages; read -r suite_tests; } < <(go run ./scripts/tests "$suite")
[ -n "${suite_tests:-}" ] || { echo "$suite: there are no tests with this tag" >&2; exit 1; }
suite_done=" "

# leftovers stops the processes that a part has left behind, which its environment names, and prints them.
leftovers() {
  local file pid found=0
  for file in /proc/[0-9]*/environ; do
    pid=${file#/proc/} pid=${pid%/environ}
    if [ "$pid" = $$ ] || [ "$pid" = "$BASHPID" ]; then continue; fi
    if tr '\0' '\n' 2>/dev/null <"$file" | grep -qx "EPUCK_SUITE=$1"; then
      echo "$suite: left behind: $(tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null)"
      kill -KILL "$pid" 2>/dev/null || true
      found=$((found + 1))
    fi
  done
  return $((found > 0))
}

# step NAME COMMAND...: counts as one test, unless the command is go test by scripts/gotest.sh, whose tests count.
step() {
  local name=$1 begin=$SECONDS status=0 log="$suite_work/log" passed failed mark="$suite-$$-$RANDOM" sums
  shift
  printf '\n== %s: %s\n' "$suite" "$name"
  EPUCK_SUITE=$mark "$@" 2>&1 </dev/null | tee "$log" || status=1
  sums=$(sed -nE 's/^DONE .*\b([0-9]+) tests?.*/\1/p; s/^DONE ([0-9]+) tests?.*/\1/p' "$log" | tail -n 1)
  failed=$(sed -nE 's/^DONE .* ([0-9]+) failures?.*/\1/p' "$log" | tail -n 1)
  failed=${failed:-0}
  [ "$status" = 0 ] || [ "$failed" -gt 0 ] || failed=1
  passed=$((${sums:-1} - failed))
  [ "$passed" -ge 0 ] || passed=0
  leftovers "$mark" || failed=$((failed + 1))
  row "$name" "$passed" "$failed" $((SECONDS - begin))
}

# needs GROUP...: installs groups of scripts/setup.sh; one that cannot be installed is a failure of the suite.
needs() {
  [ $# -gt 0 ] || return 0
  scripts/setup.sh "$@" || { row "installation of $*" 0 1 0; return 1; }
}

# part NAME GROUPS PACKAGE...: installs the groups of scripts/setup.sh (a list in one word), and runs those tests of the
# packages that belong to the suite.
part() {
  local name=$1 groups package packages=()
  read -ra groups <<<"$2"
  shift 2
  for package in "$@"; do
    case " ${suite_packages[*]} " in *" $package "*) packages+=("$package"); suite_done+="$package " ;; esac
  done
  [ "${#packages[@]}" -gt 0 ] || return 0
  needs "${groups[@]}" || return 0
  step "$name" scripts/gotest.sh -tags "$tags" -vet=off -count=1 -timeout 60m -run "$suite_tests" -- "${packages[@]}"
}

# rest runs what no part has named.
rest() {
  local package others=()
  for package in "${suite_packages[@]}"; do
    case $suite_done in *" $package "*) ;; *) others+=("$package") ;; esac
  done
  part "all other packages" "${1:-}" "${others[@]}"
}

# suite_end prints the table of the suite; its status is 1 if anything failed.
suite_end() {
  suite_ended=yes
  suite_sums "$suite"
  suite_table "$suite_rows"
}
