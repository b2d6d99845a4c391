// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { Lines, mostLines, severity, timeOfLine } from "../src/panels/lines";
import { Statuses, timeline } from "../src/panels/statuses";

const status = (name, level, message = "", hardware_id = "") => ({ name, level, message, hardware_id, values: [] });

test("components and statuses are sorted with the worst first", () => {
  const s = new Statuses();
  s.look(0);
  s.take([status("a: fine", 0), status("b: bus", 0), status("b: camera", 2), status("c: late", 1), status("alone", 0, "", "board")], 0);
  assert.deepEqual(s.list(1).map((c) => [c.name, c.level, c.statuses.map((x) => x.name)]),
    [["b", 2, ["camera", "bus"]], ["c", 1, ["late"]], ["a", 0, ["fine"]], ["board", 0, ["alone"]]]);
});

test("what is not published any more is stale, but not what nobody observed", () => {
  const s = new Statuses(), level = (t) => s.list(t)[0].level;
  s.look(0);
  s.take([status("a: x", 0)], 1000);
  assert.equal(level(5999), 0);
  assert.equal(level(6001), 3);
  s.take([status("a: x", 0)], 8000);
  assert.equal(level(8000), 0);
  s.leave(9000);
  s.look(100_000);
  assert.equal(level(104_000), 0);
  assert.equal(level(105_001), 3);
  assert.deepEqual(s.list(105_001)[0].statuses[0].changes.map((c) => [c.time, c.level, c.unseen ?? false]),
    [[1000, 0, false], [6000, 3, false], [8000, 0, false], [9000, 0, true], [105_000, 3, false]]);
});

test("a timeline has the worst level at each time, and gaps where nothing was observed", () => {
  const s = new Statuses();
  s.look(0);
  s.take([status("a: x", 0), status("a: y", 0)], 100);
  s.take([status("a: x", 2)], 200);
  s.take([status("a: y", 1)], 250);
  s.take([status("a: x", 0)], 300);
  s.leave(400);
  assert.deepEqual(timeline(s.list(500)[0].statuses, 500, 500), [{ from: 0.2, to: 0.4, level: 0 }, { from: 0.4, to: 0.6, level: 2 }, { from: 0.6, to: 0.8, level: 1 }]);
});

test("lines are sorted by time, each counts once, and the oldest are dropped", () => {
  const l = new Lines(), line = (sec, msg, nsec = 0) => l.take({ stamp: { sec, nsec }, level: 30, name: "n", msg, file: "", line: 0, function: "" });
  line(3, "c"); line(1, "a"); line(2, "b"); line(3, "c");
  assert.deepEqual(l.list.map((x) => x.text), ["a", "b", "c"]);
  for (let i = 0; i < mostLines; i++) line(10 + i, "x");
  assert.equal(l.list.length, mostLines);
  assert.equal(l.list[0].time, 10);
  assert.equal(severity(30), "Warn");
  assert.match(timeOfLine(1_700_000_000.042), /^\d\d:\d\d:\d\d\.042$/);
  assert.equal(timeOfLine(12.5), "12.500");
});
