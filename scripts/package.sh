#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the Debian packages in dist/: armhf (Raspberry Pi OS' name of ARMv6), arm64 and amd64, or only those named as
# arguments (armel is Debian's name of ARMv6), and prints their paths. Equal commits result in equal bytes. OUT replaces
# dist.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/release.sh # VERSION, COMMIT, SOURCE_DATE_EPOCH
out=${OUT:-dist}
nfpm_version=v2.45.2 # later ones need a module that the public proxy refuses

# A Debian version begins with a digit and increases: the tag, with the suffix of git describe between tags.
case $VERSION in
  v[0-9]*) DEBIAN_VERSION=$(sed -E 's/^v//; s/-([0-9]+)-g([0-9a-f]+)/+\1.\2/; s/-dirty$/+dirty/; s/-/~/g' <<<"$VERSION") ;;
  *) DEBIAN_VERSION=0.0~$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y%m%d.%H%M%S)+${VERSION/-dirty/.dirty} ;;
esac
export DEBIAN_VERSION DEBIAN_ARCH STAGE

nfpm="bin/nfpm-$nfpm_version"
if [ ! -x "$nfpm" ]; then
  mkdir -p bin
  GOFLAGS="" GOBIN="$PWD/bin" go install "github.com/goreleaser/nfpm/v2/cmd/nfpm@$nfpm_version"
  mv bin/nfpm "$nfpm"
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The manual pages and completions that the program generates on this machine.
common() {
  local day say="$work/say"
  day=$(date -u -d "@$SOURCE_DATE_EPOCH" +%F)
  CGO_ENABLED=0 go build -trimpath -buildvcs=false -o "$say" \
    -ldflags "-X main.version=$VERSION -X main.commit=$COMMIT -X main.date=$day" ./cmd/epuck-driver
  mkdir "$work/man"
  "$say" man --dir "$work/man"
  gzip -9n "$work"/man/*.1
  for shell in bash zsh fish; do
    "$say" completion "$shell" >"$work/completion.$shell"
  done
  mkdir "$work/ros"
  if [ -d deploy/ros ]; then cp -R deploy/ros/. "$work/ros/"; fi
  printf 'ROS 2 files for the computer that works with the robot; the robot itself needs none of them.\n' >"$work/ros/README"
  gzip -9n >"$work/changelog.gz" <<END
epuck-driver ($DEBIAN_VERSION) unstable; urgency=medium

  * Built from commit $COMMIT.

 -- epuck-driver maintainers <maintainers@users.noreply.github.com>  $(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")
END
}

package() { # Debian architecture, target of scripts/cross.sh
  DEBIAN_ARCH=$1
  STAGE="$work/$1"
  cp -R "$work/common" "$STAGE"
  OUT="$work" scripts/cross.sh "$2" >/dev/null
  mv "$work/epuck-driver-$2" "$STAGE/epuck-driver"
  find "$STAGE" -exec touch --no-dereference -d "@$SOURCE_DATE_EPOCH" {} + # nfpm copies the times
  chmod -R u=rwX,go=rX "$STAGE"
  local deb="$out/epuck-driver_${DEBIAN_VERSION}_$1.deb"
  "$nfpm" package --config deploy/nfpm.yaml --packager deb --target "$deb" >"$work/log" || { cat "$work/log" >&2; exit 1; }
  echo "$deb"
}

[ $# -gt 0 ] || set -- armhf arm64 amd64
mkdir -p "$out"
common
mkdir "$work/common"
mv "$work"/{ros,man,changelog.gz,completion.*} "$work/common/"
for arch in "$@"; do
  case $arch in
    armhf | armel) package "$arch" armv6 ;;
    arm64 | amd64) package "$arch" "$arch" ;;
    *) echo "package: unknown architecture $arch: want armhf, armel, arm64 or amd64" >&2; exit 2 ;;
  esac
done
