#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The tests in the virtual machine: builds its disk if there is none yet (scripts/vm-image.sh), the Debian package and
# the programs that go into it, and lives a robot's life there. Nothing of this computer's network is touched.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ "$(id -u)" -ne 0 ]; then
  echo "test-vm: the machine's network cable and disk need root: sudo make test-vm" >&2
  exit 1
fi
SECONDS=0
EPUCK_VM=required scripts/gotest.sh -count=1 -timeout 30m -v -- ./deploy/vmtest
printf '\n== virtual machine: done in %s s\n' "$SECONDS"
