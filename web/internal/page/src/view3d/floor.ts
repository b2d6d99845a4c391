// SPDX-License-Identifier: Apache-2.0
// Lines on the ground, as far from each other as the view needs, around what it looks at.
import * as THREE from "three";

const steps = [0.1, 0.5, 1, 5, 10, 50]; // m
const lines = 40; // on each side of the middle
const pieces = 16; // of a line: drawing by software leaves out lines that begin behind the camera

/** Floor is the lines. */
export class Floor {
  readonly group = new THREE.LineSegments(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ transparent: true, depthWrite: false }));
  /** step is how far the lines are from each other, m. */
  step = 0;

  constructor() {
    this.group.renderOrder = -3;
    this.group.position.z = -0.0015;
    this.group.frustumCulled = false;
  }

  /** draw puts the lines around a place at a distance from the camera (m). */
  draw(target: THREE.Vector3, distance: number, color: string): void {
    const step = steps.find((s) => s > distance / 20) ?? steps[steps.length - 1];
    this.group.material.color.set(color);
    this.group.position.x = Math.round(target.x / step) * step;
    this.group.position.y = Math.round(target.y / step) * step;
    if (step === this.step) return;
    this.step = step;
    const positions: number[] = [], end = lines * step;
    for (let i = -lines; i <= lines; i++) {
      for (let a = -end, k = 0; k < pieces; k++, a += (2 * end) / pieces) {
        const b = a + (2 * end) / pieces;
        positions.push(i * step, a, 0, i * step, b, 0, a, i * step, 0, b, i * step, 0);
      }
    }
    this.group.geometry.dispose();
    this.group.geometry = new THREE.BufferGeometry();
    this.group.geometry.setAttribute("position", new THREE.Float32BufferAttribute(positions, 3));
  }
}
