# SPDX-License-Identifier: Apache-2.0
"""Asks a TraCI server all about a network, of which SUMO and we must say the same. Where the answers may differ by
rounding, numbers are printed with nine digits."""
import contextlib
import sys

import traci
from traci.exceptions import TraCIException

with contextlib.redirect_stdout(sys.stderr):  # "Retrying in 1 seconds" is not an answer of the server
    traci.init(int(sys.argv[1]), numRetries=60)


def plain(value):
    if isinstance(value, float):
        return "%.9g" % value
    if isinstance(value, (tuple, list)):
        return "(" + " ".join(plain(v) for v in value) + ")"
    return str(value)


def ask(what, f, *args):
    try:
        print(what, *args, plain(f(*args)))
    except TraCIException as e:
        print(what, *args, "refused:", str(e).replace("\n", " "))


e, l, j, t, s = traci.edge, traci.lane, traci.junction, traci.trafficlight, traci.simulation
traci.simulationStep()
for name, domain in (("edge", e), ("lane", l), ("junction", j), ("light", t)):
    ask(name, domain.getIDList)
    ask(name, domain.getIDCount)
ask("boundary", s.getNetBoundary)
for edge in e.getIDList():
    for name in ("LaneNumber", "StreetName", "Traveltime", "LastStepMeanSpeed", "LastStepOccupancy", "LastStepLength",
                 "WaitingTime", "LastStepVehicleNumber", "LastStepHaltingNumber", "LastStepVehicleIDs",
                 "LastStepPersonIDs"):
        ask("edge " + name, getattr(e, "get" + name), edge)
    ask("edge AdaptedTraveltime", e.getAdaptedTraveltime, edge, 0.0)
    ask("edge Effort", e.getEffort, edge, 0.0)
for lane in l.getIDList():
    for name in ("Length", "MaxSpeed", "Width", "Allowed", "Disallowed", "LinkNumber", "Links", "Shape", "EdgeID",
                 "LastStepMeanSpeed", "LastStepOccupancy", "LastStepLength", "WaitingTime", "Traveltime",
                 "LastStepVehicleNumber", "LastStepHaltingNumber", "LastStepVehicleIDs"):
        ask("lane " + name, getattr(l, "get" + name), lane)
for junction in j.getIDList():
    ask("junction Position", j.getPosition, junction)
    if junction[0] != ":":  # SUMO's own client can't read the empty shape of one in a junction
        ask("junction Shape", j.getShape, junction)
for light in t.getIDList():
    for name in ("RedYellowGreenState", "AllProgramLogics", "ControlledLanes", "ControlledLinks", "Program", "Phase",
                 "PhaseName", "NextSwitch", "PhaseDuration"):
        ask("light " + name, getattr(t, "get" + name), light)
for what, f in (("edge", e.getLaneNumber), ("lane", l.getLength), ("junction", j.getPosition), ("light", t.getPhase)):
    ask("unknown " + what, f, "nope")
edges = [edge for edge in e.getIDList() if edge[0] != ":"]
for a in edges:
    for b in edges:
        way = s.findRoute(a, b)
        print("route", a, b, plain(way.edges), plain(way.travelTime), plain(way.length))
        if a != b and way.edges:
            ask("distance", s.getDistanceRoad, a, 0.25, b, 0.5, True)
for edge in edges:
    for lane in range(e.getLaneNumber(edge)):
        ask("point", s.convert2D, edge, 0.5, lane)
        ask("back", s.convertRoad, *s.convert2D(edge, 0.5, lane))
ask("back", s.convertRoad, 1.8, 2.45)

# Lights that are changed.
ask("unknown setPhase", t.setPhase, "nope", 1)
ask("unknown setProgram", t.setProgram, "c", "nope")
ask("phase beyond", t.setPhase, "c", 9)
ask("phase", t.setPhase, "c", 1)
t.setPhaseDuration("c", 0.3)
shown = lambda: (s.getTime(), t.getProgram("c"), t.getPhase("c"), t.getRedYellowGreenState("c"), t.getNextSwitch("c"))
ask("now", shown)
for _ in range(40):
    traci.simulationStep()
    ask("then", shown)
phases = [t.Phase(0.5, "G" * 18), t.Phase(0.7, "r" * 18)]
t.setProgramLogic("c", t.Logic("mine", 0, 0, phases))
for _ in range(16):
    traci.simulationStep()
    ask("of mine", shown)
ask("logics", lambda: [(p.programID, p.type, [(q.duration, q.state) for q in p.phases]) for p in t.getAllProgramLogics("c")])
t.setRedYellowGreenState("c", "rG" * 9)
ask("state", t.getRedYellowGreenState, "c")
ask("program", t.getProgram, "c")
traci.simulationStep()
ask("state", t.getRedYellowGreenState, "c")

# Speed limits and routes.
l.setMaxSpeed("ce_1", 0.05)
ask("limit", l.getMaxSpeed, "ce_1")
e.setMaxSpeed("ce", 0.06)
ask("limit", l.getMaxSpeed, "ce_1")
ask("unknown limit", l.setMaxSpeed, "nope", 1.0)
ask("route", traci.route.add, "r1", ["wc", "ce", "ep"])
ask("route twice", traci.route.add, "r1", ["wc", "ce"])
ask("route of nothing", traci.route.add, "r2", ["wc", "nope"])
ask("edges", traci.route.getEdges, "r1")

# A vehicle on the network: what is refused, and the routes that it gets.
v = traci.vehicle
ask("no such route", v.add, "v8", "nope")
ask("add", v.add, "v9", "r1")
traci.simulationStep()
for name in ("RoadID", "LaneID", "LaneIndex", "Route", "RouteID", "RouteIndex"):
    ask("vehicle " + name, getattr(v, "get" + name), "v9")
print("lights", [(x[0], x[1], x[3]) for x in v.getNextTLS("v9")])
ask("change lane", v.changeLane, "v9", 1, 5.0)
ask("no such lane", v.changeLane, "v9", 7, 5.0)
ask("target", v.changeTarget, "v9", "pn")
ask("its route", v.getRoute, "v9")
ask("its name", v.getRouteID, "v9")
ask("no such target", v.changeTarget, "v9", "nope")
ask("not from here", v.setRoute, "v9", ["ce", "ep"])
ask("not connected", v.setRoute, "v9", ["wc", "ep"])
ask("no such edge", v.setRoute, "v9", ["wc", "nope"])
ask("route", v.setRoute, "v9", ["wc", "cn"])
ask("its route", v.getRoute, "v9")
ask("no such route", v.setRouteID, "v9", "nope")
ask("route of a name", v.setRouteID, "v9", "r1")
ask("move", v.moveTo, "v9", "ce_1", 0.4)
ask("its lane", v.getLaneID, "v9")
ask("no such lane", v.moveTo, "v9", "nope_1", 0.4)
ask("not on the route", v.moveTo, "v9", "nc_0", 0.4)
ask("unknown", v.moveTo, "nope", "ce_1", 0.4)
ask("unknown", v.setRoute, "nope", ["wc"])
traci.close()
