// SPDX-License-Identifier: Apache-2.0
// Transforms as three.js has them.
import * as THREE from "three";
import { Transform } from "../transforms";

const one = new THREE.Vector3(1, 1, 1), at = new THREE.Vector3(), turned = new THREE.Quaternion();

/** matrixOf writes a transform into a matrix. */
export function matrixOf(a: Transform, into = new THREE.Matrix4()): THREE.Matrix4 {
  return into.compose(at.fromArray(a.t), turned.fromArray(a.q), one);
}

/** colorOf is a std_msgs/ColorRGBA. */
export function colorOf(c: { r: number; g: number; b: number }): THREE.Color { return new THREE.Color().setRGB(c.r, c.g, c.b, THREE.SRGBColorSpace); }

/** segment is a unit cube or cylinder laid from a to b, with a width and a height (m): x is along it. */
export function segment(a: THREE.Vector3, b: THREE.Vector3, width: number, height: number): THREE.Matrix4 {
  const along = b.clone().sub(a), length = along.length();
  const turn = new THREE.Quaternion();
  if (length > 1e-9) {
    const x = along.divideScalar(length), up = Math.abs(x.z) > 0.999 ? new THREE.Vector3(0, 1, 0) : new THREE.Vector3(0, 0, 1);
    const y = up.cross(x).normalize(), z = x.clone().cross(y);
    turn.setFromRotationMatrix(new THREE.Matrix4().makeBasis(x, y, z));
  }
  return new THREE.Matrix4().compose(a.clone().add(b).multiplyScalar(0.5), turn, new THREE.Vector3(Math.max(length, 1e-6), width, height));
}
