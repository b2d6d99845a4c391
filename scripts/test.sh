#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# make test: what decides whether a change is taken, with scripts/check.sh. It needs Go and gcc, no root, no Debian
# package and no fixed port, and it fails only for a fault of the code: simulated time, fixed seeds, transports and buses
# in memory. Results of unchanged packages are those of Go's cache.
set -euo pipefail
cd "$(dirname "$0")/.."
step() { printf '\n== %s (after %d s)\n' "$1" "$SECONDS"; }

step "gofmt"
unformatted=$(git ls-files -z '*.go' | xargs -0 gofmt -l)
if [ -n "$unformatted" ]; then echo "not formatted by gofmt: $unformatted" >&2; exit 1; fi

step "go vet"
go vet ./...

# Deadlines end a test that hangs; they decide nothing else. rapid takes its seed from the environment. Without DWARF
# (-w) linking, which is most of the time, takes a quarter less.
step "unit and component tests"
RAPID_SEED=1 scripts/gotest.sh -vet=off -ldflags=-w -timeout 20m -- ./...

step "the main job: a simulated robot, heard by a second process"
scripts/smoke.sh

step "done"
