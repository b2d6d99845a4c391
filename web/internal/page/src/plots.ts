// SPDX-License-Identifier: Apache-2.0
// Plots over time of any number in any topic, picked from the list with its type.
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { parse } from "@foxglove/rosmsg";
import { Client } from "./client";
import { Panel, color, eachFrame, full, h } from "./ui";
import { Fleet } from "./robots";

const seconds = 30;
const maxPoints = 2000;
const palette = ["plot1", "plot2", "plot3", "plot4", "plot5", "plot6"];

interface Line { topic: string; path: string; times: number[]; values: number[] }

const numeric = new Set(["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32", "float64", "bool", "byte", "char"]);

/** fieldsOf lists the paths of all numbers in a message type, lists as name[0]. */
export function fieldsOf(schema: string, limit = 300): { path: string; type: string }[] {
  const types = parse(schema, { ros2: true }), out: { path: string; type: string }[] = [];
  const walk = (definition: any, prefix: string, depth: number) => {
    for (const f of definition?.definitions ?? []) {
      if (f.isConstant || out.length >= limit || depth > 6) continue;
      const path = prefix + f.name + (f.isArray ? "[0]" : "");
      if (numeric.has(f.type)) out.push({ path, type: f.type + (f.isArray ? "[]" : "") });
      else if (f.isComplex) walk(types.find((t) => t.name === f.type), path + ".", depth + 1);
    }
  };
  walk(types.find((t) => t.name === undefined) ?? types[0], "", 0);
  return out;
}

/** pick reads a path such as "pose.pose.position.x" or "ranges[3]". */
export function pick(message: any, path: string): number {
  let v = message;
  for (const part of path.match(/[^.[\]]+/g) ?? []) v = v?.[part];
  return typeof v === "boolean" ? Number(v) : typeof v === "bigint" ? Number(v) : typeof v === "number" ? v : NaN;
}

/** refuse says why a path is no number of a message type, or "". */
export function refuse(schema: string, path: string): string {
  if (path === "") return "Which field?";
  const known = fieldsOf(schema, 5000).map((f) => f.path);
  return known.includes(path.replace(/\[\d+\]/g, "[0]")) ? "" : `The type has no number "${path}"`;
}

/** tableOf is all lines as comma-separated values: a line of names, then a row a point, times in s. */
export function tableOf(lines: { topic: string; path: string; times: number[]; values: number[] }[]): string {
  const quoted = (s: string) => `"${s.replaceAll('"', '""')}"`;
  const rows = lines.flatMap((l, i) => l.times.map((t, k) => ({ t, i, v: l.values[k] }))).sort((a, b) => a.t - b.t);
  return [["time", ...lines.map((l) => quoted(`${l.topic} ${l.path}`))].join(","),
    ...rows.map((r) => [r.t, ...lines.map((_, i) => (i === r.i && !Number.isNaN(r.v) ? r.v : ""))].join(","))].join("\n") + "\n";
}

/** download gives the browser a file to save. */
function download(name: string, data: Blob): void {
  const url = URL.createObjectURL(data), a = h("a", { href: url, download: name });
  a.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** shortly is a number with four digits that matter. */
const shortly = (v: number): string => (Number.isNaN(v) ? "–" : Number.isInteger(v) ? String(v) : Number(v.toPrecision(4)).toString()).replace("-", "−");

export class PlotPanel extends Panel {
  private lines: Line[] = [];
  private plot: uPlot | undefined;
  private box = h("div", { class: "plot", id: "plot" });
  private topic = h("select", { id: "plot-topic", "aria-label": "Topic", onchange: () => this.listFields() });
  private field = h("input", { id: "plot-field", list: "plot-fields", placeholder: "field", "aria-label": "Field, as in pose.pose.position.x or ranges[3]" });
  private fields = h("datalist", { id: "plot-fields" });
  private legend = h("ul", { class: "legend", "aria-label": "Plotted" });
  private error = h("p", { class: "error", id: "plot-error", role: "alert" });
  private hold = h("button", { type: "button", id: "plot-pause", "aria-pressed": "false", onclick: () => this.pause() }, "Pause");
  private values: HTMLElement[] = []; // the present value of each curve
  private paused = false;
  private fresh = true;

  constructor(private client: Client, private fleet: Fleet) {
    super("plots", "Plots");
    this.element.append(h("form", { class: "row", onsubmit: (e: Event) => { e.preventDefault(); this.add(this.topic.value, this.field.value); } },
      this.topic, this.field, this.fields, h("button", { type: "submit", id: "plot-add" }, "Plot"),
      this.hold, h("button", { type: "button", id: "plot-csv", onclick: () => this.saveTable() }, "CSV"), h("button", { type: "button", id: "plot-png", onclick: () => this.savePicture() }, "PNG")),
      this.error, this.legend, this.box);
    this.field.setAttribute("aria-describedby", "plot-error");
    this.field.addEventListener("input", () => this.say(""));
    client.on("channels", () => this.listTopics());
  }

  protected start(): void {
    this.listTopics();
    if (!this.lines.length && this.fleet.chosen) {
      for (const path of ["twist.twist.linear.x", "twist.twist.angular.z"]) this.lines.push({ topic: full(this.fleet.chosen.name, "odom"), path, times: [], values: [] });
    }
    for (const topic of new Set(this.lines.map((l) => l.topic))) {
      this.keep(this.client.subscribe(topic, (m, t) => this.take(topic, m, t)));
    }
    this.make();
    this.keep(eachFrame(() => this.draw()));
    const size = new ResizeObserver(() => this.plot?.setSize({ width: Math.max(this.box.clientWidth, 100), height: 240 }));
    size.observe(this.box);
    this.keep(() => { size.disconnect(); this.plot?.destroy(); this.plot = undefined; });
  }

  private listTopics(): void {
    const was = this.topic.value;
    const rows = [...this.client.topics.values()].sort((a, b) => a.topic.localeCompare(b.topic));
    this.topic.replaceChildren(...rows.map((c) => h("option", { value: c.topic }, `${c.topic}  (${c.schemaName.replace("/msg/", "/")})`)));
    if (was && this.client.topics.has(was)) this.topic.value = was;
    if (this.topic.value !== was) this.listFields();
  }

  private listFields(): void {
    const c = this.client.topics.get(this.topic.value);
    const found = c ? fieldsOf(c.schema) : [];
    this.fields.replaceChildren(...found.map((f) => h("option", { value: f.path }, f.type)));
    this.field.value = found.find((f) => !f.path.includes("stamp"))?.path ?? "";
  }

  private add(topic: string, path: string): void {
    const c = this.client.topics.get(topic), wrong = !c ? "Which topic?" : refuse(c.schema, path);
    const full = this.lines.length >= palette.length ? `At most ${palette.length} lines: remove one first` : "";
    const twice = this.lines.some((l) => l.topic === topic && l.path === path) ? "It is plotted already" : "";
    this.say(wrong || twice || full);
    if (wrong || twice || full) return;
    this.lines.push({ topic, path, times: [], values: [] });
    this.restart();
  }

  /** say shows what is wrong with the field, or that nothing is. */
  private say(error: string): void {
    this.error.textContent = error;
    if (error) this.field.setAttribute("aria-invalid", "true");
    else this.field.removeAttribute("aria-invalid");
  }

  /** pause holds the picture, to zoom in by drawing across it; it continues with all that came meanwhile. */
  private pause(): void {
    this.paused = !this.paused;
    this.hold.setAttribute("aria-pressed", String(this.paused));
    this.fresh = true;
  }

  private saveTable(): void { download("plot.csv", new Blob([tableOf(this.lines)], { type: "text/csv" })); }

  private savePicture(): void { this.box.querySelector("canvas")?.toBlob((b) => { if (b) download("plot.png", b); }, "image/png"); }

  private remove(line: Line): void { this.lines = this.lines.filter((l) => l !== line); this.restart(); }

  private take(topic: string, m: any, time: number): void {
    for (const l of this.lines) {
      if (l.topic !== topic) continue;
      const v = pick(m, l.path);
      l.times.push(time);
      l.values.push(Number.isFinite(v) ? v : NaN);
      if (l.times.length > maxPoints) { l.times.splice(0, 500); l.values.splice(0, 500); }
      this.fresh = true;
    }
  }

  private make(): void {
    this.plot?.destroy();
    const axis = { stroke: color("text"), grid: { stroke: color("line"), width: 1 }, ticks: { stroke: color("line") } };
    this.plot = new uPlot({
      width: Math.max(this.box.clientWidth, 100), height: 240, legend: { show: false }, scales: { x: { time: false }, y: { range: (_u, low, high) => (low === null || low === high ? [(low ?? 0) - 1, (low ?? 0) + 1] : uPlot.rangeNum(low, high, 0.1, true)) } },
      axes: [{ ...axis, values: (_u, at) => at.map((s) => s + " s") }, { ...axis, size: 64 }],
      series: [{}, ...this.lines.map((l, i) => ({ label: l.path, stroke: color(palette[i]), width: 2, spanGaps: true, points: { show: false } }))],
    }, [[], ...this.lines.map(() => [])] as any, this.box);
    this.values = [];
    this.legend.replaceChildren(...this.lines.map((l, i) => h("li", {}, h("span", { class: "swatch " + palette[i], "aria-hidden": "true" }), `${l.topic} ${l.path} `, this.values[i] = h("output", { class: "value" }, "–"), " ",
      h("button", { type: "button", class: "small", "aria-label": `Remove ${l.topic} ${l.path}`, onclick: () => this.remove(l) }, "×"))));
    this.fresh = true;
  }

  private draw(): void {
    if (!this.plot || !this.fresh || this.paused) return;
    this.fresh = false;
    this.lines.forEach((l, i) => { this.values[i].textContent = l.values.length ? shortly(l.values[l.values.length - 1]) : "–"; });
    const now = Math.max(...this.lines.map((l) => l.times[l.times.length - 1] ?? 0));
    const tables = this.lines.map((l) => {
      const from = l.times.findIndex((t) => t > now - seconds);
      return from < 0 ? [[], []] : [l.times.slice(from).map((t) => t - now), l.values.slice(from)];
    }).filter((t) => t);
    if (!tables.length) return;
    this.plot.setData(tables.length === 1 ? tables[0] as any : uPlot.join(tables as any), true);
    this.plot.setScale("x", { min: -seconds, max: 0 });
  }
}
