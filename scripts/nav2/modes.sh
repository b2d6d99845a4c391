# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: Apache-2.0
# The modes of scripts/test-nav2.sh, which sources this. They use scripts/nav2/runs.sh.

# Goals of a world, x and y in the world's frame, in driving order.
goals() {
  case $1 in
    arena) echo "0.3,0 0.35,-0.3 0,-0.35 -0.15,-0.3 -0.42,-0.05 -0.4,0.38 0,0.35 0.3,0.38 0.4,0.05 0,0" ;;
    maze) echo "-0.4,0 -0.4,0.4 0,0.4 0,0 0.2,-0.2 0.2,0.4 0.4,0.4 0.4,0 0.2,0 -0.2,0" ;;
    rats_life) echo "0.28,0 0.28,0.2 0.23,0 0.23,-0.2 0.26,0 -0.1,0 -0.1,-0.2 -0.1,0 0.05,0 0,0" ;;
    east) # of two robots: they first meet in the middle, each on its path to the other's start
      echo "-0.2,0.05 0.1,-0.38 0.35,-0.3 0.4,0.05 0.3,0.38 0.05,0.4 -0.4,0.38 0.05,0.3 0.42,0.4 0.15,-0.1" ;;
    west) echo "0.2,0 -0.1,0.1 -0.4,0.38 -0.42,-0.05 -0.15,-0.3 0.05,-0.3 0.3,-0.38 -0.1,-0.4 -0.42,-0.4 -0.2,0.05" ;;
    path) # table A.1 of the thesis, shown in its figure 7.5
      echo "0,0,0 0,0,-1.571 0,0,0 0.28,0,0 0.28,0,1.571 0.28,0.2,1.571 0.28,0.2,0 0.28,0.2,3.142 0.28,0.2,-1.571" \
        "0.23,-0.2,-1.571 0.23,-0.2,0 0.23,-0.2,1.047 0.23,-0.2,-1.571 0.23,-0.2,-2.199 0.23,-0.2,1.571 0.23,0,1.571" \
        "0.23,0,1.047 0.23,0,3.142 -0.1,0,3.142 -0.1,0,1.571 -0.1,0,0.785 -0.1,0,2.094 -0.1,0,-1.571 -0.1,-0.2,-1.571" \
        "-0.1,-0.2,0 -0.1,-0.2,1.047 -0.1,-0.2,-1.571 -0.1,-0.2,2.356" ;;
    *) echo "test-nav2: no goals are known for the world $1" >&2; return 1 ;;
  esac
}

varied() { # WORLD: itself, or a file of it whose robot's wheels have the radii WHEELS
  [ -n "${WHEELS-}" ] || { echo "$1"; return; }
  sed '/^robots:/,$s/}$/, variation: {wheel_radii: ['"$WHEELS"']}}/' "$repository/sim/world/examples/$1.yaml" >"$work/varied.yaml"
  grep -q variation "$work/varied.yaml" || echo "    variation: {wheel_radii: [$WHEELS]}" >>"$work/varied.yaml"
  echo "$work/varied.yaml"
}
try() { # MODE WORLD: one robot, ten goals
  label="$1 $2"
  simulate "$(varied "$2")"
  local origin frame=map # in the world's frame: the start of odometry, and so of a map
  origin=$(truth "" x y theta)
  case $1 in
    own)
      frame=odom
      begin nav.log "$driver" navigate
      await 60 "navigate_to_pose" listed "" ;;
    cones) nav2 "" 1 slam:=cones ;;
    slam_toolbox)
      nav2 "" 1
      "$driver" drive 0 0.8 --for 6s >/dev/null ;; # the first map of a robot that sees one wall is a line, which Nav2 rejects
    *) nav2 "" 2 "map:=$maps/$2.yaml" "localization:=$1" ;;
  esac
  # shellcheck disable=SC2046 # words
  drive "" "$frame" "$origin" $(goals "$2" | cut -d' ' -f"-$count")
  row "$2" "$1" ""
  stop
  [ "$1" != cones ] || keep "$2" "$origin"
}
keep() { # WORLD ORIGIN: keeps the map drawn by epuck-driver map, and a picture of it with the robot's path
  mv "$work/map.yaml" "$maps/$1.yaml" # it contains the name of its picture
  mv "$work/map.pgm" "$maps/$1.pgm"
  sed -i "s/map\.pgm/$1.pgm/" "$maps/$1.yaml"
  cp "$work/track" "$maps/$1.track"
  echo "$2" >"$maps/$1.origin"
  # shellcheck disable=SC2086 # the three numbers of the origin
  figures picture "$maps/$1.png" "$maps/$1.yaml" "$maps/$1.track" $2
}

two() { # MODE: two robots at once in arena, a Nav2 each, frames with prefixes on the common /tf or a tf in each namespace
  label=$1
  local name x y yaw extra arguments=()
  sed '/^robots:/,$d' "$repository/sim/world/examples/arena.yaml" >"$work/two.yaml"
  cat >>"$work/two.yaml" <<END
robots:
  - {name: east, position: [0.3, 0.0], yaw: 0.0}
  - {name: west, position: [-0.3, 0.05], yaw: 3.0}
END
  # shellcheck disable=SC2034 # simulate reads it
  [ "$1" = two ] || arguments=(--ros-args -r /tf:=tf -r /tf_static:=tf_static -p 'frame_prefix:=""')
  simulate "$work/two.yaml" east west
  for name in east west; do
    read -r x y yaw <<<"$(truth "$name" x y theta)"
    extra=frame_prefix:=$name/
    [ "$1" = two ] || extra=relative_tf:=true
    nav2 "$name" 2 "namespace:=$name" "$extra" "map:=$maps/arena.yaml" "localization:=$localization" "x:=$x" "y:=$y" "yaw:=$yaw"
  done
  for name in east west; do
    # shellcheck disable=SC2046 # words
    drive "$name" map "0 0 0" $(goals "$name" | cut -d' ' -f"-$count") &
    drivers+=($!)
  done
  wait "${drivers[@]}"
  drivers=()
  for name in east west; do row arena "$1, $localization, $name" "$name"; done
  echo "  $label: minimum distance of the robots $(figures apart "$work/track") cm, centre to centre" >&2
  cp "$work/track" "$maps/$1.track"
  stop
}

path() { # the path of the thesis, without a map
  label=path
  simulate rats_life
  nav2 "" 1 slam:=cones
  # shellcheck disable=SC2046 # words
  drive "" map "$(truth "" x y theta)" $(goals path)
  row rats_life path ""
  # shellcheck disable=SC2046 # words
  echo "  path: maximum and mean distance from the lines, cm: $(figures deviation "$work/track" $(goals path))" >&2
  stop
  keep path "0 0 0"
}

occupied() { # prints how many cells of the local costmap are occupied at the post: of a new costmap, not a latched one
  "$driver" topic echo --once -f --qos-durability volatile /local_costmap/costmap >"$work/costmap"
  figures lethal "$work/costmap" -0.13 0 0.05
}
turn() { # a detected obstacle remains in the costmap while the robot turns its sensor away, and afterwards
  label=turn
  local n before seen least after spin times=0
  cat >"$work/turn.yaml" <<END
arena: {size: [1.2, 1.2]}
cylinders: [{name: post, position: [-0.13, 0.0], radius: 0.03}]
robots: [{name: epuck}]
END
  { printf 'P5\n120 120\n255\n'; head -c 14400 /dev/zero | tr '\0' '\376'; } >"$work/bare.pgm"
  echo '{image: bare.pgm, resolution: 0.01, origin: [-0.6, -0.6, 0], occupied_thresh: 0.65, free_thresh: 0.196, negate: 0}' >"$work/bare.yaml"
  echo '{/**/local_costmap/local_costmap: {ros__parameters: {always_send_full_costmap: true}}}' >"$work/full.yaml"
  simulate "$work/turn.yaml"
  nav2 "" 2 "map:=$work/bare.yaml" localization:=odometry "params_file:=$work/full.yaml"
  spin=(timeout 120 ros2 action send_goal /spin nav2_msgs/action/Spin)
  before=$(occupied)
  "${spin[@]}" '{target_yaw: 3.1416, time_allowance: {sec: 60}}' >"$work/spin.log"
  seen=$(occupied) least=$seen
  "${spin[@]}" '{target_yaw: 6.2832, time_allowance: {sec: 60}}' >>"$work/spin.log" &
  while kill -0 $! 2>/dev/null; do
    n=$(occupied)
    least=$((n < least ? n : least)) times=$((times + 1))
  done
  "${spin[@]}" '{target_yaw: 1.5708, time_allowance: {sec: 60}}' >>"$work/spin.log"
  sleep 5
  after=$(occupied)
  echo "  turn: occupied cells at the post: $before before its detection, $seen then, at least $least in" \
    "$times samples of a full turn, $after five seconds after the robot has turned away; $(truth "" collisions) touches" >&2
  stop
  [ "$before" = 0 ] && [ "$least" -gt 0 ] && [ "$after" -gt 0 ]
}
