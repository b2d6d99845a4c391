#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What takes too long for every change: the tests that -short leaves out or shortens (statistics over many seeds,
# matrices of peers, long drives), all that the robot's program holds as ARMv6 code, the same trace on ARM64, release
# programs that are twice the same bytes, and attacks on the ARMv6 program.
set -euo pipefail
cd "$(dirname "$0")/.."

step() { printf '\n== %s\n' "$1"; }

step "the tests that make test shortens"
mapfile -t shortened < <(git grep -l 'testing\.Short()' -- '*_test.go' | xargs -n 1 dirname | sort -u | sed 's|^|./|' |
  grep -vx ./scripts/benchtarget)
EPUCK_INTEROP=required scripts/gotest.sh -timeout 20m -- "${shortened[@]}"

# How often a goroutine of the program is woken differs with what else this computer does: so this counts alone.
step "what the program costs the robot, counted anew"
EPUCK_INTEROP=required scripts/gotest.sh -timeout 20m -- ./scripts/benchtarget

# What the robot's program holds and the rest of the library, but not what starts programs of this machine, nor the
# calibration of lenses and live pictures of it, which are left to a PC.
step "go test as ARMv6 code on an emulated ARM1176"
mapfile -t arm_packages < <({ CGO_ENABLED=0 GOARCH=arm GOARM=6 go list -deps ./cmd/epuck-driver | grep /epuck-driver/
  go list ./ros2/... ./msgs/... ./i2c/...; } | sort -u |
  grep -vE 'epuck-driver/(cmd|internal/task|ros2/(interop|rclgo)|calibration/(cam|chess)|experiment)(/|$)')
CGO_ENABLED=0 GOOS=linux GOARCH=arm GOARM=6 \
  scripts/gotest.sh -short -timeout 15m -exec "qemu-arm -cpu arm1176" -- "${arm_packages[@]}"

step "the order of several processes, a hundred times the same"
EPUCK_TRACE_RUNS=100 go test -count=1 -timeout 20m -run TraceOfProcesses ./ros2/executor/order

step "the simulation, also as ARM64 code: the same trace"
CGO_ENABLED=0 GOARCH=arm64 go test -short -exec qemu-aarch64 ./sim ./sim/geom ./sim/physics
CGO_ENABLED=0 GOARCH=arm64 go test -run TestTraceIsThatOfOtherProcessors -exec qemu-aarch64 ./fleet

step "the release program for the robot: twice the same bytes"
scripts/cross.sh armv6
scripts/reproduce.sh armv6

step "attacks from outside on the program for the robot, on an emulated ARM1176"
EPUCK_TEST_ARMV6="$PWD/bin/epuck-driver-armv6" go test -count=1 -timeout 10m \
  -run '^(TestTerminalThatIsStopped|TestReaderThatIsStopped)$' ./cmd/epuck-driver

step "done in ${SECONDS} s"
