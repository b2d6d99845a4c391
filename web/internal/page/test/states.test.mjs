// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { arranged, counted, stateKey } from "../src/panels/states";
import { connection, stateOf } from "../src/states";
import { t } from "../src/texts";

const facts = { connected: true, refused: "", lost: undefined, robots: 1, silence: 0.1, paused: false };
const text = (f) => { const s = stateOf({ ...facts, ...f }); return t(s.key, s.values); };

test("each state has its words", () => {
  assert.equal(text({}), "Connected");
  assert.equal(text({ silence: 3.7 }), "Robot silent for 3 s");
  assert.equal(text({ silence: undefined }), "Connected");
  assert.equal(text({ silence: 30, paused: true }), "Simulation paused");
  assert.equal(text({ robots: 0 }), "Connected, no robot yet");
  assert.equal(text({ connected: false }), "Connecting …");
  assert.equal(text({ connected: false, lost: 4.2 }), "No connection for 4 s, trying again …");
  assert.equal(text({ connected: false, refused: "missing" }), "A token is needed");
  assert.equal(text({ connected: false, refused: "wrong", lost: 1 }), "The token is wrong");
  assert.equal(text({ connected: false, refused: "too many <viewers>" }), "too many <viewers>");
  assert.deepEqual([stateOf(facts).silent, stateOf({ ...facts, silence: 2 }).silent, stateOf({ ...facts, connected: false, lost: 0 }).silent], [false, true, true]);
});

test("a trail continues, has a gap, or begins again", () => {
  const at = (x, time, v = 0.1) => ({ x, y: 0, v, time });
  assert.equal(connection(at(0, 0), at(0.005, 0.05)), "on");
  assert.equal(connection(at(0, 0), at(0.2, 3)), "gap");
  assert.equal(connection(at(1, 5), at(0, 5.05)), "new");
  assert.equal(connection(at(1, 5, 0), at(0.5, 60, 0)), "new");
  assert.equal(connection(at(0, 5), at(0, 0)), "new");
});

test("robots are found by name, state and driver, and ordered as chosen", () => {
  const robot = (title, silence, battery, driver = "", speed = 0) => ({ name: "/" + title, title, voltage: 4, battery, silence, driver, speed });
  const all = [robot("r10", 0.1, 0.5), robot("r2", 5, 0.9), robot("r1", 0.2, undefined, "Ada", 0.1), robot("r3", undefined, 0.1)];
  const names = (search, sort) => arranged(all, search, sort, stateKey).map((r) => r.title).join(" ");
  assert.equal(names("", "name"), "r1 r2 r3 r10");
  assert.equal(names("", "battery"), "r3 r10 r2 r1");
  assert.equal(names("", "state"), "r2 r3 r1 r10");
  assert.equal(names("silent", "name"), "r2");
  assert.equal(names("ada", "name"), "r1");
  assert.deepEqual(counted(all), [["fleet.silent", 1], ["fleet.unknown", 1], ["fleet.moving", 1], ["fleet.still", 1]]);
});
