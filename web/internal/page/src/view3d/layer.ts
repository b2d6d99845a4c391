// SPDX-License-Identifier: Apache-2.0
// A layer shows the messages of one topic, or of some topics of one type, in the fixed frame.
import * as THREE from "three";
import { Client, Listener, SubscribeOptions } from "../client";
import { notFinite, seconds } from "../transforms";
import { Instances } from "./instances";
import { Markers, Place } from "./markers";
import { matrixOf } from "./matrices";
import { Meshes } from "./models";

/** Stage is what layers draw on. */
export interface Stage { client: Client; place: Place; solids: Instances; meshes: Meshes; changed: () => void }

/** Layer is shown between start and stop. */
export abstract class Layer {
  readonly group = new THREE.Group();
  /** lost is set while nothing connects what is to be shown with the fixed frame. */
  lost = false;
  /** refused is why something is not shown, empty if all is. */
  refused = "";
  private stops: (() => void)[] = [];

  constructor(protected stage: Stage) {}

  abstract start(): void;
  /** draw places what there is, and adds solids. */
  abstract draw(): void;

  protected listen(topic: string, f: Listener, options: SubscribeOptions = { period: 50 }): void {
    this.stops.push(this.stage.client.subscribe(topic, (m, time, bytes) => { f(m, time, bytes); this.stage.changed(); }, options));
  }

  /** put places an object where a header says; latest ignores its time. */
  protected put(o: THREE.Object3D, header: any, local?: THREE.Matrix4, latest = false): void {
    const at = this.stage.place(header.frame_id, latest ? undefined : seconds(header.stamp));
    this.lost = at === undefined;
    o.visible = at !== undefined;
    if (!at) return;
    o.matrixAutoUpdate = false;
    matrixOf(at, o.matrix);
    if (local) o.matrix.multiply(local);
    o.matrixWorldNeedsUpdate = true;
  }

  stop(): void {
    for (const stop of this.stops) stop();
    this.stops = [];
    this.group.traverse((o: any) => { o.geometry?.dispose(); o.material?.map?.dispose(); o.material?.dispose(); });
    this.group.clear();
    this.stage.changed();
  }
}

/** MarkerLayer shows a topic of markers, one or many a message. */
export class MarkerLayer extends Layer {
  readonly markers: Markers;
  constructor(stage: Stage, private topic: string, private many: boolean) {
    super(stage);
    this.markers = new Markers(stage.meshes, stage.changed, topic === "/world");
    this.group.add(this.markers.group);
  }
  start(): void { this.listen(this.topic, (m) => this.markers.take(this.many ? m.markers : [m]), {}); }
  draw(): void {
    this.lost = this.markers.draw(this.stage.solids, this.stage.place) > 0;
    this.refused = this.markers.refused.size > 0 ? notFinite : "";
  }
  override stop(): void { this.markers.clear(); super.stop(); }
}
