# SPDX-License-Identifier: Apache-2.0
# Two commands matter: `make sim` runs the driver on a simulated robot, `make test` runs the tests.

GO      ?= go
BIN     := bin/epuck-driver
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
COMMIT  := $(shell git rev-parse HEAD 2>/dev/null)
LDFLAGS := -s -w -X main.version=$(VERSION) -X main.commit=$(COMMIT)
SIMARGS ?=

.PHONY: help build sim test check test-peers test-system test-long test-all test-rclgo test-vm test-image determinism bench \
  bench-target ladder reproduce reproduce-check lint report fuzz generate cross package release image clean

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

test: ## build, vet and run the unit and component tests, and the main job once (Go and gcc; minutes the first time)
	@scripts/test.sh

check: ## find faults without running the program: golangci-lint, and the race detector on packages with goroutines (minutes the first time)
	@scripts/check.sh

test-peers: ## test against other people's programs, which it installs: DDS vendors, SUMO, OpenCV, … (root)
	@scripts/test-peers.sh

test-system: ## test the whole program: commands, browser, emulated processors, packages, virtual machine (root)
	@scripts/test-system.sh

test-long: ## statistics, new seeds, a hundred equal runs, fuzzing, vulnerabilities, the card's image (root, hours)
	@scripts/test-long.sh

test-all: ## run all suites, whatever fails, and print one table of them (root, hours)
	@scripts/test-all.sh

test-rclgo: ## test the transport rclgo on the sourced ROS 2, on every installed middleware
	@scripts/test-rclgo.sh

test-vm: ## test the Debian package on a virtual robot in an emulated PC: service, device files, faults, reboot (root; ~5 min)
	@scripts/setup.sh vm cross
	@scripts/test-vm.sh

test-image: ## test the card's image: reproducible, in an emulated Raspberry Pi Zero, with ten power cuts (root; ~1 h)
	@scripts/setup.sh card vm cross emulator
	@scripts/test-image.sh

determinism: ## check that a hundred runs of a swarm have the same trace, also on a busy machine (part of test-long, ~5 min)
	@EPUCK_TRACE_RUNS=100 $(GO) test -tags peers,system,long -count=1 -timeout 60m -run 'TraceIsAlwaysTheSame|TraceOfProcesses|DriversRepeat|DescribedRunsRepeat' ./sim ./sim/machine ./fleet ./ros2/executor/order

bench: ## run the benchmarks, with other implementations in the same run
	@scripts/setup.sh dds boost jpeg cross emulator
	@scripts/bench.sh

bench-target: ## estimate the program's load of the robot's processor, on an emulated ARM1176
	@scripts/setup.sh cross emulator
	@scripts/bench-target.sh

ladder: ## measure the real-time factor of each level, for 1 to 8 robots on 1 and 2 cores
	@scripts/setup.sh cross emulator
	@scripts/ladder.sh

reproduce: ## measure what the sources' figures show, and write docs/explanation/reproduction.md (~1 min)
	@$(GO) run ./docs/reproduction -measure

reproduce-check: ## measure the same, and fail if a result leaves its interval (part of test-long)
	@$(GO) run ./docs/reproduction -check

lint: ## run golangci-lint, which is part of make check
	@scripts/lint.sh

report: ## print what is taste: lines, tests, exports, largest types, upward imports, vocabulary; next to the last release's
	@$(GO) run ./scripts/report

fuzz: ## run every fuzz target for FUZZTIME (10s), or all of them for FUZZTOTAL seconds
	@scripts/fuzz.sh

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
