// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { layoutOf, layouts } from "../src/layouts";

const panels = ["sensors", "plots", "log"];

test("a layout keeps what the page knows, within limits", () => {
  const text = JSON.stringify({ version: 1, shown: "log", open: [
    { id: "plots", width: 2, height: 30 }, { id: "plots", width: 1, height: 0 }, { id: "another version's", width: 1, height: 0 }, null, { id: "log", width: 99, height: "high" },
  ] });
  assert.deepEqual(layoutOf(text, panels), { version: 1, shown: "log", open: [{ id: "plots", width: 2, height: 30 }, { id: "log", width: 3, height: 0 }] });
  assert.equal(layoutOf('{"version":1,"open":[],"shown":"<img>"}', panels).shown, "sensors");
});

test("what is no layout is refused", () => {
  for (const text of ["", "{", "null", "[]", '"x"', '{"version":2,"open":[]}', '{"version":1,"open":{}}']) assert.throws(() => layoutOf(text, panels), /no layout/);
});

test("layouts to choose from survive being saved and read", () => {
  const all = [...new Set(Object.values(layouts).flatMap((l) => [l.shown, ...l.open.map((p) => p.id)]))];
  for (const l of Object.values(layouts)) assert.deepEqual(layoutOf(JSON.stringify(l, null, 2), all), l);
});
