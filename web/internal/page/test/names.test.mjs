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

test("the second of two robots at one place has its name below", () => {
  const two = [0, 1, 2].map((i) => ({ text: "r" + i, x: 50, y: 50, width: 40, reach: 10 }));
  assert.deepEqual(placeNames(two).map((n) => [n.text, n.y > 50]), [["r0", false], ["r1", true]]);
});
