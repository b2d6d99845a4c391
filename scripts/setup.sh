#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what the tests need on a Debian 12 with Go: C and C++ compilers, the two DDS implementations of the interop
# tests, an emulated ARM1176, and tools for private networks. Installs only what is missing.
set -euo pipefail
cd "$(dirname "$0")/.."

packages=(
  gcc g++ libc6-dev            # race detector, peer programs
  cyclonedds-dev cyclonedds-tools libfastrtps-dev libfastcdr-dev # the DDS peers
  libboost-dev                 # Boost.Signals2, which in-process delivery is compared with
  libjpeg62-turbo-dev libjpeg-turbo-progs # libjpeg-turbo, which the JPEG encoder is compared with
  qemu-user                    # ARMv6 tests: qemu-arm -cpu arm1176
  gcc-arm-linux-gnueabi libc6-dev-armel-cross # the program for the robot; never gnueabihf, whose code is ARMv7
  musl-dev:armel               # … and the C library that it is linked with
  gcc-aarch64-linux-gnu libc6-dev-arm64-cross # the program for 64-bit Raspberry Pis
  shellcheck man-db lintian     # checks of scripts, the manual page and the packages
  bash-completion zsh fish      # the shells that complete the program's commands
  openssh-client               # login to a Debian system as to a robot
  systemd                      # systemd-analyze: checks the unit and its confinement
  iproute2 procps              # private network namespaces
  qemu-system-x86 mmdebstrap   # the virtual machine: an emulated PC, and the Debian in it
  e2fsprogs debian-archive-keyring # … as a disk
  make xz-utils libelf1        # … and a module for its kernel
  qemu-user-static arch-test libc6-armel-cross # the card's image: the robot's packages are set up here
  mtools dosfstools squashfs-tools device-tree-compiler bmap-tools # … and become partitions
  qemu-system-arm              # … and start on an emulated Raspberry Pi Zero
  gcc-i686-linux-gnu libc6-dev-i386-cross # … and 32-bit programs for it
  tshark                       # dissects packets
  slurm-wlm                    # experiments on a real slurmctld and slurmd
  python3                      # launch files are compiled
  sumo sumo-tools              # SUMO's own client drives our robots, and by the same script a real SUMO
  python3-opencv               # the camera calibration is compared with OpenCV's
  chromium                     # shows the page and drives
  prometheus                   # promtool reads /metrics
  ffmpeg                       # encodes H.264 as a GPU does
  wine wine64                  # runs the program for Windows
  gcc-mingw-w64-x86-64         # … and builds a library that this Wine lacks
  spin                         # checks the models of the in-process messages in every order of their steps
)

# Foxglove's RTPS is a third implementation, in TypeScript; any Node.js will do, Debian's package or another.
command -v npm >/dev/null && command -v node >/dev/null || packages+=(nodejs npm)

missing=()
for p in "${packages[@]}"; do
  dpkg-query -W -f='${Status}' "$p" 2>/dev/null | grep -q 'install ok installed' || missing+=("$p")
done
if [ "${#missing[@]}" -gt 0 ]; then
  sudo=""
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "setup: not root and no sudo; as root: apt-get install ${missing[*]}" >&2; exit 1; }
    sudo="sudo"
  fi
  echo "setup: installing ${missing[*]}"
  $sudo dpkg --add-architecture armel
  $sudo env DEBIAN_FRONTEND=noninteractive apt-get update -qq
  $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi
command -v go >/dev/null || { echo "setup: Go is not on the PATH" >&2; exit 1; }
go mod download
for folder in ros2/interop/testdata/foxglove bag/record/testdata/foxglove web/internal/page; do
  (cd "$folder" && { [ -d node_modules ] || npm ci --no-audit --no-fund --silent; })
done
