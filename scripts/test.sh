#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs every test: formatting, vet, all packages with the race detector, the two DDS implementations (a peer that can't
# be built or receives nothing fails the run), the robot's packages as ARMv6 code, and the programs for the robots.
# Tests that take minutes are shortened here and run in full by scripts/test-nightly.sh, also in CI.
set -euo pipefail
cd "$(dirname "$0")/.."
step() { printf '\n== %s\n' "$1"; }

step "gofmt"
unformatted=$(git ls-files -z '*.go' | xargs -0 gofmt -l)
if [ -n "$unformatted" ]; then echo "not gofmt-ed: $unformatted" >&2; exit 1; fi

step "go vet (amd64, the program of make sim, and the pure-Go build for the robot)"
go vet ./...
go vet -tags nosqlite,nolive ./cmd/epuck-driver ./bag ./camera/live ./web
CGO_ENABLED=0 GOOS=linux GOARCH=arm GOARM=6 go vet ./...

step "types on Windows and macOS"
go test -count=1 -run '^TestTypesOnOtherSystems$' ./internal/policy

step "go test -race, interop peers required"
# Three packages at a time on two processors: many tests wait for programs.
EPUCK_INTEROP=required scripts/gotest.sh -race -short -p 3 -timeout 40m -- ./...

step "packages without the parts that make sim omits"
go test -short -tags nosqlite,nolive ./bag ./camera/live

step "the packages that drive the robot, as ARMv6 code on an emulated ARM1176"
CGO_ENABLED=0 GOOS=linux GOARCH=arm GOARM=6 \
  scripts/gotest.sh -short -timeout 10m -exec "qemu-arm -cpu arm1176" -- ./msgs/cdr ./i2c/... ./odometry ./driver/wheels ./driver/parts

step "the kernel's video structures, also as 386 and ARM64 code"
CGO_ENABLED=0 GOARCH=386 go test -short ./camera/m2m ./camera/v4l2
CGO_ENABLED=0 GOARCH=arm64 go test -short -exec qemu-aarch64 ./camera/m2m

step "the release programs and their size budgets"
make -s cross

step "the program for the robot, on an emulated ARM1176"
ROS_LOCALHOST_ONLY=1 ROS_DOMAIN_ID=77 qemu-arm -cpu arm1176 bin/epuck-driver-armv6 sim --for 1s

step "done in ${SECONDS} s"
