#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# setup.sh [GROUP...]: installs the Debian packages that the named groups of tests and builds need (without a name: of all
# groups) on a Debian 12 with Go, and says before what is missing and how large it is. make test needs none of them.
# setup.sh --list prints the groups.
set -euo pipefail
cd "$(dirname "$0")/.."

declare -A groups=(
  # Real programs that ours is compared with (make test-peers).
  [dds]="g++ libc6-dev cyclonedds-dev cyclonedds-tools libfastrtps-dev libfastcdr-dev iproute2 procps python3" # two DDS vendors, in private networks
  [windows]="wine wine64 gcc-mingw-w64-x86-64"                      # runs the program for Windows; builds a library that this Wine lacks
  [boost]="g++ libc6-dev libboost-dev"                              # Boost.Signals2 and Boost.Asio
  [jpeg]="gcc libc6-dev libjpeg62-turbo-dev libjpeg-turbo-progs"    # libjpeg-turbo
  [opencv]="python3-opencv"                                         # the calibration of cameras
  [sumo]="sumo sumo-tools python3"                                  # SUMO, and its own client
  [node]=""                                                         # npm packages of Foxglove and of the page; Node.js itself: below
  [tshark]="tshark"                                                 # dissects packets
  [ffmpeg]="ffmpeg"                                                 # encodes H.264 as a GPU does
  [spin]="spin gcc libc6-dev"                                       # models of the messages in a process, in every order of their steps
  [python]="python3 g++ libc6-dev"                                  # members of a run in other languages
  [webots]="gcc g++ libc6-dev"                                      # controllers in C for libController
  [openssl]="openssl"                                               # keys and signatures

  # The whole program on systems, emulated processors and in a browser (make test-system).
  [cross]="gcc libc6-dev gcc-arm-linux-gnueabi libc6-dev-armel-cross musl-dev:armel gcc-aarch64-linux-gnu libc6-dev-arm64-cross" # release programs; never gnueabihf, whose code is ARMv7
  [emulator]="qemu-user gcc-i686-linux-gnu libc6-dev-i386-cross"    # qemu-arm -cpu arm1176, and a plugin for it
  [browser]="chromium ffmpeg"                                       # shows the page and drives
  [package]="shellcheck man-db lintian bash-completion zsh fish openssh-client systemd procps iproute2 mmdebstrap debian-archive-keyring" # scripts, manual page, packages, completion, unit
  [slurm]="slurm-wlm"                                               # experiments on a real slurmctld and slurmd
  [metrics]="prometheus"                                            # promtool reads /metrics
  [vm]="qemu-system-x86 mmdebstrap e2fsprogs debian-archive-keyring make xz-utils libelf1 iproute2" # an emulated PC, the Debian in it, a module for its kernel
  [card]="qemu-user-static arch-test libc6-armel-cross mtools dosfstools squashfs-tools device-tree-compiler bmap-tools qemu-system-arm fdisk xz-utils mmdebstrap" # the card's image
)

if [ "${1:-}" = --list ]; then printf '%s\n' "${!groups[@]}" | sort; exit; fi
[ $# -gt 0 ] || mapfile -t all < <(printf '%s\n' "${!groups[@]}" | sort)
[ $# -gt 0 ] || set -- "${all[@]}"
npm=no wanted=()
for group in "$@"; do
  [ -n "${groups[$group]+there}" ] || { echo "setup: no group $group; setup.sh --list prints them" >&2; exit 2; }
  read -ra packages <<<"${groups[$group]}"
  wanted+=("${packages[@]}")
  case $group in node | browser) npm=yes ;; esac
done
# Any Node.js will do, Debian's package or another.
if [ $npm = yes ] && ! { command -v npm && command -v node; } >/dev/null; then wanted+=(nodejs npm); fi

missing=()
for p in $(printf '%s\n' "${wanted[@]}" | sort -u); do
  dpkg-query -W -f='${Status}' "$p" 2>/dev/null | grep -q 'install ok installed' || missing+=("$p")
done
if [ "${#missing[@]}" -gt 0 ]; then
  sudo=""
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "setup: not root and no sudo; as root: apt-get install ${missing[*]}" >&2; exit 1; }
    sudo="sudo"
  fi
  case " ${missing[*]} " in *:armel*) $sudo dpkg --add-architecture armel ;; esac
  $sudo env DEBIAN_FRONTEND=noninteractive apt-get update -qq
  echo "setup: for $*: ${missing[*]}"
  $sudo env LC_ALL=C apt-get install --assume-no --no-install-recommends "${missing[@]}" 2>/dev/null |
    grep -E '^(Need to get|After this operation|[0-9]+ upgraded)' | sed 's/^/setup: /' || true
  $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi
[ $npm = no ] || for folder in ros2/interop/testdata/foxglove bag/record/testdata/foxglove web/internal/page; do
  (cd "$folder" && { [ -d node_modules ] || { echo "setup: npm packages of $folder" && npm ci --no-audit --no-fund --silent; }; })
done
