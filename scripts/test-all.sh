#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# make test-all: all suites in sequence, whatever fails, and one table of them at the end.
set -uo pipefail
cd "$(dirname "$0")/.." || exit
mkdir -p bin/suites
for suite in gate peers system long; do : >bin/suites/$suite.tsv; done # not those of an earlier run
gate() { # NAME COMMAND...
  local begin=$SECONDS status=0 name=$1
  shift
  "$@" || status=1
  printf '%s\t%d\t%d\t%d\n' "make $name" $((1 - status)) $status $((SECONDS - begin)) >>bin/suites/gate.tsv
}
gate test scripts/test.sh
gate check scripts/check.sh
for suite in peers system long; do
  scripts/test-$suite.sh || true
done
. scripts/suite-table.sh
suite_sums gate
suite_table bin/suites/{gate,peers,system,long}.tsv
