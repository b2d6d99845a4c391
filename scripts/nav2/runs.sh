# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: Apache-2.0
# Functions of scripts/test-nav2.sh that start and stop programs and send goals. It sources this and sets driver, work,
# repository and speed; modes set label.
pids=()
drivers=()   # processes that send goals to robots
arguments=() # further arguments of the simulator
stop() { # in reverse order: each program and its children end, or are killed, before those they depend on
  local i pid signal
  for pid in "${drivers[@]}"; do
    kill "$pid" 2>/dev/null || true
    pkill -P "$pid" || true
  done
  drivers=()
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
begin() { # LOG COMMAND…: a program in a group of its own, in the work folder
  local log=$work/$1
  shift
  (cd "$work" && exec setsid env --default-signal=INT,QUIT "$@") >"$log" 2>&1 & # the shell would ignore them
  pids+=($!)
}
await() { # SECONDS WHAT COMMAND…
  local end=$((SECONDS + $1)) what=$2
  shift 2
  until "$@" >/dev/null 2>&1; do
    [ $SECONDS -lt $end ] || { echo "test-nav2: no $what in time" >&2; tail -n 30 "$work"/*.log >&2; return 1; }
    sleep 1
  done
}
# The folder deploy/ros as an installed package, for ros2 launch.
package() {
  mkdir -p "$work/prefix/share/ament_index/resource_index/packages" "$work/prefix/lib/epuck_driver"
  touch "$work/prefix/share/ament_index/resource_index/packages/epuck_driver"
  ln -sfn "$repository/deploy/ros" "$work/prefix/share/epuck_driver"
  ln -sf "$driver" "$work/prefix/lib/epuck_driver/epuck-driver"
  export AMENT_PREFIX_PATH="$work/prefix:${AMENT_PREFIX_PATH-}"
}
figures() { python3 "$repository/scripts/nav2/figures.py" "$@"; }
# Files of a robot, by its name; a single robot has none.
truth_file() { echo "$work/truth${1:+-$1}.json"; }
truth() { # NAME KEY…: prints values of the ground truth
  local file
  file=$(truth_file "$1")
  shift
  python3 -c 'import json, sys; r = json.load(open(sys.argv[1])); print(*(r[k] for k in sys.argv[2:]))' "$file" "$@"
}
listed() { "$driver" action list | grep -qx "${1:+/$1}/navigate_to_pose"; }
active() { [ "$(grep -c 'Managed nodes are active' "$work/nav$1.log")" -ge "$2" ]; }

simulate() { # WORLD ROBOT…: a world, and the track of its robots
  local world=$1 name truths=()
  shift
  rm -f "$work"/*.log "$work"/truth*.json
  begin sim.log "$driver" sim --world "$world" --real-time-factor "$speed" --web=off --truth "$work/truth.json" "${arguments[@]}"
  for name in "${@:-}"; do
    await 60 "the robot's odometry" timeout 10 "$driver" topic echo --once "${name:+/$name}/odom"
    await 60 "the truth" test -s "$(truth_file "$name")"
    truths+=("$(truth_file "$name")")
  done
  begin track.log python3 "$repository/scripts/nav2/figures.py" track "$work/track" "${truths[@]}"
}
nav2() { # NAME MANAGERS ARGUMENT…: Nav2 for a robot, until it is active
  local name=$1 managers=$2 sim_time=()
  shift 2
  [ "$speed" = 1 ] || sim_time=(use_sim_time:=true)
  begin "nav$name.log" ros2 launch epuck_driver navigation.launch.py "${sim_time[@]}" "$@"
  await 180 "navigation" active "$name" "$managers"
  await 60 "navigate_to_pose" listed "$name"
}
drive() { # NAME FRAME ORIGIN GOAL…: drives to poses of the world in sequence; the result is in score-NAME
  local name=$1 frame=$2 origin=$3 goal answer off turned reached=0 n=0 worst=0 began
  shift 3
  began=$(truth "$name" age)
  for goal; do
    # shellcheck disable=SC2086 # the three numbers of the origin
    answer=$(timeout 600 "$driver" action send_goal "${name:+/$name}/navigate_to_pose" nav2_msgs/action/NavigateToPose \
      "{pose: {header: {frame_id: $frame}, pose: $(figures pose "$goal" $origin)}}" 2>&1 || true)
    sleep 1
    read -r off turned <<<"$(figures off "$goal" "$(truth_file "$name")")"
    n=$((n + 1))
    if grep -q SUCCEEDED <<<"$answer"; then
      reached=$((reached + 1))
      worst=$(printf '%s\n' "$worst" "$off" | sort -g | tail -n 1)
    else
      tail -n 2 <<<"$answer" >&2
    fi
    echo "  $label${name:+ $name} ($goal): $(tail -n 1 <<<"$answer"), $off cm${turned:+ and $turned°} off, $(truth "$name" collisions) touches" >&2
  done
  printf '%d of %d | %s | %.1f | %.0f\n' "$reached" "$n" "$(truth "$name" collisions)" "$worst" \
    "$(python3 -c "print($(truth "$name" age) - $began)")" >"$work/score-$name"
}
row() { echo "| $1 | $2 | $(cat "$work/score-$3") |" >>"$work/table"; } # WORLD MODE NAME
