// SPDX-License-Identifier: Apache-2.0
// The panel of plots: any numbers of any topics over time or over another number, with zoom, pause and export.
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { Key, t } from "../texts";
import { color, eachFrame, full, h, saveFile, say } from "../ui";
import { Curves, shortly } from "./curves";
import { Signal, completions, hasField, signalOf, signalText } from "./fields";
import { Context, Definition, Panel, list, number, text } from "./panel";

const palette = ["plot1", "plot2", "plot3", "plot4", "plot5", "plot6"];
const mostCurves = 24; // colours repeat, with dashes
const windows = [10, 30, 60, 300]; // s
const usual = ["twist.twist.linear.x", "twist.twist.angular.z"]; // of odom, in a new plot

/** signals are TOPIC.FIELD; x is empty for time; seconds are shown. */
interface PlotSettings { signals: string[]; x: string; seconds: number }

class PlotPanel extends Panel {
  private client = this.context.client;
  private curves = new Curves([], undefined);
  private plot: uPlot | undefined;
  private box = h("div", { class: "plot", id: this.context.id("plot"), tabindex: 0, role: "img", "aria-label": t("plots.title") });
  private options = h("datalist", { id: this.context.id("options") });
  private field = this.input("field", "plots.field");
  private x = this.input("x", "plots.x");
  private error = h("p", { class: "error", id: this.context.id("error"), role: "alert" });
  private xError = h("p", { class: "error", id: this.context.id("x-error"), role: "alert" });
  private legend = h("ul", { class: "legend", "aria-label": t("plots.legend") });
  private hold = h("button", { type: "button", id: this.context.id("pause"), "aria-pressed": "false", onclick: () => this.pause(!this.paused) }, t("pause"));
  private reset = h("button", { type: "button", id: this.context.id("reset"), hidden: true, onclick: () => this.zoom(undefined) }, t("plots.reset"));
  private seconds = h("select", { id: this.context.id("seconds"), "aria-label": t("plots.window"), onchange: () => this.store({ seconds: Number(this.seconds.value) }) }, ...windows.map((s) => h("option", { value: s }, `${s} s`)));
  private values: HTMLElement[] = []; // the present value of each curve
  private paused = false;
  private range: { min: number; max: number } | undefined; // of x, that a person zoomed to
  private fresh = true;

  constructor(context: Context, private settings: PlotSettings, private changed: (s: PlotSettings) => void) {
    super(context, "plots.title");
    const button = (name: string, label: string, f: () => void) => h("button", { type: "button", id: context.id(name), onclick: f }, label);
    this.element.append(h("form", { class: "row", onsubmit: (e: Event) => { e.preventDefault(); this.add(); } }, this.field, h("button", { type: "submit", id: context.id("add") }, t("plots.add")),
      this.seconds, this.hold, this.reset, button("csv", "CSV", () => saveFile("plot.csv", new Blob([this.curves.table()], { type: "text/csv" }))), button("png", "PNG", () => this.savePicture())),
      this.error, this.legend, this.box, h("form", { class: "row", onsubmit: (e: Event) => { e.preventDefault(); this.takeX(); } }, h("label", { for: this.x.id }, t("plots.over")), this.x), this.xError, this.options);
    context.fleet.addEventListener("chosen", () => { if (!this.settings.signals.length) this.restart(); }, { signal: this.signal });
    this.seconds.value = String(settings.seconds);
    this.x.value = settings.x;
    this.field.addEventListener("input", () => { this.complete(this.field); wrong(this.field, this.error, ""); });
    this.x.addEventListener("input", () => { this.complete(this.x); wrong(this.x, this.xError, ""); });
    this.x.addEventListener("change", () => this.takeX());
    for (const i of [this.field, this.x]) i.addEventListener("focus", () => this.complete(i));
    this.box.addEventListener("keydown", (e) => this.key(e));
    this.box.addEventListener("wheel", (e) => { if (!e.ctrlKey && document.activeElement !== this.box) return; e.preventDefault(); this.scale(Math.exp(e.deltaY / 400)); }, { passive: false });
  }

  private input(name: string, label: Key): HTMLInputElement {
    return h("input", { id: this.context.id(name), list: this.context.id("options"), placeholder: t("plots.placeholder"), "aria-label": t(label), "aria-describedby": this.context.id(name === "x" ? "x-error" : "error"), autocomplete: "off", spellcheck: "false" });
  }

  private complete(input: HTMLInputElement): void {
    const now = new Map([...this.client.topics].map(([name, c]) => [name, c]));
    this.options.replaceChildren(...completions(input.value, now).map((o) => h("option", { value: o.text }, o.about)));
  }

  private store(change: Partial<PlotSettings>): void {
    this.settings = { ...this.settings, ...change };
    this.changed(this.settings);
    this.fresh = true;
  }

  protected start(): void {
    if (!this.settings.signals.length && this.context.fleet.chosen) this.settings = { ...this.settings, signals: usual.map((path) => signalText({ topic: full(this.context.fleet.chosen!.name, "odom"), path })) };
    const wanted = this.settings.signals.map(signalOf).filter((s): s is Signal => s !== undefined), x = signalOf(this.settings.x);
    const key = JSON.stringify([wanted, x]);
    if (key !== this.box.dataset.key) { // what was taken before stays
      const old = this.curves;
      this.curves = new Curves(wanted, x);
      if (JSON.stringify(old.x) === JSON.stringify(x)) for (const c of this.curves.list) Object.assign(c, old.list.find((o) => signalText(o) === signalText(c)) ?? {});
      this.box.dataset.key = key;
    }
    for (const topic of this.curves.topics) this.keep(this.client.subscribe(topic, (m, time) => { this.curves.take(topic, m, time); this.fresh = true; }));
    this.make();
    this.keep(eachFrame(() => this.draw()));
    const size = new ResizeObserver(() => this.plot?.setSize(this.size()));
    size.observe(this.box);
    this.keep(() => { size.disconnect(); this.plot?.destroy(); this.plot = undefined; });
  }

  private size(): { width: number; height: number } { return { width: Math.max(this.box.clientWidth, 100), height: Math.max(this.box.clientHeight, 120) }; }

  /** problem returns what is wrong with what was written, or nothing. */
  private problem(written: string): string {
    const s = signalOf(written);
    if (!s) return t("plots.noField");
    const c = this.client.topics.get(s.topic);
    if (!c) return t("plots.noTopic", { topic: s.topic });
    return hasField(c.schema, s.path) ? "" : t("plots.noNumber", { path: s.path, type: c.schemaName });
  }

  private add(): void {
    const written = this.field.value.trim(), problem = this.problem(written)
      || (this.settings.signals.includes(written) ? t("plots.twice") : "") || (this.settings.signals.length >= mostCurves ? t("plots.most", { count: mostCurves }) : "");
    wrong(this.field, this.error, problem);
    if (problem) return;
    this.store({ signals: [...this.settings.signals, written] });
    this.field.value = "";
    this.restart();
  }

  private takeX(): void {
    const written = this.x.value.trim(), problem = written === "" ? "" : this.problem(written);
    wrong(this.x, this.xError, problem);
    if (problem || written === this.settings.x) return;
    this.store({ x: written });
    this.range = undefined;
    this.restart();
  }

  private remove_(signal: string): void {
    this.store({ signals: this.settings.signals.filter((s) => s !== signal) });
    this.restart();
    this.field.focus();
  }

  private pause(on: boolean): void {
    this.paused = on;
    this.hold.setAttribute("aria-pressed", String(on));
    this.fresh = true;
  }

  /** zoom shows a range of x and holds it; undefined continues. */
  private zoom(range: { min: number; max: number } | undefined): void {
    this.range = range;
    this.reset.hidden = range === undefined;
    if (range) { this.pause(true); this.plot?.setScale("x", range); } else { this.pause(false); this.make(); }
  }

  private scale(by: number): void {
    const { min, max } = this.plot?.scales.x ?? {};
    if (min === undefined || max === undefined || min === null || max === null) return;
    const middle = (min + max) / 2, half = ((max - min) / 2) * by;
    this.zoom({ min: middle - half, max: middle + half });
  }

  private key(e: KeyboardEvent): void {
    const { min, max } = this.plot?.scales.x ?? {}, step = ((max ?? 0) - (min ?? 0)) / 8;
    if (e.key === "+" || e.key === "=") this.scale(1 / 1.3);
    else if (e.key === "-") this.scale(1.3);
    else if (e.key === "0" || e.key === "Escape") this.zoom(undefined);
    else if (e.key === "p") this.pause(!this.paused);
    else if ((e.key === "ArrowLeft" || e.key === "ArrowRight") && min !== undefined && max !== undefined) { const by = e.key === "ArrowLeft" ? -step : step; this.zoom({ min: min! + by, max: max! + by }); }
    else return;
    e.preventDefault();
    e.stopPropagation();
  }

  private savePicture(): void { this.box.querySelector("canvas")?.toBlob((b) => { if (b) saveFile("plot.png", b); }, "image/png"); }

  private make(): void {
    this.plot?.destroy();
    const over = this.curves.x !== undefined;
    const axis = { stroke: color("text"), grid: { stroke: color("line"), width: 1 }, ticks: { stroke: color("line") } };
    const stroke = (i: number) => ({ stroke: color(palette[i % palette.length]), dash: i < palette.length ? undefined : [8, 4 * Math.floor(i / palette.length)], width: 2, spanGaps: true, points: { show: false } });
    this.plot = new uPlot({
      ...this.size(), mode: over ? 2 : 1, legend: { show: false }, cursor: { drag: { x: true, y: false, setScale: false } },
      scales: { x: { time: false, ...(over ? { auto: false, range: (_u: uPlot, low: number, high: number) => [low, high] as [number, number] } : {}) }, y: { range: (_u, low, high) => (over ? [low, high] : around(low, high)) } },
      axes: [{ ...axis, values: (_u, at) => at.map((s) => (over ? shortly(s) : `${shortly(s)} s`)) }, { ...axis, size: 64 }],
      series: [over ? null as any : {}, ...this.curves.list.map((c, i) => ({ label: signalText(c), ...stroke(i), ...(over ? { paths: byPoints, facets: [{ scale: "x", auto: true }, { scale: "y", auto: true }] } : {}) }))],
      hooks: { setSelect: [(u) => {
        if (u.select.width < 4) return;
        const min = u.posToVal(u.select.left, "x"), max = u.posToVal(u.select.left + u.select.width, "x");
        u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        this.zoom({ min, max });
      }] },
    }, (over ? [null, ...this.curves.list.map(() => [[], []])] : [[], ...this.curves.list.map(() => [])]) as any, this.box);
    this.plot.over.addEventListener("dblclick", () => this.zoom(undefined));
    this.values = [];
    this.legend.replaceChildren(...this.curves.list.map((c, i) => h("li", {}, h("span", { class: `swatch ${palette[i % palette.length]}`, "aria-hidden": "true" }), `${signalText(c)} `, this.values[i] = h("output", { class: "value" }, "–"), " ",
      h("button", { type: "button", class: "small", "aria-label": t("plots.remove", { name: signalText(c) }), onclick: () => this.remove_(signalText(c)) }, "×"))));
    this.box.setAttribute("aria-label", t("plots.label", { names: this.curves.list.map(signalText).join(", ") }));
    this.fresh = true;
  }

  private draw(): void {
    if (!this.plot || !this.fresh || (this.paused && this.range)) return;
    this.fresh = false;
    if (this.paused) return;
    const now = this.curves.newest, shown = this.curves.list.map((c) => this.curves.since(c, now - this.settings.seconds));
    shown.forEach((c, i) => { this.values[i].textContent = c.values.length ? shortly(c.values[c.values.length - 1]) : "–"; });
    this.box.dataset.points = String(shown.reduce((n, c) => n + c.values.filter(Number.isFinite).length, 0));
    if (!shown.length) return;
    if (this.curves.x) {
      const xs = shown.flatMap((c) => c.xs).filter(Number.isFinite), low = xs.reduce((a, b) => Math.min(a, b), Infinity), high = xs.reduce((a, b) => Math.max(a, b), -Infinity);
      this.plot.setData([null, ...shown.map((c) => [c.xs, c.values])] as any, false);
      if (low < high) this.plot.setScale("x", { min: low - (high - low) * 0.05, max: high + (high - low) * 0.05 });
      else this.plot.setScale("x", { min: (Number.isFinite(low) ? low : 0) - 1, max: (Number.isFinite(low) ? low : 0) + 1 });
      const ys = shown.flatMap((c) => c.values).filter(Number.isFinite);
      if (ys.length) { const [min, max] = around(ys.reduce((a, b) => Math.min(a, b)), ys.reduce((a, b) => Math.max(a, b))); this.plot.setScale("y", { min, max }); }
      return;
    }
    const tables = shown.map((c) => [c.times.map((x) => x - now), c.values]);
    this.plot.setData((tables.length === 1 ? tables[0] : uPlot.join(tables as any)) as any, true);
    this.plot.setScale("x", { min: -this.settings.seconds, max: 0 });
  }
}

/** around is a range with space above and below. */
function around(low: number | null, high: number | null): [number, number] {
  return low === null || high === null || low === high ? [(low ?? 0) - 1, (low ?? 0) + 1] : uPlot.rangeNum(low, high, 0.1, true) as [number, number];
}

/** byPoints draws a curve through its points in their order, which is that of time. */
function byPoints(u: uPlot, i: number): any {
  const [xs, ys] = (u.data as any)[i] as [number[], number[]], path = new Path2D();
  let on = false;
  for (let k = 0; k < xs.length; k++) {
    if (!Number.isFinite(xs[k]) || !Number.isFinite(ys[k])) { on = false; continue; }
    const x = u.valToPos(xs[k], "x", true), y = u.valToPos(ys[k], "y", true);
    if (on) path.lineTo(x, y); else path.moveTo(x, y);
    on = true;
  }
  return { stroke: path, fill: null, clip: null, band: null, gaps: null, flags: 1 };
}

/** wrong shows what is wrong with an input, or that nothing is. */
function wrong(input: HTMLInputElement, error: HTMLElement, problem: string): void {
  error.textContent = problem;
  if (problem) { input.setAttribute("aria-invalid", "true"); say(problem); } else input.removeAttribute("aria-invalid");
}

export const plotPanel: Definition<PlotSettings> = {
  id: "plots", title: "plots.title", about: "plots.about", size: [6, 9],
  settings: { signals: list((v) => (typeof v === "string" && v.length < 500 ? v : undefined), mostCurves), x: text(), seconds: number(30, 10, 300) },
  make: (context, settings, changed) => new PlotPanel(context, settings, changed),
};
