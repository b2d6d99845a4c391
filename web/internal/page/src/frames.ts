// SPDX-License-Identifier: Apache-2.0
// Where everything is in the fixed frame of a view. In a simulation the frame "world" is the truth: no transform leads to
// it, for that is what localization is for; the true pose of a robot connects its frames to it here.
import { Client } from "./client";
import { Fleet, Pose, Robot } from "./robots";
import { Transform, TransformBuffer, compose, heading, inverse, planar } from "./transforms";

/** worldFrame is the frame of a simulation's true poses. */
export const worldFrame = "world";

/** mostRobots is the greatest number of robots whose moving transforms are read: each sends its own, some dozens a second. */
const mostRobots = 150;

export class Frames {
  readonly buffer = new TransformBuffer();
  /** wanted is the fixed frame that a person chose; empty chooses the frame that shows most. */
  wanted = "";
  /** observers get the transforms of each message, and whether they are static. */
  readonly observers = new Set<(transforms: any[], fixed: boolean) => void>();
  private users = 0;
  private moving = 0; // users that need moving transforms whatever there is
  private stops: (() => void)[] = [];
  private stopMoving: (() => void) | undefined;
  private time = 0; // of the simulation, s

  constructor(private client: Client, private fleet: Fleet) { client.on("state", () => { if (!client.connected) this.buffer.clear(); }); }

  /** watch reads the transforms until the function returned is called; moving ones only if the user or a map needs them. */
  watch(moving: boolean): () => void {
    if (moving) this.moving++;
    if (this.users++ === 0) {
      this.stops = [this.client.subscribe("/tf_static", (m) => this.take(m.transforms, true))];
      this.choose();
      const timer = setInterval(() => this.choose(), 500);
      this.stops.push(() => clearInterval(timer));
    } else this.choose();
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      if (moving) this.moving--;
      if (--this.users > 0) return this.choose();
      for (const stop of this.stops) stop();
      this.stopMoving?.();
      this.stopMoving = undefined;
    };
  }

  private take(transforms: any[], fixed: boolean): void {
    this.buffer.set(transforms, fixed);
    for (const f of this.observers) f(transforms, fixed);
  }

  /** complete returns whether moving transforms are read. */
  get complete(): boolean { return this.fleet.robots.size <= mostRobots; }

  /** choose reads moving transforms, unless there are too many robots, and forgets them when time begins anew. */
  private choose(): void {
    const now = this.client.simTime ?? 0;
    if (now < this.time - 0.5) this.buffer.clear();
    this.time = now;
    const needed = this.complete && (this.moving > 0 || this.client.topics.has("/map"));
    if (needed && !this.stopMoving) this.stopMoving = this.client.subscribe("/tf", (m) => this.take(m.transforms, false));
    else if (!needed && this.stopMoving) { this.stopMoving(); this.stopMoving = undefined; }
  }

  /** fixed is the frame that all is drawn in. */
  get fixed(): string {
    if (this.wanted) return this.wanted;
    if (this.client.topics.has("/world") || this.fleet.chosen?.truth) return worldFrame;
    const odom = this.fleet.chosen?.odomFrame;
    return odom ? this.buffer.root(odom) : this.buffer.has("map") ? "map" : "odom";
  }

  /** all are the frames to choose from. */
  all(): string[] {
    const names = new Set<string>();
    if (this.client.topics.has("/world")) names.add(worldFrame);
    for (const r of this.fleet.robots.values()) if (r.odomFrame) names.add(r.odomFrame);
    for (const p of this.buffer.parents()) { names.add(p.parent); names.add(p.frame); }
    return [...names].sort();
  }

  /** place takes coordinates of a frame to the fixed one, at the time of a stamp (s) or now; undefined: not connected. */
  place(frame: string, time?: number): Transform | undefined {
    const fixed = this.fixed, direct = this.buffer.lookup(fixed, frame, time);
    if (direct) return direct;
    if (fixed === worldFrame) return this.inWorld(frame, time);
    for (const r of this.anchors(frame)) { // odometry says what publish_tf: false leaves out
      const odom = r.odom && r.odomFrame ? this.buffer.lookup(fixed, r.odomFrame) : undefined;
      const base = odom && r.baseFrame ? this.buffer.lookup(r.baseFrame, frame, time) : undefined;
      if (odom && base) return compose(compose(odom, planar(r.odom!.x, r.odom!.y, r.odom!.a)), base);
    }
    if (frame !== worldFrame) return undefined;
    const back = this.inWorld(fixed);
    return back && inverse(back);
  }

  /** inWorld takes coordinates of a frame to the world, by the true pose of a robot that is connected with it. */
  private inWorld(frame: string, time?: number): Transform | undefined {
    for (const r of this.anchors(frame)) {
      const toBase = this.toBase(r, frame, time);
      if (r.truth && toBase) return compose(planar(r.truth.x, r.truth.y, r.truth.a), toBase);
    }
    return undefined;
  }

  /** anchors are robots with true poses: the one whose frames begin alike, then the chosen one, then others. */
  private *anchors(frame: string): Generator<Robot> {
    const own = frame.includes("/") ? this.fleet.robots.get("/" + frame.slice(0, frame.indexOf("/"))) : undefined;
    if (own) yield own;
    else if (this.fleet.chosen) yield this.fleet.chosen;
    if (own || this.fleet.robots.size > 20) return;
    yield* this.fleet.robots.values();
  }

  /** toBase takes coordinates of a frame to those of a robot's base. */
  private toBase(r: Robot, frame: string, time?: number): Transform | undefined {
    if (!r.baseFrame) return undefined;
    const direct = this.buffer.lookup(r.baseFrame, frame, time);
    if (direct || !r.odom || !r.odomFrame) return direct;
    const fromOdom = this.buffer.lookup(r.odomFrame, frame, time);
    return fromOdom && compose(inverse(planar(r.odom.x, r.odom.y, r.odom.a)), fromOdom);
  }

  /** baseOf is where a robot is in the fixed frame; known is false if nothing connects its odometry with it: then both
   *  are taken to be one. */
  baseOf(r: Robot): { pose: Pose; known: boolean } | undefined {
    const fixed = this.fixed;
    if (r.truth && fixed === worldFrame) return { pose: r.truth, known: true };
    if (!r.odom) return r.truth && { pose: this.flat(this.place(worldFrame), r.truth), known: this.place(worldFrame) !== undefined };
    const odom = r.odomFrame ? this.buffer.lookup(fixed, r.odomFrame) : undefined;
    return { pose: this.flat(odom, r.odom), known: odom !== undefined || r.odomFrame === "" };
  }

  /** tilted is a pose of a robot with the height, roll and pitch that transforms give to its base, if they do. */
  tilted(r: Robot, p: Transform): Transform {
    const base = r.odomFrame && r.baseFrame ? this.buffer.lookup(r.odomFrame, r.baseFrame) : undefined;
    if (!base) return p;
    return compose(p, compose(inverse(planar(base.t[0], base.t[1], heading(base))), base));
  }

  /** flat is a pose in the plane after a transform. */
  flat(a: Transform | undefined, p: Pose): Pose {
    if (!a) return p;
    const b = compose(a, planar(p.x, p.y, p.a));
    return { x: b.t[0], y: b.t[1], a: heading(b) };
  }

  /** trailOf takes a robot's trail to the fixed frame. */
  trailOf(r: Robot): Transform | undefined { return this.place(r.truth ? worldFrame : r.odomFrame || this.fixed); }
}
