// SPDX-License-Identifier: Apache-2.0
// All robots: by their descriptions where they publish them, else by the outline that a simulation gives, else as e-puck2s.
import * as THREE from "three";
import { Client } from "../client";
import { Frames } from "../frames";
import { robotDescription } from "../description";
import { Fleet, Robot } from "../robots";
import { planar } from "../transforms";
import { full } from "../ui";
import { Instances } from "./instances";
import { matrixOf } from "./matrices";
import { Meshes, Model } from "./models";

const bodyHeight = 0.055; // of a robot of which nothing is known, m
const plain = new THREE.Color(0x8fa69b), chosenColor = new THREE.Color(0x2f9e6e), dark = new THREE.Color(0x26332d);

/** Robots follows descriptions and joints, and draws the robots of a fleet. */
export class Robots {
  private models = new Map<string, Model | undefined>(); // by text; undefined: it is not valid
  private texts = new Map<string, string>(); // by robot
  private joints = new Map<string, Map<string, number>>();
  private stops = new Map<string, () => void>();
  private stopJoints: (() => void) | undefined;

  constructor(private client: Client, private fleet: Fleet, private frames: Frames, private meshes: Meshes, private changed: () => void) {}

  /** follow subscribes to what the robots of the fleet say about themselves; joints are those of the chosen one. */
  follow(): void {
    for (const name of this.fleet.robots.keys()) {
      if (!this.stops.has(name)) this.stops.set(name, this.client.subscribe(full(name, "robot_description"), (m) => this.described(name, m.data)));
    }
    for (const [name, stop] of this.stops) if (!this.fleet.robots.has(name)) { stop(); this.stops.delete(name); this.texts.delete(name); }
    this.stopJoints?.();
    this.joints.clear();
    const chosen = this.fleet.chosen?.name;
    this.stopJoints = chosen === undefined ? undefined : this.client.subscribe(full(chosen, "joint_states"), (m) => {
      this.joints.set(chosen, new Map(m.name.map((n: string, i: number) => [n, m.position[i] ?? 0])));
      this.changed();
    }, { period: 50 });
  }

  stop(): void {
    for (const stop of this.stops.values()) stop();
    this.stops.clear();
    this.stopJoints?.();
    this.stopJoints = undefined;
  }

  private described(name: string, text: string): void {
    if (!this.models.has(text) || this.models.get(text)?.incomplete) {
      let model: Model | undefined;
      try { model = new Model(text, this.meshes, this.changed); } catch { model = undefined; }
      this.models.set(text, model);
    }
    this.texts.set(name, text);
    this.changed();
  }

  modelOf(name: string): Model | undefined { return this.models.get(this.texts.get(name) ?? ""); }

  /** draw adds all robots; moved is a pose that one is dragged to. */
  draw(into: Instances, moved: { robot: Robot; x: number; y: number } | undefined): void {
    for (const r of this.fleet.robots.values()) {
      const at = this.frames.baseOf(r);
      if (!at) continue;
      const p = moved?.robot === r ? { ...at.pose, x: moved.x, y: moved.y } : at.pose;
      const base = matrixOf(this.frames.tilted(r, planar(p.x, p.y, p.a)));
      const model = this.modelOf(r.name);
      if (model?.parts.length) model.draw(into, base, r.baseFrame, this.joints.get(r.name), r);
      else this.drawPlain(into, base, r);
      this.drawLights(into, base, r);
      if (r === this.fleet.chosen) this.mark(into, base, r);
    }
  }

  private drawPlain(into: Instances, base: THREE.Matrix4, r: Robot): void {
    const add = (shape: string, x: number, y: number, a: number, sx: number, sy: number, h: number, color: THREE.Color, z = h / 2) => {
      const m = new THREE.Matrix4().compose(new THREE.Vector3(x, y, z), new THREE.Quaternion().setFromAxisAngle(new THREE.Vector3(0, 0, 1), a), new THREE.Vector3(sx, sy, h));
      into.add({ shape, matrix: base.clone().multiply(m), color, alpha: 1, owner: r });
    };
    if (r.solids.length) for (const s of r.solids) add(s.disc ? "cylinder" : "cube", s.x, s.y, s.a, s.sx, s.disc ? s.sx : s.sy, s.height || bodyHeight, plain);
    else add("cylinder", 0, 0, 0, 2 * robotDescription.radius, 2 * robotDescription.radius, bodyHeight, plain);
    add("cube", r.radius * 0.6, 0, 0, r.radius * 0.7, r.radius * 0.15, 0.002, dark, (r.solids[0]?.height || bodyHeight) + 0.001);
  }

  private drawLights(into: Instances, base: THREE.Matrix4, r: Robot): void {
    for (const [i, fill] of r.leds) {
      if (!fill) continue;
      const [x, y] = robotDescription.leds[i] ?? [0, 0];
      const m = new THREE.Matrix4().makeTranslation(r.radius * x, r.radius * y, 0.03).scale(new THREE.Vector3(0.01, 0.01, 0.01));
      into.add({ shape: "sphere", matrix: base.clone().multiply(m), color: new THREE.Color(fill), alpha: 1, owner: r });
    }
  }

  /** mark puts a disc below the chosen robot. */
  private mark(into: Instances, base: THREE.Matrix4, r: Robot): void {
    const m = new THREE.Matrix4().makeTranslation(0, 0, 0.0008).scale(new THREE.Vector3(2.5 * r.radius, 2.5 * r.radius, 0.001));
    into.add({ shape: "cylinder", matrix: base.clone().multiply(m), color: chosenColor, alpha: 0.5, owner: r });
  }
}
