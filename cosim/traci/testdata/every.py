# SPDX-License-Identifier: Apache-2.0
"""Calls every method of every domain of SUMO's client, by introspection, and checks after each that the connection lives.

One line a call: the method, and "ok", "refused" (SUMO's status is an error), "argument" (the client itself refuses the
arguments) or "broken" with what has happened.
"""
import inspect
import struct
import sys

sys.path.append(sys.argv[2] if len(sys.argv) > 2 else "/usr/share/sumo/tools")
import traci  # noqa: E402
import traci.domain  # noqa: E402
import traci.exceptions  # noqa: E402

VALUES = {
    "typeID": "DEFAULT_VEHTYPE", "vehID": "a", "objectID": "a", "objID": "a", "personID": "ann", "param": "note", "key": "note",
    "value": "1", "speed": 0.01, "duration": 1.0, "time": 0.0, "x": 0.5, "y": 0.5, "x1": 0.1, "y1": 0.1, "x2": 0.2, "y2": 0.2,
    "pos": 0.1, "laneIndex": 0, "edgeID": "town", "edge": "town", "fromEdge": "town", "toEdge": "town", "dist": 1.0,
    "color": (1, 2, 3, 255), "varIDs": [0x42], "varID": 0x42, "domain": 0xA4, "option": "step-length", "shape": [(0, 0), (1, 0), (0, 1)],
    "polygonType": "p", "poiType": "p", "filename": "f.png", "edgeList": ["town"], "edges": ["town"], "signals": 0, "type": "x",
}
SKIP = {"close", "load", "start", "simulationStep", "remove", "removeStages", "registerStepListener"}
def argument(name, parameter):
    if name in VALUES:
        return VALUES[name]
    if parameter.default is not inspect.Parameter.empty:
        return parameter.default
    lowered = name.lower()
    if name.endswith(("ID", "IDs", "Id")) or "name" in lowered or "class" in lowered:
        return "a"
    return 1


def alive(connection):
    return isinstance(connection.simulation.getTime(), float)


def main():
    connection = traci.connect(int(sys.argv[1]), numRetries=5)
    connection.simulationStep()
    domains = [(n, d) for n, d in sorted(vars(connection).items()) if isinstance(d, traci.domain.Domain)]
    calls = [("connection", connection)] + domains
    for name, domain in calls:
        for method, f in inspect.getmembers(domain, callable):
            if method.startswith("_") or method in SKIP:
                continue
            try:
                parameters = [p for p in inspect.signature(f).parameters.items() if p[1].kind == inspect.Parameter.POSITIONAL_OR_KEYWORD]
            except (TypeError, ValueError):
                continue
            arguments = [argument(n, p) for n, p in parameters]
            outcome = "ok"
            try:
                f(*arguments)
            except traci.exceptions.FatalTraCIError as e:
                outcome = "broken: %s" % e
            except traci.exceptions.TraCIException:
                outcome = "refused"
            except (TypeError, ValueError, AttributeError, KeyError, IndexError, AssertionError, NotImplementedError, struct.error) as e:
                outcome = "argument: %s" % e
                connection._queue, connection._string = [], bytes()  # this client leaves half a command there
            except OSError as e:
                outcome = "broken: %s" % e
            print("%s.%s %s" % (name, method, outcome), flush=True)
            try:
                lives = alive(connection)
            except Exception as e:  # whatever it is, the connection is of no use any more
                print("%s.%s broken: %s" % (name, method, e))
                sys.exit(1)
            if not lives:
                print("%s.%s broken: no time" % (name, method))
                sys.exit(1)
    connection.simulationStep()
    connection.close()


main()
