# SPDX-License-Identifier: Apache-2.0
"""SUMO's own client sends robots along the lanes of a network. Every line it prints is a fact that the test checks."""
import json
import sys

import traci

traci.init(int(sys.argv[1]), numRetries=20)


def tell(what, value):
    print(json.dumps([what, value]))


v, s, t = traci.vehicle, traci.simulation, traci.trafficlight
traci.simulationStep()
tell("own", [v.getLaneID("own"), round(v.getLanePosition("own"), 2), v.getRoute("own")])
tell("far", [v.getLaneID("far"), v.getRoute("far")])
routes = {"right": ["wc", "cs"], "left": ["wc", "cn"], "ahead": ["ec", "cw"], "round": ["nc", "ce", "ep", "pn"],
          "behind": ["wc", "ce", "ep"]}
for name, edges in routes.items():
    traci.route.add("r_" + name, edges)
    v.add(name, "r_" + name)
v.add("second", "r_round", departPos="0.4")
traci.simulationStep()
tell("departed", sorted(s.getDepartedIDList()))
v.changeTarget("own", "ec")
v.setStop("ahead", "cw", 1.0, 0, 3.0)
v.changeLane("ahead", 1, 2.0)
visited, arrived, red, stopped, told = {}, {}, [], [], 0
collisions, leader = 0, ""
before = {}
while s.getTime() < 200 and len(arrived) < 6:
    shown = t.getRedYellowGreenState("c")
    for r in v.getIDList():
        lane = v.getLaneID(r)
        if lane and visited.setdefault(r, [lane])[-1] != lane:
            visited[r].append(lane)
        if lane.startswith(":c") and before.get(r, ":")[0] != ":":
            for link, index in zip(t.getControlledLinks("c"), range(len(shown))):
                if link[0][2] == lane and shown[index] == "r" and link[0][0] == before[r]:
                    red.append([r, s.getTime()])
        before[r] = lane
    if not leader and "second" in v.getIDList() and "round" in v.getIDList():
        ahead = v.getLeader("round", 1.0)
        leader = ahead[0] if ahead else ""
    traci.simulationStep()
    collisions += s.getCollidingVehiclesNumber()
    stopped += s.getStopStartingVehiclesIDList()
    for r in s.getArrivedIDList():
        arrived[r] = s.getTime()
tell("arrived", sorted(arrived))
tell("left", sorted(v.getIDList()))
tell("red", red)
tell("collisions", collisions)
tell("leader", leader)
tell("stopped", stopped)
tell("ways", {r: [l for l in lanes if l[0] != ":"] for r, lanes in sorted(visited.items())})
tell("time", max(arrived.values()) if arrived else 0)
for _ in range(600):
    traci.simulationStep()
tell("own is", [v.getRoadID("own"), v.getSpeed("own") < 0.001, v.getRoute("own")[-1]])
traci.close()
