// SPDX-License-Identifier: Apache-2.0
// How the robot is: diagnostics as a tree with the age of each entry, and the log with a filter.
import { Client } from "./client";
import { Panel, every, h } from "./ui";

const levels = ["OK", "Warning", "Error", "Stale"];
const staleAfter = 5; // s

interface Entry { level: number; message: string; values: { key: string; value: string }[]; seen: number; details: HTMLDetailsElement; head: HTMLElement; age: HTMLElement; body: HTMLElement }

export class DiagnosticsPanel extends Panel {
  private tree = h("div", { class: "tree", id: "diagnostics", role: "region", "aria-label": "Diagnostics of all robots" });
  private groups = new Map<string, HTMLElement>();
  private entries = new Map<string, Entry>();

  constructor(private client: Client) {
    super("diagnostics", "Diagnostics");
    this.element.append(this.tree);
  }

  protected start(): void {
    this.keep(this.client.subscribe("/diagnostics", (m) => { for (const s of m.status) this.take(s); }));
    this.keep(every(1000, () => this.grow()));
  }

  private take(s: any): void {
    const [node, name] = s.name.includes(": ") ? s.name.split(/: (.*)/) : ["robot", s.name];
    const key = s.hardware_id + " " + s.name;
    let e = this.entries.get(key);
    if (!e) {
      const head = h("span"), age = h("span", { class: "age" }), body = h("dl");
      const details = h("details", {}, h("summary", {}, head, age), body);
      e = { level: 0, message: "", values: [], seen: 0, details, head, age, body };
      this.entries.set(key, e);
      this.group(node).append(details);
    }
    Object.assign(e, { level: s.level, message: s.message, values: s.values, seen: performance.now() });
    const text = `${levels[s.level] ?? s.level}  ${name}: ${s.message}${s.hardware_id ? `  (${s.hardware_id})` : ""}`;
    if (e.head.textContent !== text) e.head.textContent = text;
    e.details.dataset.level = String(s.level);
    if (e.details.open) e.body.replaceChildren(...s.values.flatMap((v: any) => [h("dt", {}, v.key), h("dd", {}, v.value)]));
    else e.details.ontoggle = () => { if (e.details.open) e.body.replaceChildren(...e.values.flatMap((v) => [h("dt", {}, v.key), h("dd", {}, v.value)])); };
  }

  private group(name: string): HTMLElement {
    let g = this.groups.get(name);
    if (!g) {
      g = h("div", { role: "group", "aria-label": name });
      this.groups.set(name, g);
      this.tree.append(h("h3", {}, name), g);
    }
    return g;
  }

  private grow(): void {
    const now = performance.now();
    for (const e of this.entries.values()) {
      const age = (now - e.seen) / 1000;
      e.age.textContent = `${Math.round(age)} s ago`;
      if (age > staleAfter) e.details.dataset.level = "3";
    }
  }
}

const severities: [number, string][] = [[10, "Debug"], [20, "Info"], [30, "Warn"], [40, "Error"], [50, "Fatal"]];
const maxLines = 500;

export class LogPanel extends Panel {
  private list = h("ol", { class: "log", id: "log", tabindex: 0, "aria-label": "Log" });
  private level = h("select", { id: "log-level", "aria-label": "Least level", onchange: () => this.filter() }, ...severities.map(([n, t]) => h("option", { value: n, selected: n === 20 }, t)));
  private text = h("input", { id: "log-filter", type: "search", placeholder: "filter", "aria-label": "Filter by node or text", oninput: () => this.filter() });
  private seen = new Set<string>();

  constructor(private client: Client) {
    super("log", "Log");
    this.element.append(h("div", { class: "row" }, this.level, this.text), this.list);
  }

  protected start(): void { this.keep(this.client.subscribe("/rosout", (m) => this.take(m))); }

  private take(m: any): void {
    const key = `${m.stamp.sec}.${m.stamp.nsec ?? m.stamp.nanosec} ${m.name} ${m.msg}`;
    if (this.seen.has(key)) return; // reported again after the panel was hidden
    this.seen.add(key);
    if (this.seen.size > 2 * maxLines) this.seen = new Set([...this.seen].slice(-maxLines));
    const name = severities.find(([n]) => n >= m.level)?.[1] ?? String(m.level);
    const at = new Date(m.stamp.sec * 1000).toLocaleTimeString();
    const row = h("li", { "data-level": m.level }, h("time", {}, at), " ", h("b", {}, name), " ", h("span", { class: "who" }, m.name), " ", m.msg);
    row.hidden = !this.matches(row);
    const atEnd = this.list.scrollTop + this.list.clientHeight >= this.list.scrollHeight - 20;
    this.list.append(row);
    while (this.list.childElementCount > maxLines) this.list.firstElementChild!.remove();
    if (atEnd) this.list.scrollTop = this.list.scrollHeight;
  }

  private matches(row: HTMLElement): boolean {
    return Number(row.dataset.level) >= Number(this.level.value) && (row.textContent ?? "").toLowerCase().includes(this.text.value.toLowerCase());
  }

  private filter(): void { for (const row of this.list.children as HTMLCollectionOf<HTMLElement>) row.hidden = !this.matches(row); }
}
