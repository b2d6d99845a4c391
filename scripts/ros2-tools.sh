#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the ros2 command line of the ROS 2 on the PATH with a running robot and prints a transcript: each command after a
# "$", its output, and its exit status unless that is 0. The script checks nothing: the transcript is to be read, and
# compared with that of another transport or another ROS 2.
#
#   scripts/ros2-tools.sh [NODE]       NODE defaults to /epuck_driver; its topics are those in NODE's namespace
#
# ROS2 (ros2) is the command, of one or more words. SPIN (3) is the discovery time of a command in seconds, WATCH (6)
# the time of commands that run until Ctrl-C. LIFECYCLE names a managed node whose transitions are made, if set.
# The robot drives a few centimetres; a parameter is changed and restored.
set -uo pipefail
node=${1:-/epuck_driver}
space=${node%/*}
read -ra ros2 <<<"${ROS2:-ros2}"
spin=(--no-daemon --spin-time "${SPIN:-3}")
watch=${WATCH:-6}
work=$(mktemp -d)
# Commands without --no-daemon start a daemon, which is stopped at the end.
trap '"${ros2[@]}" daemon stop >/dev/null 2>&1; rm -rf "$work"' EXIT

# run prints a command and its output; a command that hangs is ended after a minute.
run() {
  printf '\n$ ros2 %s\n' "$*"
  timeout --signal=INT --kill-after=5 60 "${ros2[@]}" "$@" 2>&1
  local status=$?
  [ $status -eq 0 ] || printf '[exit status %d]\n' $status
}

# look does the same for a command that runs until Ctrl-C.
look() {
  printf '\n$ timeout %s ros2 %s\n' "$watch" "$*"
  timeout --signal=INT --kill-after=5 "$watch" "${ros2[@]}" "$@" 2>&1
}

title() { printf '\n== %s\n' "$1"; }

# has reports whether the ros2 command has a sub-command: small installations lack some.
has() { "${ros2[@]}" "$1" --help >/dev/null 2>&1; }

# verb reports whether a sub-command has a verb.
verb() { "${ros2[@]}" "$1" "$2" --help >/dev/null 2>&1; }

topics() {
  title "topics"
  run topic list "${spin[@]}"
  run topic list -t "${spin[@]}"
  run topic list -c "${spin[@]}"
  run topic list -v "${spin[@]}"
  run topic list --include-hidden-topics "${spin[@]}"
  run topic info "${spin[@]}" "$space/odom"
  for topic in "$space/odom" "$space/cmd_vel" /tf_static /rosout /parameter_events; do
    run topic info -v "${spin[@]}" "$topic"
  done
  run topic info "${spin[@]}" /no_such_topic
  run topic type "${spin[@]}" "$space/scan"
  run topic find "${spin[@]}" sensor_msgs/msg/Range
  run topic echo "${spin[@]}" --once "$space/odom"
  run topic echo "${spin[@]}" --once --field pose.pose.position "$space/odom"
  run topic echo "${spin[@]}" --once --csv "$space/joint_states"
  run topic echo "${spin[@]}" --once --no-arr "$space/scan"
  run topic echo "${spin[@]}" --once --flow-style "$space/ps0"
  run topic echo "${spin[@]}" --once --qos-reliability best_effort "$space/scan"
  run topic echo "${spin[@]}" --once --qos-durability transient_local --qos-reliability reliable /tf_static
  run topic echo "${spin[@]}" --once --qos-durability transient_local --qos-reliability reliable "$space/selector"
  run topic echo "${spin[@]}" --once /diagnostics
  look topic hz --window 100 "$space/scan"
  look topic bw --window 100 "$space/scan"
  look topic delay --window 100 "$space/odom"
  run topic pub --once "$space/cmd_vel" geometry_msgs/msg/Twist '{linear: {x: 0.02}, angular: {z: 0.1}}'
  look topic pub --rate 10 "$space/cmd_vel" geometry_msgs/msg/Twist '{angular: {z: 0.2}}'
  run topic pub --times 2 --rate 5 "$space/led0" std_msgs/msg/Int32 '{data: 1}'
}

nodes() {
  title "nodes"
  run node list "${spin[@]}"
  run node list -a "${spin[@]}"
  run node list -c "${spin[@]}"
  run node info "${spin[@]}" "$node"
  run node info "${spin[@]}" --include-hidden "$node"
}

parameters() {
  title "parameters"
  run param list "${spin[@]}" "$node"
  run param list "${spin[@]}" --param-type "$node"
  run param list "${spin[@]}" --param-prefixes camera -- "$node"
  run param describe "${spin[@]}" "$node" wheel_radius scan_invalid i2c_bus use_sim_time
  run param get "${spin[@]}" "$node" wheel_radius
  run param get "${spin[@]}" --hide-type "$node" rate
  run param get "${spin[@]}" "$node" no_such_parameter
  run param set "${spin[@]}" "$node" wheel_radius 0.021
  run param get "${spin[@]}" "$node" wheel_radius
  run param set "${spin[@]}" "$node" wheel_radius 5.0
  run param set "${spin[@]}" "$node" wheel_radius text
  run param set "${spin[@]}" "$node" i2c_bus 12
  run param set "${spin[@]}" "$node" no_such_parameter 1
  run param delete "${spin[@]}" "$node" wheel_radius
  run param delete "${spin[@]}" "$node" no_such_parameter
  run param dump "${spin[@]}" "$node"
  printf '%s:\n  ros__parameters:\n    wheel_radius: 0.02\n    publish_tf: true\n    rate: 10.0\n' "$node" >"$work/params.yaml"
  run param load "${spin[@]}" "$node" "$work/params.yaml" | sed "s|$work/||"
  run param get "${spin[@]}" "$node" wheel_radius
}

services() {
  title "services"
  run service list "${spin[@]}"
  run service list -t "${spin[@]}"
  run service list -c "${spin[@]}"
  run service type "$space/reset_odometry"
  run service find std_srvs/srv/Trigger
  run service find -c std_srvs/srv/Trigger
  ! verb service info || run service info "$space/reset_odometry"
  run service call "$space/reset_odometry" std_srvs/srv/Trigger
  run service call "$node/get_parameters" rcl_interfaces/srv/GetParameters '{names: [wheel_radius, rate]}'
  run service call "$node/list_parameters" rcl_interfaces/srv/ListParameters '{prefixes: [camera], depth: 0}'
  run service call "$node/set_parameters_atomically" rcl_interfaces/srv/SetParametersAtomically \
    '{parameters: [{name: publish_tf, value: {type: 1, bool_value: true}}, {name: rate, value: {type: 3, double_value: 5.0}}]}'
  type_description
}

# type_description requests the description of a type by the hash in the graph (ROS 2 Iron and later).
type_description() {
  local hash
  hash=$("${ros2[@]}" topic info -v "${spin[@]}" "$space/odom" 2>/dev/null | sed -n 's/^Topic type hash: \(RIHS01_[0-9a-f]*\)$/\1/p' | head -1)
  [ -n "$hash" ] || return 0
  run service call "$node/get_type_description" type_description_interfaces/srv/GetTypeDescription \
    "{type_name: nav_msgs/msg/Odometry, type_hash: $hash, include_type_sources: false}"
  run service call "$node/get_type_description" type_description_interfaces/srv/GetTypeDescription \
    "{type_name: nav_msgs/msg/Odometry, type_hash: RIHS01_0}"
}

# others are sub-commands that not every installation has.
others() {
  if has interface; then
    title "interfaces"
    run interface show geometry_msgs/msg/Twist
    run interface proto geometry_msgs/msg/Twist
    run interface package std_srvs
  fi
  if verb action list; then
    title "actions"
    run action list
  fi
  if verb component list; then
    title "components"
    run component list "${spin[@]}"
  fi
  if has lifecycle && [ -n "${LIFECYCLE:-}" ]; then
    title "lifecycle"
    run lifecycle nodes "${spin[@]}"
    run lifecycle list "${spin[@]}" "$LIFECYCLE"
    run lifecycle list -a "${spin[@]}" "$LIFECYCLE"
    for step in activate configure activate deactivate cleanup shutdown; do
      run lifecycle set "${spin[@]}" "$LIFECYCLE" $step
      run lifecycle get "${spin[@]}" "$LIFECYCLE"
    done
  fi
}

title "ros2 tools of ${ROS_DISTRO:-an unnamed ROS 2} on ${RMW_IMPLEMENTATION:-its own rmw}, node $node"
nodes
topics
parameters
services
others
