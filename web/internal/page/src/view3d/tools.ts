// SPDX-License-Identifier: Apache-2.0
// What the pointer does on the scene: choose a robot, measure, set a goal, an initial pose or waypoints, drag.
import * as THREE from "three";
import { Frames, worldFrame } from "../frames";
import { Fleet, Pose, Robot } from "../robots";
import { t } from "../texts";
import { Transform, apply, inverse } from "../transforms";
import { Commands } from "./commands";
import { Mover } from "./simulation";

export const tools = { look: "tool.look", measure: "tool.measure", goal: "tool.goal", pose: "tool.pose", waypoints: "tool.waypoints", drag: "tool.drag" } as const;
export type Tool = keyof typeof tools;

const leastTurn = 0.03; // how far a press is dragged until it says a heading, m

/** Ground is what a press meets: a place on the floor, a place on the surface of what is there, and to what it belongs. */
export interface Hit { floor: THREE.Vector3 | undefined; surface: THREE.Vector3 | undefined; owner: unknown }

/** Tools keeps the state of the tool in use; say shows what it did. */
export class Tools {
  tool: Tool = "look";
  /** line is what is measured; arrow is the pose being set; list are the waypoints. */
  line: [THREE.Vector3, THREE.Vector3] | undefined;
  arrow: Pose | undefined;
  list: Pose[] = [];
  moved: { robot: Robot; x: number; y: number } | undefined;
  private thing: { from: { x: number; y: number }; to: THREE.Vector3 } | undefined;
  private start: THREE.Vector3 | undefined;

  constructor(private fleet: Fleet, private frames: Frames, private commands: Commands, private mover: Mover, private say: (text: string) => void) {}

  /** use takes another tool. */
  use(tool: Tool): void {
    this.cancel();
    this.tool = tool;
    this.say(tool === "look" ? "" : t(`${tools[tool]}.help`));
  }

  cancel(): void { this.line = this.arrow = this.moved = this.thing = this.start = undefined; this.list = []; }

  /** press begins and returns whether the tool takes the pointer: the camera then stays. */
  press(hit: Hit): boolean {
    if (hit.owner instanceof Object && "odomFrame" in hit.owner) this.fleet.choose((hit.owner as Robot).name);
    if (this.tool === "look") return false;
    if (this.tool === "drag") return this.take(hit);
    this.start = this.tool === "measure" ? hit.surface ?? hit.floor : hit.floor;
    if (!this.start) return false;
    if (this.tool === "measure") this.line = [this.start.clone(), this.start.clone()];
    else this.arrow = { x: this.start.x, y: this.start.y, a: 0 };
    return true;
  }

  private take(hit: Hit): boolean {
    if (!hit.floor) return false;
    if (!this.mover.may) { this.say(t("tool.noDrag")); return false; }
    const owner = hit.owner as any;
    if (owner && "odomFrame" in owner) this.moved = { robot: owner, x: hit.floor.x, y: hit.floor.y };
    else if (owner?.pose) this.thing = { from: owner.pose.position, to: hit.floor };
    return this.moved !== undefined || this.thing !== undefined;
  }

  move(hit: Hit): void {
    if (this.moved && hit.floor) { this.moved.x = hit.floor.x; this.moved.y = hit.floor.y; return; }
    if (this.thing && hit.floor) { this.thing.to = hit.floor; return; }
    if (!this.start) return;
    const to = this.tool === "measure" ? hit.surface ?? hit.floor : hit.floor;
    if (!to) return;
    if (this.line) { this.line[1].copy(to); this.say(distance(this.line[0], to)); }
    else if (this.arrow && to.distanceTo(this.start) > leastTurn) this.arrow.a = Math.atan2(to.y - this.start.y, to.x - this.start.x);
  }

  /** release ends what press began. */
  release(): void {
    const { arrow, moved, thing } = this;
    this.start = this.arrow = undefined;
    if (moved) void this.drop(moved);
    else if (thing) void this.put(thing.from, thing.to);
    else if (arrow && this.tool === "goal") this.say(this.commands.goal(arrow));
    else if (arrow && this.tool === "pose") this.say(this.commands.initialPose(arrow));
    else if (arrow && this.tool === "waypoints") { this.list.push(arrow); this.say(t("tool.count", { count: this.list.length })); }
    this.thing = undefined;
  }

  /** send sends the robot along the waypoints. */
  send(): void { this.say(this.commands.waypoints(this.list)); }

  /** toWorld takes a place of the fixed frame to the simulation's world. */
  private toWorld(x: number, y: number): { x: number; y: number } | undefined {
    const at: Transform | undefined = this.frames.place(worldFrame), p = at && apply(inverse(at), [x, y, 0]);
    return p && { x: p[0], y: p[1] };
  }

  private async drop(m: { robot: Robot; x: number; y: number }): Promise<void> {
    try {
      const to = this.toWorld(m.x, m.y);
      if (!to) throw new Error(t("tool.noWorld"));
      await this.mover.robot(m.robot.name, to.x, to.y, m.robot.truth?.a ?? 0);
      this.say(t("tool.robotAt", { robot: m.robot.title, x: to.x.toFixed(2), y: to.y.toFixed(2) }));
    } catch (e) { this.say((e as Error).message); }
    if (this.moved === m) this.moved = undefined;
  }

  private async put(from: { x: number; y: number }, to: THREE.Vector3): Promise<void> {
    try {
      const at = this.toWorld(to.x, to.y);
      if (!at) throw new Error(t("tool.noWorld"));
      await this.mover.thing(from, at.x, at.y);
      this.say(t("tool.thingAt", { x: at.x.toFixed(2), y: at.y.toFixed(2) }));
    } catch (e) { this.say((e as Error).message); }
  }
}

/** distance writes how far two places are from each other. */
export function distance(a: THREE.Vector3, b: THREE.Vector3): string {
  const d = a.distanceTo(b), up = b.z - a.z;
  return `${d.toFixed(3)} m` + (Math.abs(up) > 0.001 ? ` (${t("tool.distance", { along: Math.hypot(b.x - a.x, b.y - a.y).toFixed(3), up: up.toFixed(3) })})` : "");
}
