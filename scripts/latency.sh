#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Latencies of periodic threads, in Go and in cyclictest, with and without SCHED_FIFO, idle and busy, of PERIODS (2000)
# periods each. Installs rt-tests if it is missing. As root, which SCHED_FIFO needs.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v cyclictest >/dev/null || {
  [ "$(id -u)" -eq 0 ] || { echo "latency: no cyclictest; as root: apt-get install rt-tests" >&2; exit 1; }
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends rt-tests >/dev/null
}
exec go test -run '^$' -bench Latency -benchtime "${PERIODS:-2000}x" ./ros2/tasks
