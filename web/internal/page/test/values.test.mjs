// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { aboutOf, choicesOf, enteredValue, groupsOf, rangeOf, shownValue, stepOf, unitOf } from "../src/panels/values";

test("groups are the first words that two parameters share", () => {
  assert.deepEqual(groupsOf(["camera.width", "rate", "imu_rate", "imu_rotation", "camera.rate", "qos"]),
    [["general", ["qos", "rate"]], ["camera", ["camera.rate", "camera.width"]], ["imu", ["imu_rate", "imu_rotation"]]]);
  assert.deepEqual(groupsOf(["a.b", "a.c"]), [["a", ["a.b", "a.c"]]]);
});

test("choices and units are read from constraints", () => {
  assert.deepEqual(choicesOf({ additional_constraints: "unit: m\none of: nan, inf, zero" }), ["nan", "inf", "zero"]);
  assert.deepEqual(choicesOf({ additional_constraints: "Allowed values: ['slow', \"fast\"]" }), ["slow", "fast"]);
  assert.deepEqual(choicesOf({ additional_constraints: "one of the robots" }), []);
  assert.deepEqual(choicesOf({}), []);
  assert.equal(unitOf({ additional_constraints: "unit: rad/s", description: "in m/s, as wheels" }), "rad/s");
  assert.equal(unitOf({ description: "Wheel radius (m)." }), "m");
  assert.equal(aboutOf({ description: "What", additional_constraints: "unit: m\nat night only", integer_range: [{ from_value: 0, to_value: 5, step: 1 }] }), "What · 0 … 5 · at night only");
});

test("what is entered becomes a value of the type, and is refused with what is wrong", () => {
  assert.deepEqual(enteredValue(3, " 2.5 "), { type: 3, double_value: 2.5 });
  assert.deepEqual(enteredValue(8, "1, 2"), { type: 8, double_array_value: [1, 2] });
  assert.deepEqual(enteredValue(0, "7"), { type: 2, integer_value: 7 });
  assert.deepEqual(enteredValue(0, "x"), { type: 4, string_value: "x" });
  assert.throws(() => enteredValue(2, "1.5"), /whole/);
  assert.throws(() => enteredValue(3, ""), /no number/);
});

test("values are shown as they are entered", () => {
  assert.equal(shownValue({ type: 3, double_value: null }), "nan");
  assert.equal(shownValue({ type: 7, integer_array_value: BigInt64Array.from([1n, 2n]) }), "[1,2]");
  assert.equal(shownValue({ type: 1, bool_value: false }), "false");
  assert.equal(shownValue({ type: 0 }), "");
});

test("a slider has a hundred steps at least", () => {
  for (const [from, to] of [[0, 1], [0.001, 0.1], [1, 100], [0, 0.02], [0.01, 6.98]]) {
    const n = (to - from) / stepOf({ from_value: from, to_value: to, step: 0 }, 3);
    assert.ok(n >= 99.9 && n <= 1000, `${from} ${to}: ${n}`);
  }
  assert.equal(rangeOf({ integer_range: [{ from_value: "1", to_value: "9", step: "2" }] }).to_value, 9);
});
