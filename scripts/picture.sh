#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Draws the moving picture of the README anew, from a run of the driver on a simulated robot: docs/images/drive.svg, or
# the file that is named.
set -euo pipefail
cd "$(dirname "$0")/.."
file=${1:-docs/images/drive.svg}
go test ./internal/picture -run '^TestPictureOfTheREADME$' -count=1 -draw "$(realpath "$file")"
