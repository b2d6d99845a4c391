#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The main job once, by the program that the tests have compiled: a simulation of two seconds ends by itself, and one
# message of the odometry of a running one arrives in a second process. It uses the loopback interface alone; the two
# minutes end a hang.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
simulator=
finish() {
  if [ -n "$simulator" ]; then kill -INT "$simulator" 2>/dev/null || true; wait "$simulator" 2>/dev/null || true; fi
  rm -rf "$work"
}
trap finish EXIT
export ROS_LOCALHOST_ONLY=1 ROS_DOMAIN_ID=$((RANDOM % 100 + 1)) XDG_STATE_HOME="$work" XDG_CONFIG_HOME="$work"

go build -ldflags=-w -o "$work/epuck-driver" ./cmd/epuck-driver
timeout 120 "$work/epuck-driver" sim --for 2s >"$work/first" 2>&1 || { cat "$work/first"; echo "smoke: sim --for 2s failed" >&2; exit 1; }
"$work/epuck-driver" sim >"$work/second" 2>&1 &
simulator=$!
timeout 120 "$work/epuck-driver" topic echo /odom --once >"$work/odom" 2>&1 ||
  { cat "$work/second" "$work/odom"; echo "smoke: no /odom was heard" >&2; exit 1; }
grep -q 'child_frame_id' "$work/odom" || { cat "$work/odom"; echo "smoke: the message has no child_frame_id" >&2; exit 1; }
kill -INT "$simulator"
wait "$simulator" || { cat "$work/second"; echo "smoke: sim ended with status $?" >&2; exit 1; }
simulator=
echo "simulated, heard and stopped"
