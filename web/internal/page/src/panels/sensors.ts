// SPDX-License-Identifier: Apache-2.0
// What the robot feels and hears: attitude, ground, battery, microphones, light and ranges; and its lights and tunes.
import { Client } from "./client";
import { maxRanges } from "./measures";
import { Fleet, ledColor } from "./robots";
import { Panel, every, fixed, full, h, say } from "./ui";

const oldAfter = 3; // s: batteries are published once a second

interface Bar { element: HTMLElement; set: (value: number | undefined) => void; age: () => number | undefined }

function bar(label: string, unit: string, min: number, max: number, digits: number): Bar {
  const meter = h("meter", { min, max, value: min, "aria-label": `${label} in ${unit || "counts"}` }), text = h("output", {}, "–");
  let seen: number | undefined; // performance.now()
  return {
    element: h("div", { class: "bar" }, h("span", {}, label), meter, text),
    age: () => (seen === undefined ? undefined : (performance.now() - seen) / 1000),
    set: (v) => {
      seen = v === undefined ? undefined : performance.now();
      meter.value = v !== undefined && Number.isFinite(v) ? v : v === Infinity ? max : min;
      text.textContent = v === undefined ? "–" : `${fixed(v, digits)} ${unit}`;
    },
  };
}

export class SensorPanel extends Panel {
  private attitude = h("canvas", { id: "attitude", width: 240, height: 240, role: "img", "aria-label": "Attitude" });
  private imuText = h("p", { class: "caption", id: "imu-text" }, "No IMU");
  private bars = new Map<string, Bar>();
  private ages = h("p", { class: "caption", id: "sensor-ages", role: "status" });

  constructor(private client: Client, private fleet: Fleet) {
    super("sensors", "Sensors");
    const add = (topic: string, ...args: Parameters<typeof bar>) => { const b = bar(...args); this.bars.set(topic, b); return b.element; };
    const group = (title: string, ...rows: HTMLElement[]) => h("fieldset", {}, h("legend", {}, title), ...rows);
    const each = (n: number, f: (i: number) => HTMLElement) => Array.from({ length: n }, (_, i) => f(i));
    this.element.append(this.ages, h("div", { class: "groups" },
      group("Attitude", this.attitude, this.imuText),
      group("Battery", add("battery_state", "voltage", "V", 3, 4.3, 2), add("charge", "charge", "%", 0, 100, 0)),
      group("Ranges", add("tof", "ToF", "m", 0, maxRanges.tof, 3), ...each(8, (i) => add("ps" + i, "ps" + i, "m", 0, maxRanges.infrared, 4))),
      group("Ground", ...each(3, (i) => add("gs" + i, "gs" + i, "m", 0, maxRanges.ground, 4))),
      group("Microphones", ...["right", "left", "back", "front"].map((n, i) => add("mic" + i, n, "", 0, 4096, 0))),
      group("Light", ...each(8, (i) => add("ls" + i, "ls" + i, "lx", 0, 250, 0)))));
    fleet.addEventListener("chosen", () => this.restart());
  }

  protected start(): void {
    const robot = this.fleet.chosen?.name;
    for (const b of this.bars.values()) b.set(undefined);
    if (robot === undefined) return;
    const listen = (topic: string, f: (m: any) => void) => this.keep(this.client.subscribe(full(robot, topic), f, { period: 100 }));
    listen("battery_state", (m) => { this.bars.get("battery_state")!.set(m.voltage); this.bars.get("charge")!.set(m.percentage * 100); });
    for (let i = 0; i < 8; i++) {
      listen("ps" + i, (m) => this.bars.get("ps" + i)!.set(m.range));
      listen("ls" + i, (m) => this.bars.get("ls" + i)!.set(m.illuminance));
    }
    listen("tof", (m) => this.bars.get("tof")!.set(m.range));
    for (let i = 0; i < 3; i++) listen("gs" + i, (m) => this.bars.get("gs" + i)!.set(m.range));
    for (let i = 0; i < 4; i++) listen("mic" + i, (m) => this.bars.get("mic" + i)!.set(m.data));
    listen("imu", (m) => this.drawAttitude(m));
    this.keep(every(500, () => this.age()));
  }

  /** age greys values that are old and says how old. */
  private age(): void {
    let known = 0, old = 0, least = Infinity;
    for (const b of this.bars.values()) {
      const age = b.age(), is = (age ?? 0) > oldAfter;
      b.element.classList.toggle("stale", is);
      if (age === undefined) continue;
      known++;
      if (is) { old++; least = Math.min(least, age); }
    }
    this.attitude.classList.toggle("stale", old > 0 && old === known);
    const text = old === 0 ? (known ? "All values are new" : "No values yet") : `${old === known ? "All" : `${old} of ${known}`} values are old: ${Math.floor(least)} s and more`;
    if (this.ages.textContent !== text) this.ages.textContent = text;
  }

  /** drawAttitude shows how gravity says the robot leans: the driver gives no orientation. */
  private drawAttitude(m: any): void {
    const a = m.linear_acceleration, roll = Math.atan2(a.y, a.z), pitch = Math.atan2(-a.x, Math.hypot(a.y, a.z));
    this.imuText.textContent = `roll ${fixed((roll * 180) / Math.PI, 0)}°  pitch ${fixed((pitch * 180) / Math.PI, 0)}°  turn ${fixed(m.angular_velocity.z, 2)} rad/s  |a| ${fixed(Math.hypot(a.x, a.y, a.z), 2)} m/s²`;
    const g = this.attitude.getContext("2d")!, r = 116;
    g.setTransform(1, 0, 0, 1, 120, 120);
    g.clearRect(-120, -120, 240, 240);
    g.save();
    g.beginPath(); g.arc(0, 0, r, 0, 7); g.clip();
    g.rotate(-roll);
    const horizon = (pitch / (Math.PI / 2)) * r;
    g.fillStyle = "#5aa0d8"; g.fillRect(-r * 2, -r * 3, r * 4, r * 3 + horizon);
    g.fillStyle = "#8a6b45"; g.fillRect(-r * 2, horizon, r * 4, r * 3);
    g.strokeStyle = "#fff"; g.lineWidth = 2;
    g.beginPath();
    for (let d = -60; d <= 60; d += 15) { const y = horizon - (d / 90) * r, w = d ? 22 : r * 2; g.moveTo(-w, y); g.lineTo(w, y); }
    g.stroke();
    g.restore();
    g.strokeStyle = "#ffd400"; g.lineWidth = 4;
    g.beginPath(); g.moveTo(-50, 0); g.lineTo(-14, 0); g.moveTo(14, 0); g.lineTo(50, 0); g.moveTo(0, -3); g.lineTo(0, 3); g.stroke();
  }
}

export class ActionPanel extends Panel {
  private color = h("input", { type: "color", id: "led-color", value: "#00ff66", "aria-label": "Colour of the odd LEDs" });
  private leds: HTMLButtonElement[] = [];
  private result = h("p", { class: "state", id: "action-result", role: "status" });

  constructor(private client: Client, private fleet: Fleet) {
    super("actions", "Lights and sounds");
    for (let i = 0; i < 8; i++) {
      const b = h("button", { type: "button", class: "led", id: "led" + i, "aria-pressed": "false", "aria-label": `LED ${i}`, onclick: () => this.toggle(i) }, String(i));
      const a = (i * Math.PI) / 4; // 0 in front, clockwise
      b.style.left = `${50 + 40 * Math.sin(a)}%`;
      b.style.top = `${50 - 40 * Math.cos(a)}%`;
      this.leds.push(b);
    }
    const button = (id: string, text: string, f: () => void) => h("button", { type: "button", id, onclick: f }, text);
    this.element.append(h("div", { class: "ring", role: "group", "aria-label": "LEDs around the robot" }, ...this.leds, h("label", { class: "ring-middle" }, "Colour", this.color)),
      h("div", { class: "row" }, button("leds-off", "LEDs off", () => { for (let i = 0; i < 8; i++) this.light(i, 0); }),
        ...[1, 2, 3].map((n) => button("melody" + n, `Melody ${n}`, () => this.send("speaker", n)))),
      h("div", { class: "row" }, button("calibrate-ir", "Calibrate infrared", () => void this.trigger("calibrate_ir", "Nothing may be within 10 cm of the robot. Calibrate?")),
        button("reset-odometry", "Reset odometry", () => void this.trigger("reset_odometry")),
        button("calibrate-imu", "Calibrate IMU", () => void this.trigger("calibrate_imu", "The robot must stand still. Calibrate?"))), this.result);
    fleet.addEventListener("chosen", () => this.restart());
  }

  protected start(): void {
    const robot = this.fleet.chosen;
    if (!robot) return;
    for (let i = 0; i < 8; i++) {
      this.mark(i, robot.leds.get(i) ?? "");
      this.keep(this.client.subscribe(full(robot.name, "led" + i), (m) => { const c = ledColor(i, m.data); robot.leds.set(i, c); this.mark(i, c); }));
    }
  }

  private mark(i: number, fill: string): void {
    this.leds[i].style.setProperty("--lit", fill || "transparent");
    this.leds[i].setAttribute("aria-pressed", String(fill !== ""));
  }

  private toggle(i: number): void {
    const on = this.fleet.chosen?.leds.get(i);
    this.light(i, on ? 0 : i % 2 === 0 ? 1 : parseInt(this.color.value.slice(1), 16));
  }

  private light(i: number, value: number): void {
    const robot = this.fleet.chosen;
    if (!robot || !this.send("led" + i, value)) return;
    robot.leds.set(i, ledColor(i, value));
    this.mark(i, ledColor(i, value));
  }

  /** send publishes a number on a topic of the robot, in the type that the robot listens to. */
  private send(topic: string, value: number): boolean {
    const robot = this.fleet.chosen;
    const name = robot && full(robot.name, topic), type = name && this.client.subscribed.get(name)?.type;
    if (!name || !type) { this.result.textContent = `The robot does not listen to ${topic}.`; return false; }
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
      this.result.textContent = `${service}: ${r.success ? "done" : "failed"} ${r.message}`;
    } catch (e) { this.result.textContent = `${service}: ${(e as Error).message}`; }
    say(this.result.textContent);
  }
}
