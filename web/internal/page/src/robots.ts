// SPDX-License-Identifier: Apache-2.0
// Which robots there are, and where: a robot is a namespace with a publisher of odom or a subscription to cmd_vel.
import { Client } from "./client";
import { robotDescription } from "./description";
import { connection } from "./states";
import { ofMessage } from "./transforms";
import { full, yaw } from "./ui";

export interface Pose { x: number; y: number; a: number }

/** TrailPose is a pose of a robot's trail; after a gap the way to it is unknown. */
export interface TrailPose extends Pose { v: number; time: number; gap: boolean }

/** Solid is a part of a robot seen from above, in its frame: a disc of a diameter, or a box of two sides, and a height (m). */
export interface Solid extends Pose { disc: boolean; sx: number; sy: number; height: number }

/** Robot is what is known of one. */
export class Robot {
  odom: Pose | undefined;
  truth: Pose | undefined;
  v = 0;
  w = 0;
  seen = 0; // performance.now() of the last pose
  heard: number | undefined; // performance.now() of the last odometry
  trail: TrailPose[] = [];
  odomFrame = ""; // of odometry, once known
  baseFrame = "";
  leds = new Map<number, string>();
  solids: Solid[] = []; // none: as described in description.ts
  constructor(readonly name: string) {}
  get pose(): Pose | undefined { return this.truth ?? this.odom; }
  get title(): string { return this.name !== "/" ? this.name.slice(1) : this.solids.length ? "robot" : robotDescription.name; }
  /** radius is how far it reaches, m. */
  get radius(): number {
    if (!this.solids.length) return robotDescription.radius;
    return Math.max(...this.solids.map((s) => Math.hypot(s.x, s.y) + (s.disc ? s.sx : Math.hypot(s.sx, s.sy)) / 2));
  }
}

const trailLength = 2000;

/** Fleet follows all robots; changed is called when one was added, removed or selected, chosen when the selection changes. */
export class Fleet extends EventTarget {
  readonly robots = new Map<string, Robot>();
  chosen: Robot | undefined;
  private stops = new Map<string, (() => void)[]>();
  private watching = false;
  private attending: (() => void) | undefined; // ends listening to the chosen robot

  constructor(private client: Client) {
    super();
    this.addEventListener("chosen", () => { if (this.attending) { this.attend(false); this.attend(true); } });
    client.on("channels", () => this.find());
    client.on("graph", () => this.find());
  }

  private find(): void {
    const names = new Set<string>();
    for (const [topic, c] of this.client.topics) {
      if (c.schemaName === "nav_msgs/msg/Odometry" && topic.endsWith("/odom")) names.add(topic.slice(0, -5) || "/");
    }
    for (const [topic, s] of this.client.subscribed) {
      if (topic.endsWith("/cmd_vel") && s.type.startsWith("geometry_msgs/msg/Twist")) names.add(topic.slice(0, -8) || "/");
    }
    const was = this.chosen;
    let changed = false;
    for (const name of names) {
      if (this.robots.has(name)) continue;
      this.robots.set(name, new Robot(name));
      changed = true;
    }
    for (const name of [...this.robots.keys()]) {
      if (names.has(name) || !this.client.connected) continue;
      this.robots.delete(name);
      this.follow(name, false);
      changed = true;
    }
    if (!this.chosen || !this.robots.has(this.chosen.name)) {
      const first = [...this.robots.keys()].sort()[0];
      if (first !== this.chosen?.name) { this.chosen = first === undefined ? undefined : this.robots.get(first); changed = true; }
    }
    if (!changed) return;
    const other = this.chosen !== was;
    if (this.watching) for (const name of this.robots.keys()) this.follow(name, true);
    this.dispatchEvent(new Event("changed"));
    if (other) this.dispatchEvent(new Event("chosen"));
  }

  choose(name: string): void {
    const r = this.robots.get(name);
    if (!r || r === this.chosen) return;
    this.chosen = r;
    this.dispatchEvent(new Event("changed"));
    this.dispatchEvent(new Event("chosen"));
  }

  /** attend listens to the odometry of the chosen robot, a few times a second: silence is noticed also where no panel shows it. */
  attend(on: boolean): void {
    if (on === (this.attending !== undefined)) return;
    this.attending?.();
    const r = this.chosen;
    this.attending = on ? (r && this.client.subscribe(full(r.name, "odom"), () => { r.heard = performance.now(); }, { period: 250 })) ?? (() => undefined) : undefined;
    if (on && r?.heard !== undefined) r.heard = performance.now(); // the page did not listen until now
  }

  /** silence is how long a robot has sent no odometry, s; undefined if it never did, and in a recording, which may be paused. */
  silence(r: Robot | undefined): number | undefined { return r?.heard === undefined || this.client.recorded ? undefined : (performance.now() - r.heard) / 1000; }

  /** watch subscribes to the poses of all robots, or to none. */
  watch(on: boolean): void {
    this.watching = on;
    if (on) for (const r of this.robots.values()) if (r.heard !== undefined && r !== this.chosen) r.heard = performance.now();
    for (const name of this.robots.keys()) this.follow(name, on);
  }

  private follow(name: string, on: boolean): void {
    if (!on) {
      for (const stop of this.stops.get(name) ?? []) stop();
      this.stops.delete(name);
      return;
    }
    const r = this.robots.get(name);
    if (!r || this.stops.has(name)) return;
    const stops = [
      this.client.subscribe(full(name, "odom"), (m) => this.moved(r, m, "odom")),
      this.client.subscribe(full(name, "ground_truth"), (m) => this.moved(r, m, "truth")),
      this.client.subscribe(full(name, "outline"), (m) => { r.solids = solidsOf(m.markers); }),
    ];
    robotDescription.leds.forEach((_, i) => stops.push(this.client.subscribe(full(name, robotDescription.ledTopic(i)), (m) => r.leds.set(i, robotDescription.lit(i, m.data)))));
    this.stops.set(name, stops);
  }

  private moved(r: Robot, m: any, what: "odom" | "truth"): void {
    if (!ofMessage(m.pose.pose)) return; // a pose that is not finite: the robot counts as silent
    const p = { x: m.pose.pose.position.x, y: m.pose.pose.position.y, a: yaw(m.pose.pose.orientation) };
    if (what === "truth" && !r.truth) r.trail = []; // it was in odometry's frame
    r[what] = p;
    r.seen = performance.now();
    if (what === "odom") r.heard = r.seen;
    if (what === "odom") { r.odomFrame = m.header.frame_id; r.baseFrame = m.child_frame_id; }
    if (what === "odom") { r.v = m.twist.twist.linear.x; r.w = m.twist.twist.angular.z; if (r.truth) return; }
    const next = { ...p, v: r.v, time: m.header.stamp.sec + (m.header.stamp.nsec ?? m.header.stamp.nanosec) / 1e9, gap: false };
    const last = r.trail[r.trail.length - 1], how = last ? connection(last, next) : "on";
    if (how === "new") r.trail = [];
    next.gap = how === "gap";
    if (!last || how === "new" || Math.hypot(last.x - p.x, last.y - p.y) > 0.003) r.trail.push(next);
    else { last.time = next.time; last.v = next.v; } // it does not move
    if (r.trail.length > trailLength) r.trail.splice(0, r.trail.length - trailLength);
  }
}

/** solidsOf are the discs and boxes of an outline. */
function solidsOf(markers: any[]): Solid[] {
  return markers.filter((m) => ofMessage(m.pose)).map((m) => ({ x: m.pose.position.x, y: m.pose.position.y, a: yaw(m.pose.orientation), disc: m.type === 3, sx: m.scale.x, sy: m.scale.y, height: m.scale.z }));
}
