// SPDX-License-Identifier: Apache-2.0
// The simulation's own controls, where a simulation offers them by the ecosystem's services (simulation_interfaces):
// pause, step, speed, reset, drag a robot, add and remove things. What a simulation does not offer is there, but can't
// be pressed, and the line below says why.
import { Client } from "./client";
import { World } from "./panels/panel";
import { Fleet } from "./robots";
import { t } from "./texts";
import { fixed, h, scrollsOnPhones } from "./ui";

const kinds = "simulation_interfaces/srv/";
const playing = 1, paused = 2; // simulation_interfaces/msg/SimulationState
const stateAndSpawned = 2 + 4; // scopes of simulation_interfaces/srv/ResetSimulation: nodes' time can't begin anew
const things = [{ category: 0 }, { category: 2 }], robots = { category: 1 }; // what can come and go: objects and people, robots
const stepsAtOnce = 10; // a tenth of a second
const retryAfter = 2000; // ms

/** timeOf writes simulated time: an age, or the time of the day where it began with the machine's. */
function timeOf(t: number): string {
  return t < 1e8 ? fixed(t, 1) + " s" : new Date(t * 1000).toLocaleTimeString(undefined, { hour12: false }) + "." + Math.floor(t * 10) % 10;
}

export class SimulationBar {
  readonly element = h("div", { class: "simulation", id: "simulation", role: "toolbar", "aria-label": t("sim.title"), hidden: true });
  private about = h("p", { id: "sim-about", class: "caption" });
  private pause = this.button("sim-pause", t("sim.pause"), () => void this.toggle());
  private step = this.button("sim-step", t("sim.step"), () => void this.call("StepSimulation", { steps: stepsAtOnce }));
  private reset = this.button("sim-reset", t("sim.reset"), () => void this.call("ResetSimulation", { scope: stateAndSpawned }));
  private add = this.button("sim-add", t("sim.add"), () => this.place());
  private remove = this.button("sim-remove", t("sim.remove"), () => void this.drop());
  private kind = h("select", { id: "sim-kind", "aria-label": t("sim.kind") });
  private entity = h("select", { id: "sim-entity", "aria-label": t("sim.entity") });
  private speed = h("input", { id: "sim-speed", type: "number", min: 0, max: 100, step: 0.1, value: 1, "aria-label": t("sim.speedLabel") });
  private clock = h("output", { id: "sim-time" });
  private note = h("span", { class: "state", role: "status" });
  private running = true;
  private asked = false; // how time goes
  private listing = false; // the kinds are asked for
  private entityLists = 0; // requests for the list of entities so far
  private explained = false;
  private late = 0; // timer of the text about a simulation whose services do not come
  private moved: { time: number | undefined; at: number; asked: number } = { time: undefined, at: 0, asked: 0 }; // when the clock last did
  private again = 0; // timer of the next attempt to ask what was not answered

  constructor(private client: Client, fleet: Fleet, private world: World) {
    this.element.append(this.pause, this.step, this.reset, h("label", { id: "sim-speed-label" }, t("sim.speed") + " ", this.speed), this.kind, this.add, this.entity, this.remove, this.clock, this.note, this.about);
    this.speed.addEventListener("change", () => void this.setSpeed());
    scrollsOnPhones(this.element);
    client.on("services", () => this.show());
    fleet.addEventListener("changed", () => this.show());
    setInterval(() => {
      if (client.simTime === undefined || document.hidden) return;
      this.notice(client.simTime);
      this.clock.textContent = timeOf(client.simTime);
      this.clock.dataset.seconds = client.simTime.toFixed(3);
    }, 200);
  }

  /** paused returns whether time is paused, as far as the simulation has said. */
  get paused(): boolean { return this.client.connected && !this.element.hidden && !this.running; }

  /** notice asks again how time goes when it stopped or continued: another viewer or program may have done it. */
  private notice(time: number): void {
    const now = performance.now();
    if (time !== this.moved.time) {
      const resumed = this.moved.time !== undefined && !this.running;
      this.moved = { time, at: now, asked: resumed ? now : 0 };
      if (resumed) void this.look();
    } else if (this.running && this.asked && now - this.moved.at > 1000 && now - this.moved.asked > retryAfter) {
      this.moved.asked = now;
      void this.look();
    }
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
    this.element.hidden = !this.client.topics.has("/world") && !["SetSimulationState", "ResetSimulation", "SetEntityState"].some(has);
    if (this.element.hidden) { this.asked = this.explained = false; return; }
    const mind = (c: HTMLButtonElement | HTMLSelectElement | HTMLInputElement, there: boolean) => { c.disabled = !there; c.title = there ? "" : t("sim.missing"); };
    mind(this.pause, has("SetSimulationState"));
    mind(this.step, has("StepSimulation") && !this.running);
    if (has("StepSimulation")) this.step.title = t(this.running ? "sim.stepPaused" : "sim.stepTitle");
    mind(this.reset, has("ResetSimulation"));
    if (has("ResetSimulation")) this.reset.title = t("sim.resetTitle");
    mind(this.speed, may && this.speedNode !== undefined);
    mind(this.kind, has("SpawnEntity"));
    mind(this.add, has("SpawnEntity") && this.kind.options.length > 0);
    mind(this.entity, has("DeleteEntity"));
    mind(this.remove, has("DeleteEntity") && this.entity.options.length > 0);
    this.world.move = has("SetEntityState") ? (robot, pose) => void this.move(robot.name, pose) : undefined;
    if (!this.asked && has("SetSimulationState") && has("GetSimulationState")) { this.asked = true; void this.look(); }
    if (!this.explained) void this.explain(may);
    if (!this.listing && !this.kind.options.length && has("SpawnEntity") && has("GetSpawnables")) void this.listKinds();
    if (has("DeleteEntity") && has("GetEntities")) void this.listEntities();
  }

  /** retry asks again, after a while, for what was not answered: no other event may follow. */
  private retry(): void {
    clearTimeout(this.again);
    this.again = setTimeout(() => this.show(), retryAfter);
  }

  /** explain says what this simulation is and what it can't do, in its own words. */
  private async explain(may: boolean): Promise<void> {
    const name = this.find("GetSimulatorFeatures");
    clearTimeout(this.late);
    if (!may) this.about.textContent = t("sim.view");
    else if (!name) this.late = setTimeout(() => { this.about.textContent = t("sim.without"); }, 10000); // they may come yet
    else {
      this.explained = true;
      const r = await this.client.call(name, {}).catch(() => undefined);
      if (!r) { this.explained = false; return this.retry(); }
      this.about.textContent = t("sim.about", { text: r.features.custom_info.replace(/^epuck-driver: /, "") });
    }
  }

  private async call(kind: string, request: object): Promise<any> {
    const name = this.find(kind);
    if (!name) return undefined;
    try {
      const r = await this.client.call(name, request);
      this.note.textContent = r.result && r.result.result !== 1 ? r.result.error_message || t("sim.refused", { code: r.result.result }) : "";
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
    if (!r) { this.asked = false; return this.retry(); }
    this.running = r.state.state !== paused;
    this.pause.textContent = t(this.running ? "sim.pause" : "sim.run");
    this.pause.setAttribute("aria-pressed", String(!this.running));
    this.show();
    const node = this.speedNode;
    const values = node && (await this.client.call(node + "/get_parameters", { names: ["real_time_factor"] }).catch(() => undefined))?.values;
    if (values?.[0]?.type === 3 && this.running) this.speed.value = String(values[0].double_value);
  }

  private async setSpeed(): Promise<void> {
    const node = this.speedNode, value = Number(this.speed.value);
    if (!node || !(value >= 0)) return;
    try {
      const r = await this.client.call(node + "/set_parameters", { parameters: [{ name: "real_time_factor", value: { type: 3, double_value: value } }] });
      this.note.textContent = r.results[0]?.successful ? "" : r.results[0]?.reason ?? t("sim.refused", { code: "" });
      await this.look();
    } catch (e) { this.note.textContent = (e as Error).message; }
  }

  /** takesRobots returns whether robots can be added and removed: there are kinds of them to add. */
  private get takesRobots(): boolean { return [...this.kind.options].some((o) => o.text.startsWith("robot")); }

  private async listKinds(): Promise<void> {
    const name = this.find("GetSpawnables");
    this.listing = true;
    const r = name && await this.client.call(name, {}).catch(() => undefined);
    this.listing = false;
    if (name && !r) return this.retry();
    this.kind.replaceChildren(...(r?.spawnables ?? []).map((s: any) => { const uri = s.uri ?? s.entity_resource.uri; return h("option", { value: uri }, s.description || uri); }));
    this.add.disabled = !this.kind.options.length;
    if (r) await this.listEntities();
  }

  /** listEntities asks for the list of entities. Answers may come in another order: the last request's one counts. */
  private async listEntities(): Promise<void> {
    const request = ++this.entityLists;
    const name = this.find("GetEntities");
    const r = name && await this.client.call(name, { filters: { categories: this.takesRobots ? [...things, robots] : things } }).catch(() => undefined);
    if (name && !r) return this.retry();
    if (request !== this.entityLists) return;
    const chosen = this.entity.value;
    this.entity.replaceChildren(...(r?.entities ?? []).map((n: string) => h("option", { value: n }, n)));
    if (r?.entities.includes(chosen)) this.entity.value = chosen;
    this.remove.disabled = !this.entity.options.length;
  }

  /** asks returns whether a service has a field in its request: version 2 of the standard has others. */
  private asks(kind: string, field: string): boolean { return this.client.services.get(this.find(kind) ?? "")?.request.schema.includes(field) ?? false; }

  private resource(uri: string): object { return this.asks("SpawnEntity", "entity_resource") ? { entity_resource: { uri } } : { uri }; }

  private place(): void {
    this.note.textContent = t("sim.press");
    this.world.place = (x, y) => void (async () => {
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
