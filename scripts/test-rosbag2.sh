#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tests our bags and those of the sourced ROS 2: each reads and plays the other's, with equal bytes of messages. With
# LOAD=1 it also measures both under load (scripts/bench-record.sh).
set -euo pipefail
cd "$(dirname "$0")/.."
command -v ros2 >/dev/null || { echo "test-rosbag2: no ROS 2 is sourced here: . /opt/ros/humble/setup.bash" >&2; exit 1; }
export ROS_LOCALHOST_ONLY=1 ROS_DOMAIN_ID="${ROS_DOMAIN_ID:-87}"
work=$(mktemp -d)
pids=()
finish() { for p in "${pids[@]}"; do kill "$p" 2>/dev/null || true; done; rm -rf "$work"; }
trap finish EXIT
CGO_ENABLED=0 go build -o "$work/ed" ./cmd/epuck-driver
ed="$work/ed"
step() { printf '== %s\n' "$1"; }
fail() { echo "test-rosbag2: $1" >&2; exit 1; }

step "both record the same simulated robot"
"$ed" sim --for 20s >"$work/sim.log" 2>&1 & pids+=($!)
topics=(/odom /scan /imu /tf_static /robot_description)
timeout -s INT 14 ros2 bag record -s mcap -o "$work/theirs" "${topics[@]}" >"$work/theirs.log" 2>&1 & theirs=$!
timeout -s INT 12 "$ed" bag record -o "$work/ours" "${topics[@]}" >"$work/ours.log" 2>&1 || true
wait "$theirs" || true

step "ros2 bag info reads ours, with its metadata and without, finished and cut short"
ros2 bag info "$work/ours" | grep 'Topic: /odom | Type: nav_msgs/msg/Odometry' >/dev/null || fail "ros2 bag info does not read ours"
ros2 bag info -s mcap "$work/ours/ours_0.mcap" | grep /tf_static >/dev/null || fail "ros2 bag info does not read our file"
head -c $(($(stat -c %s "$work/ours/ours_0.mcap") - 3000)) "$work/ours/ours_0.mcap" >"$work/cut.mcap"
ros2 bag info -s mcap "$work/cut.mcap" | grep /odom >/dev/null || fail "ros2 bag info does not read a file without its end"

step "ours reads theirs, and both have the same messages where they overlap"
"$ed" bag info "$work/theirs" | grep 'Topic: /odom' >/dev/null || fail "we do not read theirs"
go run ./bag/record/testdata/compare "$work/ours" "$work/theirs" || fail "the messages differ"

for player in ours theirs; do
  step "ros2 bag play plays $player, epuck-driver bag play, too"
  for command in "ros2 bag play $work/$player" "$ed bag play $work/$player --disable-keyboard-controls"; do
    $command >"$work/play.log" 2>&1 </dev/null & played=$!
    timeout 15 "$ed" topic echo --once /odom | grep child_frame_id >/dev/null || { cat "$work/play.log" >&2; fail "$command: no odometry"; }
    timeout 15 "$ed" topic echo --once --qos-durability transient_local --qos-reliability reliable /tf_static | grep transforms >/dev/null || fail "$command: no /tf_static"
    kill -INT "$played" 2>/dev/null || true
    wait "$played" || true
  done
done

step "rosbag2's player services"
"$ed" bag play "$work/ours" --loop --disable-keyboard-controls >"$work/play.log" 2>&1 & pids+=($!)
sleep 2
ros2 service call /rosbag2_player/set_rate rosbag2_interfaces/srv/SetRate '{rate: 2.0}' | grep 'success=True' >/dev/null || fail "set_rate"
ros2 service call /rosbag2_player/pause rosbag2_interfaces/srv/Pause >/dev/null || fail "pause"
ros2 service call /rosbag2_player/is_paused rosbag2_interfaces/srv/IsPaused | grep 'paused=True' >/dev/null || fail "is_paused"
ros2 service call /rosbag2_player/play_next rosbag2_interfaces/srv/PlayNext | grep 'success=True' >/dev/null || fail "play_next"
kill "${pids[-1]}" 2>/dev/null || true

if [ "${LOAD:-0}" = 1 ]; then
  step "load: 100 topics, 20 MB/s"
  BAGS="$work" scripts/bench-record.sh
fi
step "done in ${SECONDS} s"
