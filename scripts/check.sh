#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# make check: with make test, what decides whether a change is taken: linters that find faults, imports that point down the
# layers, and the race detector on the packages with goroutines. Unit tests only, without root and Debian packages.
set -euo pipefail
cd "$(dirname "$0")/.."
step() { printf '\n== %s (after %d s)\n' "$1" "$SECONDS"; }

step "golangci-lint"
scripts/lint.sh

step "go test -race, packages with goroutines"
# Packages without goroutines of their own take up to twenty times as long with the race detector, and show nothing. SQLite
# and WebRTC, which take minutes to compile for it, are left to make test-long.
mapfile -t packages < <(go list -f '{{.ImportPath}} {{.Dir}}' ./ros2/... ./driver/... ./web/... ./fleet ./fleet/groundtruth \
  ./fleet/simclock ./bag/blackbox ./bag/play ./bag/record ./camera ./camera/m2m ./camera/shared \
  ./internal/task ./internal/timerfd ./cosim/traci ./sim/vbus ./cosim/wifi ./wifi/robot ./cmd/epuck-driver/internal/{bags,frame,service} |
  grep -vE '/(ros2/(dynamic|shell|names|interop|rclgo|internal/(asio|signals2)|rmw/security/keystore|rtps/(wire|shapes|security))|web/(guard|internal/page))(/| )' |
  while read -r package folder; do
    if grep -qE '\bgo (func|[a-zA-Z.]+\()|\.Go\(|\bchan\b|"sync|AfterFunc|RunParallel' "$folder"/*.go; then echo "$package"; fi
  done)
RAPID_SEED=1 scripts/gotest.sh -race -tags nosqlite,nolive -vet=off -ldflags=-w -timeout 20m -- "${packages[@]}"

step "done"
