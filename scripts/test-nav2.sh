#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Ten goals a world for a simulated robot, and what became of them by the simulator's truth: reached, touches, how far
# off. test-nav2.sh [MODE]…, with modes
#   own           epuck-driver navigate, without a map; needs no ROS 2
#   cones         Nav2 while epuck-driver map draws the map, which the next two use
#   amcl          Nav2 with that map and AMCL
#   odometry      Nav2 with that map, without a localisation
#   slam_toolbox  Nav2 while slam_toolbox draws the map
# WORLDS (arena maze rats_life), SPEED (1; less on a busy machine) and GOALS (10) choose. All but own want a shell that
# has sourced ROS 2 with Nav2, slam_toolbox and launch, and RMW_IMPLEMENTATION. With root it has a network of its own.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ "$(id -u)" -eq 0 ] && [ -z "${ALONE-}" ] && unshare -n true 2>/dev/null; then
  ALONE=1 exec unshare -n bash -c 'ip link set lo mtu 1500; ip link set lo up multicast on; ip route add 239.0.0.0/8 dev lo; exec "$@"' _ "$0" "$@"
fi
export ROS_DOMAIN_ID="${ROS_DOMAIN_ID:-85}"
repository=$PWD speed=${SPEED:-1} count=${GOALS:-10}
work=$(mktemp -d)
driver=${EPUCK_DRIVER:-$work/epuck-driver}
[ -n "${EPUCK_DRIVER-}" ] || CGO_ENABLED=0 go build -o "$driver" ./cmd/epuck-driver
pids=()
stop() { # the last one first: each has ended before what it stands on, or is made to with all that it has started
  local i pid signal
  for ((i = ${#pids[@]} - 1; i >= 0; i--)); do
    pid=${pids[i]}
    kill -INT "$pid" 2>/dev/null || true
    for signal in TERM KILL; do
      for _ in {1..150}; do
        kill -0 -- "-$pid" 2>/dev/null || break
        sleep 0.1
      done
      kill "-$signal" -- "-$pid" 2>/dev/null || true
    done
    wait "$pid" 2>/dev/null || true
  done
  pids=()
}
trap 'stop; [ -n "${KEEP-}" ] && echo "logs: $work" || rm -rf "$work"' EXIT
begin() { # LOG COMMAND…: a program in a group of its own, in the work folder
  local log=$work/$1
  shift
  (cd "$work" && exec setsid env --default-signal=INT,QUIT "$@") >"$log" 2>&1 & # else the shell has them ignored
  pids+=($!)
}

# Goals of a world, x and y in the world's frame, in the order in which they are driven to.
goals() {
  case $1 in
    arena) echo "0.3,0 0.35,-0.3 0,-0.35 -0.15,-0.3 -0.42,-0.05 -0.4,0.38 0,0.35 0.3,0.38 0.4,0.05 0,0" ;;
    maze) echo "-0.4,0 -0.4,0.4 0,0.4 0,0 0.2,-0.2 0.2,0.4 0.4,0.4 0.4,0 0.2,0 -0.2,0" ;;
    rats_life) echo "0.28,0 0.28,0.2 0.23,0 0.23,-0.2 0.26,0 -0.1,0 -0.1,-0.2 -0.1,0 0.05,0 0,0" ;;
    *) echo "test-nav2: no goals are known for the world $1" >&2; return 1 ;;
  esac
}
# The folder deploy/ros as an installed package, for ros2 launch.
package() {
  mkdir -p "$work/prefix/share/ament_index/resource_index/packages" "$work/prefix/lib/epuck_driver"
  touch "$work/prefix/share/ament_index/resource_index/packages/epuck_driver"
  ln -sfn "$repository/deploy/ros" "$work/prefix/share/epuck_driver"
  ln -sf "$driver" "$work/prefix/lib/epuck_driver/epuck-driver"
  export AMENT_PREFIX_PATH="$work/prefix:${AMENT_PREFIX_PATH-}"
}
# What the truth says, by names: truth x y collisions.
truth() { python3 -c 'import json, sys; r = json.load(open(sys.argv[1])); print(*(r[k] for k in sys.argv[2:]))' "$work/truth.json" "$@"; }
await() { # SECONDS WHAT COMMAND…
  local end=$((SECONDS + $1)) what=$2
  shift 2
  until "$@" >/dev/null 2>&1; do
    [ $SECONDS -lt $end ] || { echo "test-nav2: waited in vain for $what" >&2; tail -n 30 "$work"/*.log >&2; return 1; }
    sleep 1
  done
}
listed() { "$driver" action list | grep -qx /navigate_to_pose; }
active() { [ "$mode" = own ] || [ "$(grep -c 'Managed nodes are active' "$work/nav.log")" -ge "$managers" ]; }

try() { # MODE WORLD
  mode=$1 world=$2 managers=1
  rm -f "$work"/*.log "$work/truth.json"
  begin sim.log "$driver" sim --world "$world" --speed "$speed" --web=off --truth "$work/truth.json"
  await 60 "the robot's odometry" timeout 10 "$driver" topic echo --once /odom
  await 60 "the truth" test -s "$work/truth.json"
  local launch=(ros2 launch epuck_driver navigation.launch.py use_sim_time:=true)
  [ "$speed" != 1 ] || launch=(ros2 launch epuck_driver navigation.launch.py)
  case $mode in
    own) begin nav.log "$driver" navigate ;;
    cones) begin nav.log "${launch[@]}" slam:=cones ;;
    slam_toolbox) begin nav.log "${launch[@]}" ;;
    *) managers=2; begin nav.log "${launch[@]}" "map:=$work/$world.yaml" "localization:=$mode" ;;
  esac
  await 180 "navigation" active
  await 60 "navigate_to_pose" listed
  # slam_toolbox's first map of a robot that sees one wall is a line, which Nav2's costmaps refuse.
  [ "$mode" != slam_toolbox ] || "$driver" drive 0 0.8 --for 6s >/dev/null
  local x0 y0 yaw0 reached=0 n=0 worst=0 began touches
  read -r x0 y0 yaw0 <<<"$(truth x y theta)"
  began=$(truth age)
  for goal in $(goals "$world" | cut -d' ' -f"-$count"); do
    local in_map answer off x1 y1
    in_map=$(python3 -c 'import math, sys; x, y, x0, y0, a = map(float, sys.argv[1:]); dx, dy = x - x0, y - y0; print("x: %.4f, y: %.4f" % (math.cos(a) * dx + math.sin(a) * dy, math.cos(a) * dy - math.sin(a) * dx))' \
      "${goal%,*}" "${goal#*,}" "$x0" "$y0" "$yaw0")
    frame=map
    [ "$mode" != own ] || frame=odom
    answer=$(timeout 600 "$driver" action send_goal /navigate_to_pose nav2_msgs/action/NavigateToPose \
      "{pose: {header: {frame_id: $frame}, pose: {position: {$in_map}, orientation: {w: 1.0}}}}" 2>&1 || true)
    sleep 1
    read -r x1 y1 <<<"$(truth x y)"
    off=$(python3 -c 'import math, sys; a = list(map(float, sys.argv[1:])); print("%.4f" % math.hypot(a[0] - a[2], a[1] - a[3]))' \
      "${goal%,*}" "${goal#*,}" "$x1" "$y1")
    n=$((n + 1))
    if grep -q SUCCEEDED <<<"$answer"; then
      reached=$((reached + 1))
      worst=$(python3 -c 'print(max(map(float, __import__("sys").argv[1:])))' "$worst" "$off")
    else
      tail -n 2 <<<"$answer" >&2
    fi
    echo "  $mode $world ($goal): $(tail -n 1 <<<"$answer"), $off m off, $(truth collisions) touches" >&2
  done
  touches=$(truth collisions)
  printf '| %s | %s | %d of %d | %s | %.1f | %.0f |\n' "$world" "$mode" "$reached" "$n" "$touches" \
    "$(python3 -c "print($worst * 100)")" "$(python3 -c "print($(truth age) - $began)")" >>"$work/table"
  stop
  if [ "$mode" = cones ]; then
    mv "$work/map.yaml" "$work/$world.yaml" # its picture keeps the name that stands in it
    mv "$work/map.pgm" "$work/$world.pgm"
    sed -i "s/map\.pgm/$world.pgm/" "$work/$world.yaml"
  fi
}

modes=("$@")
[ $# -gt 0 ] || modes=(own cones amcl odometry slam_toolbox)
package
for world in ${WORLDS:-arena maze rats_life}; do
  for mode in "${modes[@]}"; do
    case $mode in
      own) ;;
      cones | amcl | odometry | slam_toolbox)
        command -v ros2 >/dev/null || { echo "test-nav2: no ROS 2 is sourced here: . /opt/ros/humble/setup.bash" >&2; exit 1; } ;;
      *) echo "test-nav2: there are own, cones, amcl, odometry, slam_toolbox; not $mode" >&2; exit 2 ;;
    esac
    case $mode in
      amcl | odometry) [ -f "$work/$world.yaml" ] || { echo "test-nav2: $mode uses the map of cones, which goes before" >&2; exit 2; } ;;
    esac
    try "$mode" "$world"
  done
done
printf '| world | mode | reached | touches | farthest off, cm | simulated s |\n| --- | --- | --- | --- | --- | --- |\n'
cat "$work/table"
