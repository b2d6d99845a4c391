#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Sends goals to simulated robots and prints the results by ground truth: reached goals, touches, distances.
# test-nav2.sh [MODE]…, with modes
#   own           epuck-driver navigate, without a map; needs no ROS 2
#   cones         Nav2 while epuck-driver map draws the map, which others use
#   amcl          Nav2 with that map and AMCL
#   odometry      Nav2 with that map, localised by odometry only
#   slam_toolbox  Nav2 while slam_toolbox draws the map
#   two           two robots at once in arena, with its map, prefixes on the common /tf
#   two_relative  the same with a tf in each namespace
#   path          the path of the thesis in rats_life, each of its poses a goal, while epuck-driver map draws the map
#   turn          checks that an obstacle remains in the costmap while the robot turns
# Variables: WORLDS (arena maze rats_life), SPEED (1; less on a busy machine), GOALS (10), LOCALIZATION (odometry; amcl)
# of two robots, WHEELS (0.02, 0.02: the radii of a single robot, m) and MAPS (a folder for the maps of cones with their
# pictures). All modes except own need a shell that has sourced ROS 2 with Nav2, slam_toolbox and launch, and
# RMW_IMPLEMENTATION. With root it uses a network of its own. KEEP=1 keeps the logs.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ "$(id -u)" -eq 0 ] && [ -z "${ALONE-}" ] && unshare -n true 2>/dev/null; then
  ALONE=1 exec unshare -n bash -c 'ip link set lo mtu 1500; ip link set lo up multicast on; ip route add 239.0.0.0/8 dev lo; exec "$@"' _ "$0" "$@"
fi
export ROS_DOMAIN_ID="${ROS_DOMAIN_ID:-85}"
repository=$PWD speed=${SPEED:-1} count=${GOALS:-10} localization=${LOCALIZATION:-odometry}
work=$(mktemp -d)
maps=${MAPS:-$work}
mkdir -p "$maps"
maps=$(realpath "$maps")
driver=${EPUCK_DRIVER:-$work/epuck-driver}
[ -n "${EPUCK_DRIVER-}" ] || CGO_ENABLED=0 go build -o "$driver" ./cmd/epuck-driver
# shellcheck source=scripts/nav2/runs.sh
. scripts/nav2/runs.sh
# shellcheck source=scripts/nav2/modes.sh
. scripts/nav2/modes.sh
finish() { # also after a failure: prints the table so far
  stop
  if [ -f "$work/table" ]; then
    printf '| world | mode | reached | touches | maximum distance, cm | simulated s |\n| --- | --- | --- | --- | --- | --- |\n'
    cat "$work/table"
  fi
  if [ -n "${KEEP-}" ]; then echo "logs: $work"; else rm -rf "$work"; fi
}
trap finish EXIT

known=" own cones amcl odometry slam_toolbox two two_relative path turn "
read -r -a worlds <<<"${WORLDS:-arena maze rats_life}"
modes=("$@")
[ $# -gt 0 ] || read -r -a modes <<<"$known"
drawn=() # worlds whose maps will have been drawn
for mode in "${modes[@]}"; do
  [[ $known == *" $mode "* ]] || { echo "test-nav2: unknown mode $mode: want${known% }" >&2; exit 2; }
  [ "$mode" = own ] || command -v ros2 >/dev/null || { echo "test-nav2: no ROS 2 is sourced here: . /opt/ros/humble/setup.bash" >&2; exit 1; }
  needed=()
  case $mode in
    cones) drawn+=("${worlds[@]}") ;;
    amcl | odometry) needed=("${worlds[@]}") ;;
    two*) needed=(arena) ;;
  esac
  for world in "${needed[@]}"; do
    [[ -f $maps/$world.yaml || " ${drawn[*]} " == *" $world "* ]] ||
      { echo "test-nav2: $mode uses the map of cones in $world, which must run before" >&2; exit 2; }
  done
done
package
for mode in "${modes[@]}"; do
  case $mode in
    two*) two "$mode" ;;
    path | turn) "$mode" ;;
    *) for world in "${worlds[@]}"; do try "$mode" "$world"; done ;;
  esac
done
