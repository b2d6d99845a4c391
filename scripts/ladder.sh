#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Prints the table of the levels in docs/explanation/cost.md: simulated seconds a second of processor time by level and
# cost of work, for one to eight robots, on one core and on two. EPUCK_TARGET_DRIVER names the ARMv6 driver for level
# target.
set -euo pipefail
cd "$(dirname "$0")/.."
go test -tags system -run '^$' -bench Ladder -benchtime 1x -timeout 2h ./fleet/targetlevel | tee /dev/stderr | awk '
  function short(v) { return v >= 100 ? sprintf("%.0f", v) : v >= 1 ? sprintf("%.1f", v) : sprintf("%.2g", v) }
  /^BenchmarkLadder/ {
    split($1, part, "/"); sub(/robots=/, "", part[3]); sub(/cores=/, "", part[4]); sub(/-.*/, "", part[4])
    row = part[2] " " part[4]
    if (!(row in seen)) { seen[row] = 1; order[++rows] = row }
    unit = part[2] ~ /^target/ ? "s/s" : "s/processor-s" # the emulators of level target are other processes
    for (i = 3; i < NF; i++) if ($(i + 1) == unit) figure[row, part[3]] = $i
  }
  END {
    print "\n| level, work costs | cores | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 robots |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    for (r = 1; r <= rows; r++) {
      split(order[r], f, " "); sub(/,/, ", ", f[1]); line = "| " f[1] " | " f[2] " |"
      for (n = 1; n <= 8; n++) line = line " " short(figure[order[r], n]) " |"
      print line
    }
  }'
