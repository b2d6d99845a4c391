// SPDX-License-Identifier: Apache-2.0
// Values of parameters (rcl_interfaces) as text, what a person enters as a value, and what a descriptor says of both.

/** Value is an rcl_interfaces/msg/ParameterValue. */
export type Value = { type: number } & Record<string, unknown>;

/** Descriptor is an rcl_interfaces/msg/ParameterDescriptor as JSON. */
export interface Descriptor {
  type?: number; description?: string; additional_constraints?: string; read_only?: boolean; dynamic_typing?: boolean;
  floating_point_range?: Range[]; integer_range?: Range[];
}

export interface Range { from_value: number; to_value: number; step: number }

export const notSet = 0, bool = 1, integer = 2, double = 3, text = 4;
export const kinds = ["not set", "bool", "integer", "double", "string", "bytes", "bools", "integers", "doubles", "strings"];
const fields = ["", "bool_value", "integer_value", "double_value", "string_value", "byte_array_value", "bool_array_value", "integer_array_value", "double_array_value", "string_array_value"];

/** shownValue is a value as a person writes it: a number, a text, a list as JSON. */
export function shownValue(v: Value): string {
  const x = v[fields[v.type]];
  if (v.type === notSet || x === undefined) return "";
  if (v.type > text) return JSON.stringify(Array.from(x as ArrayLike<unknown>, (e) => (typeof e === "bigint" ? Number(e) : e)));
  return x === null ? "nan" : String(x);
}

/** enteredValue reads what a person wrote for a parameter of a type. It fails with what is wrong. */
export function enteredValue(type: number, written: string): Value {
  const trimmed = written.trim();
  switch (type) {
    case notSet: return guess(trimmed);
    case bool: return { type, bool_value: trimmed === "true" };
    case integer: case double: {
      const n = Number(trimmed);
      if (trimmed === "" || Number.isNaN(n)) throw new Error(`"${written}" is no number`);
      if (type === integer && !Number.isInteger(n)) throw new Error(`"${written}" is no whole number`);
      return { type, [fields[type]]: n };
    }
    case text: return { type, string_value: written };
  }
  const list = JSON.parse(trimmed.startsWith("[") ? trimmed : `[${trimmed}]`);
  return { type, [fields[type]]: list };
}

/** guess takes the type from what was written, for a parameter that has none yet. */
function guess(written: string): Value {
  if (written === "true" || written === "false") return { type: bool, bool_value: written === "true" };
  if (/^[+-]?\d+$/.test(written)) return { type: integer, integer_value: Number(written) };
  if (written !== "" && !Number.isNaN(Number(written))) return { type: double, double_value: Number(written) };
  return { type: text, string_value: written };
}

/** rangeOf is the range that a number has by its descriptor. */
export function rangeOf(d: Descriptor): Range | undefined {
  const r = d.floating_point_range?.[0] ?? d.integer_range?.[0];
  return r && { from_value: Number(r.from_value), to_value: Number(r.to_value), step: Number(r.step) };
}

/** stepOf is the step of a slider: that of the range, else a whole number or the power of ten that has 100 to 1000 steps. */
export function stepOf(r: Range, type: number): number {
  if (r.step > 0) return r.step;
  return type === integer ? 1 : 10 ** Math.floor(Math.log10((r.to_value - r.from_value) / 100));
}

const choices = /^\s*(?:one of|allowed(?: values)?|choices|options)\s*[:=]\s*(.+)$/i;

/** choicesOf are the values that the constraints of a descriptor list, as in "one of: nan, inf". */
export function choicesOf(d: Descriptor): string[] {
  for (const line of (d.additional_constraints ?? "").split("\n")) {
    const list = choices.exec(line)?.[1].replace(/^[[{(]|[\]})]\.?$/g, "").split(",").map((s) => s.trim().replace(/^(["'])(.*)\1$/, "$2"));
    if (list && list.length > 1) return list;
  }
  return [];
}

/** unitOf finds the unit among the constraints, else that with which a description ends, as in "Wheel radius (m)." */
export function unitOf(d: Descriptor): string {
  const declared = /^\s*unit\s*[:=]\s*(.+?)\s*$/im.exec(d.additional_constraints ?? "");
  if (declared) return declared[1];
  const description = d.description ?? "";
  const m = /[([](?:in )?(m|mm|s|ms|Hz|rad|rad\/s|m\/s|m\/s²|V|%|°|px|kB|pixels?|frames\/s|dB)[)\]]/.exec(description) ?? /(?:, in|, )\s*(m\/s²|m\/s|rad\/s|frames\/s|Hz|rad|mm|ms|m|s|V|%)(?=[.;:,]|$)/.exec(description);
  return m?.[1] ?? "";
}

/** aboutOf is what else a descriptor says: the description, the range and constraints that no field shows. */
export function aboutOf(d: Descriptor): string {
  const r = rangeOf(d), rest = (d.additional_constraints ?? "").split("\n").filter((l) => l.trim() && !choices.test(l) && !/^\s*unit\s*[:=]/i.test(l));
  return [d.description, r && `${r.from_value} … ${r.to_value}`, ...rest].filter(Boolean).join(" · ");
}

/** others is the group of parameters that share their first word with no other. */
export const others = "general";

/** groupsOf sorts names into groups of a common first word, before a dot or a stroke below: groups of two at least, the others first. */
export function groupsOf(names: readonly string[]): [string, string[]][] {
  const by = new Map<string, string[]>();
  const word = (name: string) => (name.includes(".") ? name.slice(0, name.indexOf(".")) : name.split("_")[0]);
  for (const name of [...names].sort()) by.set(word(name), [...(by.get(word(name)) ?? []), name]);
  const single = [...by].filter(([, list]) => list.length === 1).flatMap(([, list]) => list);
  const groups = [...by].filter(([, list]) => list.length > 1);
  return single.length ? [[others, single], ...groups] : groups;
}
