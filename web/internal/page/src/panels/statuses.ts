// SPDX-License-Identifier: Apache-2.0
// Diagnostics (diagnostic_msgs) by component, with the changes of their levels. Times are in ms, of the page's clock.

export const levels = ["OK", "Warning", "Error", "Stale"];
const rank = [0, 1, 3, 2]; // of the levels: the worst is an error, then what is not known any more
const staleAfter = 5000; // ms without a message
const mostChanges = 200; // of a status that are kept

export interface KeyValue { key: string; value: string }

/** Change is a level from a time on; unseen is a time in which the panel was not seen. */
export interface Change { time: number; level: number; message: string; unseen?: boolean }

/** Status is a line of /diagnostics. */
export interface Status { name: string; hardware: string; level: number; message: string; values: KeyValue[]; seen: number; changes: Change[] }

/** Component is what one program or device publishes; level is the worst of its statuses, which are sorted so. */
export interface Component { name: string; level: number; statuses: Status[] }

/** worse orders levels, the worst first. */
export const worse = (a: number, b: number): number => (rank[b] ?? 2) - (rank[a] ?? 2);

export class Statuses {
  private components = new Map<string, Map<string, Status>>();
  private resumed = 0;

  /** look begins to observe, after a time in which nothing was. */
  look(now: number): void { this.resumed = now; }

  /** leave ends that: what follows is not known. */
  leave(now: number): void {
    for (const s of this.all()) s.changes.push({ time: now, level: s.level, message: "", unseen: true });
  }

  private *all(): Iterable<Status> { for (const c of this.components.values()) yield* c.values(); }

  /** take takes the statuses of a message. */
  take(list: any[], now: number): void {
    for (const m of list) {
      const at = m.name.indexOf(": "), component = at > 0 ? m.name.slice(0, at) : m.hardware_id || "robot", name = at > 0 ? m.name.slice(at + 2) : m.name;
      let c = this.components.get(component);
      if (!c) this.components.set(component, c = new Map());
      const key = m.hardware_id + " " + name;
      let s = c.get(key);
      if (!s) c.set(key, s = { name, hardware: m.hardware_id, level: m.level, message: m.message, values: m.values, seen: now, changes: [] });
      Object.assign(s, { message: m.message, values: m.values, seen: now });
      this.note(s, m.level, m.message, now);
    }
  }

  private note(s: Status, level: number, message: string, time: number): void {
    const last = s.changes[s.changes.length - 1];
    s.level = level;
    if (last && !last.unseen && last.level === level) return;
    s.changes.push({ time, level, message });
    if (s.changes.length > mostChanges) s.changes.shift();
  }

  /** list returns the components, the worst first. What was not published for a while is stale. */
  list(now: number): Component[] {
    for (const s of this.all()) {
      const since = Math.max(s.seen, this.resumed);
      if (s.level !== 3 && now - since > staleAfter) this.note(s, 3, `nothing for ${staleAfter / 1000} s`, since + staleAfter);
    }
    const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name, undefined, { numeric: true });
    const out = [...this.components].map(([name, c]) => {
      const statuses = [...c.values()].sort((a, b) => worse(a.level, b.level) || byName(a, b));
      return { name, level: statuses[0].level, statuses };
    });
    return out.sort((a, b) => worse(a.level, b.level) || byName(a, b));
  }
}

/** Span is a part of a timeline, from 0 to 1. */
export interface Span { from: number; to: number; level: number }

/** timeline is the worst level of statuses over the last ms; what was not observed is left out. */
export function timeline(statuses: readonly Status[], now: number, ms: number): Span[] {
  const begin = now - ms, times = new Set([begin]);
  for (const s of statuses) for (const c of s.changes) if (c.time > begin) times.add(c.time);
  const sorted = [...times].sort((a, b) => a - b), out: Span[] = [];
  sorted.forEach((time, i) => {
    const at = statuses.map((s) => s.changes.filter((c) => c.time <= time).pop()).filter((c) => c && !c.unseen).map((c) => c!.level).sort(worse);
    if (!at.length) return;
    const to = ((sorted[i + 1] ?? now) - begin) / ms, from = (time - begin) / ms, last = out[out.length - 1];
    if (last && last.level === at[0] && last.to === from) last.to = to;
    else out.push({ from, to, level: at[0] });
  });
  return out;
}
