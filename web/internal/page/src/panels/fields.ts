// SPDX-License-Identifier: Apache-2.0
// What message types have: paths of their numbers, as /odom.pose.pose.position.x or /scan.ranges[3], and templates.
import { parse } from "@foxglove/rosmsg";

const numeric = new Set(["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32", "float64", "bool", "byte", "char"]);
const deepest = 8; // types within each other

interface Part { name: string; type: string; isArray?: boolean; isComplex?: boolean; isConstant?: boolean; arrayLength?: number; defaultValue?: unknown }
interface Type { name?: string; definitions: Part[] }

const parsed = new Map<string, Type[]>();

/** typesOf parses a definition: the first type is the message itself. */
function typesOf(schema: string): Type[] {
  let types = parsed.get(schema);
  if (!types) {
    const all = parse(schema, { ros2: true }) as unknown as Type[], own = all.find((d) => d.name === undefined) ?? all[0];
    types = own ? [own, ...all.filter((d) => d !== own)] : [];
    parsed.set(schema, types);
  }
  return types;
}

/** Field is a number of a type: arrays have the path of their first element. */
export interface Field { path: string; type: string }

/** fieldsOf lists the numbers of a type, at most limit of them. Times count as numbers, in s. */
export function fieldsOf(schema: string, limit = 300): Field[] {
  const types = typesOf(schema), out: Field[] = [];
  const walk = (definition: Type | undefined, prefix: string, depth: number) => {
    for (const f of definition?.definitions ?? []) {
      if (f.isConstant || out.length >= limit || depth > deepest) continue;
      const path = prefix + f.name + (f.isArray ? "[0]" : "");
      if (numeric.has(f.type) || f.type === "time" || f.type === "duration") out.push({ path, type: f.type + (f.isArray ? "[]" : "") });
      else if (f.isComplex) walk(types.find((d) => d.name === f.type), path + ".", depth + 1);
    }
  };
  walk(types[0], "", 0);
  return out;
}

/** Signal is a number of a topic. */
export interface Signal { topic: string; path: string }

/** signalOf reads TOPIC.FIELD, as a person writes it; undefined: it has no field. */
export function signalOf(text: string): Signal | undefined {
  const trimmed = text.trim(), at = trimmed.indexOf(".", trimmed.lastIndexOf("/") + 1);
  return at < 0 || at === trimmed.length - 1 ? undefined : { topic: trimmed.slice(0, at), path: trimmed.slice(at + 1) };
}

export const signalText = (s: Signal): string => `${s.topic}.${s.path}`;

/** hasField returns whether a type has a number at a path. */
export function hasField(schema: string, path: string): boolean {
  const types = typesOf(schema), parts = /^[A-Za-z]\w*(\[\d+\])?(\.[A-Za-z]\w*(\[\d+\])?)*$/.test(path) ? path.split(".") : [];
  let at: Type | undefined = types[0];
  for (const [i, part] of parts.entries()) {
    const [, name, index] = /^(\w+)(?:\[(\d+)\])?$/.exec(part)!;
    const f: Part | undefined = at?.definitions.find((d) => d.name === name && !d.isConstant);
    if (!f || Boolean(f.isArray) !== (index !== undefined) || (f.arrayLength !== undefined && Number(index) >= f.arrayLength)) return false;
    if (!f.isComplex) return i === parts.length - 1 && (numeric.has(f.type) || f.type === "time" || f.type === "duration");
    at = types.find((d) => d.name === f.type);
  }
  return false;
}

/** pick reads a number of a message; NaN: it is not there. */
export function pick(message: any, path: string): number {
  let v = message;
  for (const part of path.match(/[^.[\]]+/g) ?? []) v = v?.[part];
  if (v !== null && typeof v === "object" && "sec" in v) return v.sec + (v.nanosec ?? v.nsec ?? 0) / 1e9;
  return typeof v === "boolean" || typeof v === "bigint" ? Number(v) : typeof v === "number" ? v : NaN;
}

/** completions are at most limit texts that continue what is written: topics first, then the fields of the one that is written. */
export function completions(written: string, topics: ReadonlyMap<string, { schema: string; schemaName: string }>, limit = 60): { text: string; about: string }[] {
  const text = written.trim().toLowerCase(), out: { text: string; about: string }[] = [];
  const cut = written.trim().indexOf(".", written.trim().lastIndexOf("/") + 1), topic = cut < 0 ? undefined : topics.get(written.trim().slice(0, cut));
  if (topic) {
    const name = written.trim().slice(0, cut), path = text.slice(cut + 1).replace(/\[\d+\]/g, "[0]");
    for (const f of fieldsOf(topic.schema)) if (f.path.toLowerCase().includes(path)) out.push({ text: `${name}.${f.path}`, about: f.type });
    return out.slice(0, limit);
  }
  const sorted = [...topics].filter(([name]) => name.toLowerCase().includes(text)).sort(([a], [b]) => a.localeCompare(b, undefined, { numeric: true }));
  for (const [name, c] of sorted.slice(0, limit)) out.push({ text: name + ".", about: c.schemaName });
  return out;
}

/** blank is a message of a type with all fields zero, empty or at their defaults, to begin with. */
export function blank(schema: string): unknown {
  const types = typesOf(schema);
  const make = (definition: Type | undefined, depth: number): unknown => {
    const out: Record<string, unknown> = {};
    for (const f of definition?.definitions ?? []) {
      if (f.isConstant) continue;
      const one = (): unknown => (f.isComplex ? (depth < deepest ? make(types.find((d) => d.name === f.type), depth + 1) : {})
        : f.type === "time" || f.type === "duration" ? { sec: 0, nanosec: 0 } : f.type === "bool" ? false : numeric.has(f.type) ? 0 : "");
      out[f.name] = f.defaultValue ?? (!f.isArray ? one() : f.arrayLength ? Array.from({ length: f.arrayLength }, one) : []);
    }
    return out;
  };
  return make(types[0], 0);
}

/** Problem is what is wrong with a message that a person wrote, at a path. */
export interface Problem { path: string; key: "field.unknown" | "field.number" | "field.integer" | "field.bool" | "field.text" | "field.list" | "field.length" | "field.object"; values: Record<string, unknown> }

/** problemOf checks a message against its type; undefined: nothing is wrong. What is left out is zero or empty, as ROS has it. */
export function problemOf(schema: string, message: unknown): Problem | undefined {
  const types = typesOf(schema);
  const check = (f: Part, v: unknown, path: string, depth: number): Problem | undefined => {
    if (f.isComplex) return object(types.find((d) => d.name === f.type), v, path, depth + 1);
    if (f.type === "time" || f.type === "duration") return v !== null && typeof v === "object" ? undefined : { path, key: "field.object", values: { type: f.type } };
    if (f.type === "bool") return typeof v === "boolean" ? undefined : { path, key: "field.bool", values: {} };
    if (!numeric.has(f.type)) return typeof v === "string" ? undefined : { path, key: "field.text", values: {} };
    if (typeof v !== "number") return { path, key: "field.number", values: { type: f.type } };
    return f.type.startsWith("float") || Number.isInteger(v) ? undefined : { path, key: "field.integer", values: { type: f.type } };
  };
  const object = (definition: Type | undefined, v: unknown, path: string, depth: number): Problem | undefined => {
    if (v === null || typeof v !== "object" || Array.isArray(v)) return { path, key: "field.object", values: { type: definition?.name ?? "" } };
    if (!definition || depth > deepest) return undefined;
    for (const [name, value] of Object.entries(v)) {
      const f = definition.definitions.find((d) => d.name === name && !d.isConstant), at = path ? `${path}.${name}` : name;
      if (!f) return { path: at, key: "field.unknown", values: {} };
      if (!f.isArray) { const p = check(f, value, at, depth); if (p) return p; continue; }
      if (!Array.isArray(value)) return { path: at, key: "field.list", values: { type: f.type } };
      if (f.arrayLength !== undefined && value.length !== f.arrayLength) return { path: at, key: "field.length", values: { count: f.arrayLength } };
      for (const [i, item] of value.entries()) { const p = check(f, item, `${at}[${i}]`, depth); if (p) return p; }
    }
    return undefined;
  };
  return object(types[0], message, "", 0);
}
