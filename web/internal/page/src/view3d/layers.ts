// SPDX-License-Identifier: Apache-2.0
// The layers for grids, points, ranges, paths and poses.
import * as THREE from "three";
import { notFinite, ofMessage } from "../transforms";
import { Layer, Stage } from "./layer";
import { arrowTo } from "./markers";
import { matrixOf } from "./matrices";
import { Grid, Points, cloudPoints, gridOf, gridPixels, scanPoints, updateGrid } from "./points";

/** GridLayer shows an occupancy grid or a costmap, with its updates. */
export class GridLayer extends Layer {
  private grid: Grid | undefined;
  private header: any;
  private origin = new THREE.Matrix4();
  private mesh: THREE.Mesh<THREE.PlaneGeometry, THREE.MeshBasicMaterial> | undefined;
  private costs: boolean;

  constructor(stage: Stage, private topic: string) { super(stage); this.costs = topic.includes("costmap"); }

  start(): void {
    this.listen(this.topic, (m) => this.show(m), { period: 200 });
    this.listen(this.topic + "_updates", (m) => { if (this.grid) { updateGrid(this.grid, m); this.paint(this.grid); } }, {});
  }

  private show(m: any): void {
    const grid = gridOf(m);
    if (!grid) return;
    const origin = ofMessage(m.info.origin);
    this.refused = origin ? "" : notFinite;
    if (!origin) {
      this.grid = undefined;
      if (this.mesh) this.mesh.visible = false;
      return;
    }
    this.grid = grid;
    this.header = m.header;
    const w = grid.width * m.info.resolution, h = grid.height * m.info.resolution;
    matrixOf(origin, this.origin).multiply(new THREE.Matrix4().makeTranslation(w / 2, h / 2, this.costs ? -0.0006 : -0.0012)).scale(new THREE.Vector3(w, h, 1));
    this.paint(grid);
  }

  private paint(grid: Grid): void {
    let mesh = this.mesh;
    if (!mesh) {
      mesh = this.mesh = new THREE.Mesh(new THREE.PlaneGeometry(1, 1), new THREE.MeshBasicMaterial({ transparent: true, side: THREE.DoubleSide, depthWrite: false }));
      mesh.renderOrder = this.costs ? -1 : -2;
      this.group.add(mesh);
    }
    mesh.material.map?.dispose();
    const map = new THREE.DataTexture(gridPixels(grid, this.costs), grid.width, grid.height);
    map.colorSpace = THREE.SRGBColorSpace;
    map.magFilter = THREE.NearestFilter;
    map.needsUpdate = true;
    mesh.material.map = map;
    mesh.material.needsUpdate = true;
  }

  draw(): void { if (this.mesh && this.grid) this.put(this.mesh, this.header, this.origin, true); }
  override stop(): void { super.stop(); this.mesh = undefined; }
}

/** PointLayer shows a laser scan or a point cloud. */
export class PointLayer extends Layer {
  private points: THREE.Points<THREE.BufferGeometry, THREE.PointsMaterial> | undefined;
  private header: any;
  constructor(stage: Stage, private topic: string, private scan: boolean) { super(stage); }

  start(): void { this.listen(this.topic, (m) => this.show(m.header, this.scan ? scanPoints(m) : cloudPoints(m)), { period: this.scan ? 50 : 100 }); }

  private show(header: any, p: Points): void {
    this.header = header;
    this.points?.geometry.dispose();
    const g = new THREE.BufferGeometry();
    g.setAttribute("position", new THREE.BufferAttribute(p.positions, 3));
    if (p.colors) g.setAttribute("color", new THREE.BufferAttribute(p.colors, 3));
    if (this.points) { this.points.geometry = g; return; }
    const material = new THREE.PointsMaterial({ size: this.scan ? 6 : 3, sizeAttenuation: false, vertexColors: p.colors !== undefined, color: p.colors ? 0xffffff : 0xd23b2f });
    this.points = new THREE.Points(g, material);
    this.points.frustumCulled = false;
    this.group.add(this.points);
  }

  draw(): void { if (this.points) this.put(this.points, this.header); }
  get count(): number { return this.points?.geometry.getAttribute("position").count ?? 0; }
  override stop(): void { super.stop(); this.points = undefined; }
}

const near = new THREE.Color(0xd23b2f), free = new THREE.Color(0x4c8f6e);

/** RangeLayer shows distance sensors as cones as long as what they measure: red to a thing, green if there is none. */
export class RangeLayer extends Layer {
  private last = new Map<string, any>();
  constructor(stage: Stage, private topics: string[]) { super(stage); }
  start(): void { for (const t of this.topics) this.listen(t, (m) => this.last.set(t, m), { period: 50 }); }

  draw(): void {
    this.lost = false;
    for (const m of this.last.values()) {
      const at = this.stage.place(m.header.frame_id, m.header.stamp.sec + (m.header.stamp.nanosec ?? 0) / 1e9);
      if (!at) { this.lost = true; continue; }
      const hit = Number.isFinite(m.range) && m.range < m.max_range, r = Math.max(hit ? m.range : m.max_range, 0.001);
      if (!Number.isFinite(r)) continue;
      const radius = r * Math.tan(Math.min(m.field_of_view, 3) / 2);
      this.stage.solids.add({ shape: "cone", matrix: matrixOf(at).scale(new THREE.Vector3(r, radius, radius)), color: hit ? near : free, alpha: hit ? 0.4 : 0.13 });
    }
  }

  override stop(): void { super.stop(); this.last.clear(); }
}

const pathColor = 0x2456c8;

/** PathLayer shows a path, or the outline of a polygon. */
export class PathLayer extends Layer {
  private line: THREE.Line<THREE.BufferGeometry, THREE.LineBasicMaterial> | undefined;
  private header: any;
  constructor(stage: Stage, private topic: string, private polygon: boolean) { super(stage); }

  start(): void {
    this.listen(this.topic, (m) => {
      this.header = m.header;
      const list: any[] = this.polygon ? m.polygon.points : m.poses.map((p: any) => p.pose.position);
      if (this.polygon && list.length) list.push(list[0]);
      const g = new THREE.BufferGeometry().setFromPoints(list.map((p) => new THREE.Vector3(p.x, p.y, (p.z ?? 0) + 0.003)));
      if (this.line) { this.line.geometry.dispose(); this.line.geometry = g; return; }
      this.line = new THREE.Line(g, new THREE.LineBasicMaterial({ color: pathColor }));
      this.line.frustumCulled = false;
      this.group.add(this.line);
    }, { period: 100 });
  }

  draw(): void { if (this.line) this.put(this.line, this.header, undefined, true); }
  get count(): number { return this.line?.geometry.getAttribute("position")?.count ?? 0; }
  override stop(): void { super.stop(); this.line = undefined; }
}

/** PoseLayer shows a pose, or many, as arrows. */
export class PoseLayer extends Layer {
  private last: any;
  constructor(stage: Stage, private topic: string) { super(stage); }
  start(): void { this.listen(this.topic, (m) => { this.last = m; }, { period: 100 }); }

  draw(): void {
    if (!this.last) return;
    const at = this.stage.place(this.last.header.frame_id);
    this.lost = at === undefined;
    if (!at) return;
    const list: any[] = this.last.poses ?? [this.last.pose.pose ?? this.last.pose], color = new THREE.Color(pathColor);
    const length = list.length > 1 ? 0.06 : 0.12, base = matrixOf(at);
    this.refused = "";
    for (const p of list.slice(0, 5000)) {
      const pose = ofMessage(p);
      if (!pose) { this.refused = notFinite; continue; }
      const from = base.clone().multiply(matrixOf(pose));
      arrowTo(new THREE.Vector3(), new THREE.Vector3(length, 0, 0), length / 12, length / 4, undefined, (shape, local) => this.stage.solids.add({ shape, matrix: from.clone().multiply(local), color, alpha: 1 }));
    }
  }
}
