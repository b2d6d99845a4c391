// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { connection, stateOf } from "../src/states";

const facts = { connected: true, refused: "", lost: undefined, robots: 1, silence: 0.1, paused: false };
const text = (f) => stateOf({ ...facts, ...f }).text;

test("each state has its words", () => {
  assert.equal(text({}), "Connected");
  assert.equal(text({ silence: 3.7 }), "Robot silent for 3 s");
  assert.equal(text({ silence: undefined }), "Connected");
  assert.equal(text({ silence: 30, paused: true }), "Simulation paused");
  assert.equal(text({ robots: 0 }), "Connected, no robot yet");
  assert.equal(text({ connected: false }), "Connecting …");
  assert.equal(text({ connected: false, lost: 4.2 }), "No connection for 4 s, trying again …");
  assert.equal(text({ connected: false, refused: "A token is needed" }), "A token is needed");
  assert.deepEqual([stateOf(facts).silent, stateOf({ ...facts, silence: 2 }).silent, stateOf({ ...facts, connected: false, lost: 0 }).silent], [false, true, true]);
});

test("a trail continues, has a gap, or begins anew", () => {
  const at = (x, time, v = 0.1) => ({ x, y: 0, v, time });
  assert.equal(connection(at(0, 0), at(0.005, 0.05)), "on");
  assert.equal(connection(at(0, 0), at(0.2, 3)), "gap");
  assert.equal(connection(at(1, 5), at(0, 5.05)), "new");
  assert.equal(connection(at(1, 5, 0), at(0.5, 60, 0)), "new");
  assert.equal(connection(at(0, 5), at(0, 0)), "new");
});
