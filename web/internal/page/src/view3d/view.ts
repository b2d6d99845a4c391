// SPDX-License-Identifier: Apache-2.0
// The view in three dimensions: robots, the simulation's world and all layers in the fixed frame. It draws only what has
// changed, and nothing while it is stopped. This is the entry of the second script, which is loaded when first needed.
import * as THREE from "three";
import { Client } from "../client";
import { Frames } from "../frames";
import { Navigation } from "../navigation";
import { t } from "../texts";
import { Fleet } from "../robots";
import { color, eachFrame } from "../ui";
import { Axes } from "./axes";
import { Cameras } from "./cameras";
import { Offer, offers } from "./catalogue";
import { Commands } from "./commands";
import { Floor } from "./floor";
import { Instances, newGeometries } from "./instances";
import { Layer, MarkerLayer, Stage } from "./layer";
import { arrowTo } from "./markers";
import { segment } from "./matrices";
import { Meshes } from "./models";
import { Robots } from "./robots";
import { Mover } from "./simulation";
import { Hit, Tools } from "./tools";

export { tools } from "./tools";
export { views } from "./cameras";

const accent = new THREE.Color(0x2f9e6e);

/** View3D draws on a canvas; layersChanged and said are called when the list of layers and the text for people change. */
export class View3D {
  readonly canvas = document.createElement("canvas");
  readonly cameras: Cameras;
  readonly tools: Tools;
  readonly axes: Axes;
  /** offered are the layers that can be shown. */
  offered: Offer[] = [];
  layersChanged = (): void => undefined;
  said = (_text: string): void => undefined;

  private renderer: THREE.WebGLRenderer;
  private scene = new THREE.Scene();
  private solids: Instances;
  private robots: Robots;
  private stage: Stage;
  private commands: Commands;
  private shown = new Map<string, Layer>();
  private floor = new Floor();
  private ray = new THREE.Raycaster();
  private dirty = true;
  private seen = 0;
  private pressed = false;
  private stops: (() => void)[] = [];
  private drawings = 0;
  private fitted: { size: number; center: THREE.Vector3 } | undefined;

  constructor(private client: Client, private fleet: Fleet, readonly frames: Frames, navigation: Navigation,
    private chosenLayers: Record<string, boolean>, private storeLayers: (layers: Record<string, boolean>) => void) {
    this.canvas.addEventListener("pointerdown", (e) => this.press(e)); // before the camera's
    this.canvas.addEventListener("pointermove", (e) => { if (this.pressed) { this.tools.move(this.hit(e)); this.changed(); } });
    for (const name of ["pointerup", "pointercancel"] as const) this.canvas.addEventListener(name, () => this.release());
    this.renderer = new THREE.WebGLRenderer({ canvas: this.canvas, antialias: true });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.info.autoReset = true;
    const geometries = newGeometries(), meshes = new Meshes((uri) => client.asset(uri), geometries);
    this.solids = new Instances(geometries);
    this.robots = new Robots(client, fleet, frames, meshes, () => this.changed());
    this.stage = { client, place: (f, t) => frames.place(f, t), solids: this.solids, meshes, changed: () => this.changed() };
    this.commands = new Commands(client, fleet, frames, navigation);
    this.tools = new Tools(fleet, frames, this.commands, new Mover(client), (text) => { this.said(text); this.changed(); });
    this.axes = new Axes(frames);
    this.cameras = new Cameras(this.canvas, () => this.changed());
    const sun = new THREE.DirectionalLight(0xffffff, 1.6);
    sun.position.set(2, -3, 6);
    this.scene.add(this.floor.group, this.solids.group, this.axes.group, new THREE.HemisphereLight(0xffffff, 0x8a9288, 1.8), sun);
    fleet.addEventListener("changed", () => { if (this.running) this.robots.follow(); });
    fleet.addEventListener("chosen", () => { if (this.running) { this.robots.follow(); this.refresh(); } });
    client.on("channels", () => { if (this.running) this.refresh(); });
    this.canvas.addEventListener("webglcontextlost", (e) => e.preventDefault());
    this.canvas.addEventListener("webglcontextrestored", () => this.changed());
  }

  get running(): boolean { return this.stops.length > 0; }
  changed(): void { this.dirty = true; }

  /** start begins to read and to draw. */
  start(): void {
    if (this.running) return;
    this.fleet.watch(true);
    const sizes = new ResizeObserver(() => this.resize());
    sizes.observe(this.canvas.parentElement!);
    const timer = setInterval(() => this.tick(), 250);
    this.stops = [() => this.fleet.watch(false), this.frames.watch(true), () => sizes.disconnect(), () => clearInterval(timer), eachFrame(() => this.frame())];
    this.robots.follow();
    this.refresh();
    this.resize();
  }

  /** dispose frees what the graphics card holds: a browser has few contexts. */
  dispose(): void {
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }

  stop(): void {
    for (const stop of this.stops) stop();
    this.stops = [];
    this.robots.stop();
    for (const [key, layer] of this.shown) { layer.stop(); this.scene.remove(layer.group); this.shown.delete(key); }
  }

  /** refresh makes the list of layers anew, and begins and ends them. */
  refresh(): void {
    this.offered = offers(this.client.topics.values(), this.fleet.robots.keys(), this.fleet.chosen?.name);
    const keys = new Set(this.offered.map((o) => o.key));
    for (const [key, layer] of this.shown) if (!keys.has(key) || !this.isOn(key)) { layer.stop(); this.scene.remove(layer.group); this.shown.delete(key); }
    for (const o of this.offered) {
      if (this.shown.has(o.key) || !this.isOn(o.key)) continue;
      const layer = o.make(this.stage);
      this.shown.set(o.key, layer);
      this.scene.add(layer.group);
      layer.start();
    }
    this.changed();
    this.layersChanged();
  }

  isOn(key: string): boolean {
    const o = this.offered.find((x) => x.key === key);
    return o !== undefined && (this.chosenLayers[o.title] ?? o.on);
  }

  /** show shows a layer or not, and stores that. */
  show(key: string, on: boolean): void {
    const o = this.offered.find((x) => x.key === key);
    if (!o) return;
    this.chosenLayers[o.title] = on;
    this.storeLayers(this.chosenLayers);
    this.refresh();
  }

  /** missing is why a layer does not show something, empty if it shows all. */
  missing(key: string): string {
    const layer = this.shown.get(key);
    return layer?.refused || (layer?.lost ? t("scene.lost") : "");
  }

  private resize(): void {
    const host = this.canvas.parentElement!, w = host.clientWidth, h = host.clientHeight;
    if (!w || !h) return;
    this.renderer.setSize(w, h, false);
    this.cameras.resize(w, h);
    this.changed();
  }

  /** tick is for what changes without a message: waypoints, lifetimes of markers, layers' states. */
  private tick(): void {
    const text = this.commands.step();
    if (text) this.said(text);
    if ([...this.shown.values()].some((l) => l instanceof MarkerLayer && l.markers.size)) this.changed();
    this.layersChanged();
  }

  private frame(): void {
    let seen = 0;
    for (const r of this.fleet.robots.values()) seen = Math.max(seen, r.seen);
    if (seen !== this.seen) { this.seen = seen; this.dirty = true; }
    if (!this.dirty || this.renderer.getContext().isContextLost()) return;
    this.dirty = false;
    this.solids.begin();
    this.robots.draw(this.solids, this.tools.moved);
    for (const layer of this.shown.values()) layer.draw();
    this.drawTools();
    this.solids.end();
    this.axes.draw();
    const chosen = this.fleet.chosen;
    if (!this.cameras.touched && this.cameras.view !== "first") this.fit();
    this.cameras.follow(chosen && this.frames.baseOf(chosen)?.pose);
    const target = this.cameras.controls.target;
    this.floor.draw(target, this.cameras.camera.position.distanceTo(target), color("line"));
    this.scene.background = new THREE.Color(color("ground"));
    this.renderer.render(this.scene, this.cameras.camera);
    this.drawings++;
  }

  /** fit shows all robots and solids; small changes leave the camera where it is. */
  private fit(): void {
    const box = new THREE.Box3(), m = new THREE.Matrix4(), size = new THREE.Vector3(0.1, 0.1, 0.1);
    for (const child of this.solids.group.children as THREE.InstancedMesh[]) {
      for (let i = 0; i < child.count && child.visible; i++) {
        child.getMatrixAt(i, m);
        box.expandByPoint(new THREE.Vector3().setFromMatrixPosition(m));
      }
    }
    box.expandByVector(size);
    const was = this.fitted, now = box.getSize(size).length();
    if (was && now < 1.5 * was.size && now > was.size / 1.5 && box.getCenter(new THREE.Vector3()).distanceTo(was.center) < now / 8) return;
    this.fitted = { size: now, center: box.getCenter(new THREE.Vector3()) };
    this.cameras.fit(box);
  }

  /** showAll fits the scene again. */
  showAll(): void {
    this.cameras.touched = false;
    this.fitted = undefined;
    this.changed();
  }

  private drawTools(): void {
    const t = this.tools, put = (shape: string, matrix: THREE.Matrix4) => this.solids.add({ shape, matrix, color: accent, alpha: 1 });
    if (t.line) put("cube", segment(t.line[0], t.line[1], 0.004, 0.004));
    for (const p of t.arrow ? [...t.list, t.arrow] : t.list) {
      const from = new THREE.Vector3(p.x, p.y, 0.01);
      arrowTo(from, from.clone().add(new THREE.Vector3(0.12 * Math.cos(p.a), 0.12 * Math.sin(p.a), 0)), 0.01, 0.04, undefined, put);
    }
  }

  private hit(e: PointerEvent): Hit {
    const box = this.canvas.getBoundingClientRect();
    this.cameras.camera.updateMatrixWorld();
    this.ray.setFromCamera(new THREE.Vector2(((e.clientX - box.left) / box.width) * 2 - 1, 1 - ((e.clientY - box.top) / box.height) * 2), this.cameras.camera);
    const floor = this.ray.ray.intersectPlane(new THREE.Plane(new THREE.Vector3(0, 0, 1), 0), new THREE.Vector3()) ?? undefined;
    const solid = this.ray.intersectObjects(this.solids.group.children, false)[0];
    return { floor, surface: solid?.point, owner: this.solids.pick(this.ray)?.owner };
  }

  private press(e: PointerEvent): void {
    if (e.button !== 0) return;
    this.pressed = this.tools.press(this.hit(e));
    if (!this.pressed) return;
    this.cameras.controls.enabled = false;
    this.canvas.setPointerCapture(e.pointerId);
    this.changed();
  }

  private release(): void {
    if (!this.pressed) return;
    this.pressed = false;
    this.tools.release();
    this.cameras.controls.enabled = this.cameras.view !== "first";
    this.changed();
  }

  /** state says what is drawn and where, for tests: places are those of the fixed frame, m and rad. */
  state(): object {
    const robots: Record<string, object> = {};
    for (const r of this.fleet.robots.values()) {
      const at = this.frames.baseOf(r);
      if (at) robots[r.name] = { ...at.pose, known: at.known, described: (this.robots.modelOf(r.name)?.parts.length ?? 0) > 0 };
    }
    const layers = [...this.shown].map(([key, l]) => ({ key, lost: l.lost, count: (l as any).count ?? (l as any).markers?.size ?? 0 }));
    return {
      fixed: this.frames.fixed, robots, layers, frames: this.axes.shown, solids: this.solids.count, calls: this.renderer.info.render.calls, drawings: this.drawings, view: this.cameras.view,
      camera: this.cameras.camera.position.toArray(), measured: this.tools.line?.[0].distanceTo(this.tools.line[1]), waypoints: this.tools.list.length,
    };
  }

  /** toScreen is where a place of the fixed frame is drawn, in pixels of the window, for tests. */
  toScreen(x: number, y: number, z = 0): { x: number; y: number } {
    this.cameras.camera.updateMatrixWorld();
    const p = new THREE.Vector3(x, y, z).project(this.cameras.camera), box = this.canvas.getBoundingClientRect();
    return { x: box.left + ((p.x + 1) / 2) * box.width, y: box.top + ((1 - p.y) / 2) * box.height };
  }
}
