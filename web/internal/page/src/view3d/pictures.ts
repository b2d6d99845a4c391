// SPDX-License-Identifier: Apache-2.0
// Pictures of cameras, where their cameras look: a frustum by camera_info with the picture at its end.
import * as THREE from "three";
import { pixelsOf } from "../rasters";
import { Layer, Stage } from "./layer";

const depth = 0.12; // of the frustum, m

/** infoTopic is the topic of a picture's camera_info. */
export function infoTopic(topic: string): string {
  const raw = topic.replace(/\/(compressed|theora|h264)$/, "");
  return raw.slice(0, raw.lastIndexOf("/") + 1) + "camera_info";
}

/** corners are those of a picture at a depth of 1 in the optical frame (x right, y down, z forward), by camera_info. */
export function corners(info: any): [number, number][] | undefined {
  const [fx, , cx, , fy, cy] = info.k ?? info.K;
  if (!(fx > 0 && fy > 0 && info.width > 0 && info.height > 0)) return undefined;
  return [[0, 0], [info.width, 0], [info.width, info.height], [0, info.height]].map(([u, v]) => [(u - cx) / fx, (v - cy) / fy]);
}

/** PictureLayer shows a camera's frustum. */
export class PictureLayer extends Layer {
  private info: any;
  private header: any;
  private plane: THREE.Mesh<THREE.BufferGeometry, THREE.MeshBasicMaterial> | undefined;
  private waiting = false;

  constructor(stage: Stage, private topic: string, private compressed: boolean) { super(stage); }

  start(): void {
    this.listen(infoTopic(this.topic), (m) => { if (!this.info || JSON.stringify(m.k) !== JSON.stringify(this.info.k)) this.build(m); this.info = m; }, { period: 1000 });
    this.listen(this.topic, (m) => { this.header = m.header; void this.show(m); }, { period: 100, acknowledge: true });
  }

  private build(info: any): void {
    const c = corners(info);
    if (!c) return;
    const at = c.map(([x, y]) => new THREE.Vector3(x * depth, y * depth, depth)), tip = new THREE.Vector3();
    const g = new THREE.BufferGeometry().setFromPoints([at[0], at[3], at[2], at[0], at[2], at[1]]);
    g.setAttribute("uv", new THREE.BufferAttribute(new Float32Array([0, 1, 0, 0, 1, 0, 0, 1, 1, 0, 1, 1]), 2));
    this.group.clear();
    const frame = new THREE.LineSegments(new THREE.BufferGeometry().setFromPoints(at.flatMap((p, i) => [tip, p, p, at[(i + 1) % 4]])), new THREE.LineBasicMaterial({ color: 0xc08a1e }));
    this.plane = new THREE.Mesh(g, this.plane?.material ?? new THREE.MeshBasicMaterial({ side: THREE.DoubleSide }));
    this.group.add(frame, this.plane);
  }

  private async show(m: any): Promise<void> {
    if (this.waiting || !this.plane) return;
    this.waiting = true;
    try {
      let map: THREE.Texture | undefined;
      if (this.compressed) {
        const picture = await createImageBitmap(new Blob([m.data]), { imageOrientation: "flipY" });
        map = new THREE.Texture(picture as any);
        map.flipY = false; // it is already
      } else {
        const pixels = pixelsOf(m);
        if (pixels) map = new THREE.DataTexture(pixels, m.width, m.height);
        if (map) map.flipY = true;
      }
      if (!map || !this.plane) return;
      map.colorSpace = THREE.SRGBColorSpace;
      map.needsUpdate = true;
      this.plane.material.map?.dispose();
      this.plane.material.map = map;
      this.plane.material.needsUpdate = true;
      this.stage.changed();
    } catch { /* not a picture */ } finally { this.waiting = false; }
  }

  draw(): void { if (this.header && this.plane) this.put(this.group, this.header); }
  override stop(): void { super.stop(); this.plane = undefined; this.info = undefined; }
}
