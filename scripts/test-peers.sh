#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# make test-peers: the tests that need other people's programs, each part with only the packages that it needs. It decides
# nothing: what fails is read and mended.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/suite.sh peers

part "Cyclone DDS, Fast DDS, Foxglove's RTPS, Wine" "dds node windows tshark python" ./ros2/interop
part "Boost" boost ./ros2/internal/signals2 ./ros2/internal/asio
part "libjpeg-turbo" jpeg ./camera/jpeg
part "OpenCV" opencv ./calibration/interop
part "SUMO" sumo ./cosim/traci
part "libController" webots ./cosim/webots
part "Foxglove's MCAP, the page's sources, roslib" node ./bag/record ./web/internal/page ./web/internal/rosbridge
part "Wireshark" tshark ./ros2/rtps/wire
part "FFmpeg" ffmpeg ./camera/m2m
part "Spin" spin ./ros2/executor ./ros2/inproc
part "processes in C++ and Python" python ./ros2/executor/order
rest "dds node python openssl"
suite_end
