#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tests that take too long for every change: those that -short skips or shortens (statistics over many seeds, matrices
# of peers, long drives), the packages of the robot's program as ARMv6 code, the same trace on ARM64, reproducible
# release programs, and attacks on the ARMv6 program.
set -euo pipefail
cd "$(dirname "$0")/.."

step() { printf '\n== %s\n' "$1"; }

step "the tests that make test shortens"
mapfile -t shortened < <(git grep -l 'testing\.Short()' -- '*_test.go' | xargs -n 1 dirname | sort -u | sed 's|^|./|' |
  grep -vx ./scripts/benchtarget)
tests=$(go run ./scripts/shortened "${shortened[@]}")
EPUCK_INTEROP=required scripts/gotest.sh -p 3 -timeout 40m -run "$tests" -- "${shortened[@]}"

# The number of wake-ups depends on the load of this machine, so nothing else runs meanwhile.
step "the program's cost on the robot, counted again"
EPUCK_INTEROP=required scripts/gotest.sh -timeout 20m -- ./scripts/benchtarget

step "the sources' figures are still reproduced"
make reproduce-check

# The packages of the robot's program and the rest of the library, except those that start programs of this machine, and
# the calibration of lenses, which runs on a PC.
step "go test as ARMv6 code on an emulated ARM1176"
mapfile -t arm_packages < <({ CGO_ENABLED=0 GOARCH=arm GOARM=6 go list -deps ./cmd/epuck-driver | grep /epuck-driver/
  go list ./ros2/... ./msgs/... ./i2c/...; } | sort -u |
  grep -vE 'epuck-driver/(cmd|internal/task|ros2/(interop|rclgo)|calibration/(cam|chess)|experiment)(/|$)')
CGO_ENABLED=0 GOOS=linux GOARCH=arm GOARM=6 \
  scripts/gotest.sh -short -timeout 15m -exec "qemu-arm -cpu arm1176" -- "${arm_packages[@]}"

step "the same order of several processes in a hundred runs"
EPUCK_TRACE_RUNS=100 go test -count=1 -timeout 20m -run TraceOfProcesses ./ros2/executor/order

step "the simulation, also as ARM64 code: the same trace"
CGO_ENABLED=0 GOARCH=arm64 go test -short -exec qemu-aarch64 ./sim ./sim/geom ./sim/physics
CGO_ENABLED=0 GOARCH=arm64 go test -run TestTraceIsThatOfOtherProcessors -exec qemu-aarch64 ./fleet

step "the release program for the robot is reproducible"
scripts/cross.sh armv6
scripts/reproduce.sh armv6

step "attacks on the program for the robot, on an emulated ARM1176"
EPUCK_TEST_ARMV6="$PWD/bin/epuck-driver-armv6" go test -count=1 -timeout 10m \
  -run '^(TestTerminalThatIsStopped|TestReaderThatIsStopped)$' ./cmd/epuck-driver

step "done in ${SECONDS} s"
