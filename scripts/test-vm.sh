#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the tests in the virtual machine: builds its disk if there is none (scripts/vm-image.sh), the Debian package and
# the programs in it, and tests them there as on a robot. It does not use this machine's network.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ "$(id -u)" -ne 0 ]; then
  echo "test-vm: the virtual network and disk need root: sudo make test-vm" >&2
  exit 1
fi
SECONDS=0
EPUCK_VM=required scripts/gotest.sh -tags system -count=1 -timeout 30m -- ./deploy/vmtest
printf '\n== virtual machine: done in %s s\n' "$SECONDS"
