// SPDX-License-Identifier: Apache-2.0
// Solids drawn by instances: one call of WebGL draws all solids of one shape, however many robots there are.
import * as THREE from "three";

/** Solid is one instance: its shape, where and how large it is, its colour and opacity (0…1), and what it belongs to. */
export interface Solid { shape: string; matrix: THREE.Matrix4; color: THREE.Color; alpha: number; owner?: unknown }

/** shapes are of unit size: edges and diameters of 1 m, the cone from its tip at the origin to x = 1 with a radius of 1. */
export const shapes = ["cube", "sphere", "cylinder", "cone"] as const;

function unit(shape: (typeof shapes)[number]): THREE.BufferGeometry {
  switch (shape) {
    case "cube": return new THREE.BoxGeometry(1, 1, 1);
    case "sphere": return new THREE.SphereGeometry(0.5, 20, 14);
    case "cylinder": return new THREE.CylinderGeometry(0.5, 0.5, 1, 24).rotateX(Math.PI / 2);
    case "cone": return new THREE.ConeGeometry(1, 1, 20, 1, true).rotateZ(Math.PI / 2).translate(0.5, 0, 0);
  }
}

const opacities = 8; // steps of opacity: each is a call of its own

interface Batch { mesh: THREE.InstancedMesh; used: number; owners: unknown[] }

/** Instances is a set of solids that is written anew as a whole. */
export class Instances {
  readonly group = new THREE.Group();
  private geometries: Map<string, THREE.BufferGeometry>;
  private batches = new Map<string, Batch>();

  constructor(geometries: Map<string, THREE.BufferGeometry>) { this.geometries = geometries; }

  /** begin removes all solids. */
  begin(): void { for (const batch of this.batches.values()) { batch.used = 0; batch.owners.length = 0; } }

  add(solid: Solid): void {
    const level = Math.max(1, Math.min(opacities, Math.round(solid.alpha * opacities)));
    if (!(solid.alpha > 0)) return;
    const key = solid.shape + " " + level;
    let batch = this.batches.get(key);
    if (!batch || batch.used === batch.mesh.instanceMatrix.count) {
      batch = this.grow(key, solid.shape, level / opacities, batch);
      if (!batch) return;
    }
    batch.mesh.setMatrixAt(batch.used, solid.matrix);
    batch.mesh.setColorAt(batch.used, solid.color);
    batch.owners[batch.used++] = solid.owner;
  }

  /** end passes what was added to WebGL. */
  end(): void {
    for (const { mesh, used } of this.batches.values()) {
      mesh.count = used;
      mesh.visible = used > 0;
      if (!used) continue;
      mesh.instanceMatrix.needsUpdate = true;
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
      mesh.boundingSphere = null;
    }
  }

  private grow(key: string, shape: string, opacity: number, old: Batch | undefined): Batch | undefined {
    const geometry = this.geometries.get(shape);
    if (!geometry) return undefined;
    const material = old ? (old.mesh.material as THREE.Material) : new THREE.MeshLambertMaterial({
      transparent: opacity < 1, opacity, depthWrite: opacity === 1, side: shape === "cone" || opacity < 1 ? THREE.DoubleSide : THREE.FrontSide,
    });
    const mesh = new THREE.InstancedMesh(geometry, material, old ? old.mesh.instanceMatrix.count * 2 : 64);
    mesh.frustumCulled = false;
    mesh.setColorAt(0, new THREE.Color());
    if (old) {
      mesh.instanceMatrix.array.set(old.mesh.instanceMatrix.array);
      mesh.instanceColor!.array.set(old.mesh.instanceColor!.array);
      this.group.remove(old.mesh);
      old.mesh.dispose();
    }
    this.group.add(mesh);
    const batch = { mesh, used: old?.used ?? 0, owners: old?.owners ?? [] };
    this.batches.set(key, batch);
    return batch;
  }

  /** pick returns the owner of the nearest solid that a ray meets, with its distance (m). */
  pick(ray: THREE.Raycaster): { owner: unknown; distance: number } | undefined {
    let best: { owner: unknown; distance: number } | undefined;
    for (const batch of this.batches.values()) {
      if (!batch.used) continue;
      for (const hit of ray.intersectObject(batch.mesh, false)) {
        const owner = batch.owners[hit.instanceId ?? -1];
        if (owner !== undefined && (!best || hit.distance < best.distance)) best = { owner, distance: hit.distance };
      }
    }
    return best;
  }

  /** count is the number of solids. */
  get count(): number { let n = 0; for (const batch of this.batches.values()) n += batch.used; return n; }

  dispose(): void {
    for (const { mesh } of this.batches.values()) { mesh.dispose(); (mesh.material as THREE.Material).dispose(); }
    this.batches.clear();
    this.group.clear();
  }
}

/** newGeometries are the unit shapes by name; meshes of files join them. */
export function newGeometries(): Map<string, THREE.BufferGeometry> {
  return new Map<string, THREE.BufferGeometry>(shapes.map((s) => [s, unit(s)]));
}
