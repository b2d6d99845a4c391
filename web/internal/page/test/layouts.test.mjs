// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { definitions } from "../src/panels/all";
import { layoutOf, layouts, lowest, swapped } from "../src/layouts";
import { choice, flag, list, number, readSettings, text } from "../src/panels/panel";

const kinds = ["map", "camera", "drive", "sensors", "plots", "log", "messages", "lights"];

test("a layout keeps what the page knows, within limits, several panels of a kind with their settings", () => {
  const panels = [
    { kind: "plots", x: 0, y: 0, w: 6, h: 9, settings: { seconds: 10 } }, { kind: "plots", x: 99, y: -3, w: 4, h: 1e9, settings: ["no"] },
    { kind: "another version's", x: 0, y: 0, w: 1, h: 1 }, null, { kind: "log", x: "1", y: NaN, w: 99, h: null },
  ];
  assert.deepEqual(layoutOf(JSON.stringify({ version: 2, panels }), kinds).panels, [
    { kind: "plots", x: 0, y: 0, w: 6, h: 9, settings: { seconds: 10 } }, { kind: "plots", x: 8, y: 0, w: 4, h: 60, settings: {} }, { kind: "log", x: 0, y: 0, w: 12, h: 8, settings: {} },
  ]);
  const many = Array.from({ length: 1000 }, () => ({ kind: "log", x: 0, y: 0, w: 2, h: 3 }));
  assert.equal(layoutOf(JSON.stringify({ version: 2, panels: many }), kinds).panels.length, 60);
});

test("a layout of version 1 is read: the map, the camera and the stick are above what was kept open, and the chosen tab", () => {
  const old = { version: 1, open: [{ id: "topics", width: 2, height: 30 }, { id: "log", width: 1, height: 0 }, { id: "<img>", width: 1, height: 0 }], shown: "actions" };
  assert.deepEqual(layoutOf(JSON.stringify(old), kinds).panels.map((p) => [p.kind, p.x, p.y, p.w, p.h]), [
    ["map", 0, 0, 9, 19], ["camera", 9, 0, 3, 9], ["drive", 9, 9, 3, 10], ["messages", 0, 19, 8, 12], ["log", 8, 19, 4, 10], ["lights", 0, 31, 12, 10],
  ]);
});

test("what is no layout is refused", () => {
  for (const text of ["", "{", "null", "[]", '"x"', '{"version":3,"panels":[]}', '{"version":2,"panels":{}}', '{"version":1,"open":{}}']) assert.throws(() => layoutOf(text, kinds), /layout\.no/);
});

test("layouts to choose from survive being saved and read, have no panels over each other, and valid settings", () => {
  const all = definitions.map((d) => d.id);
  for (const [name, l] of Object.entries(layouts)) {
    assert.deepEqual(layoutOf(JSON.stringify(l), all), l, name);
    for (const [i, a] of l.panels.entries()) {
      for (const b of l.panels.slice(0, i)) assert.ok(a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y, `${name}: ${a.kind} and ${b.kind}`);
      const read = readSettings(definitions.find((d) => d.id === a.kind).settings, a.settings);
      for (const [key, value] of Object.entries(a.settings)) assert.deepEqual(read[key], value, `${name}: ${a.kind}.${key}`);
    }
  }
});

test("settings that are not valid have their defaults, and each kind has some for an empty object", () => {
  const readers = { a: text("x"), b: choice("one", "two"), c: flag(true), d: number(5, 0, 9), e: list((v) => (typeof v === "number" ? v : undefined), 2) };
  assert.deepEqual(readSettings(readers, { a: 1, b: "three", c: "no", d: 99, e: [1, "2", 3], __proto__: { a: "y" } }), { a: "x", b: "one", c: true, d: 9, e: [1] });
  assert.deepEqual(readSettings(readers, null), { a: "x", b: "one", c: true, d: 5, e: [] });
  for (const d of definitions) for (const bad of [undefined, null, [], "x", Object.fromEntries(Object.keys(d.settings).map((k) => [k, { toString: 1 }]))]) {
    assert.deepEqual(readSettings(d.settings, bad), readSettings(d.settings, {}), d.id);
  }
  assert.equal(new Set(definitions.map((d) => d.id)).size, definitions.length);
});

test("a panel changes places with the nearest one that shares a column with it", () => {
  const a = { x: 0, y: 0, w: 6, h: 4 }, b = { x: 4, y: 4, w: 4, h: 2 }, c = { x: 8, y: 0, w: 4, h: 9 };
  assert.deepEqual(swapped([a, b, c], a, 1), { other: b, y: 2, otherY: 0 });
  assert.deepEqual(swapped([a, b, c], b, -1), { other: a, y: 0, otherY: 2 });
  assert.equal(swapped([a, b, c], c, 1), undefined);
  assert.equal(lowest([a, b, c]), 9);
});
