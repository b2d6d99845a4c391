#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# make lint: the pinned golangci-lint with .golangci.yml, on the code of all suites, whose tests compile only here and in
# their suite.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/tools.sh
"$(golangci_lint)" run ./...
