#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the pinned golangci-lint with .golangci.yml, then checks for unused functions, known vulnerabilities and words
# outside the vocabulary.
set -euo pipefail
cd "$(dirname "$0")/.."
version=v2.15.0
tool="bin/golangci-lint-$version"
if [ ! -x "$tool" ]; then
  GOBIN="$PWD/bin" go install "github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$version"
  mv bin/golangci-lint "$tool"
fi
"$tool" run ./...
scripts/deadcode.sh
scripts/vulnerabilities.sh
go test -count=1 ./internal/policy -run Vocabulary -vocabulary.strict
