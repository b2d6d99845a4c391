// SPDX-License-Identifier: Apache-2.0
// The panel of lights and sounds of a described robot, and of its procedures.
import { robotDescription } from "../description";
import { t } from "../texts";
import { full, h, say } from "../ui";
import { Context, Definition, Panel, text } from "./panel";

interface LightSettings { color: string }

class LightPanel extends Panel {
  private client = this.context.client;
  private fleet = this.context.fleet;
  private color = h("input", { type: "color", id: this.own("led-color"), "aria-label": t("lights.colorLabel") });
  private leds: HTMLButtonElement[] = [];
  private result = h("p", { class: "state", id: this.own("action-result"), role: "status" });

  constructor(context: Context, settings: LightSettings, changed: (s: LightSettings) => void) {
    super(context, "lights.title");
    this.color.value = settings.color;
    this.color.addEventListener("change", () => changed({ color: this.color.value }));
    robotDescription.leds.forEach(([x, y], i) => { // x is forward, y left
      const b = h("button", { type: "button", class: "led", id: this.own("led" + i), "aria-pressed": "false", "aria-label": t("lights.led", { number: i }), onclick: () => this.toggle(i) }, String(i));
      b.style.left = `${50 - 40 * y}%`;
      b.style.top = `${50 - 40 * x}%`;
      this.leds.push(b);
    });
    const button = (id: string, text: string, f: () => void) => h("button", { type: "button", id: this.own(id), onclick: f }, text);
    this.element.append(h("div", { class: "ring", role: "group", "aria-label": t("lights.ring") }, ...this.leds, h("label", { class: "ring-middle" }, t("lights.color"), this.color)),
      h("div", { class: "row" }, button("leds-off", t("lights.off"), () => this.leds.forEach((_, i) => this.light(i, 0))),
        ...robotDescription.speaker.tunes.map((n) => button("melody" + n, t("lights.melody", { number: n }), () => this.send(robotDescription.speaker.topic, n)))),
      h("div", { class: "row" }, ...robotDescription.procedures.map((p) => button(p.id, t(p.title), () => void this.trigger(p.service, p.question && t(p.question))))), this.result);
    this.fleet.addEventListener("chosen", () => this.restart(), { signal: this.signal });
  }

  /** own is the id of an element: of the first instance without the key. */
  private own(name: string): string { return this.context.key === "lights" ? name : this.context.id(name); }

  protected start(): void {
    const robot = this.fleet.chosen;
    if (!robot) return;
    this.leds.forEach((_, i) => {
      this.mark(i, robot.leds.get(i) ?? "");
      this.keep(this.client.subscribe(full(robot.name, robotDescription.ledTopic(i)), (m) => { const c = robotDescription.lit(i, m.data); robot.leds.set(i, c); this.mark(i, c); }));
    });
  }

  private mark(i: number, fill: string): void {
    this.leds[i].style.setProperty("--lit", fill || "transparent");
    this.leds[i].setAttribute("aria-pressed", String(fill !== ""));
  }

  private toggle(i: number): void {
    const on = this.fleet.chosen?.leds.get(i);
    this.light(i, on ? 0 : robotDescription.colored(i) ? parseInt(this.color.value.slice(1), 16) : 1);
  }

  private light(i: number, value: number): void {
    const robot = this.fleet.chosen;
    if (!robot || !this.send(robotDescription.ledTopic(i), value)) return;
    robot.leds.set(i, robotDescription.lit(i, value));
    this.mark(i, robotDescription.lit(i, value));
  }

  /** send publishes a number on a topic of the robot, in the type that the robot listens to. */
  private send(topic: string, value: number): boolean {
    const robot = this.fleet.chosen;
    const name = robot && full(robot.name, topic), type = name && this.client.subscribed.get(name)?.type;
    if (!name || !type) { this.result.textContent = t("lights.noListener", { topic }); return false; }
    this.client.publish(name, type, { data: type.endsWith("/Bool") ? value !== 0 : value });
    this.result.textContent = "";
    return true;
  }

  private async trigger(service: string, question = ""): Promise<void> {
    const robot = this.fleet.chosen;
    if (!robot || (question && !confirm(question))) return;
    this.result.textContent = `${service} …`;
    try {
      const r = await this.client.call(full(robot.name, service), {});
      this.result.textContent = `${service}: ${t(r.success ? "lights.done" : "lights.failed")} ${r.message}`;
    } catch (e) { this.result.textContent = `${service}: ${(e as Error).message}`; }
    say(this.result.textContent);
  }
}

export const lightPanel: Definition<LightSettings> = {
  id: "lights", title: "lights.title", about: "lights.about", size: [4, 10],
  settings: { color: (v) => (/^#[0-9a-f]{6}$/.test(text()(v)) ? String(v) : "#00ff66") },
  make: (context, settings, changed) => new LightPanel(context, settings, changed),
};
