# SPDX-License-Identifier: Apache-2.0
# Sourced by the scripts that build releases: sets the version, the commit and the time of the build.
# shellcheck shell=bash
VERSION=${VERSION:-$(git describe --tags --always --dirty 2>/dev/null || echo unknown)}
COMMIT=${COMMIT:-$(git rev-parse HEAD 2>/dev/null || echo unknown)}
case $VERSION in *-dirty) COMMIT=${COMMIT%-dirty}-dirty ;; esac
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 0)}
export VERSION COMMIT SOURCE_DATE_EPOCH
