#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# make test-system: the whole program: by its commands, in a browser, on emulated processors, as packages and in a virtual
# machine. It needs root, and decides nothing: what fails is read and mended.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/suite.sh system

arm() { # PACKAGE...: as ARMv6 code on an emulated ARM1176
  CGO_ENABLED=0 GOOS=linux GOARCH=arm GOARM=6 scripts/gotest.sh -vet=off -timeout 60m -exec "qemu-arm -cpu arm1176" -- "$@"
}
types() { # the pure-Go build for the robot, and the program of make sim
  CGO_ENABLED=0 GOOS=linux GOARCH=arm GOARM=6 go vet ./... &&
    go vet -tags nosqlite,nolive ./cmd/epuck-driver ./bag ./camera/live ./web
}
emulated() { ROS_LOCALHOST_ONLY=1 qemu-arm -cpu arm1176 bin/epuck-driver-armv6 sim --for 1s; }

part "the program by its commands" "dds emulator cross package metrics" ./cmd/epuck-driver
part "experiments on Slurm" slurm ./experiment
part "the page in a browser" "browser node metrics" ./web/browser
step "the builds for robots compile" types
step "packages without the parts that make sim omits" scripts/gotest.sh -vet=off -tags nosqlite,nolive -- ./bag ./camera/live
needs cross emulator package || true
step "release programs" make -s cross
step "packages that drive the robot, as ARMv6 code" arm ./msgs/cdr ./i2c/... ./odometry ./driver/wheels ./driver/parts
step "the release program on an emulated ARM1176" emulated
# QEMU's emulation of 386 restores the wrong thread-local storage in handlers of asynchronous preemption.
step "structures of the kernel, as 386 code" env GODEBUG=asyncpreemptoff=1 CGO_ENABLED=0 GOARCH=386 scripts/gotest.sh -vet=off -exec qemu-i386 -- ./camera/m2m ./camera/v4l2
step "structures of the kernel, as ARM64 code" env CGO_ENABLED=0 GOARCH=arm64 scripts/gotest.sh -vet=off -exec qemu-aarch64 -- ./camera/m2m
part "cost of the program on the robot's processor" "cross emulator" ./sim/armcost ./sim/armcost/machine ./fleet/targetlevel ./scripts/benchtarget
part "releases and packages" "cross emulator package" ./deploy/release ./deploy/rospackage
suite_done+="./deploy/vmtest "
needs vm || true
step "the package in a virtual machine" scripts/test-vm.sh
rest "cross emulator package card"
suite_end
