# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: Apache-2.0
# Programs that scripts/test-nav2.sh starts and stops, and goals that robots drive to. Read by it; it sets driver, work,
# repository and speed; modes set label.
pids=()
drivers=()   # who sends goals to robots
arguments=() # further ones of the simulator
stop() { # the last one first: each has ended before what it stands on, or is made to with all that it has started
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
  (cd "$work" && exec setsid env --default-signal=INT,QUIT "$@") >"$log" 2>&1 & # else the shell has them ignored
  pids+=($!)
}
await() { # SECONDS WHAT COMMAND…
  local end=$((SECONDS + $1)) what=$2
  shift 2
  until "$@" >/dev/null 2>&1; do
    [ $SECONDS -lt $end ] || { echo "test-nav2: waited in vain for $what" >&2; tail -n 30 "$work"/*.log >&2; return 1; }
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
# Of a robot, by its name; the one of a world that has no other has none.
truth_file() { echo "$work/truth${1:+-$1}.json"; }
truth() { # NAME KEY…: what the truth says
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
drive() { # NAME FRAME ORIGIN GOAL…: to places of the world, one after the other; what became of it is in score-NAME
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
