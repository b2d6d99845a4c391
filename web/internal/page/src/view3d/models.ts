// SPDX-License-Identifier: Apache-2.0
// Robots by their description (URDF): read once a text, drawn by instances. Meshes come from the server, which reads them
// from the ROS packages it knows; a mesh that it does not have is left out.
import * as THREE from "three";
import { ColladaLoader } from "three/examples/jsm/loaders/ColladaLoader.js";
import { STLLoader } from "three/examples/jsm/loaders/STLLoader.js";
import URDFLoader, { URDFRobot } from "urdf-loader";
import { Instances, Solid } from "./instances";

/** Asset asks the server for a file of a ROS package. */
export type Asset = (uri: string) => Promise<ArrayBuffer>;

interface Part { shape: string; object: THREE.Object3D; scale: THREE.Matrix4; rest: THREE.Matrix4; color: THREE.Color; alpha: number }

const longest = 2_000_000; // characters of a description
const ratios: Record<string, THREE.Matrix4> = { // from three.js' shapes, as urdf-loader makes them, to unit ones
  BoxGeometry: new THREE.Matrix4(),
  SphereGeometry: new THREE.Matrix4().makeScale(2, 2, 2),
  CylinderGeometry: new THREE.Matrix4().makeRotationX(-Math.PI / 2).multiply(new THREE.Matrix4().makeScale(2, 2, 1)),
};
const names: Record<string, string> = { BoxGeometry: "cube", SphereGeometry: "sphere", CylinderGeometry: "cylinder" };

/** Model is a robot's description. */
export class Model {
  readonly parts: Part[] = [];
  /** incomplete is set if a mesh could not be read. */
  incomplete = false;
  private root: URDFRobot | undefined;
  private bases = new Map<string, THREE.Matrix4>();

  constructor(text: string, meshes: Meshes, private changed: () => void) {
    if (text.length > longest) throw new Error("the description is too long");
    const document = new DOMParser().parseFromString(text, "text/xml");
    if (document.querySelector("parsererror") || !document.querySelector("robot")) throw new Error("the description is not URDF");
    for (const t of document.querySelectorAll("texture")) t.remove(); // pictures would come from anywhere
    const loader = new URDFLoader();
    loader.packages = (name) => "package://" + name;
    loader.loadMeshCb = (uri, _manager, material, done) => void meshes.get(uri).then((o) => {
      const copy = o.clone();
      copy.traverse((c) => { if (c instanceof THREE.Mesh && /\.stl$/i.test(uri)) c.material = material; });
      done(copy);
      this.collect();
      this.changed();
    }, () => { this.incomplete = true; });
    this.root = loader.parse(document);
    this.collect();
  }

  private collect(): void {
    if (!this.root) return; // meshes that were known already
    this.root.updateMatrixWorld(true);
    this.parts.length = 0;
    this.root.traverse((o) => {
      if (!(o instanceof THREE.Mesh)) return;
      const material = (Array.isArray(o.material) ? o.material[0] : o.material) as THREE.MeshPhongMaterial;
      const scale = ratios[o.geometry.type] ?? new THREE.Matrix4();
      const shape = names[o.geometry.type] ?? (o.geometry.userData.shape as string | undefined);
      if (!shape) return;
      this.parts.push({ shape, object: o, scale, rest: o.matrixWorld.clone().multiply(scale), color: material.color ?? new THREE.Color(0.7, 0.7, 0.7), alpha: material.opacity });
    });
  }

  /** fromBase takes coordinates of the description's root to those of a link, all joints at zero. */
  private fromBase(link: string): THREE.Matrix4 {
    let m = this.bases.get(link);
    if (!m) {
      const found = this.root!.links[link] ?? this.root!.links[link.slice(link.lastIndexOf("/") + 1)];
      m = found ? found.matrixWorld.clone().invert() : new THREE.Matrix4();
      this.bases.set(link, m);
    }
    return m;
  }

  /** draw adds the robot with its base link at a place; joints are angles (rad) or lengths (m) by name. */
  draw(into: Instances, base: THREE.Matrix4, link: string, joints: Map<string, number> | undefined, owner: unknown): void {
    const at = base.clone().multiply(this.fromBase(link)), solid: Solid = { shape: "", matrix: new THREE.Matrix4(), color: new THREE.Color(), alpha: 1, owner };
    if (joints?.size) {
      for (const [name, value] of joints) this.root!.setJointValue(name, value);
      this.root!.updateMatrixWorld(true);
    }
    for (const p of this.parts) {
      solid.shape = p.shape; solid.color = p.color; solid.alpha = p.alpha;
      if (joints?.size) solid.matrix.multiplyMatrices(at, p.object.matrixWorld).multiply(p.scale);
      else solid.matrix.multiplyMatrices(at, p.rest);
      into.add(solid);
    }
    if (joints?.size) {
      for (const name of joints.keys()) this.root!.setJointValue(name, 0);
      this.root!.updateMatrixWorld(true);
    }
  }
}

/** Meshes are files of shapes, each read once. Their geometries are shapes of Instances. */
export class Meshes {
  private files = new Map<string, Promise<THREE.Object3D>>();
  constructor(private asset: Asset, private geometries: Map<string, THREE.BufferGeometry>) {}

  get(uri: string): Promise<THREE.Object3D> {
    let f = this.files.get(uri);
    if (!f) {
      f = this.load(uri);
      f.catch(() => this.files.delete(uri)); // the next description asks again
      this.files.set(uri, f);
    }
    return f;
  }

  private async load(uri: string): Promise<THREE.Object3D> {
    if (!uri.startsWith("package://")) throw new Error("not of a package: " + uri);
    const data = await this.asset(uri);
    const object = /\.stl$/i.test(uri) ? new THREE.Mesh(new STLLoader().parse(data)) : /\.dae$/i.test(uri) ? collada(data) : undefined;
    if (!object) throw new Error("a kind of mesh that is not read: " + uri);
    let n = 0;
    object.traverse((o) => {
      if (!(o instanceof THREE.Mesh)) return;
      const shape = `${uri} ${n++}`;
      o.geometry.userData.shape = shape;
      this.geometries.set(shape, o.geometry);
    });
    return object;
  }
}

function collada(data: ArrayBuffer): THREE.Object3D {
  const document = new DOMParser().parseFromString(new TextDecoder().decode(data), "text/xml");
  for (const e of document.querySelectorAll("library_images, library_cameras, library_lights")) e.remove(); // no file from elsewhere
  const read = new ColladaLoader().parse(new XMLSerializer().serializeToString(document), "");
  if (!read) throw new Error("not a COLLADA file");
  return read.scene;
}
