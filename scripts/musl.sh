# SPDX-License-Identifier: Apache-2.0
# Sourced by the scripts that build 32-bit programs with cgo: the compiler for Debian's musl (musl-dev:armel), and its
# flags. go4vl names -I/usr/include, where the headers of another library are: gcc ignores that of a folder which is
# searched as a system's, here after musl's own. Headers of Linux are there, those of its architecture with gcc's.
# shellcheck shell=bash disable=SC2034
MUSL_CC=arm-linux-musleabi-gcc
MUSL_CFLAGS="-O2 -isystem /usr/include/arm-linux-musleabi -isystem /usr/include -isystem /usr/arm-linux-gnueabi/include \
  -include '$PWD/scripts/musl-video.h'"
