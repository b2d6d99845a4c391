// SPDX-License-Identifier: Apache-2.0
// The sensors of the chosen robot: attitude, and a bar for each number that its topics have, by their types.
import { Reading, robotDescription } from "../description";
import { Key, t } from "../texts";
import { every, fixed, full, h } from "../ui";
import { Context, Definition, Panel } from "./panel";

const oldAfter = 3; // s: batteries are published once a second
const mostReadings = 60;

/** byType are readings of sensors that no description has, by the type of the topic. */
const byType: Record<string, Omit<Reading, "topic">[]> = {
  "sensor_msgs/msg/BatteryState": [{ group: "sensors.battery", field: "voltage", unit: "V", low: 0, high: 30, digits: 2 }, { group: "sensors.battery", field: "percentage", unit: "%", low: 0, high: 100, digits: 0, scale: 100 }],
  "sensor_msgs/msg/Range": [{ group: "sensors.ranges", field: "range", unit: "m", low: 0, high: 4, digits: 3 }],
  "sensor_msgs/msg/Illuminance": [{ group: "sensors.light", field: "illuminance", unit: "lx", low: 0, high: 1000, digits: 0 }],
  "sensor_msgs/msg/Temperature": [{ group: "sensors.other", field: "temperature", unit: "°C", low: -20, high: 80, digits: 1 }],
  "sensor_msgs/msg/FluidPressure": [{ group: "sensors.other", field: "fluid_pressure", unit: "Pa", low: 80_000, high: 110_000, digits: 0 }],
  "sensor_msgs/msg/RelativeHumidity": [{ group: "sensors.other", field: "relative_humidity", unit: "%", low: 0, high: 100, digits: 0, scale: 100 }],
};

/** Row is a reading of one topic. */
export interface Row extends Omit<Reading, "topic"> { topic: string; label_: string }

/** readingsOf lists the readings of a robot's topics, names relative to its namespace, as the description orders them. */
export function readingsOf(topics: readonly { name: string; type: string }[]): Row[] {
  const sorted = [...topics].sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
  const described = robotDescription.readings.flatMap((r) => sorted.filter((x) => r.topic.test(x.name)).map((x) => ({ ...r, topic: x.name, label_: r.label?.(x.name) ?? x.name })));
  const known = new Set(described.map((r) => r.topic));
  const others = sorted.filter((x) => !known.has(x.name)).flatMap((x) => (byType[x.type] ?? []).map((r) => ({ ...r, topic: x.name, label_: x.name })));
  return [...described, ...others].slice(0, mostReadings);
}

interface Bar { element: HTMLElement; set: (value: number | undefined) => void; age: () => number | undefined }

function bar({ label_, unit, low, high, digits }: Row): Bar {
  const meter = h("meter", { min: low, max: high, value: low, "aria-label": unit ? `${label_} (${unit})` : label_ }), text = h("output", {}, "–");
  let seen: number | undefined; // performance.now()
  return {
    element: h("div", { class: "bar" }, h("span", {}, label_), meter, text),
    age: () => (seen === undefined ? undefined : (performance.now() - seen) / 1000),
    set: (v) => {
      seen = v === undefined ? undefined : performance.now();
      meter.value = v !== undefined && Number.isFinite(v) ? v : v === Infinity ? high : low;
      text.textContent = v === undefined ? "–" : `${fixed(v, digits)} ${unit}`;
    },
  };
}

class SensorPanel extends Panel {
  private attitude = h("canvas", { class: "attitude", id: this.context.id("attitude"), width: 240, height: 240, role: "img", "aria-label": t("sensors.attitude") });
  private imuText = h("p", { class: "caption", id: this.context.id("imu") }, t("sensors.noIMU"));
  private bars: Bar[] = [];
  private names = ""; // of the readings that are shown
  private groups = h("div", { class: "groups" });
  private ages = h("p", { class: "caption", id: this.context.id("ages"), role: "status" });

  constructor(context: Context) {
    super(context, "sensors.title");
    this.element.append(this.ages, this.groups);
    context.fleet.addEventListener("chosen", () => this.restart(), { signal: this.signal });
    context.client.on("channels", () => { if (this.visible && JSON.stringify(this.topics()) !== this.names) this.restart(); }, this.signal);
  }

  private topics(): { name: string; type: string }[] {
    const robot = this.context.fleet.chosen?.name;
    if (robot === undefined) return [];
    const below = full(robot, "");
    return [...this.context.client.topics.values()].filter((c) => c.topic.startsWith(below) && !c.topic.slice(below.length).includes("/")).map((c) => ({ name: c.topic.slice(below.length), type: c.schemaName }));
  }

  protected start(): void {
    const robot = this.context.fleet.chosen?.name, topics = this.topics(), rows = readingsOf(topics);
    this.names = JSON.stringify(topics);
    this.bars = rows.map(bar);
    const group = (title: string, ...content: HTMLElement[]) => h("fieldset", {}, h("legend", {}, title), ...content);
    const imu = topics.find((x) => x.type === "sensor_msgs/msg/Imu"), titles = [...new Set(rows.map((r) => r.group))];
    this.groups.replaceChildren(...(imu ? [group(t("sensors.attitude"), this.attitude, this.imuText)] : []),
      ...titles.map((title) => group(t(title as Key), ...rows.flatMap((r, i) => (r.group === title ? [this.bars[i].element] : [])))));
    if (robot === undefined) return;
    for (const topic of new Set(rows.map((r) => r.topic))) {
      this.keep(this.context.client.subscribe(full(robot, topic), (m) => rows.forEach((r, i) => {
        if (r.topic === topic) this.bars[i].set(Number(m[r.field]) * (r.scale ?? 1));
      }), { period: 100 }));
    }
    if (imu) this.keep(this.context.client.subscribe(full(robot, imu.name), (m) => this.drawAttitude(m), { period: 100 }));
    this.keep(every(500, () => this.age()));
  }

  /** age greys values that are old and says how old. */
  private age(): void {
    let known = 0, old = 0, least = Infinity;
    for (const b of this.bars) {
      const age = b.age(), is = (age ?? 0) > oldAfter;
      b.element.classList.toggle("stale", is);
      if (age === undefined) continue;
      known++;
      if (is) { old++; least = Math.min(least, age); }
    }
    this.attitude.classList.toggle("stale", old > 0 && old === known);
    const text = old === 0 ? t(known ? "sensors.new" : "sensors.none") : t(old === known ? "sensors.allOld" : "sensors.someOld", { old, known, age: Math.floor(least) });
    if (this.ages.textContent !== text) this.ages.textContent = text;
  }

  /** drawAttitude shows roll and pitch by the direction of gravity. */
  private drawAttitude(m: any): void {
    const a = m.linear_acceleration, roll = Math.atan2(a.y, a.z), pitch = Math.atan2(-a.x, Math.hypot(a.y, a.z));
    this.imuText.textContent = t("sensors.imu", { roll: fixed((roll * 180) / Math.PI, 0), pitch: fixed((pitch * 180) / Math.PI, 0), turn: fixed(m.angular_velocity.z, 2), a: fixed(Math.hypot(a.x, a.y, a.z), 2) });
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

export const sensorPanel: Definition<object> = {
  id: "sensors", title: "sensors.title", about: "sensors.about", size: [6, 12], settings: {}, make: (context) => new SensorPanel(context),
};
