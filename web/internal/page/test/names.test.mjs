// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { placeNames } from "../src/names";

test("no name covers another, and names far from each other are all written", () => {
  const crowd = Array.from({ length: 1000 }, (_, i) => ({ text: "robot" + i, x: (i * 37) % 800, y: (i * 91) % 600, width: 52, reach: 6 }));
  const placed = placeNames(crowd);
  assert.ok(placed.length > 50, String(placed.length));
  for (const [i, a] of placed.entries()) for (const b of placed.slice(0, i)) assert.ok(Math.abs(a.x - b.x) >= 52 || Math.abs(a.y - b.y) >= 15, `${a.text} and ${b.text}`);
  const far = Array.from({ length: 20 }, (_, i) => ({ text: "r" + i, x: 100 * i, y: 0, width: 52, reach: 6 }));
  assert.equal(placeNames(far).length, 20);
});

test("of robots at one place the first has its name above, then below, right and left, and the others none", () => {
  const five = [0, 1, 2, 3, 4].map((i) => ({ text: "r" + i, x: 50, y: 50, width: 40, reach: 10 }));
  assert.deepEqual(placeNames(five).map((n) => [n.text, n.x]), [["r0", 50], ["r1", 50], ["r2", 86], ["r3", 14]]);
});

test("no name covers a robot: it moves to a side, or is left out", () => {
  const bodies = [{ x: 50, y: 50, reach: 10 }, { x: 50, y: 25, reach: 10 }, { x: 50, y: 75, reach: 10 }];
  const own = { text: "r", x: 50, y: 50, width: 40, reach: 10 };
  assert.deepEqual(placeNames([own], bodies).map((n) => [n.x > 60, Math.abs(n.y - 50) < 10]), [[true, true]]);
  assert.deepEqual(placeNames([own], [...bodies, { x: 90, y: 50, reach: 20 }, { x: 10, y: 50, reach: 20 }]), []);
});
