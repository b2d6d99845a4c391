// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { History, statusKey } from "../src/panels/charge";
import { Rate, mostElements, rowOf, sizeText, textOf } from "../src/panels/messages";

test("a message is a tree: long lists and texts are cut, times are one row", () => {
  const r = rowOf("", { stamp: { sec: 1, nanosec: 5 }, data: new Uint8Array(1000), name: "<img onerror>", none: [], long: "x".repeat(5000), nested: { a: 5n } });
  const rows = Object.fromEntries(r.children().map((c) => [c.name, c]));
  assert.equal(rows.stamp.text, "1.000000005 s");
  assert.equal(rows.stamp.children, undefined);
  assert.equal(rows.data.children().length, mostElements);
  assert.equal(rows.data.hidden, 1000 - mostElements);
  assert.match(rows.data.text, /^\[1000\] 0, 0, 0, 0, 0, 0, …$/);
  assert.equal(rows.name.text, '"<img onerror>"');
  assert.equal(rows.none.children, undefined);
  assert.ok(rows.long.text.length < 2100);
  assert.equal(rows.nested.children()[0].text, "5");
  assert.equal(JSON.parse(textOf({ big: 5n, nan: NaN, bytes: new Uint8Array([1, 2]) })).nan, "NaN");
});

test("rate and size are over the last seconds, and a topic that ends slows down", () => {
  const r = new Rate();
  assert.equal(r.hz(0), 0);
  for (let i = 0; i <= 20; i++) r.take(i / 10, 100 + i);
  assert.ok(Math.abs(r.hz(2) - 10) < 1e-9);
  assert.equal(r.bytes, 110);
  assert.ok(r.hz(4) < 6);
  assert.equal(r.hz(20), 0);
  assert.deepEqual([sizeText(5), sizeText(1500), sizeText(2.5e6)], ["5 B", "1.5 kB", "2.5 MB"]);
});

test("the history of a battery is a line, the newest at the right edge", () => {
  const h = new History(100);
  assert.equal(h.points(0, 100, 20), "");
  h.add(0, 4); h.add(50, NaN); h.add(100, 3);
  assert.equal(h.points(100, 100, 20), "0.0,2.0 100.0,22.0");
  h.add(201, 3.5);
  assert.equal(h.low, 3.5);
  assert.equal(statusKey(1), "battery.charging");
  assert.equal(statusKey(77), "");
});
