#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Measures lost messages, processor time and memory of "bag record", and then of "ros2 bag record" if a ROS 2 is
# sourced, while they record 100 topics with 2,000 messages and 20 MB a second for LOAD_SECONDS (60). The bags are
# written to a temporary folder in BAGS (/tmp).
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${LOAD_SECONDS:-60}
export ROS_LOCALHOST_ONLY=1 ROS_DOMAIN_ID="${ROS_DOMAIN_ID:-87}"
work=$(mktemp -d "${BAGS:-/tmp}/bench-record.XXXXXX")
load=
finish() { [ -z "$load" ] || kill "$load" 2>/dev/null || true; rm -rf "$work"; }
trap finish EXIT
CGO_ENABLED=0 go build -o "$work/ed" ./cmd/epuck-driver
CGO_ENABLED=0 go build -o "$work/load" ./bag/record/testdata/load

measure() { # name, bag, command…
  local name=$1 bag=$2
  shift 2
  "$work/load" -seconds "$((seconds + 30))" >"$work/load.log" 2>&1 & load=$!
  bash -c 'TIMEFORMAT="%U s user, %S s system"; time timeout -s INT "$0" "$@" >"$WORK/out" 2>&1; true' "$seconds" "$@" 2>"$work/time" &
  local recorder=$! peak=0 now child
  while kill -0 "$recorder" 2>/dev/null; do # the peak memory of any process of the recorder
    for child in $(pgrep -f -- "-o $bag" || true); do
      now=$(awk '/^VmHWM/ { print $2 }' "/proc/$child/status" 2>/dev/null || true)
      [ "${now:-0}" -le "$peak" ] || peak=$now
    done
    sleep 1
  done
  kill "$load" 2>/dev/null || true
  wait "$load" 2>/dev/null || true
  load=
  printf '%s: %s, %s kB at most\n' "$name" "$(tail -n 1 "$work/time")" "$peak"
  go run ./bag/record/testdata/lost "$bag"
  rm -rf "$bag"
}
export WORK=$work
measure "epuck-driver bag record" "$work/ours" "$work/ed" bag record --regex '^/load' -o "$work/ours"
if command -v ros2 >/dev/null; then
  measure "ros2 bag record, ${ROS_DISTRO:-}, ${RMW_IMPLEMENTATION:-its default}" "$work/theirs" ros2 bag record -s mcap -e '^/load' -o "$work/theirs"
else
  echo "ros2 bag record: not measured, no ROS 2 is sourced here"
fi
