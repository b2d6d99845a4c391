#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs a command as root in the tests' virtual machine (a new Debian 12 with systemd, discarded afterwards) and prints
# its output. /payload has epuck-driver and the files of --file.
#   scripts/vm.sh run [--console] [--net] [--file NAME=FILE]… -- 'COMMAND'
#   scripts/vm.sh run -- 'modprobe cuse; /payload/epuck-driver version; uname -a'
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
[ "${1:-}" = run ] || { sed -n '3,6s/^# \{0,1\}//p' "$0" >&2; exit 2; }
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(
  cd "$root"
  CGO_ENABLED=0 GOOS=linux GOARCH=amd64 go build -trimpath -o "$work/epuck-driver" ./cmd/epuck-driver
  go build -o "$work/epuck-vm" ./deploy/vm/epuck-vm
)
"$work/epuck-vm" --root "$root" --file epuck-driver="$work/epuck-driver" "$@"
