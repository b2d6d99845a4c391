# SPDX-License-Identifier: Apache-2.0
# Sourced by the scripts that need a Go tool of a pinned version: go_tool NAME PACKAGE VERSION builds it into bin, once,
# and prints its file name. The tools are no modules of go.mod, whose users would have to download them.
# shellcheck shell=bash
go_tool() {
  local file="$PWD/bin/$1-$3"
  if [ ! -x "$file" ]; then
    local folder
    folder=$(mktemp -d)
    # The tool is for this machine, whatever is tested.
    env -u GOOS -u GOARCH -u GOARM -u GOFLAGS GOBIN="$folder" go install "$2@$3" >&2 || { rm -rf "$folder"; return 1; }
    mkdir -p bin && mv "$folder/$1" "$file" || return 1
    rm -rf "$folder"
  fi
  echo "$file"
}
gotestsum() { go_tool gotestsum gotest.tools/gotestsum v1.13.0; }
golangci_lint() { go_tool golangci-lint github.com/golangci/golangci-lint/v2/cmd/golangci-lint v2.15.0; }
govulncheck() { go_tool govulncheck golang.org/x/vuln/cmd/govulncheck v1.9.0; }
