#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds and tests what depends on ROS 2 itself: the transport rclgo, and the conformance suite on it and together with
# the default transport, over each installed middleware. It needs a shell that has sourced ROS 2's setup.sh.
# RMWS names the middlewares (default: those installed of rmw_cyclonedds_cpp and rmw_fastrtps_cpp).
# With root each middleware uses a network of its own, otherwise the loopback interface.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/rclgo-flags.sh

step() { printf '\n== %s\n' "$1"; }

installed() { # rmw: is its library on one of the prefixes?
  local prefix
  for prefix in ${AMENT_PREFIX_PATH//:/ }; do
    [ -e "$prefix/lib/lib$1.so" ] && return 0
  done
  return 1
}

# alone runs a command in a network of its own with a loopback interface, with the multicast and the Ethernet MTU that
# DDS needs.
alone() {
  if [ "$(id -u)" -eq 0 ] && unshare -n true 2>/dev/null; then
    unshare -n bash -c 'ip link set lo mtu 1500; ip link set lo up multicast on; ip route add 239.0.0.0/8 dev lo; exec "$@"' _ "$@"
  else
    ROS_LOCALHOST_ONLY=1 "$@"
  fi
}

# plain runs a command in one with the usual loopback, without multicast, for which ROS_LOCALHOST_ONLY is intended.
plain() {
  if [ "$(id -u)" -eq 0 ] && unshare -n true 2>/dev/null; then
    unshare -n bash -c 'ip link set lo up; exec "$@"' _ "$@"
  else
    "$@"
  fi
}

step "ROS 2 ${ROS_DISTRO:-(unnamed)}: build and vet with the tag rclgo"
mkdir -p bin
go build -tags rclgo -o bin/epuck-driver-rclgo ./cmd/epuck-driver
go vet -tags rclgo ./ros2/rclgo ./ros2/conformance ./cmd/epuck-driver/...
bin/epuck-driver-rclgo version

go test -c -tags rclgo,peers,system -o bin/rclgo.test ./ros2/rclgo
go test -c -tags rclgo,peers,system -o bin/conformance.test ./ros2/conformance
go test -c -tags rclgo,peers,system -o bin/epuck-driver.test ./cmd/epuck-driver
go test -c -tags rclgo,peers,system -o bin/network.test ./cmd/epuck-driver/internal/network
ran=0
for rmw in ${RMWS:-rmw_cyclonedds_cpp rmw_fastrtps_cpp}; do
  if ! installed "$rmw"; then echo "$rmw is not installed: not tested"; continue; fi
  export RMW_IMPLEMENTATION=$rmw
  step "$rmw: the transport"
  (cd ros2/rclgo && alone ../../bin/rclgo.test -test.v -test.timeout 5m)
  step "$rmw: conformance, alone and with the default transport"
  (cd ros2/conformance && alone ../../bin/conformance.test -test.v -test.timeout 10m)
  step "$rmw: the program"
  (cd cmd/epuck-driver && plain ../../bin/epuck-driver.test -test.v -test.timeout 5m -test.run 'Transport')
  (cd cmd/epuck-driver/internal/network && plain ../../../../bin/network.test -test.v -test.timeout 5m -test.run 'Transport')
  ran=$((ran + 1))
done
[ "$ran" -gt 0 ] || { echo "test-rclgo: no middleware to test with" >&2; exit 1; }
step "done in ${SECONDS} s, $ran middlewares"
