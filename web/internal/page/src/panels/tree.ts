// SPDX-License-Identifier: Apache-2.0
// The tree of frames by the transforms that are published, and what is wrong with it. Times are in s, of arrival.
import { frameName } from "../transforms";

const remembered = 10; // s for which a parent counts
const staleAfter = 2; // s without a transform that is not static
const mostArrivals = 50; // of an edge, for its rate

interface Edge { parent: string; fixed: boolean; seen: number; arrivals: number[]; parents: Map<string, number> }

/** Frame is a frame of the tree: hz and age are undefined for static ones. */
export interface Frame { name: string; fixed: boolean; hz: number | undefined; age: number | undefined; children: Frame[]; stale: boolean; parents: string[] }

/** Tree is all of it: a loop is a list of frames of which each is the parent of the next and the last one of the first. */
export interface Tree { roots: Frame[]; count: number; loops: string[][]; severalParents: { name: string; parents: string[] }[]; stale: string[] }

export class FrameWatch {
  private edges = new Map<string, Edge>();
  private resumed = 0;

  /** resume begins to observe, after a time in which nothing was: nothing is stale by that. */
  resume(now: number): void { this.resumed = now; }

  /** take adds transforms that arrived. */
  take(transforms: readonly any[], fixed: boolean, now: number): void {
    for (const m of transforms) this.add(frameName(m.child_frame_id), frameName(m.header.frame_id), fixed, now);
  }

  /** add adds one transform. */
  add(child: string, parent: string, fixed: boolean, now: number): void {
    if (!child || !parent) return;
    let e = this.edges.get(child);
    if (!e) this.edges.set(child, e = { parent, fixed, seen: now, arrivals: [], parents: new Map() });
    Object.assign(e, { parent, fixed, seen: now });
    e.parents.set(parent, now);
    if (fixed) return;
    e.arrivals.push(now);
    if (e.arrivals.length > mostArrivals) e.arrivals.shift();
  }

  /** tree is the tree now. */
  tree(now: number): Tree {
    const by = new Map<string, string[]>(), names = new Set<string>();
    for (const [child, e] of this.edges) { by.set(e.parent, [...(by.get(e.parent) ?? []), child]); names.add(child); names.add(e.parent); }
    const loops = this.loops(), stale: string[] = [], severalParents: Tree["severalParents"] = [];
    const done = new Set<string>();
    const make = (name: string): Frame => {
      done.add(name);
      const e = this.edges.get(name), age = e && !e.fixed ? now - Math.max(e.seen, this.resumed) : undefined;
      const parents = e ? [...e.parents].filter(([, seen]) => e.fixed || now - seen < remembered).map(([p]) => p).sort() : [];
      const old = age !== undefined && age > staleAfter;
      if (old) stale.push(name);
      if (parents.length > 1) severalParents.push({ name, parents });
      const below = (by.get(name) ?? []).filter((c) => !done.has(c)).sort((a, b) => a.localeCompare(b, undefined, { numeric: true }));
      return { name, fixed: e?.fixed ?? true, hz: e && !e.fixed ? rateOf(e.arrivals, now) : undefined, age: e && !e.fixed ? now - e.seen : undefined, children: below.filter((c) => !done.has(c)).map(make), stale: old, parents };
    };
    const starts = [...by.keys()].filter((p) => !this.edges.has(p)).sort(), roots = starts.map(make);
    for (const loop of loops) if (!done.has(loop[0])) roots.push(make(loop[0])); // a loop has no root
    return { roots, count: names.size, loops, severalParents, stale };
  }

  private loops(): string[][] {
    const out: string[][] = [], clear = new Set<string>();
    for (const start of this.edges.keys()) {
      const path: string[] = [], on = new Map<string, number>();
      let at: string | undefined = start;
      while (at !== undefined && !clear.has(at) && !on.has(at)) { on.set(at, path.length); path.push(at); at = this.edges.get(at)?.parent; }
      if (at !== undefined && on.has(at)) out.push(path.slice(on.get(at)).reverse());
      for (const p of path) clear.add(p);
    }
    return out;
  }
}

function rateOf(arrivals: readonly number[], now: number): number {
  const recent = arrivals.filter((a) => now - a < 5);
  return recent.length < 2 ? 0 : (recent.length - 1) / Math.max(recent[recent.length - 1] - recent[0], 1e-3);
}
