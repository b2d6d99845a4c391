// SPDX-License-Identifier: Apache-2.0
// All frames of the transforms as axes (x red, y green, z blue) with lines to their parents, in two calls of WebGL.
import * as THREE from "three";
import { Frames } from "../frames";
import { apply } from "../transforms";
import { label } from "./markers";

const length = 0.03; // of an axis, m
const mostFrames = 2000, mostLabels = 40;
const colors = [[0.8, 0.15, 0.1], [0.1, 0.55, 0.15], [0.15, 0.3, 0.85]];

/** Axes draws the frames of a buffer. */
export class Axes {
  readonly group = new THREE.Group();
  private lines = new THREE.LineSegments(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ vertexColors: true, depthTest: false, transparent: true }));
  private labels = new Map<string, THREE.Sprite>();
  /** shown is the number of frames that were drawn. */
  shown = 0;

  constructor(private frames: Frames) {
    this.lines.frustumCulled = false;
    this.group.add(this.lines);
    this.group.visible = false;
  }

  draw(): void {
    if (!this.group.visible) return;
    const positions: number[] = [], tints: number[] = [], names = new Set<string>();
    const line = (a: number[], b: number[], c: number[]) => { positions.push(...a, ...b); tints.push(...c, ...c); };
    const parents = this.frames.buffer.parents(), all = new Set(parents.flatMap((p) => [p.frame, p.parent]));
    this.shown = 0;
    for (const frame of [...all].slice(0, mostFrames)) {
      const at = this.frames.place(frame);
      if (!at) continue;
      this.shown++;
      for (let i = 0; i < 3; i++) line(at.t, apply(at, [0, 1, 2].map((k) => (k === i ? length : 0)) as [number, number, number]), colors[i]);
      if (this.shown <= mostLabels) { names.add(frame); this.name(frame).position.fromArray(at.t); }
    }
    for (const p of parents.slice(0, mostFrames)) {
      const a = this.frames.place(p.frame), b = this.frames.place(p.parent);
      if (a && b) line(a.t, b.t, [0.75, 0.65, 0.1]);
    }
    this.lines.geometry.dispose();
    this.lines.geometry = new THREE.BufferGeometry();
    this.lines.geometry.setAttribute("position", new THREE.Float32BufferAttribute(positions, 3));
    this.lines.geometry.setAttribute("color", new THREE.Float32BufferAttribute(tints, 3));
    for (const [name, sprite] of this.labels) if (!names.has(name)) { this.group.remove(sprite); sprite.material.map?.dispose(); sprite.material.dispose(); this.labels.delete(name); }
  }

  private name(frame: string): THREE.Sprite {
    let s = this.labels.get(frame);
    if (!s) {
      s = label(frame, new THREE.Color(0xffffff), 0.012);
      this.labels.set(frame, s);
      this.group.add(s);
    }
    return s;
  }
}
