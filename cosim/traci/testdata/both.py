# SPDX-License-Identifier: Apache-2.0
"""Asks a TraCI server all that SUMO and we have: prints for each question the types of the answer, or the refusal.
The first robot or car and the names of an edge, a route and a type are looked up, so that the lines are alike."""
import contextlib
import sys

import traci
from traci.exceptions import TraCIException

with contextlib.redirect_stdout(sys.stderr):  # "Retrying in 1 seconds" is not an answer of the server
    traci.init(int(sys.argv[1]), numRetries=60)


def shape(value):
    if isinstance(value, (tuple, list)):
        return "[" + " ".join(sorted({shape(v) for v in value})) + "]"
    return type(value).__name__


def ask(what, f, *args):
    try:
        print(what, shape(f(*args)))
    except TraCIException as e:
        print(what, "refused:", str(e))


v, s, p = traci.vehicle, traci.simulation, traci.person
edge, car = traci.edge.getIDList()[0], "v0"
route = traci.route.getIDList()[0]
kind = sys.argv[2]

ask("before", v.getIDList)
ask("before count", v.getIDCount)
traci.simulationStep()
for name in ("IDList", "IDCount"):
    for domain in ("vehicle", "person", "poi", "polygon", "route", "edge", "junction", "lane", "trafficlight", "vehicletype",
                   "inductionloop", "multientryexit", "lanearea", "busstop"):
        value = getattr(getattr(traci, domain), "get" + name)()
        print(domain, name, type(value).__name__)
for name in ("Speed", "Position", "Position3D", "Angle", "RoadID", "LaneID", "LaneIndex", "TypeID", "RouteID", "Route", "Color",
             "LanePosition", "Signals", "Length", "Width", "Height", "MaxSpeed", "Acceleration", "Slope", "WaitingTime",
             "Distance", "LateralSpeed", "StopState", "NextStops", "Accel", "Decel"):
    ask("vehicle " + name, getattr(v, "get" + name), car)
    ask("unknown " + name, getattr(v, "get" + name), "nope")
ask("leader", v.getLeader, car)
ask("parameter", v.getParameter, car, "abc")
ask("parameter with key", v.getParameterWithKey, car, "abc")
v.setParameter(car, "abc", "1")
print("parameter is", v.getParameter(car, "abc"))
for name in ("Time", "DeltaT", "NetBoundary", "MinExpectedNumber", "LoadedNumber", "LoadedIDList", "DepartedNumber",
             "DepartedIDList", "ArrivedNumber", "ArrivedIDList", "StartingTeleportNumber", "StartingTeleportIDList",
             "EndingTeleportNumber", "EndingTeleportIDList", "ParkingStartingVehiclesNumber",
             "ParkingStartingVehiclesIDList", "ParkingEndingVehiclesNumber", "ParkingEndingVehiclesIDList",
             "StopStartingVehiclesNumber", "StopStartingVehiclesIDList", "StopEndingVehiclesNumber",
             "StopEndingVehiclesIDList", "CollidingVehiclesNumber", "CollidingVehiclesIDList", "Collisions",
             "PendingVehicles", "DepartedPersonIDList", "ArrivedPersonIDList", "CurrentTime"):
    ask("simulation " + name, getattr(s, "get" + name))
ask("air", s.getDistance2D, 0, 0, 3, 4)
ask("to road", s.convertRoad, 3, 0)
ask("to geo", s.convertGeo, 3, 0)
ask("gui", lambda: traci.hasGUI())

for name, args in (("setSpeed", (1.0,)), ("setMaxSpeed", (2.0,)), ("setMaxSpeed", (-5.0,)), ("setColor", ((1, 2, 3, 4),)),
                   ("slowDown", (1.0, 2.0)), ("setAcceleration", (0.1, 1.0)), ("resume", ()), ("setSpeed", (-1.0,))):
    if name != "resume":
        ask(name, getattr(v, name), car, *args)
    ask("unknown " + name, getattr(v, name), "nope", *args)
ask("unknown move", v.moveToXY, "nope", "", 0, 1, 1)
ask("unknown remove", v.remove, "nope")
ask("add again", v.add, car, route, kind)
ask("add route", v.add, "n1", "nope", kind)
ask("add type", v.add, "n1", route, "nope")
ask("add", v.add, "n2", route, kind)
ask("n2 position", v.getPosition, "n2")
print("n2 is", v.getPosition("n2"))
ask("remove n2", v.remove, "n2")

ask("polygon", traci.polygon.add, "zone", [(0, 0), (1, 0), (1, 1)], (1, 2, 3, 4), True, "kind")
ask("polygon again", traci.polygon.add, "zone", [(0, 0), (1, 0), (1, 1)], (1, 2, 3, 4), True, "kind")
for name in ("Shape", "Type", "Color", "Filled", "LineWidth"):
    print("polygon", name, getattr(traci.polygon, "get" + name)("zone"))
ask("polygon shape", traci.polygon.setShape, "nope", [(0, 0), (1, 1)])
traci.polygon.setShape("zone", [(2, 2), (3, 3)])
print(traci.polygon.getShape("zone"))
ask("polygon gone", traci.polygon.remove, "nope")
ask("polygon remove", traci.polygon.remove, "zone")
ask("poi", traci.poi.add, "goal", 3, 1, (1, 2, 3, 4), "kind", 0, "img", 1, 2, 3)
ask("poi again", traci.poi.add, "goal", 3, 1, (1, 2, 3, 4))
for name in ("Position", "Type", "Color", "Angle", "Width", "Height", "ImageFile"):
    print("poi", name, getattr(traci.poi, "get" + name)("goal"))
ask("poi unknown", traci.poi.getPosition, "nope")
ask("poi gone", traci.poi.remove, "nope")
traci.poi.setPosition("goal", 7, 8)
print(traci.poi.getPosition("goal"))
ask("route", traci.route.add, "r1", [edge])
ask("route again", traci.route.add, "r1", [edge])
ask("route of nothing", traci.route.add, "r2", ["nope"])
print("route is", len(traci.route.getEdges("r1")))
ask("person", p.add, "ann", edge, 1.0)
ask("person again", p.add, "ann", edge, 1.0)
ask("person's type", p.add, "bob", edge, 1.0, -3, "nope")
ask("person's edge", p.add, "bob", "nope", 1.0)
ask("stage", p.appendWalkingStage, "ann", [edge], 1.5)
traci.simulationStep()
for name in ("Position", "Position3D", "Angle", "Speed", "RoadID", "LaneID", "TypeID", "Color", "Length", "Width", "Slope",
             "LanePosition", "MaxSpeed", "WaitingTime", "RemainingStages", "Vehicle", "Height"):
    ask("person " + name, getattr(p, "get" + name), "ann")
    ask("unknown person " + name, getattr(p, "get" + name), "nope")
ask("person's speed", p.setSpeed, "nope", 1.0)
v.subscribe(car, [0x42, 0x43, 0x40])
traci.simulationStep()
print("subscribed", sorted((k, shape(x)) for k, x in v.getSubscriptionResults(car).items()))
ask("subscribe unknown", v.subscribe, "nope", [0x42])
ask("unsubscribe unknown", v.unsubscribe, "nope")
v.subscribeContext(car, traci.constants.CMD_GET_POI_VARIABLE, 1e6, [0x42])
traci.simulationStep()
print("context", [(k, shape(list(x.values()))) for k, x in v.getContextSubscriptionResults(car).items()])
ask("order", traci.setOrder, 1)
traci.close()
