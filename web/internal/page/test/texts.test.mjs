// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import en from "../src/texts/en.json";
import { languages, t } from "../src/texts";
import { tables } from "../src/texts";

const values = (text) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map((m) => m[1]).sort().join();

test("values are inserted as they are: neither as HTML nor as another text", () => {
  assert.equal(t("topic.count", { count: 1 }), "1 topic");
  assert.equal(t("topic.count", { count: 3 }), "3 topics");
  assert.equal(t("map.waiting", { robot: '<img onerror="x"> $t(pause) {{count}}' }), '<img onerror="x"> $t(pause) {{count}}: waiting for odom');
});

test("each language has each text, with the same values", () => {
  assert.deepEqual(Object.keys(tables).sort(), Object.keys(languages).sort());
  for (const [code, table] of Object.entries(tables)) {
    const base = (key) => key.replace(/_(one|many|other)$/, "");
    assert.deepEqual([...new Set(Object.keys(table).map(base))].sort(), [...new Set(Object.keys(en).map(base))].sort(), code);
    for (const [key, text] of Object.entries(table)) {
      assert.ok(typeof text === "string" && text.trim() !== "", `${code}: ${key}`);
      assert.equal(values(text), values(en[key] ?? en[base(key) + "_other"]), `${code}: ${key}`);
    }
  }
});
