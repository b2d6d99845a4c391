#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the benchmarks on this machine, and in the same run those of another implementation if there is one: ratios
# depend less on the machine than times. BENCHTIME (default 1s) is the time of each measurement.
set -euo pipefail
cd "$(dirname "$0")/.."
benchtime=${BENCHTIME:-1s}

# A benchmark that fails or measures nothing ends the run (pipefail; grep finds no line).
bench() { # title, package, pattern
  printf '\n== %s\n' "$1"
  go test -tags peers,system -run '^$' -bench "$3" -benchtime "$benchtime" -timeout 30m "$2" | grep -E '^(Benchmark|---|FAIL|panic)'
}

bench "control cycle: processor time, nothing and everything subscribed, in memory" ./driver 'Cycle'
bench "control cycle: the same over the network to another process" ./cmd/epuck-driver 'Cycle'
bench "the whole program in real time: alone on a bus without delays, and with the simulated robot" ./cmd/epuck-driver 'BenchmarkDriver'
bench "cmd_vel to the bus: from the arrival of the message to the first byte" ./driver 'Command'
bench "CDR: encode and decode by type" ./msgs 'Encode|Decode'
bench "camera calibration of 40 views" ./calibration/cam .
bench "odometry" ./odometry .
bench "the microcontroller's packets" ./i2c/mcu .
bench "JPEG of 640×480 frames, compared with libjpeg-turbo and image/jpeg" ./camera/jpeg .
bench "colour conversion of 640×480 frames" ./camera/yuv .
bench "scaling of 640×480 frames" ./camera/scale .
bench "camera, from the frame to the sink" ./camera 'Pipeline'
bench "the simulated camera: rendering a frame" ./sim/vcamera .
bench "a swarm: processor time of a robot-second at both levels, compared with ARGoS if EPUCK_ARGOS names it" ./fleet/swarm .
bench "the functional level on one core and on two, with and without messages between robots, and in dense worlds" ./sim 'Functional|Firmware|Dense'
bench "simulated seconds a second by level and number of robots, with their nodes or drivers" ./fleet/targetlevel 'Ladder/(functional,free|firmware,table)/robots=(1|2|4|8)/'
bench "the real-time factor of 8 robots for requests of 1, 20 and the maximum; all messages counted" ./fleet 'BenchmarkFactor/'
bench "starting and closing 1,000 functional robots with their nodes" ./fleet 'StartAndClose'
bench "RTPS compared with Cyclone DDS and Fast DDS: round trips, rates, processor time, memory, discovery; CDR compared with Fast CDR; the start of the program" ./ros2/interop .
bench "messages within a process, compared with Boost.Signals2 and Go channels" ./ros2/internal/signals2 .
bench "tasks posted to an executor, compared with Boost.Asio, by number of producers and threads" ./ros2/internal/asio .
bench "dispatch of a callback, by executor" ./ros2/executor 'Dispatch'
bench "a chain of nodes: free, by an executor, in deterministic order, over three processes; compared with rclcpp's single-threaded executor if ROS 2 is sourced" ./ros2/executor/order 'Chain|Several|Rclcpp'

printf '\n== a minute of 100 topics and 20 MB/s recorded, compared with ros2 bag record if it is sourced\n'
scripts/bench-record.sh

# The transports, each in a process and a program of its own.
bench "a cycle on the transport rtps: processor time of all threads, memory" ./cmd/epuck-driver 'Transport/rtps'
if [ -n "${AMENT_PREFIX_PATH:-}" ]; then
  # shellcheck source=scripts/rclgo-flags.sh
  . scripts/rclgo-flags.sh
  export GOFLAGS="${GOFLAGS:-} -tags=rclgo"
  bench "the same on the transport rclgo, ${RMW_IMPLEMENTATION:-the default middleware} of ROS 2 ${ROS_DISTRO:-}" ./cmd/epuck-driver 'Transport/rclgo'
else
  printf '\n== the same on the transport rclgo: not measured, no ROS 2 is sourced here (AMENT_PREFIX_PATH is empty)\n'
fi
