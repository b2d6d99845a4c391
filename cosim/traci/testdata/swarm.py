# SPDX-License-Identifier: Apache-2.0
"""SUMO's own client drives a swarm. Every line it prints is a fact that the test compares with the world's truth."""
import json
import sys

import traci

traci.init(int(sys.argv[1]), numRetries=20)


def tell(what, value):
    print(json.dumps([what, value]))


tell("version", traci.getVersion()[0])
tell("before", traci.vehicle.getIDList())
traci.simulationStep()
robots = traci.simulation.getDepartedIDList()
tell("departed", robots)
for i, r in enumerate(robots):
    traci.vehicle.subscribe(r, [0x42, 0x43, 0x40, 0x45])
    traci.vehicle.setSpeed(r, 0.02 * (i + 1))
traci.vehicle.setColor(robots[0], (255, 0, 0, 255))
for _ in range(20):
    traci.simulationStep()
tell("time", traci.simulation.getTime())
for r in robots:
    s = traci.vehicle.getSubscriptionResults(r)
    assert s[0x42] == traci.vehicle.getPosition(r) and s[0x43] == traci.vehicle.getAngle(r), (r, s)
    tell("robot " + r, [*s[0x42], s[0x43], s[0x40], *s[0x45]])
traci.vehicle.slowDown(robots[1], 0, 1.0)
traci.simulationStep(traci.simulation.getTime() + 0.5)
tell("half slow", traci.vehicle.getSpeed(robots[1]))
traci.simulationStep(traci.simulation.getTime() + 0.6)
tell("slow", traci.vehicle.getSpeed(robots[1]))

traci.vehicle.add("late", "", typeID="e-puck2/functional")
traci.vehicle.moveToXY("late", "", 0, 1.5, 0.5, 0)
tell("pending", traci.simulation.getPendingVehicles())
traci.simulationStep()
tell("came", traci.simulation.getDepartedIDList())
tell("late", [*traci.vehicle.getPosition("late"), traci.vehicle.getAngle("late")])
traci.vehicle.moveToXY("late", "", 0, 2.0, 1.5, 90)
tell("moved", [*traci.vehicle.getPosition("late"), traci.vehicle.getAngle("late")])
traci.vehicle.subscribeContext(robots[0], 0xA4, 1e3, [0x42])
traci.simulationStep()
tell("context", sorted(traci.vehicle.getContextSubscriptionResults(robots[0])))

edge = traci.edge.getIDList()[0]
traci.person.add("ann", edge, 1.0)
traci.person.appendWalkingStage("ann", [edge], 1.5)
traci.simulationStep()
tell("persons", traci.person.getIDList())
traci.simulationStep(traci.simulation.getTime() + 0.5)
tell("walks", [*traci.person.getPosition("ann"), traci.person.getSpeed("ann")])
traci.simulationStep(traci.simulation.getTime() + 2)
tell("has gone", traci.person.getIDList())
tell("in front", traci.vehicle.getPosition("late"))
traci.person.add("bob", edge, 2.5)
traci.person.moveToXY("bob", "", 2.3, 1.5, 0)
traci.vehicle.setSpeed("late", 0.1)
traci.simulationStep(traci.simulation.getTime() + 3)
tell("bumps", [*traci.vehicle.getPosition("late"), traci.simulation.getCollidingVehiclesNumber()])
tell("victims", sorted({c.victim for c in traci.simulation.getCollisions() if c.collider == "late"}))

tell("polygons", [[p, traci.polygon.getType(p), len(traci.polygon.getShape(p))] for p in traci.polygon.getIDList()])
traci.polygon.add("zone", [(0, 0), (1, 0), (1, 1)], (0, 255, 0, 255), True, "zone")
tell("zone", [traci.polygon.getShape("zone"), traci.polygon.getColor("zone"), traci.polygon.getType("zone")])
tell("lamps", [[p, traci.poi.getType(p), traci.poi.getPosition(p)] for p in traci.poi.getIDList()])
traci.poi.add("goal", 3, 1, (1, 2, 3, 255), "goal")
traci.vehicle.setParameter("late", "task", "wait")
tell("notes", [traci.vehicle.getParameter("late", "task"), traci.vehicle.getParameterWithKey("late", "level")])
tell("tof", float(traci.vehicle.getParameter("late", "tof")))
traci.vehicle.remove("late")
tell("arrived", traci.simulation.getArrivedIDList())
tell("left", traci.vehicle.getIDList())
traci.close()
