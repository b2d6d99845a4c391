// SPDX-License-Identifier: Apache-2.0
// From where the scene is seen: freely, from above, following a robot, or from the robot's own place.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { Pose } from "../robots";

export const views = { free: "scene.free", above: "scene.above", follow: "scene.follow", first: "scene.first" } as const;
export type View = keyof typeof views;

const eyeHeight = 0.06; // of the view from the robot, m

/** Cameras moves the camera; changed is called when it moved. */
export class Cameras {
  readonly camera = new THREE.PerspectiveCamera(50, 1, 0.005, 500);
  readonly controls: OrbitControls;
  private mode: View = "free";
  private last: THREE.Vector3 | undefined; // of the robot that is followed
  /** touched is set once a person moved the camera: it no longer fits all by itself. */
  touched = false;

  constructor(canvas: HTMLElement, changed: () => void) {
    this.camera.up.set(0, 0, 1);
    this.camera.position.set(-0.8, -1.2, 1.2);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = false;
    this.controls.maxPolarAngle = Math.PI / 2 - 0.01;
    this.controls.minDistance = 0.05;
    this.controls.maxDistance = 200;
    this.controls.addEventListener("change", changed);
    this.controls.addEventListener("start", () => { this.touched = true; });
  }

  get view(): View { return this.mode; }
  set view(v: View) {
    this.mode = v;
    this.last = undefined;
    this.controls.enabled = v !== "first";
    this.controls.enableRotate = v !== "above";
    this.controls.screenSpacePanning = v === "above";
    const d = Math.max(this.camera.position.distanceTo(this.controls.target), 0.3), t = this.controls.target;
    if (v === "above") this.camera.position.set(t.x, t.y - 1e-4 * d, t.z + d);
    if (v === "follow" && d > 1.5) this.camera.position.sub(t).setLength(1.5).add(t);
    if (v !== "first") this.controls.update();
  }

  /** fit shows what is in a box. */
  fit(box: THREE.Box3): void {
    if (box.isEmpty()) return;
    const center = box.getCenter(new THREE.Vector3()), radius = Math.max(0.2, box.getSize(new THREE.Vector3()).length() / 2);
    const angle = (this.camera.fov * Math.PI) / 360, distance = radius / Math.sin(Math.min(angle, Math.atan(Math.tan(angle) * this.camera.aspect)));
    const from = this.mode === "above" ? new THREE.Vector3(0, -1e-4, 1) : new THREE.Vector3(-0.35, -0.8, 0.85);
    this.controls.target.copy(center.setZ(0));
    this.camera.position.copy(center).add(from.setLength(distance));
    this.controls.update();
  }

  zoom(by: number): void {
    this.touched = true;
    const t = this.controls.target;
    this.camera.position.sub(t).multiplyScalar(1 / by).clampLength(this.controls.minDistance, this.controls.maxDistance).add(t);
    this.controls.update();
  }

  /** pan moves the view by parts of its distance, to the right and away from the viewer. */
  pan(right: number, away: number): void {
    this.touched = true;
    const t = this.controls.target, offset = this.camera.position.clone().sub(t), d = offset.length();
    const x = new THREE.Vector3().setFromMatrixColumn(this.camera.matrix, 0).setZ(0).normalize(), y = new THREE.Vector3(0, 0, 1).cross(x);
    t.addScaledVector(x, right * d).addScaledVector(y, away * d);
    this.camera.position.copy(t).add(offset);
    this.controls.update();
  }

  /** follow keeps the camera with a robot, if the view is one that does. */
  follow(p: Pose | undefined): void {
    if (!p) return;
    const at = new THREE.Vector3(p.x, p.y, 0);
    if (this.mode === "first") {
      this.camera.position.set(p.x, p.y, eyeHeight);
      this.camera.lookAt(p.x + Math.cos(p.a), p.y + Math.sin(p.a), eyeHeight);
    } else if (this.mode === "follow") {
      const moved = at.clone().sub(this.last ?? this.controls.target);
      this.camera.position.add(moved);
      this.controls.target.copy(at);
      this.last = at;
      this.controls.update();
    }
  }

  resize(width: number, height: number): void {
    this.camera.aspect = width / Math.max(1, height);
    this.camera.updateProjectionMatrix();
  }

  dispose(): void { this.controls.dispose(); }
}
