#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes a small Debian 12 as an archive and prints its path: the system in which the tests install, upgrade, remove and
# purge the package, and into which they log in by SSH as into a robot. It is kept in a cache outside the tree, named
# after this file and the archives that apt is configured for. It needs root: the files in it belong to root.
set -euo pipefail
export LC_ALL=C

packages=(systemd udev kmod openssh-server sudo bash-completion)
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
# Where Debian comes from is apt's business: the same archives, proxy and settings as this machine's.
sources=$(apt-get indextargets --format \
    "deb [signed-by=$keyring] \$(REPO_URI) \$(RELEASE) \$(COMPONENT)|\$(ORIGIN)|\$(CODENAME)" 'Created-By: Packages' |
  sed -n 's/|Debian|bookworm[a-z-]*$//p' | sort -u)
if [ -z "$sources" ]; then
  echo "debian-root: apt knows no Debian 12 (bookworm) archive; run apt-get update" >&2
  exit 1
fi
key=$( (cat "$0"; printf '%s\n' "$sources") | sha256sum | cut -c1-16)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/epuck-driver/root
archive=$cache/$key.tar
mkdir -p "$cache"
exec 9>"$cache/lock"
flock 9 # two tests that start at once build one
if [ ! -e "$archive" ]; then
  echo "debian-root: building $archive" >&2
  work=$(mktemp -d "$cache/work.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  apt-config dump Acquire | sed -n '/"";$/d; /Languages/d; p' >"$work/apt.conf"
  mmdebstrap --quiet --mode=root --variant=minbase --include="$(IFS=,; echo "${packages[*]}")" \
    --aptopt="$work/apt.conf" --aptopt='Acquire::Languages "none"' --dpkgopt=force-unsafe-io \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
    bookworm "$work/root.tar" - <<<"$sources" >&2
  mv "$work/root.tar" "$archive"
  find "$cache" -name '*.tar' -mtime +14 -delete # those that were not used for two weeks
fi
touch "$archive"
echo "$archive"
