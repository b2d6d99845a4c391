#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Unmodified controllers against our server: the real libController of a Webots that is installed here (or its
# lib/controller and include/controller/c alone), in C and Python, by TCP and by socket; and any further controllers.
#   scripts/test-webots.sh WEBOTS_HOME RELEASE [CONTROLLER.c or .py …]
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -ge 2 ] || { sed -n '3,5s/^# //p' "$0" >&2; exit 2; }
home=$(realpath "$1")
[ -f "$home/lib/controller/libController.so" ] || { echo "test-webots: no lib/controller/libController.so in $home" >&2; exit 1; }
release=$2
shift 2
controllers=
for c in "$@"; do controllers+="${controllers:+:}$(realpath "$c")"; done
EPUCK_WEBOTS=$home EPUCK_WEBOTS_RELEASE=$release EPUCK_WEBOTS_CONTROLLERS=$controllers \
  go test ./sim/webots -count=1 -timeout 10m -v -run 'LibController|SampleControllers'
