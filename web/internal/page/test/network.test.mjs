// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { Goals, actionsOf, idOf } from "../src/goals";
import { around, byOther, nodesOf } from "../src/panels/network";
import { readingsOf } from "../src/panels/sensors";
import { FrameWatch } from "../src/panels/tree";

const tf = (parent, child) => ({ header: { frame_id: parent }, child_frame_id: child });

test("the tree has rates and ages, and static frames have none", () => {
  const w = new FrameWatch();
  w.take([tf("base", "laser")], true, 0);
  for (let i = 0; i <= 20; i++) w.take([tf("/map", "odom"), tf("odom", "base")], false, i / 10);
  const t = w.tree(2);
  assert.deepEqual([t.count, t.roots.length, t.roots[0].name, t.loops, t.severalParents, t.stale], [4, 1, "map", [], [], []]);
  const odom = t.roots[0].children[0], laser = odom.children[0].children[0];
  assert.ok(Math.abs(odom.hz - 10) < 1e-6 && odom.age === 0);
  assert.deepEqual([laser.name, laser.fixed, laser.hz, laser.stale], ["laser", true, undefined, false]);
});

test("several parents, loops and stale frames are named; a time that was not observed is no age", () => {
  const w = new FrameWatch();
  w.take([tf("a", "x"), tf("b", "x"), tf("q", "p"), tf("p", "q"), tf("z", "z")], false, 1);
  const t = w.tree(1.5);
  assert.deepEqual(t.severalParents, [{ name: "x", parents: ["a", "b"] }]);
  assert.deepEqual(t.loops.map((l) => l.sort().join()).sort(), ["p,q", "z"]);
  assert.equal(t.roots.length, 3);
  assert.ok(w.tree(4).stale.includes("x"));
  w.resume(4);
  assert.deepEqual(w.tree(4).stale, []);
  assert.deepEqual(w.tree(20).severalParents, []);
});

test("nodes have what they publish and subscribe to, and the graph around one groups links by the other node", () => {
  const ends = { publishers: new Map([["/odom", ["/d"]], ["/scan", ["/d"]], ["/cmd", ["/nav", "/joy"]], ["/free", ["/d"]]]), subscribers: new Map([["/odom", { nodes: ["/nav", "/d"] }], ["/scan", { nodes: ["/nav"] }], ["/cmd", { nodes: ["/d"] }]]) };
  const all = nodesOf(ends), d = all.find((n) => n.name === "/d");
  assert.deepEqual(all.map((n) => n.name), ["/d", "/joy", "/nav"]);
  assert.deepEqual(d.publishes, ["/free", "/odom", "/scan"]);
  const { from, to } = around(d, ends);
  assert.deepEqual(byOther(to), [{ other: "/nav", topics: ["/odom", "/scan"] }, { other: "", topics: ["/free"] }]);
  assert.deepEqual(byOther(from), [{ other: "/joy", topics: ["/cmd"] }, { other: "/nav", topics: ["/cmd"] }, { other: "", topics: ["/odom"] }]);
});

test("a goal is sent, followed and ended; feedback of others is none of it", async () => {
  const calls = [], answers = { send_goal: () => ({ accepted: true }), get_result: () => new Promise((r) => { ended = r; }), cancel_goal: () => ({ return_code: 0 }) };
  let ended;
  const client = { connected: true, subscribe: () => () => {}, call: async (name, request) => { calls.push([name, request]); return answers[name.split("/").pop()](request); } };
  const goals = new Goals(client, "/fib"), done = goals.send({ order: 3 });
  await new Promise((r) => setImmediate(r));
  const [g] = goals.list;
  assert.equal(g.state, "accepted");
  assert.deepEqual(calls[0], ["/fib/_action/send_goal", { goal_id: { uuid: g.uuid }, goal: { order: 3 } }]);
  goals.feed({ goal_id: { uuid: Uint8Array.from(g.uuid) }, feedback: { n: 1 } });
  goals.feed({ goal_id: { uuid: new Uint8Array(16) }, feedback: { n: 2 } });
  goals.status([{ goal_info: { goal_id: { uuid: g.uuid } }, status: 2 }, { goal_info: { goal_id: { uuid: Array(16).fill(7) } }, status: 6 }]);
  assert.deepEqual([g.state, g.feedbacks, g.feedback], ["executing", 1, { n: 1 }]);
  assert.equal(await goals.cancel(g), "");
  ended({ status: 5, result: { seq: [] } });
  await done;
  assert.deepEqual([g.state, g.result], ["canceled", { seq: [] }]);
  goals.status([{ goal_info: { goal_id: { uuid: g.uuid } }, status: 2 }]);
  assert.equal(g.state, "canceled");
  answers.send_goal = () => ({ accepted: false });
  await goals.send({});
  assert.equal(goals.list[0].state, "rejected");
  answers.send_goal = () => { throw new Error("connection lost"); };
  await goals.send({});
  assert.deepEqual([goals.list[0].state, goals.list[0].reason], ["failed", "connection lost"]);
  assert.equal(idOf([1, 255]), "01ff");
  assert.deepEqual(actionsOf(["/a/_action/send_goal", "/b", "/a/_action/get_result"]), ["/a"]);
});

test("sensors that are described come first with their limits, others by their types", () => {
  const rows = readingsOf([{ name: "sonar", type: "sensor_msgs/msg/Range" }, { name: "ps1", type: "sensor_msgs/msg/Range" }, { name: "ps0", type: "sensor_msgs/msg/Range" }, { name: "battery_state", type: "sensor_msgs/msg/BatteryState" }, { name: "chatter", type: "std_msgs/msg/String" }]);
  assert.deepEqual(rows.map((r) => [r.topic, r.label_, r.high]), [["battery_state", "voltage", 4.3], ["battery_state", "charge", 100], ["ps0", "ps0", 0.04], ["ps1", "ps1", 0.04], ["sonar", "sonar", 4]]);
});
