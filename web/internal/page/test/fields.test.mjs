// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { Curves, shortly } from "../src/panels/curves";
import { messageProblem, whereOf } from "../src/panels/editor";
import { blank, completions, fieldsOf, hasField, pick, problemOf, signalOf } from "../src/panels/fields";

const schema = `std_msgs/Header header
float64[3] fixed
float32[] ranges
Pose[] poses
bool on
string name "x"
uint8 MODE=1
uint8 mode
================================================================================
MSG: std_msgs/Header
builtin_interfaces/Time stamp
string frame_id
================================================================================
MSG: test_msgs/Pose
float64 x
int32 n
`.replace("Pose[]", "test_msgs/Pose[]");

test("the numbers of a type are listed, arrays by their first element, and times", () => {
  assert.deepEqual(fieldsOf(schema).map((f) => f.path), ["header.stamp", "fixed[0]", "ranges[0]", "poses[0].x", "poses[0].n", "on", "mode"]);
});

test("a path is a number of the type, or it is not", () => {
  for (const good of ["header.stamp", "fixed[2]", "ranges[99]", "poses[7].x", "on", "mode"]) assert.ok(hasField(schema, good), good);
  for (const bad of ["", "header", "fixed", "fixed[3]", "ranges[x]", "poses.x", "poses[1]", "name", "MODE", "on[0]", "nowhere", "mode.x", "<img>", "a..b"]) assert.ok(!hasField(schema, bad), bad);
});

test("a number is picked from a message; what is missing is not a number", () => {
  const m = { header: { stamp: { sec: 2, nanosec: 500_000_000 } }, ranges: new Float32Array([1, 2]), on: true, big: 5n, name: "x" };
  assert.deepEqual(["header.stamp", "ranges[1]", "on", "big"].map((p) => pick(m, p)), [2.5, 2, 1, 5]);
  assert.ok(["ranges[2]", "name", "no.such.thing", ""].every((p) => Number.isNaN(pick(m, p))));
});

test("completions are topics, then the fields of the topic", () => {
  const topics = new Map([["/odom", { schema, schemaName: "t/msg/T" }], ["/a/odom2", { schema, schemaName: "t/msg/T" }], ["/x.y", { schema, schemaName: "t" }]]);
  assert.deepEqual(completions("odo", topics).map((c) => c.text), ["/a/odom2.", "/odom."]);
  assert.deepEqual(completions("/odom.poses[3].", topics).map((c) => c.text), ["/odom.poses[0].x", "/odom.poses[0].n"]);
  assert.deepEqual(completions("/nothing.", topics), []);
  assert.deepEqual(signalOf("/a/odom.poses[0].x"), { topic: "/a/odom", path: "poses[0].x" });
  for (const bad of ["", "/odom", "/odom.", "odom"]) assert.equal(signalOf(bad), undefined);
});

test("a template has all fields with zeros and defaults, and is valid", () => {
  const m = blank(schema);
  assert.deepEqual(m, { header: { stamp: { sec: 0, nanosec: 0 }, frame_id: "" }, fixed: [0, 0, 0], ranges: [], poses: [], on: false, name: "x", mode: 0 });
  assert.equal(problemOf(schema, m), undefined);
});

test("what is wrong with a message is said at its field", () => {
  const at = (m) => { const p = problemOf(schema, m); return p && `${p.path} ${p.key}`; };
  assert.equal(at({ ranges: [1, "2"] }), "ranges[1] field.number");
  assert.equal(at({ poses: [{ x: 1, n: 1.5 }] }), "poses[0].n field.integer");
  assert.equal(at({ fixed: [1] }), "fixed field.length");
  assert.equal(at({ header: { frame: "x" } }), "header.frame field.unknown");
  assert.equal(at({ on: 1 }), "on field.bool");
  assert.equal(at({ name: 1 }), "name field.text");
  assert.equal(at({ poses: {} }), "poses field.list");
  assert.equal(at({ header: [] }), "header field.object");
  assert.equal(at({ MODE: 2 }), "MODE field.unknown");
  assert.equal(at({}), undefined);
  assert.match(messageProblem("{", schema), /no JSON/);
  assert.match(messageProblem("[]", schema), /object/);
  assert.equal(messageProblem('{"mode": "<img>"}', schema), "mode: must be a number (uint8)");
  assert.equal(messageProblem('{"anything": 1}', undefined), "");
  assert.deepEqual(whereOf('{"header": {"frame_id": 1}}', "header.frame_id"), [12, 22]);
  assert.equal(whereOf("{}", "header"), undefined);
});

test("curves are over time or over another number, and a restart begins again", () => {
  const signal = (topic, path) => ({ topic, path });
  const c = new Curves([signal("/a", "v"), signal("/b", "v")], signal("/b", "x"));
  assert.deepEqual([...c.topics], ["/a", "/b"]);
  c.take("/a", { v: 1 }, 10);
  c.take("/b", { v: NaN, x: 5 }, 11);
  c.take("/a", { v: 2 }, 12);
  assert.deepEqual(c.list[0].xs, [NaN, 5]);
  assert.equal(c.newest, 12);
  assert.deepEqual(c.since(c.list[0], 10).values, [2]);
  assert.equal(c.table(), 'time,"/b.x","/a.v","/b.v"\n10,,1,\n11,5,,\n12,5,2,\n');
  c.take("/a", { v: 3 }, 1);
  assert.deepEqual(c.list[0].values, [3]);
  const quoted = new Curves([signal('/a"b', "v")], undefined);
  assert.equal(quoted.table(), 'time,"/a""b.v"\n');
  for (let i = 0; i < 50_000; i++) quoted.take('/a"b', { v: i }, i);
  assert.ok(quoted.list[0].times.length <= 20_000);
  assert.deepEqual([shortly(NaN), shortly(-3), shortly(0.123456)], ["–", "−3", "0.1235"]);
});
