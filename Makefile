# SPDX-License-Identifier: Apache-2.0
# Two commands matter: `make sim` runs the driver on a simulated robot, `make test` sets up and runs every test.

GO      ?= go
BIN     := bin/epuck-driver
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
COMMIT  := $(shell git rev-parse HEAD 2>/dev/null)
LDFLAGS := -s -w -X main.version=$(VERSION) -X main.commit=$(COMMIT)
SIMARGS ?=

.PHONY: help build sim test test-nightly test-rclgo test-vm test-image determinism bench bench-target ladder lint fuzz fuzz-nightly generate cross package image clean

help: ## what can be made here
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

build: ## the program for this machine, in bin/
	@GO='$(GO)' BIN='$(BIN)' scripts/build.sh '$(LDFLAGS)'

# Without what a PC's simulator does not need and takes long to compile: SQLite for bags of ROS 2 Humble, and WebRTC,
# whose encoder only a Raspberry Pi has. make build has both.
SIMTAGS := nosqlite,nolive

sim: ## build, without SQLite and live video, and run the driver on one simulated robot (SIMARGS='--world FILE --seed N --for 10s')
	@GO='$(GO)' BIN='$(BIN)' scripts/build.sh '$(LDFLAGS)' $(SIMTAGS)
	@exec $(BIN) sim $(SIMARGS)

test: ## install what the tests need, then run all of them (root or sudo, Debian 12)
	@scripts/setup.sh
	@scripts/test.sh

test-nightly: ## the tests that take long, and all of the robot's code on an emulated ARM1176 (root, ~20 min)
	@scripts/setup.sh
	@scripts/test-nightly.sh

test-rclgo: ## the transport rclgo on the ROS 2 that is sourced here, on every middleware there is
	@scripts/test-rclgo.sh

test-vm: ## the Debian package on a virtual robot in an emulated PC: service, device files, faults, reboot (root; ~5 min)
	@scripts/setup.sh
	@scripts/test-vm.sh

test-image: ## the card's image: twice the same bytes, started in an emulated Raspberry Pi Zero, ten power cuts (root; ~1 h)
	@scripts/setup.sh
	@scripts/test-image.sh

determinism: ## a hundred runs of a swarm with the same trace, with and without a busy machine (nightly, ~5 min)
	@EPUCK_TRACE_RUNS=100 $(GO) test -count=1 -timeout 60m -run 'TraceIsAlwaysTheSame|TraceOfProcesses|DriversRepeat' ./sim ./fleet ./ros2/executor/order

bench: ## measure, as ratios against a peer in the same run
	@scripts/setup.sh
	@scripts/bench.sh

bench-target: ## what the program costs the robot's processor, on an emulated ARM1176
	@scripts/setup.sh
	@scripts/bench-target.sh

ladder: ## simulated seconds a second of each level, for 1 to 8 robots on 1 and 2 cores
	@scripts/setup.sh
	@scripts/ladder.sh

lint: ## golangci-lint (gosec among it) with the reasons in .golangci.yml, unused functions, known vulnerabilities
	@scripts/lint.sh

fuzz: ## every fuzz target for FUZZTIME (10s) each, or all of them for FUZZTOTAL seconds
	@scripts/fuzz.sh

fuzz-nightly: ## every fuzz target for a minute
	@FUZZTIME=1m scripts/fuzz.sh

generate: ## message types, tables and commands in docs, default parameters
	@$(GO) generate ./...

cross: ## the release programs, static and with the camera: bin/epuck-driver-armv6 (Pi Zero W), -arm64, -amd64
	@scripts/cross.sh

package: ## Debian packages of the release programs, in dist/
	@scripts/package.sh

image: ## an SD card's image for the robot, in dist/ (root, ~20 min once); BASE=raspios.img.xz puts the driver into that
	@scripts/image

clean: ## remove what was built
	@rm -rf bin dist
