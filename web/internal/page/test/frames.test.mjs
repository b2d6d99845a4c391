// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { Frames } from "../src/frames";
import { apply, planar } from "../src/transforms";

const transform = (parent, child, t) => ({
  header: { frame_id: parent, stamp: { sec: 1, nanosec: 0 } }, child_frame_id: child,
  transform: { translation: { x: t.t[0], y: t.t[1], z: t.t[2] }, rotation: { x: t.q[0], y: t.q[1], z: t.q[2], w: t.q[3] } },
});
function setUp(robot, topics = []) {
  const client = { on() {}, topics: new Set(topics), subscribe: () => () => {} };
  return new Frames(client, { robots: new Map([[robot.name, robot]]), chosen: robot });
}
const near = (a, b) => a.forEach((v, i) => assert.ok(Math.abs(v - b[i]) < 1e-9, `${a} and ${b}`));

test("a robot is in the map where the map's transform puts its odometry", () => {
  const robot = { name: "/", odom: { x: 1, y: 0, a: 0 }, odomFrame: "odom", baseFrame: "base_link" }, f = setUp(robot);
  assert.equal(f.fixed, "odom");
  f.buffer.set([transform("map", "odom", planar(0, 2, Math.PI / 2))], false);
  assert.equal(f.fixed, "map");
  const { pose, known } = f.baseOf(robot);
  near([pose.x, pose.y, pose.a], [0, 3, Math.PI / 2]);
  assert.ok(known);
});

test("in a simulation the map is where the true pose of its robot puts it", () => {
  const robot = { name: "/", odom: { x: 1, y: 0, a: 0 }, truth: { x: 5, y: 5, a: Math.PI / 2 }, odomFrame: "odom", baseFrame: "base_link" };
  const f = setUp(robot, ["/world"]);
  f.buffer.set([transform("map", "odom", planar(0, 0, 0))], false);
  assert.equal(f.fixed, "world");
  near(apply(f.place("map"), [1, 0, 0]), [5, 5, 0]);
  near(apply(f.place("map"), [3, 0, 0]), [5, 7, 0]);
  f.wanted = "map"; // and the world in the map
  near(apply(f.place("world"), [5, 7, 0]), [3, 0, 0]);
});

test("without a transform a robot is drawn where its odometry says, and it is known that nothing connects it", () => {
  const robot = { name: "/a", odom: { x: 1, y: 2, a: 0 }, odomFrame: "a/odom", baseFrame: "a/base_link" }, f = setUp(robot);
  f.wanted = "elsewhere";
  assert.deepEqual(f.baseOf(robot), { pose: { x: 1, y: 2, a: 0 }, known: false });
  assert.equal(f.place("world"), undefined);
});
