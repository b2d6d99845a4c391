#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every test: formatting, vet, all packages with the race detector, the two DDS vendors (a peer that cannot be built or
# hears nothing fails the run), and the packages as ARMv6 code.
set -euo pipefail
cd "$(dirname "$0")/.."
# All packages also run as ARM1176 code, but those that start programs of this machine: peers (OpenCV is one), the
# virtual machine, the program itself as its own child (experiments, too, which run on PCs and clusters), and what looks
# at the source.
mapfile -t arm_packages < <(go list ./... | grep -vE 'epuck-driver/(cmd|vmtest|internal/(policy|docgen|release|rospackage|task|vm)|ros2/(interop|rclgo)|calibration/interop|swarm/experiment|web/browser)(/|$)')

step() { printf '\n== %s\n' "$1"; }

step "gofmt"
unformatted=$(git ls-files -z '*.go' | xargs -0 gofmt -l)
if [ -n "$unformatted" ]; then echo "not gofmt-ed: $unformatted" >&2; exit 1; fi

step "go vet (amd64, and the pure-Go build for the robot)"
go vet ./...
CGO_ENABLED=0 GOOS=linux GOARCH=arm GOARM=6 go build ./...

step "go test -race, interop peers required"
EPUCK_INTEROP=required scripts/gotest.sh -race -timeout 15m -- ./...

step "go test as ARMv6 code on an emulated ARM1176"
CGO_ENABLED=0 GOOS=linux GOARCH=arm GOARM=6 \
  scripts/gotest.sh -short -timeout 15m -exec "qemu-arm -cpu arm1176" -- "${arm_packages[@]}"

step "the kernel's video structures, also as 386 and ARM64 code"
CGO_ENABLED=0 GOARCH=386 go test -short ./camera/m2m ./camera/v4l2
CGO_ENABLED=0 GOARCH=arm64 go test -short -exec qemu-aarch64 ./camera/m2m

step "the simulation, also as ARM64 code: the same trace"
CGO_ENABLED=0 GOARCH=arm64 go test -short -exec qemu-aarch64 ./sim ./sim/geom ./sim/physics
CGO_ENABLED=0 GOARCH=arm64 go test -run TestTraceIsThatOfOtherProcessors -exec qemu-aarch64 ./swarm/fleet

step "the release programs: within their size, and twice the same bytes"
make -s cross
scripts/reproduce.sh armv6

step "the program for the robot, on an emulated ARM1176"
ROS_LOCALHOST_ONLY=1 ROS_DOMAIN_ID=77 qemu-arm -cpu arm1176 bin/epuck-driver-armv6 sim --for 1s

step "attacks from outside on the program for the robot, on an emulated ARM1176"
EPUCK_TEST_ARMV6="$PWD/bin/epuck-driver-armv6" go test -count=1 -timeout 10m \
  -run '^(TestTerminalThatIsStopped|TestReaderThatIsStopped)$' ./cmd/epuck-driver

step "done in ${SECONDS} s"
