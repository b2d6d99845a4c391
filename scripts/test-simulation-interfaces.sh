#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Calls the services and the action of simulation_interfaces by the ros2 command of the sourced ROS 2, with the types of
# its package simulation_interfaces. With root it uses a network of its own.
set -euo pipefail
cd "$(dirname "$0")/.."
python3 -c 'import simulation_interfaces' 2>/dev/null || { echo "test-simulation-interfaces: no ROS 2 with simulation_interfaces is sourced here" >&2; exit 1; }
if [ "$(id -u)" -eq 0 ] && [ -z "${ALONE-}" ] && unshare -n true 2>/dev/null; then
  ALONE=1 exec unshare -n bash -c 'ip link set lo mtu 1500; ip link set lo up multicast on; ip route add 239.0.0.0/8 dev lo; exec "$@"' _ "$0"
fi
export ROS_DOMAIN_ID="${ROS_DOMAIN_ID:-84}"
work=$(mktemp -d)
CGO_ENABLED=0 go build -o "$work/ed" ./cmd/epuck-driver
"$work/ed" sim --world swarm --level functional >"$work/sim.log" 2>&1 & sim=$!
trap 'kill "$sim" 2>/dev/null || true; rm -rf "$work"' EXIT
node=/simulation
fail() { echo "test-simulation-interfaces: $1" >&2; cat "$work/sim.log" >&2; exit 1; }

# expect calls a service and expects a text in the response.
expect() { # service type request text
  local answer
  answer=$(timeout 30 ros2 service call "$node/$1" "simulation_interfaces/srv/$2" "$3" 2>&1) || fail "$1: $answer"
  grep -q -- "$4" <<<"$answer" || fail "$1: no $4 in: $answer"
  printf 'ok %s\n' "$1"
}

expect get_simulator_features GetSimulatorFeatures '{}' 'features=.0, 1, 2'
expect get_simulation_state GetSimulationState '{}' 'state=1'
expect set_simulation_state SetSimulationState '{state: {state: 2}}' 'result=1,'
expect get_simulation_state GetSimulationState '{}' 'state=2'
expect step_simulation StepSimulation '{steps: 5}' 'result=1,'
expect spawn_entity SpawnEntity '{name: walker, uri: person, initial_pose: {pose: {position: {x: 0.3, y: 0.3}, orientation: {w: 1.0}}}}' "entity_name='walker'"
expect get_entities GetEntities '{}' walker
expect get_entity_state GetEntityState '{entity: walker}' 'x=0.3'
expect set_entity_state SetEntityState '{entity: walker, state: {pose: {position: {x: 0.2, y: 0.3}, orientation: {w: 1.0}}}}' 'result=1,'
expect get_entity_state GetEntityState '{entity: walker}' 'x=0.2'
expect get_entities_states GetEntitiesStates '{}' walker
expect get_entity_info GetEntityInfo '{entity: walker}' 'result=1,'
expect get_entity_bounds GetEntityBounds '{entity: walker}' 'result=1,'
expect get_named_poses GetNamedPoses '{}' home_
expect get_spawnables GetSpawnables '{}' functional
expect get_current_world GetCurrentWorld '{}' "name='swarm'"
expect get_available_worlds GetAvailableWorlds '{}' "name='maze'"
expect delete_entity DeleteEntity '{entity: walker}' 'result=1,'
expect reset_simulation ResetSimulation '{scope: 6}' 'result=1,'
goal=$(timeout 30 ros2 action send_goal --feedback "$node/simulate_steps" simulation_interfaces/action/SimulateSteps '{steps: 3}' 2>&1) || fail "simulate_steps: $goal"
grep -q 'completed_steps: 2' <<<"$goal" || fail "simulate_steps has no feedback: $goal"
grep -q SUCCEEDED <<<"$goal" || fail "simulate_steps: $goal"
echo "ok simulate_steps, an action"
expect set_simulation_state SetSimulationState '{state: {state: 1}}' 'result=1,'
expect load_world LoadWorld '{uri: nowhere}' 'result=2'
expect load_world LoadWorld '{resource_string: "robots: ["}' 'result=103'
expect load_world LoadWorld '{uri: arena}' "name='arena'"
until grep -q 'world "arena"' "$work/sim.log"; do sleep 0.1; done
expect get_current_world GetCurrentWorld '{}' "name='arena'"
expect unload_world UnloadWorld '{}' 'result=1,'
until grep -q 'No world is loaded' "$work/sim.log"; do sleep 0.1; done
expect unload_world UnloadWorld '{}' 'result=101'
expect load_world LoadWorld '{uri: arena}' "name='arena'"
until [ "$(grep -c 'world "arena"' "$work/sim.log")" -ge 2 ]; do sleep 0.1; done
# A subscriber from before the reset sees the jump, however slow this machine is.
ros2 topic echo --field clock.sec /clock >"$work/clock" 2>&1 & echo=$!
trap 'kill "$sim" "$echo" 2>/dev/null || true; rm -rf "$work"' EXIT
until [ "$(grep '^[0-9]' "$work/clock" | sort -u | wc -l)" -ge 3 ]; do sleep 0.1; done
expect reset_simulation ResetSimulation '{scope: 1}' 'result=1,'
until [ "$(grep -c 'world "arena"' "$work/sim.log")" -ge 3 ]; do sleep 0.1; done
jump=
for _ in $(seq 300); do
  jump=$(awk '/^[0-9]/ { if ($1 < last) print last " s to " $1 " s"; last = $1 }' "$work/clock")
  [ -z "$jump" ] || break
  sleep 0.1
done
[ -n "$jump" ] || fail "a reset of time: /clock does not jump back: $(grep '^[0-9]' "$work/clock" | uniq | tr '\n' ' ')"
echo "ok /clock jumps back from $jump"
