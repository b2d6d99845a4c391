// SPDX-License-Identifier: Apache-2.0
// Transforms between frames, as tf2 has them: a buffer of what /tf and /tf_static say, with interpolation.

/** Vector is x, y, z (m); Quaternion is x, y, z, w. */
export type Vector = [number, number, number];
export type Quaternion = [number, number, number, number];

/** Transform takes coordinates of a child frame to those of its parent. */
export interface Transform { t: Vector; q: Quaternion }

export const identity: Transform = { t: [0, 0, 0], q: [0, 0, 0, 1] };

function multiply(a: Quaternion, b: Quaternion): Quaternion {
  return [
    a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
    a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
    a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
    a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
  ];
}

function rotate(q: Quaternion, v: Vector): Vector {
  const [x, y, z, w] = q;
  const tx = 2 * (y * v[2] - z * v[1]), ty = 2 * (z * v[0] - x * v[2]), tz = 2 * (x * v[1] - y * v[0]);
  return [v[0] + w * tx + y * tz - z * ty, v[1] + w * ty + z * tx - x * tz, v[2] + w * tz + x * ty - y * tx];
}

/** apply transforms a point. */
export function apply(a: Transform, v: Vector): Vector {
  const r = rotate(a.q, v);
  return [r[0] + a.t[0], r[1] + a.t[1], r[2] + a.t[2]];
}

/** compose is b, then a. */
export function compose(a: Transform, b: Transform): Transform { return { t: apply(a, b.t), q: multiply(a.q, b.q) }; }

export function inverse(a: Transform): Transform {
  const q: Quaternion = [-a.q[0], -a.q[1], -a.q[2], a.q[3]], t = rotate(q, a.t);
  return { t: [-t[0], -t[1], -t[2]], q };
}

/** interpolate is between a (0) and b (1): linear in position, spherical in rotation. */
export function interpolate(a: Transform, b: Transform, share: number): Transform {
  let dot = a.q[0] * b.q[0] + a.q[1] * b.q[1] + a.q[2] * b.q[2] + a.q[3] * b.q[3];
  const sign = dot < 0 ? -1 : 1; // the shorter way
  dot = Math.min(1, Math.abs(dot));
  const angle = Math.acos(dot), s = Math.sin(angle);
  const wa = s < 1e-6 ? 1 - share : Math.sin((1 - share) * angle) / s, wb = sign * (s < 1e-6 ? share : Math.sin(share * angle) / s);
  const q = a.q.map((v, i) => wa * v + wb * b.q[i]), n = Math.hypot(...q);
  return { t: a.t.map((v, i) => v + (b.t[i] - v) * share) as Vector, q: q.map((v) => v / n) as Quaternion };
}

/** planar is a pose in the plane as a transform. */
export function planar(x: number, y: number, a: number): Transform { return { t: [x, y, 0], q: [0, 0, Math.sin(a / 2), Math.cos(a / 2)] }; }

/** heading is the rotation about z of a transform, rad. */
export function heading(a: Transform): number {
  const [x, y, z, w] = a.q;
  return Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z));
}

/** notFinite is why a pose or transform is not used. */
export const notFinite = "not shown: its pose has a number that is not finite (NaN or infinite)";

/**
 * ofMessage is a geometry_msgs/Pose or geometry_msgs/Transform; a quaternion of zeros is no rotation. It is undefined if
 * a number is not finite, see notFinite.
 */
export function ofMessage(m: any): Transform | undefined {
  const p = m.position ?? m.translation, o = m.orientation ?? m.rotation, n = Math.hypot(o.x, o.y, o.z, o.w);
  if (![p.x, p.y, p.z, n].every(Number.isFinite)) return undefined;
  return { t: [p.x, p.y, p.z], q: n > 1e-9 ? [o.x / n, o.y / n, o.z / n, o.w / n] : [0, 0, 0, 1] };
}

/** seconds is a stamp as a number, s. */
export function seconds(stamp: { sec: number; nanosec?: number; nsec?: number }): number { return stamp.sec + (stamp.nanosec ?? stamp.nsec ?? 0) / 1e9; }

/** frameName is a frame without the slash that old programs put before it. */
export function frameName(id: string): string { return id.startsWith("/") ? id.slice(1) : id; }

interface Sample { time: number; transform: Transform }

const history = 10; // s that are kept
const reset = 1; // s backwards: time began anew
const most = 400; // samples of an edge
const mostRefused = 100; // frames that are named
const deepest = 200; // frames from one to its root; more is a loop

/** Edge is a frame's transform to its parent over time. */
class Edge {
  samples: Sample[] = [];
  constructor(readonly parent: string, readonly fixed: boolean) {}

  add(time: number, transform: Transform): void {
    const list = this.samples, last = list[list.length - 1];
    if (this.fixed || (last && time < last.time - reset)) list.length = 0;
    let at = list.length;
    while (at > 0 && list[at - 1].time > time) at--;
    if (at > 0 && list[at - 1].time === time) list[at - 1] = { time, transform };
    else list.splice(at, 0, { time, transform });
    let old = Math.max(0, list.length - most);
    while (list[old].time < list[list.length - 1].time - history) old++;
    if (old > 0) list.splice(0, old);
  }

  get newest(): number { return this.samples[this.samples.length - 1].time; }

  /** at is the transform at a time: interpolated, or the nearest that is known. */
  at(time: number): Transform {
    const list = this.samples;
    if (this.fixed || list.length === 1 || time >= this.newest) return list[list.length - 1].transform;
    if (time <= list[0].time) return list[0].transform;
    let low = 0, high = list.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (list[middle].time <= time) low = middle;
      else high = middle;
    }
    return interpolate(list[low].transform, list[high].transform, (time - list[low].time) / (list[high].time - list[low].time));
  }
}

/** TransformBuffer answers where frames are. Times are those of stamps, s. */
export class TransformBuffer {
  private edges = new Map<string, Edge>();
  /** refused are the frames whose latest transform was not used, as tf2 does; an earlier one stays. */
  readonly refused = new Set<string>();

  /** set adds what a message of /tf, or of /tf_static (fixed), says. */
  set(transforms: any[], fixed: boolean): void {
    for (const m of transforms) {
      const child = frameName(m.child_frame_id), parent = frameName(m.header.frame_id);
      if (!child || !parent || child === parent) continue;
      const transform = ofMessage(m.transform);
      if (!transform) {
        if (this.refused.size < mostRefused) this.refused.add(child);
        continue;
      }
      this.refused.delete(child);
      let edge = this.edges.get(child);
      if (!edge || edge.parent !== parent || edge.fixed !== fixed) {
        edge = new Edge(parent, fixed);
        this.edges.set(child, edge);
      }
      edge.add(seconds(m.header.stamp), transform);
    }
  }

  /** clear forgets what moves: time began anew. */
  clear(): void { for (const [child, e] of this.edges) if (!e.fixed) this.edges.delete(child); }

  /** parents are all frames that have one, with the time of the newest transform (s) and whether it never changes. */
  parents(): { frame: string; parent: string; time: number; fixed: boolean }[] {
    return [...this.edges].map(([frame, e]) => ({ frame, parent: e.parent, time: e.newest, fixed: e.fixed }));
  }

  has(frame: string): boolean {
    if (this.edges.has(frame)) return true;
    for (const e of this.edges.values()) if (e.parent === frame) return true;
    return false;
  }

  /** chain is a frame with those above it, up to its root. */
  private chain(frame: string): string[] {
    const list = [frame];
    for (let e = this.edges.get(frame); e && list.length < deepest; e = this.edges.get(e.parent)) list.push(e.parent);
    return list;
  }

  root(frame: string): string { const c = this.chain(frame); return c[c.length - 1]; }

  /**
   * lookup is the transform that takes coordinates of source to those of target at a time: without one, at the newest
   * time that all frames between them have. It is undefined if no transforms connect them.
   */
  lookup(target: string, source: string, time?: number): Transform | undefined {
    target = frameName(target); source = frameName(source);
    if (target === source) return identity;
    const up = this.chain(source), down = this.chain(target);
    const common = up.find((f) => down.includes(f));
    if (common === undefined) return undefined;
    const a = up.slice(0, up.indexOf(common)), b = down.slice(0, down.indexOf(common));
    if (time === undefined) {
      time = Infinity;
      for (const f of [...a, ...b]) { const e = this.edges.get(f)!; if (!e.fixed) time = Math.min(time, e.newest); }
    }
    return compose(inverse(this.along(b, time)), this.along(a, time));
  }

  /** along is the transform from the first of some frames to the parent of the last. */
  private along(frames: string[], time: number): Transform {
    let result = identity;
    for (const f of frames) result = compose(this.edges.get(f)!.at(time), result);
    return result;
  }
}
