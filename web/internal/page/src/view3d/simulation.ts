// SPDX-License-Identifier: Apache-2.0
// Moving robots and things of a simulation by the ecosystem's services (simulation_interfaces).
import { Client } from "../client";
import { t } from "../texts";

const kinds = "simulation_interfaces/srv/";
const nearest = 0.05; // how far a thing may be from where its picture is, m

/** Mover moves what is dragged. */
export class Mover {
  constructor(private client: Client) {}

  private find(kind: string): string | undefined { return [...this.client.services.values()].find((s) => s.type === kinds + kind)?.name; }

  /** may returns whether this simulation moves what is dragged. */
  get may(): boolean { return this.client.metadata.role !== "view" && this.find("SetEntityState") !== undefined && this.find("GetEntities") !== undefined; }

  private async ask(kind: string, request: object): Promise<any> {
    const name = this.find(kind);
    if (!name) throw new Error(t("sim.noService", { kind }));
    const r = await this.client.call(name, request);
    if (r.result && r.result.result !== 1) throw new Error(r.result.error_message || t("sim.refused", { code: r.result.result }));
    return r;
  }

  /** robot moves a robot of a namespace, keeping its heading (rad). */
  async robot(namespace: string, x: number, y: number, heading: number): Promise<void> {
    const entities: string[] = (await this.ask("GetEntities", {})).entities;
    const name = entities.find((e) => e === namespace.slice(1)) ?? (namespace === "/" ? entities[0] : namespace.slice(1));
    await this.set(name, x, y, { x: 0, y: 0, z: Math.sin(heading / 2), w: Math.cos(heading / 2) });
  }

  /** thing moves what is at a place of the world: the simulation's names are not in its markers. */
  async thing(from: { x: number; y: number }, x: number, y: number): Promise<void> {
    const all = await this.ask("GetEntitiesStates", {});
    let best = nearest, name = "", turned: any;
    all.entities.forEach((e: string, i: number) => {
      const p = all.states[i].pose, d = Math.hypot(p.position.x - from.x, p.position.y - from.y);
      if (d < best) { best = d; name = e; turned = p.orientation; }
    });
    if (!name) throw new Error(t("tool.nothing"));
    await this.set(name, x, y, turned);
  }

  private async set(entity: string, x: number, y: number, orientation: object): Promise<void> {
    const marks = this.client.services.get(this.find("SetEntityState") ?? "")?.request.schema.includes("set_pose") ? { set_pose: true } : {};
    await this.ask("SetEntityState", { ...marks, entity, state: { pose: { position: { x, y, z: 0 }, orientation } } });
  }
}
