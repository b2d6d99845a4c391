#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# make test-long: statistics over seeds, new seeds, determinism in a hundred runs, the race detector everywhere, a search
# by every fuzz target, all packages on an emulated ARM1176, known vulnerabilities, the sources' figures, and the card's
# image. Hours, and root. It decides nothing: what fails is read and mended.
set -euo pipefail
cd "$(dirname "$0")/.."
RAPID_SEED=${RAPID_SEED:-$((RANDOM * 32768 + RANDOM + 1))}
EPUCK_SEED=${EPUCK_SEED:-$RAPID_SEED}
export RAPID_SEED EPUCK_SEED
echo "long: RAPID_SEED=$RAPID_SEED EPUCK_SEED=$EPUCK_SEED repeats this run's random numbers"
. scripts/suite.sh long peers,system,long

arm() {
  local packages
  # The packages of the robot's program and the rest of the library, except those that start programs of this machine,
  # and the calibration of lenses, which runs on a PC.
  mapfile -t packages < <({ CGO_ENABLED=0 GOARCH=arm GOARM=6 go list -deps ./cmd/epuck-driver | grep /epuck-driver/
    go list ./ros2/... ./msgs/... ./i2c/...; } | sort -u |
    grep -vE 'epuck-driver/(cmd|internal/task|ros2/(interop|rclgo)|calibration/(cam|chess)|experiment)(/|$)')
  CGO_ENABLED=0 GOOS=linux GOARCH=arm GOARM=6 scripts/gotest.sh -vet=off -timeout 60m -exec "qemu-arm -cpu arm1176" -- "${packages[@]}"
}
arm64() {
  CGO_ENABLED=0 GOARCH=arm64 scripts/gotest.sh -vet=off -exec qemu-aarch64 -- ./sim ./sim/firmware ./sim/plant ./sim/scene ./sim/trace ./sim/geom ./sim/physics ./sim/physics/rigid &&
    CGO_ENABLED=0 GOARCH=arm64 go test -vet=off -run TestTraceIsThatOfOtherProcessors -exec qemu-aarch64 ./fleet
}
attacks() {
  EPUCK_TEST_ARMV6="$PWD/bin/epuck-driver-armv6" go test -tags system -count=1 -timeout 30m \
    -run '^(TestTerminalThatIsStopped|TestReaderThatIsStopped)$' ./cmd/epuck-driver
}

needs dds node windows tshark python boost jpeg opencv sumo ffmpeg spin cross emulator browser package slurm metrics || true
# The number of wake-ups depends on the load of this machine, so nothing else runs meanwhile.
part "the program's cost on the robot, counted again" "" ./scripts/benchtarget
rest ""
step "unit tests with new seeds" env RAPID_CHECKS=300 scripts/gotest.sh -vet=off -count=1 -timeout 60m -- ./...
step "the race detector, all packages" scripts/gotest.sh -race -vet=off -timeout 60m -- ./...
step "a hundred equal runs" env EPUCK_TRACE_RUNS=100 scripts/gotest.sh -tags peers,system,long -vet=off -count=1 -timeout 60m \
  -run 'TraceIsAlwaysTheSame|TraceOfProcesses|DriversRepeat|DescribedRunsRepeat' -- ./sim ./sim/machine ./fleet ./ros2/executor/order
step "all packages of the robot, as ARMv6 code" arm
step "the same trace, as ARM64 code" arm64
step "the release program is reproducible" scripts/reproduce.sh armv6
scripts/cross.sh armv6
step "attacks on the release program" attacks
step "figures of the sources" go run ./docs/reproduction -check
step "known vulnerabilities" env EPUCK_VULNERABILITIES=required scripts/vulnerabilities.sh
step "fuzz targets, FUZZTIME=${FUZZTIME:-20s} each" env FUZZTIME="${FUZZTIME:-20s}" scripts/fuzz.sh
needs card vm || true
step "the card's image" scripts/test-image.sh
suite_end
