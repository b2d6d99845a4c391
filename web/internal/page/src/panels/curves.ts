// SPDX-License-Identifier: Apache-2.0
// What a plot has taken from messages: curves over time or over another number.
import { Signal, pick, signalText } from "./fields";

const mostPoints = 20_000; // of a curve
const dropped = 4_000; // at once, when it has more

/** Curve is a number over time, or over x where the plot has such. Times are in s. */
export interface Curve extends Signal { times: number[]; xs: number[]; values: number[] }

export class Curves {
  readonly list: Curve[] = [];
  private lastX = NaN;

  /** x is the number of the horizontal axis; undefined: time. */
  constructor(signals: readonly Signal[], readonly x: Signal | undefined) {
    for (const s of signals) this.list.push({ ...s, times: [], xs: [], values: [] });
  }

  /** topics are those to subscribe to. */
  get topics(): Set<string> { return new Set([...this.list.map((c) => c.topic), ...(this.x ? [this.x.topic] : [])]); }

  /** take adds the numbers of a message of a topic, received at a time (s). A time before the last one begins all curves again. */
  take(topic: string, message: any, time: number): void {
    if (this.x?.topic === topic) this.lastX = pick(message, this.x.path);
    for (const c of this.list) {
      if (c.topic !== topic) continue;
      if (time < c.times[c.times.length - 1] - 1) { c.times.length = 0; c.xs.length = 0; c.values.length = 0; }
      const v = pick(message, c.path);
      c.times.push(time);
      c.xs.push(this.x ? this.lastX : time);
      c.values.push(Number.isFinite(v) ? v : NaN);
      if (c.times.length > mostPoints) for (const list of [c.times, c.xs, c.values]) list.splice(0, dropped);
    }
  }

  /** newest is the time of the last message, s; 0: none yet. */
  get newest(): number { return Math.max(0, ...this.list.map((c) => c.times[c.times.length - 1] ?? 0)); }

  /** since is the part of a curve after a time. */
  since(c: Curve, time: number): Curve {
    let low = 0, high = c.times.length;
    while (low < high) { const middle = (low + high) >> 1; if (c.times[middle] <= time) low = middle + 1; else high = middle; }
    return { ...c, times: c.times.slice(low), xs: c.xs.slice(low), values: c.values.slice(low) };
  }

  /** table is all of it as comma-separated values: a line of names, then a row a point in the order of time. */
  table(): string {
    const quoted = (s: string) => `"${s.replaceAll('"', '""')}"`, number = (v: number) => (Number.isFinite(v) ? String(v) : "");
    const rows = this.list.flatMap((c, i) => c.times.map((t, k) => ({ t, i, v: c.values[k], x: c.xs[k] }))).sort((a, b) => a.t - b.t);
    const head = ["time", ...(this.x ? [quoted(signalText(this.x))] : []), ...this.list.map((c) => quoted(signalText(c)))];
    return [head.join(","), ...rows.map((r) => [r.t, ...(this.x ? [number(r.x)] : []), ...this.list.map((_, i) => (i === r.i ? number(r.v) : ""))].join(","))].join("\n") + "\n";
  }
}

/** shortly is a number with four significant digits. */
export const shortly = (v: number): string => (Number.isNaN(v) ? "–" : Number.isInteger(v) ? String(v) : Number(v.toPrecision(4)).toString()).replace("-", "−");
