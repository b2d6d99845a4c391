#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs a simulated robot on each transport, and the tools of ROS 2 with it over each middleware: prints the transcripts
# of scripts/ros2-tools.sh, and of names, parameters and parameter files passed to ros2 run.
#
#   scripts/transports.sh > transcript.txt      in a shell that has sourced ROS 2 and the workspace with epuck_driver
#
# RMWS (rmw_cyclonedds_cpp rmw_fastrtps_cpp) and TRANSPORTS (rtps rclgo) are combined. EPUCK_DRIVER is the program if
# the package is not installed; it needs the build tag rclgo. With root each combination uses a network of its own.
set -uo pipefail
cd "$(dirname "$0")/.." || exit
if [ "$(id -u)" -eq 0 ] && [ -z "${TRANSPORTS_ALONE:-}" ]; then
  for rmw in ${RMWS:-rmw_cyclonedds_cpp rmw_fastrtps_cpp}; do
    for transport in ${TRANSPORTS:-rtps rclgo}; do
      TRANSPORTS_ALONE=1 RMWS=$rmw TRANSPORTS=$transport unshare -n bash -c \
        'ip link set lo mtu 1500; ip link set lo up multicast on; ip route add 239.0.0.0/8 dev lo; exec "$@"' _ "scripts/$(basename "$0")"
    done
  done
  exit
fi
command -v ros2 >/dev/null || { echo "transports: no ros2 here; source ROS 2's setup.sh" >&2; exit 1; }

program=(ros2 run epuck_driver epuck-driver)
[ -z "${EPUCK_DRIVER:-}" ] || program=("$EPUCK_DRIVER")
read -ra transports <<<"${TRANSPORTS:-rtps rclgo}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
printf '/robot1/base:\n  ros__parameters:\n    wheel_radius: 0.0205\n    imu_rate: 50.0\n' >"$work/params.yaml"

for rmw in ${RMWS:-rmw_cyclonedds_cpp rmw_fastrtps_cpp}; do
  export RMW_IMPLEMENTATION=$rmw
  for transport in "${transports[@]}"; do
    printf '\n######## a robot on %s, tools on %s (%s)\n' "$transport" "$rmw" "${ROS_DISTRO:-}"
    command=("${program[@]}" sim --transport "$transport" --ros-args -r __ns:=/robot1 -r __node:=base -r mic0:=sound
      -p rate:=10.0 --params-file "$work/params.yaml")
    printf '\n$ %s &\n' "${command[*]//$work\//}"
    "${command[@]}" >"$work/robot" 2>&1 &
    robot=$!
    for _ in $(seq 100); do
      grep -q 'Ctrl-C' "$work/robot" && break
      sleep 0.1
    done
    sleep 5 # until its parts are found and calibrated
    cat "$work/robot"
    said=$(wc -l <"$work/robot")
    for name in rate wheel_radius imu_rate; do
      printf '\n$ ros2 param get /robot1/base %s\n' "$name"
      timeout 30 ros2 param get --no-daemon --spin-time "${SPIN:-3}" /robot1/base "$name" 2>&1
    done
    printf '\n$ ros2 topic hz /robot1/sound\n'
    timeout -s INT 6 ros2 topic hz /robot1/sound 2>&1
    scripts/ros2-tools.sh /robot1/base
    printf '\n$ kill -INT: the robot on %s\n' "$transport"
    # ros2 run waits for its child: the child gets the signal, as from a terminal.
    child=$(pgrep -P "$robot" | head -1)
    kill -INT "${child:-$robot}"
    wait "$robot"
    printf '[exit status %d]\n' $?
    tail -n "+$((said + 1))" "$work/robot"
  done
done
