# SPDX-License-Identifier: Apache-2.0
# Sourced by the scripts of the suites.
# shellcheck shell=bash

# suite_sums SUITE: writes the sums of bin/suites/SUITE.tsv into bin/suites.tsv, which make report reads.
suite_sums() {
  awk -F '\t' -v suite="$1" '{ p += $2; f += $3; s += $4 } END { printf "%s\t%d\t%d\t%d\n", suite, p, f, s }' "bin/suites/$1.tsv" \
    >"bin/suites/$1.sum"
  cat bin/suites/*.sum >bin/suites.tsv
}

# suite_table FILE...: what the suites say.
suite_table() {
  printf '\n%-60s %8s %8s %8s\n' "suite: part" passed failed seconds
  local file
  for file in "$@"; do
    awk -F '\t' -v suite="$(basename "$file" .tsv)" '{ printf "%-60s %8d %8d %8d\n", suite ": " $1, $2, $3, $4 }' "$file"
  done
  cat "$@" | awk -F '\t' '{ p += $2; f += $3; s += $4 } END { printf "%-60s %8d %8d %8d\n", "all", p, f, s; exit f > 0 }'
}
