// SPDX-License-Identifier: Apache-2.0
// Foxglove's decoder as a peer: each line of standard input is a message with its schema and its expected content. It
// writes the result as one line of JSON.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
const require = createRequire(new URL("../../internal/page/package.json", import.meta.url));
const { parse } = require("@foxglove/rosmsg");
const { MessageReader } = require("@foxglove/rosmsg2-serialization");

const told = { types: 0, numbers: 0, failed: [] };

/** differ says where what was read is not what was written; times are {sec, nsec} to Foxglove, {sec, nanosec} to ROS. */
function differ(got, want, path) {
  if (Array.isArray(want)) {
    if (got?.length !== want.length) return `${path}: ${got?.length} elements, want ${want.length}`;
    for (let i = 0; i < want.length; i++) { const d = differ(got[i], want[i], `${path}[${i}]`); if (d) return d; }
    return "";
  }
  if (want !== null && typeof want === "object") {
    for (const [k, v] of Object.entries(want)) {
      const d = differ(k === "nanosec" && !(k in got) ? got.nsec : got[k], v, `${path}.${k}`);
      if (d) return d;
    }
    return Object.keys(got).length === Object.keys(want).length ? "" : `${path}: fields ${Object.keys(got)}, want ${Object.keys(want)}`;
  }
  told.numbers++;
  const value = typeof got === "bigint" ? Number(got) : got;
  if (value === want || (typeof want === "number" && Math.fround(want) === value)) return "";
  return `${path}: ${value}, want ${want}`;
}

for await (const line of createInterface({ input: process.stdin })) {
  const s = JSON.parse(line);
  told.types++;
  try {
    const got = new MessageReader(parse(s.schema, { ros2: true })).readMessage(Buffer.from(s.cdr, "base64"));
    const d = differ(got, s.value, s.type);
    if (d) told.failed.push(d);
  } catch (e) { told.failed.push(`${s.type}: ${e}`); }
}
process.stdout.write(JSON.stringify(told) + "\n");
