#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Nodes of rclpy and of Go in deterministic order over several processes, on the default transport and on rcl: RUNS (5)
# runs with the same record. It needs a shell that has sourced ROS 2's setup.sh. With root it uses a network of its own.
set -euo pipefail
cd "$(dirname "$0")/.."
python3 -c 'import rclpy' 2>/dev/null || { echo "test-order: no rclpy: . /opt/ros/humble/setup.bash" >&2; exit 1; }
. scripts/rclgo-flags.sh
mkdir -p bin
go test -c -tags rclgo,peers,system -o bin/order.test ./ros2/executor/order
run() { (cd ros2/executor/order && "$@" ../../../bin/order.test -test.v -test.timeout 10m -test.run 'Rclpy|OnRCL'); }
export EPUCK_RCLPY="${RUNS:-5}"
if [ "$(id -u)" -eq 0 ] && unshare -n true 2>/dev/null; then
  run unshare -n bash -c 'ip link set lo mtu 1500; ip link set lo up multicast on; ip route add 239.0.0.0/8 dev lo; exec "$@"' _
else
  ROS_LOCALHOST_ONLY=1 run env
fi
