// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { TransformBuffer, apply, compose, heading, inverse, notFinite, ofMessage, planar } from "../src/transforms";

const message = (parent, child, time, t) => ({
  header: { frame_id: parent, stamp: { sec: Math.floor(time), nanosec: Math.round((time % 1) * 1e9) } }, child_frame_id: child,
  transform: { translation: { x: t.t[0], y: t.t[1], z: t.t[2] }, rotation: { x: t.q[0], y: t.q[1], z: t.q[2], w: t.q[3] } },
});
const near = (a, b) => a.forEach((v, i) => assert.ok(Math.abs(v - b[i]) < 1e-9, `${a} and ${b}`));

test("a point goes up and down the tree", () => {
  const b = new TransformBuffer();
  b.set([message("map", "odom", 1, planar(1, 2, Math.PI / 2)), message("odom", "base_link", 1, planar(3, 0, 0))], false);
  b.set([message("base_link", "laser", 0, { t: [0.1, 0, 0.2], q: [0, 0, 0, 1] })], true);
  near(apply(b.lookup("map", "laser"), [1, 0, 0]), [1, 6.1, 0.2]);
  near(apply(b.lookup("laser", "map"), [1, 6.1, 0.2]), [1, 0, 0]);
  near(b.lookup("laser", "/laser").t, [0, 0, 0]);
  assert.equal(b.root("laser"), "map");
});

test("between two samples it interpolates, beyond them it has the nearest", () => {
  const b = new TransformBuffer();
  b.set([message("odom", "base", 10.75, planar(2, 0, 1)), message("odom", "base", 10, planar(0, 0, 0))], false);
  near(b.lookup("odom", "base", 10.1875).t, [0.5, 0, 0]);
  assert.ok(Math.abs(heading(b.lookup("odom", "base", 10.1875)) - 0.25) < 1e-9);
  near(b.lookup("odom", "base", 1).t, [0, 0, 0]);
  near(b.lookup("odom", "base", 99).t, [2, 0, 0]);
});

test("rotation takes the shorter way over half a turn", () => {
  const b = new TransformBuffer();
  b.set([message("o", "b", 1, planar(0, 0, 3.1)), message("o", "b", 2, planar(0, 0, -3.1))], false);
  assert.ok(Math.abs(Math.abs(heading(b.lookup("o", "b", 1.5))) - Math.PI) < 1e-6);
});

test("the newest common time of two edges is used", () => {
  const b = new TransformBuffer();
  b.set([message("map", "odom", 1, planar(0, 0, 0)), message("odom", "base", 1, planar(1, 0, 0)), message("odom", "base", 3, planar(3, 0, 0))], false);
  near(b.lookup("map", "base").t, [1, 0, 0]);
  near(b.lookup("odom", "base").t, [3, 0, 0]);
});

test("frames of different trees are not connected, and a loop ends", () => {
  const b = new TransformBuffer();
  b.set([message("a", "b", 1, planar(0, 0, 0)), message("c", "d", 1, planar(0, 0, 0))], false);
  assert.equal(b.lookup("a", "d"), undefined);
  b.set([message("b", "a", 1, planar(0, 0, 0))], false);
  assert.equal(b.lookup("c", "b"), undefined);
});

test("time that begins anew replaces what was", () => {
  const b = new TransformBuffer();
  b.set([message("o", "b", 100, planar(5, 0, 0))], false);
  b.set([message("o", "b", 0.5, planar(1, 0, 0))], false);
  near(b.lookup("o", "b").t, [1, 0, 0]);
  b.clear();
  assert.equal(b.lookup("o", "b"), undefined);
});

test("a transform after its inverse changes nothing", () => {
  const a = compose(planar(1, 2, 3), { t: [0, 1, 2], q: [0.5, 0.5, 0.5, 0.5] });
  near(apply(compose(inverse(a), a), [4, 5, 6]), [4, 5, 6]);
});

test("a pose that is not finite is refused, as a whole, and a quaternion of zeros is no rotation", () => {
  const pose = (p, o) => ({ position: { x: p[0], y: p[1], z: p[2] }, orientation: { x: o[0], y: o[1], z: o[2], w: o[3] } });
  const unit = [0, 0, 0, 1];
  for (let i = 0; i < 4; i++) for (const bad of [NaN, Infinity, -Infinity, undefined]) {
    assert.equal(ofMessage(pose([0, 0, 0], unit.map((v, k) => (k === i ? bad : v)))), undefined);
    if (i < 3) assert.equal(ofMessage(pose([1, 2, 3].map((v, k) => (k === i ? bad : v)), unit)), undefined);
  }
  assert.deepEqual(ofMessage(pose([1, 2, 3], [0, 0, 0, 0])), { t: [1, 2, 3], q: [0, 0, 0, 1] });
  assert.deepEqual(ofMessage(pose([1, 2, 3], [0, 0, 2, 0])), { t: [1, 2, 3], q: [0, 0, 1, 0] });
  assert.match(notFinite, /not finite/);
});

test("a transform that is not finite is not used: the earlier one stays, and its frame is named", () => {
  const b = new TransformBuffer();
  const turned = { t: [1, 0, 0], q: [NaN, 0, 0, 1] }, away = { t: [NaN, 0, 0], q: [0, 0, 0, 1] };
  b.set([message("odom", "base", 1, turned)], false);
  assert.equal(b.lookup("odom", "base"), undefined);
  assert.deepEqual([...b.refused], ["base"]);
  b.set([message("odom", "base", 2, planar(2, 0, 0)), message("odom", "base", 3, away), message("base", "laser", 0, turned)], true);
  near(b.lookup("odom", "base").t, [2, 0, 0]);
  assert.deepEqual([...b.refused].sort(), ["base", "laser"]);
  b.set([message("odom", "base", 4, planar(4, 0, 0))], true);
  near(b.lookup("odom", "base").t, [4, 0, 0]);
  assert.deepEqual([...b.refused], ["laser"]);
});
