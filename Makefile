# SPDX-License-Identifier: Apache-2.0
# Two commands matter: `make sim` runs the driver on a simulated robot, `make test` sets up and runs every test.

GO      ?= go
BIN     := bin/epuck-driver
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
COMMIT  := $(shell git rev-parse HEAD 2>/dev/null)
LDFLAGS := -s -w -X main.version=$(VERSION) -X main.commit=$(COMMIT)
SIMARGS ?=

.PHONY: help build sim test test-nightly test-rclgo test-vm test-image determinism bench bench-target ladder reproduce reproduce-check lint fuzz fuzz-nightly generate cross package release image clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

build: ## build the program for this machine, in bin/
	@GO='$(GO)' BIN='$(BIN)' scripts/build.sh '$(LDFLAGS)'

# A PC's simulator does not need these, which take long to compile: SQLite for bags of ROS 2 Humble, and WebRTC, whose
# encoder only a Raspberry Pi has. make build includes both.
SIMTAGS := nosqlite,nolive

sim: ## build without SQLite and live video, and run the driver on one simulated robot (SIMARGS='--world FILE --seed N --for 10s')
	@GO='$(GO)' BIN='$(BIN)' scripts/build.sh '$(LDFLAGS)' $(SIMTAGS)
	@exec $(BIN) sim $(SIMARGS)

test: ## install the dependencies of the tests, then run all tests (root or sudo, Debian 12)
	@scripts/setup.sh
	@scripts/test.sh

test-nightly: ## run the long tests, and the robot's packages on an emulated ARM1176 (root, ~20 min)
	@scripts/setup.sh
	@scripts/test-nightly.sh

test-rclgo: ## test the transport rclgo on the sourced ROS 2, on every installed middleware
	@scripts/test-rclgo.sh

test-vm: ## test the Debian package on a virtual robot in an emulated PC: service, device files, faults, reboot (root; ~5 min)
	@scripts/setup.sh
	@scripts/test-vm.sh

test-image: ## test the card's image: reproducible, in an emulated Raspberry Pi Zero, with ten power cuts (root; ~1 h)
	@scripts/setup.sh
	@scripts/test-image.sh

determinism: ## check that a hundred runs of a swarm have the same trace, also on a busy machine (nightly, ~5 min)
	@EPUCK_TRACE_RUNS=100 $(GO) test -count=1 -timeout 60m -run 'TraceIsAlwaysTheSame|TraceOfProcesses|DriversRepeat' ./sim ./fleet ./ros2/executor/order

bench: ## run the benchmarks, with other implementations in the same run
	@scripts/setup.sh
	@scripts/bench.sh

bench-target: ## estimate the program's load of the robot's processor, on an emulated ARM1176
	@scripts/setup.sh
	@scripts/bench-target.sh

ladder: ## measure the real-time factor of each level, for 1 to 8 robots on 1 and 2 cores
	@scripts/setup.sh
	@scripts/ladder.sh

reproduce: ## measure what the sources' figures show, and write docs/explanation/reproduction.md (~1 min)
	@$(GO) run ./docs/reproduction -measure

reproduce-check: ## measure the same, and fail if a result leaves its interval (nightly)
	@$(GO) run ./docs/reproduction -check

lint: ## run golangci-lint (with gosec), and check for unused functions, known vulnerabilities and the vocabulary
	@scripts/lint.sh

fuzz: ## run every fuzz target for FUZZTIME (10s), or all of them for FUZZTOTAL seconds
	@scripts/fuzz.sh

fuzz-nightly: ## run every fuzz target for a minute
	@FUZZTIME=1m scripts/fuzz.sh

generate: ## generate message types, tables and commands in docs, and default parameters
	@$(GO) generate ./...

cross: ## build the static release programs with the camera: bin/epuck-driver-armv6 (Pi Zero W), -arm64, -amd64
	@scripts/cross.sh

package: ## build Debian packages of the release programs, in dist/
	@scripts/package.sh

release: ## build a release for all systems in dist/: archives, packages, manifests, checksums (SIGNING_KEY=FILE signs)
	@scripts/archives.sh

image: ## build an SD card's image for the robot, in dist/ (root, ~20 min once), or from BASE=raspios.img.xz
	@scripts/image

clean: ## remove the built files
	@rm -rf bin dist
