#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Prints the size of the ARMv6 program's parts for browsers: builds it complete, without live video (WebRTC), and also
# without the page. To omit a part, one call is replaced in a copy of its file, so that the linker drops the rest.
set -euo pipefail
cd "$(dirname "$0")/.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
replaced=()

# without FILE CALL OTHER CODE: a copy of FILE has OTHER instead of CALL, and CODE at its end.
without() {
  local copy
  copy="$dir/$(basename "$1")"
  grep -qF "$2" "$1" || { echo "size-parts: no $2 in $1" >&2; exit 1; }
  sed "s/$2/$3/" "$1" >"$copy"
  printf '%s\n' "$4" >>"$copy"
  replaced+=("\"$PWD/$1\": \"$copy\"")
  (IFS=,; printf '{"Replace": {%s}}' "${replaced[*]}") >"$dir/overlay.json"
}

build() { # name of the line
  local file=$dir/overlay.json
  [ -f "$file" ] || file=
  OUT=$dir/bin OVERLAY=$file scripts/cross.sh armv6 >/dev/null
  printf '%-22s %d bytes\n' "$1" "$(stat -c %s "$dir/bin/epuck-driver-armv6")"
}

build "all"
without cmd/epuck-driver/internal/livevideo/livevideo.go live.New noVideo \
  'type noServer struct { Answer page.LiveVideo; Close func() }
func noVideo(live.Config) (*noServer, error) { return &noServer{}, nil }'
build "without live video"
without cmd/epuck-driver/internal/page/web.go web.New noPage \
  'func noPage(web.Config) (*web.Server, error) { return nil, web.ErrConfig }'
build "without the page, too"
