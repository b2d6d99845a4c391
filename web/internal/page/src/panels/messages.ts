// SPDX-License-Identifier: Apache-2.0
// Messages as text, and what a person writes as a message.
import { parse } from "@foxglove/rosmsg";

const mostElements = 64; // of a list that are shown
const mostText = 20_000; // characters of a message that are shown

/** textOf is a message as indented JSON; of long lists the beginning and the number of elements. */
export function textOf(message: unknown): string {
  const text = JSON.stringify(message, (_key, v) => {
    if (typeof v === "bigint") return Number(v);
    if (typeof v === "number" && !Number.isFinite(v)) return String(v);
    if (!ArrayBuffer.isView(v) && !Array.isArray(v)) return v;
    const list = v as ArrayLike<unknown>;
    const shown = Array.from({ length: Math.min(list.length, mostElements) }, (_, i) => list[i]);
    return list.length > mostElements ? [...shown, `… ${list.length} elements`] : shown;
  }, 2) ?? "";
  return text.length > mostText ? text.slice(0, mostText) + "\n…" : text;
}

const numbers = /^(u?int\d+|float\d+|byte|char)$/;

/** blank is a message of a type with all fields zero or empty, to begin with. */
export function blank(schema: string): unknown {
  const types = parse(schema, { ros2: true });
  const make = (definition: any, depth: number): any => {
    const out: Record<string, unknown> = {};
    for (const f of definition?.definitions ?? []) {
      if (f.isConstant) continue;
      const one = () => (f.isComplex ? (depth < 8 ? make(types.find((t) => t.name === f.type), depth + 1) : {})
        : f.type === "time" || f.type === "duration" ? { sec: 0, nanosec: 0 } : f.type === "bool" ? false : numbers.test(f.type) ? 0 : "");
      out[f.name] = f.defaultValue ?? (!f.isArray ? one() : f.arrayLength ? Array.from({ length: f.arrayLength }, one) : []);
    }
    return out;
  };
  return make(types.find((t) => t.name === undefined) ?? types[0], 0);
}

/** messageOf reads what a person wrote. It fails with what is wrong. */
export function messageOf(text: string): object {
  let value: unknown;
  try { value = JSON.parse(text); } catch (e) { throw new Error(`This is no JSON: ${(e as Error).message}`); }
  if (value === null || typeof value !== "object" || Array.isArray(value)) throw new Error("A message is an object, as in {\"data\": 1}");
  return value;
}
