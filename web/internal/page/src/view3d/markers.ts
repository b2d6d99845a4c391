// SPDX-License-Identifier: Apache-2.0
// Markers of visualization_msgs, all types: solids by instances, the rest as objects of their own. Frames are looked up
// with each drawing for markers that are locked to theirs, else once.
import * as THREE from "three";
import { Transform, ofMessage, seconds } from "../transforms";
import { Instances } from "./instances";
import { colorOf, matrixOf, segment } from "./matrices";
import { Meshes } from "./models";

/** Place takes coordinates of a frame at a time (s) to the fixed one. */
export type Place = (frame: string, time?: number) => Transform | undefined;

interface Entry { message: any; local: THREE.Matrix4; until: number; object?: THREE.Object3D }

const mostEntries = 20_000, mostPoints = 20_000, mostTexts = 200;
const arrow = 0, cube = 1, sphere = 2, cylinder = 3, lineStrip = 4, lineList = 5, cubeList = 6, sphereList = 7, points = 8, text = 9, mesh = 10, triangles = 11;
const one = new THREE.Vector3(1, 1, 1);

/** Markers are those of one topic. */
export class Markers {
  readonly group = new THREE.Group();
  private entries = new Map<string, Entry>();
  /** refused are those whose latest pose was not finite: they are not shown. */
  readonly refused = new Set<string>();

  /** owned makes picks return the marker: things of a simulation. */
  constructor(private meshes: Meshes, private changed: () => void, private owned = false) {}

  /** take applies markers as they came. */
  take(list: any[]): void {
    for (const m of list) {
      const key = m.ns + "\u0000" + m.id;
      if (m.action === 3) { for (const k of [...this.entries.keys(), ...this.refused]) if (!m.ns || k.startsWith(m.ns + "\u0000")) this.remove(k); }
      else if (m.action === 2) this.remove(key);
      else this.put(key, m);
    }
    this.changed();
  }

  private put(key: string, m: any): void {
    this.remove(key);
    if (this.entries.size >= mostEntries) return;
    const lifetime = seconds(m.lifetime), pose = ofMessage(m.pose);
    if (!pose) {
      if (this.refused.size < mostEntries) this.refused.add(key);
      return;
    }
    const entry: Entry = { message: m, local: matrixOf(pose), until: lifetime > 0 ? performance.now() + 1000 * lifetime : Infinity };
    if (m.type === text && this.group.children.length < mostTexts) entry.object = textOf(m);
    if (m.type === points) entry.object = pointsOf(m);
    if (m.type === triangles) entry.object = trianglesOf(m);
    if (m.type === mesh) this.loadMesh(entry);
    if (entry.object) { entry.object.matrixAutoUpdate = false; this.group.add(entry.object); }
    this.entries.set(key, entry);
  }

  private loadMesh(entry: Entry): void {
    const m = entry.message;
    this.meshes.get(m.mesh_resource).then((o) => {
      if (![...this.entries.values()].includes(entry)) return;
      const copy = o.clone();
      if (!m.mesh_use_embedded_materials) copy.traverse((c) => { if (c instanceof THREE.Mesh) c.material = new THREE.MeshLambertMaterial({ color: colorOf(m.color), transparent: m.color.a < 1, opacity: m.color.a }); });
      copy.scale.multiply(new THREE.Vector3(m.scale.x, m.scale.y, m.scale.z));
      entry.object = new THREE.Group().add(copy);
      entry.object.matrixAutoUpdate = false;
      this.group.add(entry.object);
      this.changed();
    }, () => undefined); // the server does not have it
  }

  private remove(key: string): void {
    const e = this.entries.get(key);
    this.entries.delete(key);
    this.refused.delete(key);
    if (!e?.object) return;
    this.group.remove(e.object);
    release(e.object);
  }

  clear(): void { for (const key of [...this.entries.keys(), ...this.refused]) this.remove(key); }

  /** draw adds the solids and places the objects; markers whose time is over go. It returns how many are not connected. */
  draw(into: Instances, place: Place): number {
    const now = performance.now();
    let lost = 0;
    for (const [key, e] of this.entries) {
      if (now > e.until) { this.remove(key); continue; }
      const m = e.message, stamp = seconds(m.header.stamp), at = place(m.header.frame_id, m.frame_locked || stamp === 0 ? undefined : stamp);
      if (e.object) e.object.visible = at !== undefined;
      if (!at) { lost++; continue; }
      const base = matrixOf(at).multiply(e.local);
      if (e.object) { e.object.matrix.copy(base); e.object.matrixWorldNeedsUpdate = true; }
      else solids(into, m, base, this.owned ? m : undefined);
    }
    return lost;
  }

  get size(): number { return this.entries.size; }
}

/** release frees what an object of its own holds. Meshes of files share their geometries. */
function release(o: THREE.Object3D): void {
  o.traverse((c: any) => {
    if (c.geometry && !c.geometry.userData.shape && !(c instanceof THREE.Sprite)) c.geometry.dispose();
    if (c.material && !Array.isArray(c.material)) { c.material.map?.dispose(); c.material.dispose(); }
  });
}

const point = (p: any) => new THREE.Vector3(p.x, p.y, p.z);

/** solids adds a marker's cubes, spheres, cylinders, arrows and lines, which are drawn as ribbons of their width. */
function solids(into: Instances, m: any, base: THREE.Matrix4, owner: unknown): void {
  const color = colorOf(m.color), put = (shape: string, local: THREE.Matrix4, c = color, alpha = m.color.a) =>
    into.add({ shape, matrix: base.clone().multiply(local), color: c, alpha, owner });
  const sized = (p: THREE.Vector3) => new THREE.Matrix4().makeTranslation(p.x, p.y, p.z).scale(new THREE.Vector3(m.scale.x, m.scale.y, m.scale.z));
  const origin = new THREE.Vector3(), list: any[] = (m.points ?? []).slice(0, mostPoints);
  const own = (i: number) => (m.colors?.length === m.points.length ? [colorOf(m.colors[i]), m.colors[i].a] as const : [color, m.color.a] as const);
  switch (m.type) {
    case cube: put("cube", sized(origin)); break;
    case sphere: put("sphere", sized(origin)); break;
    case cylinder: put("cylinder", sized(origin)); break;
    case cubeList: case sphereList: list.forEach((p, i) => put(m.type === cubeList ? "cube" : "sphere", sized(point(p)), ...own(i))); break;
    case lineStrip: case lineList:
      for (let i = 1; i < list.length; i += m.type === lineList ? 2 : 1) put("cube", segment(point(list[i - 1]), point(list[i]), m.scale.x, Math.min(m.scale.x, 0.002)), ...own(i));
      break;
    case arrow: {
      const two = list.length >= 2, from = two ? point(list[0]) : origin, to = two ? point(list[1]) : new THREE.Vector3(m.scale.x, 0, 0);
      arrowTo(from, to, two ? m.scale.x : m.scale.y, two ? m.scale.y : 2 * m.scale.y, two && m.scale.z > 0 ? m.scale.z : undefined, put);
      break;
    }
  }
}

/** arrowTo adds a shaft and a head, of diameters (m); the head is a quarter of the arrow long unless its length is given. */
export function arrowTo(from: THREE.Vector3, to: THREE.Vector3, shaft: number, head: number, length: number | undefined, put: (shape: string, local: THREE.Matrix4) => void): void {
  const whole = to.distanceTo(from), tip = Math.min(whole, length ?? whole / 4);
  if (!(whole > 0)) return;
  const neck = to.clone().lerp(from, tip / whole);
  put("cube", segment(from, neck, shaft, shaft));
  const turn = segment(to, neck, 1, 1), q = new THREE.Quaternion();
  turn.decompose(new THREE.Vector3(), q, new THREE.Vector3());
  put("cone", new THREE.Matrix4().compose(to, q, new THREE.Vector3(tip, head / 2, head / 2)));
}

function textOf(m: any): THREE.Object3D {
  return new THREE.Group().add(label(String(m.text).slice(0, 200), colorOf(m.color), m.scale.z, m.color.a));
}

/** label is a text that faces the viewer, of a height (m). */
export function label(content: string, color: THREE.Color, height: number, opacity = 1): THREE.Sprite {
  const canvas = document.createElement("canvas"), g = canvas.getContext("2d")!, font = "48px system-ui, sans-serif";
  g.font = font;
  canvas.width = Math.min(2048, Math.ceil(g.measureText(content).width) + 16); canvas.height = 64;
  g.font = font; g.textBaseline = "middle"; g.lineWidth = 6; g.lineJoin = "round";
  g.strokeStyle = "rgba(0, 0, 0, 0.7)"; g.strokeText(content, 8, 32);
  g.fillStyle = color.getStyle(THREE.SRGBColorSpace); g.fillText(content, 8, 32);
  const map = new THREE.CanvasTexture(canvas);
  map.colorSpace = THREE.SRGBColorSpace;
  const sprite = new THREE.Sprite(new THREE.SpriteMaterial({ map, transparent: true, opacity, depthTest: false }));
  sprite.scale.set((height * canvas.width) / 64, height, 1);
  return sprite;
}

/** attributes are the points and colours of a marker. */
function attributes(m: any): THREE.BufferGeometry {
  const g = new THREE.BufferGeometry();
  g.setAttribute("position", new THREE.BufferAttribute(new Float32Array(m.points.flatMap((p: any) => [p.x, p.y, p.z])), 3));
  if (m.colors?.length !== m.points.length) return g;
  return g.setAttribute("color", new THREE.BufferAttribute(new Float32Array(m.colors.flatMap((c: any) => colorOf(c).toArray())), 3));
}

function pointsOf(m: any): THREE.Object3D {
  const g = attributes(m), own = g.hasAttribute("color");
  return new THREE.Group().add(new THREE.Points(g, new THREE.PointsMaterial({ size: m.scale.x, vertexColors: own, color: own ? 0xffffff : colorOf(m.color) })));
}

function trianglesOf(m: any): THREE.Object3D {
  const g = attributes(m), own = g.hasAttribute("color");
  g.computeVertexNormals();
  const material = new THREE.MeshLambertMaterial({ side: THREE.DoubleSide, vertexColors: own, color: own ? 0xffffff : colorOf(m.color), transparent: m.color.a < 1, opacity: m.color.a });
  const o = new THREE.Mesh(g, material);
  o.scale.copy(one).multiply(new THREE.Vector3(m.scale.x || 1, m.scale.y || 1, m.scale.z || 1));
  return new THREE.Group().add(o);
}
