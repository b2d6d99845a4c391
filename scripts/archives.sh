#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds a release in dist/: archives for Linux, Windows and macOS, Debian packages, manifests of package managers,
# release notes and checksums, or only the archives of the targets named as arguments (OS-ARCH). Equal commits result in
# equal bytes. OUT replaces dist, SIGNING_KEY is minisign's file of the secret key, made without a password (-W).
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/release.sh # VERSION, COMMIT, SOURCE_DATE_EPOCH
out=${OUT:-dist}
every=(linux-{amd64,arm64,armv6,armv7} {windows,darwin}-{amd64,arm64})
targets=("$@") some=true
[ $# -gt 0 ] || { targets=("${every[@]}") some=false; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
plain() { # GOOS GOARCH FILE: a program without cgo
  CGO_ENABLED=0 GOOS=$1 GOARCH=$2 go build -trimpath -buildvcs=false -o "$3" -ldflags \
    "-s -w -X main.version=$VERSION -X main.commit=$COMMIT -X main.date=$(date -u -d "@$SOURCE_DATE_EPOCH" +%F)" ./cmd/epuck-driver
}
for target in "${targets[@]}"; do
  echo "archives: $target"
  mkdir -p "$work/programs/$target"
  case $target in
    linux-*)
      OUT="$work" scripts/cross.sh "${target#linux-}" >/dev/null
      mv "$work/epuck-driver-${target#linux-}" "$work/programs/$target/epuck-driver" ;;
    windows-*) plain windows "${target#*-}" "$work/programs/$target/epuck-driver.exe" ;;
    darwin-*) plain darwin "${target#*-}" "$work/programs/$target/epuck-driver" ;;
    *) echo "archives: unknown target $target: want one of ${every[*]}" >&2; exit 2 ;;
  esac
done

common="$work/common" say="$work/say"
mkdir -p "$common/man" "$common/completions" "$out"
plain "$(go env GOHOSTOS)" "$(go env GOHOSTARCH)" "$say"
"$say" man --dir "$common/man"
"$say" completion bash >"$common/completions/epuck-driver.bash"
"$say" completion zsh >"$common/completions/_epuck-driver"
"$say" completion fish >"$common/completions/epuck-driver.fish"
"$say" completion powershell >"$common/completions/epuck-driver.ps1"
cp LICENSE CHANGELOG.md "$common/"
cp deploy/debian/copyright "$common/COPYRIGHT"
[ $# -gt 0 ] || OUT="$out" scripts/package.sh armhf armel arm64 amd64
go run ./scripts/archives -version "$VERSION" -time "$SOURCE_DATE_EPOCH" -programs "$work/programs" -common "$common" \
  -out "$out" -some="$some" -key "${SIGNING_KEY:-}"
