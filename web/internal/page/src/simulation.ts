// SPDX-License-Identifier: Apache-2.0
// The simulation's own controls, where a simulation offers them by the ecosystem's services (simulation_interfaces):
// pause, step, speed, reset, drag a robot, add and remove things.
import { Client } from "./client";
import { MapPanel } from "./map";
import { Fleet } from "./robots";
import { fixed, h } from "./ui";

const kinds = "simulation_interfaces/srv/";
const playing = 1, paused = 2; // simulation_interfaces/msg/SimulationState
const stateAndSpawned = 2 + 4; // scopes of simulation_interfaces/srv/ResetSimulation: nodes' time can't begin anew
const guests = [{ category: 0 }, { category: 1 }, { category: 2 }]; // what can come and go: objects, robots, people
const stepsAtOnce = 10; // a tenth of a second

export class SimulationBar {
  readonly element = h("div", { class: "simulation", id: "simulation", role: "toolbar", "aria-label": "Simulation", hidden: true });
  private pause = this.button("sim-pause", "Pause", () => void this.toggle());
  private step = this.button("sim-step", "Step", () => void this.call("StepSimulation", { steps: stepsAtOnce }));
  private reset = this.button("sim-reset", "Reset", () => void this.call("ResetSimulation", { scope: stateAndSpawned }));
  private add = this.button("sim-add", "Add", () => this.place());
  private remove = this.button("sim-remove", "Remove", () => void this.drop());
  private kind = h("select", { id: "sim-kind", "aria-label": "What to add" });
  private entity = h("select", { id: "sim-entity", "aria-label": "What to remove" });
  private speed = h("input", { id: "sim-speed", type: "number", min: 0, max: 100, step: 0.1, value: 1, "aria-label": "Speed, times real time" });
  private clock = h("output", { id: "sim-time" });
  private note = h("span", { class: "state", role: "status" });
  private running = true;
  private asked = false; // how time goes

  constructor(private client: Client, fleet: Fleet, private map: MapPanel) {
    this.element.append(this.pause, this.step, this.reset, h("label", { id: "sim-speed-label" }, "Speed ", this.speed), this.kind, this.add, this.entity, this.remove, this.clock, this.note);
    this.speed.addEventListener("change", () => void this.setSpeed());
    client.on("services", () => this.show());
    fleet.addEventListener("changed", () => this.show());
    setInterval(() => { if (client.simTime !== undefined && !document.hidden) this.clock.textContent = fixed(client.simTime, 1) + " s"; }, 200);
  }

  private button(id: string, text: string, f: () => void): HTMLButtonElement { return h("button", { type: "button", id, onclick: f }, text); }

  private find(kind: string): string | undefined { return [...this.client.services.values()].find((s) => s.type === kinds + kind)?.name; }

  private get speedNode(): string | undefined {
    const state = this.find("SetSimulationState");
    return state && [...this.client.services.keys()].find((n) => n.endsWith("/set_parameters") && state.startsWith(n.slice(0, n.lastIndexOf("/"))))?.slice(0, -"/set_parameters".length);
  }

  private show(): void {
    const may = this.client.metadata.role !== "view";
    const has = (kind: string) => may && this.find(kind) !== undefined;
    this.pause.hidden = !has("SetSimulationState");
    this.step.hidden = !has("StepSimulation");
    this.reset.hidden = !has("ResetSimulation");
    this.add.hidden = this.kind.hidden = !has("SpawnEntity");
    this.remove.hidden = this.entity.hidden = !has("DeleteEntity");
    this.speed.parentElement!.hidden = !may || this.speedNode === undefined;
    this.element.hidden = [this.pause, this.step, this.reset, this.add, this.remove].every((b) => b.hidden);
    this.map.draggable(has("SetEntityState") ? (robot, pose) => void this.move(robot.name, pose) : undefined);
    if (!this.pause.hidden && !this.asked) { this.asked = true; void this.look(); }
    this.add.disabled = !this.kind.options.length;
    if (this.add.disabled && has("SpawnEntity") && has("GetSpawnables")) void this.listKinds();
    if (!this.remove.hidden) void this.listEntities();
  }

  private async call(kind: string, request: object): Promise<any> {
    const name = this.find(kind);
    if (!name) return undefined;
    try {
      const r = await this.client.call(name, request);
      this.note.textContent = r.result && r.result.result !== 1 ? r.result.error_message || `refused (${r.result.result})` : "";
      return r;
    } catch (e) { this.note.textContent = (e as Error).message; return undefined; }
  }

  private async toggle(): Promise<void> {
    const r = await this.call("SetSimulationState", { state: { state: this.running ? paused : playing } });
    if (!r) return;
    await this.look();
  }

  /** look asks how time goes. */
  private async look(): Promise<void> {
    const name = this.find("GetSimulationState");
    const r = name && await this.client.call(name, {}).catch(() => undefined); // it leaves the note of what was done before
    if (!r) return;
    this.running = r.state.state !== paused;
    this.pause.textContent = this.running ? "Pause" : "Run";
    this.pause.setAttribute("aria-pressed", String(!this.running));
    this.step.disabled = this.running;
    const node = this.speedNode;
    const values = node && (await this.client.call(node + "/get_parameters", { names: ["speed"] }).catch(() => undefined))?.values;
    if (values?.[0]?.type === 3 && this.running) this.speed.value = String(values[0].double_value);
  }

  private async setSpeed(): Promise<void> {
    const node = this.speedNode, value = Number(this.speed.value);
    if (!node || !(value >= 0)) return;
    try {
      const r = await this.client.call(node + "/set_parameters", { parameters: [{ name: "speed", value: { type: 3, double_value: value } }] });
      this.note.textContent = r.results[0]?.successful ? "" : r.results[0]?.reason ?? "refused";
      await this.look();
    } catch (e) { this.note.textContent = (e as Error).message; }
  }

  private async listKinds(): Promise<void> {
    const r = await this.call("GetSpawnables", {});
    this.kind.replaceChildren(...(r?.spawnables ?? []).map((s: any) => { const uri = s.uri ?? s.entity_resource.uri; return h("option", { value: uri }, s.description || uri); }));
    this.add.disabled = !this.kind.options.length;
  }

  private async listEntities(): Promise<void> {
    const r = await this.call("GetEntities", { filters: { categories: guests } });
    this.entity.replaceChildren(...(r?.entities ?? []).map((n: string) => h("option", { value: n }, n)));
  }

  /** asks tells whether a service has a field in its request: version 2 of the standard has others. */
  private asks(kind: string, field: string): boolean { return this.client.services.get(this.find(kind) ?? "")?.request.schema.includes(field) ?? false; }

  private resource(uri: string): object { return this.asks("SpawnEntity", "entity_resource") ? { entity_resource: { uri } } : { uri }; }

  private place(): void {
    this.note.textContent = "Press on the map where it shall stand.";
    this.map.placing = (x, y) => void (async () => {
      await this.call("SpawnEntity", { name: "", allow_renaming: true, ...this.resource(this.kind.value), initial_pose: { pose: { position: { x, y, z: 0 }, orientation: { x: 0, y: 0, z: 0, w: 1 } } } });
      await this.listEntities();
    })();
  }

  private async drop(): Promise<void> {
    if (!this.entity.value) return;
    await this.call("DeleteEntity", { entity: this.entity.value });
    await this.listEntities();
  }

  private async move(robot: string, pose: { x: number; y: number; a: number }): Promise<void> {
    const entities: string[] = (await this.call("GetEntities", {}))?.entities ?? [];
    const name = entities.find((e) => e === robot.slice(1)) ?? (robot === "/" ? entities[0] : robot.slice(1));
    await this.call("SetEntityState", { ...this.asks("SetEntityState", "set_pose") && { set_pose: true }, entity: name, state: { pose: { position: { x: pose.x, y: pose.y, z: 0 }, orientation: { x: 0, y: 0, z: Math.sin(pose.a / 2), w: Math.cos(pose.a / 2) } } } });
  }
}
