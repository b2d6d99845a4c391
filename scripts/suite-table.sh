# SPDX-License-Identifier: Apache-2.0
# Sourced by the scripts of the suites.
# shellcheck shell=bash

# suite_table FILE...: what the suites say.
suite_table() {
  printf '\n%-60s %8s %8s %8s\n' "suite: part" passed failed seconds
  local file
  for file in "$@"; do
    awk -F '\t' -v suite="$(basename "$file" .tsv)" '{ printf "%-60s %8d %8d %8d\n", suite ": " $1, $2, $3, $4 }' "$file"
  done
  cat "$@" | awk -F '\t' '{ p += $2; f += $3; s += $4 } END { printf "%-60s %8d %8d %8d\n", "all", p, f, s; exit f > 0 }'
}
