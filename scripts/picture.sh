#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Draws the pictures of the README anew, from runs of the driver on simulated robots: docs/images/drive.svg, or the
# file that is named, which moves; and without a name docs/images/page-*.png, the page in a browser (scripts/setup.sh
# installs it).
set -euo pipefail
cd "$(dirname "$0")/.."
file=${1:-docs/images/drive.svg}
go test ./docs/picture -run '^TestPictureOfTheREADME$' -count=1 -draw "$(realpath "$file")"
[ $# -gt 0 ] || go test ./web/browser -run '^TestScreenshots$' -count=1 -update
