#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# gotest.sh FLAG... -- PACKAGE...: go test by gotestsum, which prints a line for each package, the output of what failed,
# and the sums. RERUN=2, as in CI, repeats each failed test by its name, alone, at most twice: if it then passes, the run
# passes, and a line "FLAKY" names it (also in the file FLAKY_LOG): such a test is mended or moved to another suite by
# the next commit. Failed builds, data races and panics are never repeated.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/tools.sh
flags=()
while [ "$1" != -- ]; do flags+=("$1"); shift; done
shift
again=$(mktemp)
trap 'rm -f "$again"' EXIT
tool=$(gotestsum)
rerun=()
if [ "${RERUN:-0}" -gt 0 ]; then
  rerun=(--rerun-fails="$RERUN" --rerun-fails-max-failures=5 --rerun-fails-abort-on-data-race --rerun-fails-report="$again")
fi
status=0
"$tool" --format pkgname --format-hide-empty-pkg --hide-summary skipped ${JSONFILE:+--jsonfile "$JSONFILE"} "${rerun[@]}" \
  --packages "$*" -- "${flags[@]}" || status=$?
if [ "$status" = 0 ] && [ -s "$again" ]; then
  sed 's/^/FLAKY, to be mended or moved: /' "$again" | tee -a "${FLAKY_LOG:-/dev/null}"
fi
exit "$status"
