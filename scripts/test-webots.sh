#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs unmodified controllers with our server: the real libController of an installed Webots (its lib/controller and
# include/controller/c are sufficient), in C and Python, by TCP and by Unix socket, on an e-puck2 and on described
# robots; and any further controllers, MODEL=CONTROLLER.c for robots other than an e-puck2.
#   scripts/test-webots.sh WEBOTS_HOME RELEASE [[MODEL=]CONTROLLER.c or .py …]
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -ge 2 ] || { sed -n '3,6s/^# //p' "$0" >&2; exit 2; }
home=$(realpath "$1")
[ -f "$home/lib/controller/libController.so" ] || { echo "test-webots: no lib/controller/libController.so in $home" >&2; exit 1; }
release=$2
shift 2
controllers=
for c in "$@"; do
  model=
  case $c in *=*) model=${c%%=*}= ;; esac
  controllers+="${controllers:+:}$model$(realpath "${c#"$model"}")"
done
EPUCK_WEBOTS=$home EPUCK_WEBOTS_RELEASE=$release EPUCK_WEBOTS_CONTROLLERS=$controllers \
  go test -tags peers ./cosim/webots -count=1 -timeout 10m -v -run 'LibController|SampleControllers'
