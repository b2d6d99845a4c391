#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Draws the pictures of the README from runs of the driver on simulated robots: the animation docs/images/drive.svg, or
# only another file given as the argument, and docs/images/page-*.png, the page in a browser (installed by
# scripts/setup.sh browser).
set -euo pipefail
cd "$(dirname "$0")/.."
file=${1:-docs/images/drive.svg}
go test ./docs/picture -run '^TestPictureOfTheREADME$' -count=1 -draw "$(realpath "$file")"
[ $# -gt 0 ] || go test -tags system ./web/browser -run '^TestScreenshots$' -count=1 -update
