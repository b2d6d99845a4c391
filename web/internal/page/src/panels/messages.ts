// SPDX-License-Identifier: Apache-2.0
// Messages as trees of texts, how often and how large they come, and what a person writes as a message.

export const mostElements = 64; // of a list that are shown
const mostCharacters = 2000; // of a text

/** Row is a value of a message: children is what it consists of; hidden is the number of elements that are left out. */
export interface Row { name: string; text: string; children?: () => Row[]; hidden: number }

/** rowOf is a value as a row. */
export function rowOf(name: string, value: unknown): Row {
  if (value === null || value === undefined) return { name, text: "null", hidden: 0 };
  if (typeof value === "string") return { name, text: value.length > mostCharacters ? `${JSON.stringify(value.slice(0, mostCharacters))} … ${value.length}` : JSON.stringify(value), hidden: 0 };
  if (typeof value !== "object") return { name, text: String(value), hidden: 0 };
  if (ArrayBuffer.isView(value) || Array.isArray(value)) {
    const list = value as ArrayLike<unknown>, shown = Math.min(list.length, mostElements), first = list[0];
    const flat = list.length > 0 && typeof first !== "object" && typeof first !== "string";
    const begin = flat ? Array.from({ length: Math.min(list.length, 6) }, (_, i) => short(list[i])).join(", ") + (list.length > 6 ? ", …" : "") : "";
    return { name, text: `[${list.length}] ${begin}`.trim(), hidden: list.length - shown, children: list.length ? () => Array.from({ length: shown }, (_, i) => rowOf(String(i), list[i])) : undefined };
  }
  const entries = Object.entries(value);
  const time = entries.length === 2 && "sec" in value && ("nanosec" in value || "nsec" in value);
  if (time) return { name, text: `${(value as any).sec}.${String((value as any).nanosec ?? (value as any).nsec).padStart(9, "0")} s`, hidden: 0 };
  return { name, text: entries.length ? "" : "{}", hidden: 0, children: entries.length ? () => entries.map(([k, v]) => rowOf(k, v)) : undefined };
}

function short(v: unknown): string { return typeof v === "number" && !Number.isInteger(v) ? String(Number(v.toPrecision(5))) : String(v); }

/** textOf is a message as JSON, to copy: long lists in full. */
export function textOf(message: unknown): string {
  return JSON.stringify(message, (_key, v) => (typeof v === "bigint" ? Number(v) : typeof v === "number" && !Number.isFinite(v) ? String(v) : ArrayBuffer.isView(v) ? Array.from(v as any) : v), 2) ?? "";
}

const window_ = 5; // s over which a rate is taken

/** Rate measures how often messages come, and their mean size. */
export class Rate {
  private arrivals: { time: number; bytes: number }[] = [];

  /** take adds a message at a time, s. */
  take(time: number, bytes: number): void {
    this.arrivals.push({ time, bytes });
    this.forget(time);
  }

  private forget(now: number): void { while (this.arrivals.length && (now - this.arrivals[0].time > window_ || now < this.arrivals[0].time)) this.arrivals.shift(); }

  /** hz is the rate over the last 5 s; 0: fewer than two messages came. */
  hz(now: number): number {
    this.forget(now);
    const a = this.arrivals, n = a.length;
    return n < 2 ? 0 : (n - 1) / Math.max(a[n - 1].time - a[0].time, now - a[n - 1].time > 1.5 ? now - a[0].time : 0, 1e-3);
  }

  /** bytes is the mean size of a message. */
  get bytes(): number { return this.arrivals.length ? this.arrivals.reduce((n, a) => n + a.bytes, 0) / this.arrivals.length : 0; }
}

/** sizeText is a number of bytes. */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${Math.round(bytes)} B`;
  return bytes < 1e6 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** messageOf reads what a person wrote. It fails with what JSON.parse says, or "object" if it is no object. */
export function messageOf(text: string): object {
  const value: unknown = JSON.parse(text);
  if (value === null || typeof value !== "object" || Array.isArray(value)) throw new Error("object");
  return value;
}
