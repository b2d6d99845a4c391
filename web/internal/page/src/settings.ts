// SPDX-License-Identifier: Apache-2.0
// Parameters edited in place, with what they mean, their range and their unit; and services as forms.
import { parse } from "@foxglove/rosmsg";
import { Client, Service } from "./client";
import { Fleet } from "./robots";
import { Panel, h, say } from "./ui";

const kinds = ["not set", "bool", "integer", "double", "string", "bytes", "bools", "integers", "doubles", "strings"];
const valueFields = ["", "bool_value", "integer_value", "double_value", "string_value", "byte_array_value", "bool_array_value", "integer_array_value", "double_array_value", "string_array_value"];

/** unitOf finds the unit that a description ends with, as in "Wheel radius (m)." or "… in m/s". */
export function unitOf(description: string): string {
  const m = /[([](?:in )?(m|mm|s|ms|Hz|rad|rad\/s|m\/s|m\/s²|V|%|°|px|kB|pixels?|frames\/s|dB)[)\]]/.exec(description) ?? /(?:, in|, )\s*(m\/s²|m\/s|rad\/s|frames\/s|Hz|rad|mm|ms|m|s|V|%)(?=[.;:,]|$)/.exec(description);
  return m?.[1] ?? "";
}

/** breakable is a name that lines break behind its dots and strokes. */
const breakable = (name: string) => name.split(/(?<=[._])/).flatMap((part, i) => (i ? [h("wbr"), part] : [part]));

export class ParameterPanel extends Panel {
  private node = h("select", { id: "param-node", "aria-label": "Node", onchange: () => void this.load() });
  private search = h("input", { type: "search", id: "param-filter", placeholder: "filter", "aria-label": "Filter parameters", oninput: () => this.filter() });
  private list = h("div", { class: "params", id: "params" });
  private state = h("p", { class: "state", id: "param-state", role: "status" });

  constructor(private client: Client, private fleet: Fleet) {
    super("parameters", "Parameters");
    this.element.append(h("div", { class: "row" }, this.node, this.search, h("button", { type: "button", onclick: () => void this.load() }, "Reload")), this.state, this.list);
    client.on("services", () => { if (this.visible) this.listNodes(); });
    fleet.addEventListener("chosen", () => this.restart());
  }

  protected start(): void {
    this.listNodes();
    this.keep(this.client.subscribe("/parameter_events", (m) => { if (m.node === this.node.value) this.changed([...m.new_parameters, ...m.changed_parameters]); }));
  }

  private listNodes(): void {
    const suffix = "/list_parameters", was = this.node.value, ns = this.fleet.chosen?.name ?? "/";
    const nodes = [...this.client.services.values()].filter((s) => s.type === "rcl_interfaces/srv/ListParameters").map((s) => s.name.slice(0, -suffix.length)).sort();
    if (nodes.join() === [...this.node.options].map((o) => o.value).join()) return;
    this.node.replaceChildren(...nodes.map((n) => h("option", { value: n }, n)));
    this.node.value = nodes.includes(was) ? was : nodes.find((n) => n.startsWith(ns === "/" ? "/" : ns + "/") && n.endsWith("driver")) ?? nodes[0] ?? "";
    if (this.node.value !== was) void this.load();
  }

  private async load(): Promise<void> {
    const node = this.node.value;
    if (!node) return;
    this.state.textContent = "Loading …";
    try {
      const names: string[] = (await this.client.call(node + "/list_parameters", {})).result.names.sort();
      const [described, got] = await Promise.all([this.client.call(node + "/describe_parameters", { names }), this.client.call(node + "/get_parameters", { names })]);
      if (node !== this.node.value) return;
      this.list.replaceChildren(...names.map((name, i) => this.row(node, name, described.descriptors[i] ?? {}, got.values[i] ?? { type: 0 })));
      this.state.textContent = `${names.length} parameters`;
      this.filter();
    } catch (e) { this.state.textContent = (e as Error).message; }
  }

  private row(node: string, name: string, d: any, value: any): HTMLElement {
    const id = "param-" + name, type = value.type || d.type || 0, error = h("p", { class: "error", id: id + "-error", role: "alert" });
    const range = d.floating_point_range?.[0] ?? d.integer_range?.[0];
    const about = [d.description, range && `range ${range.from_value} … ${range.to_value}`, d.additional_constraints].filter(Boolean).join(" · ");
    const unit = unitOf(d.description ?? "");
    const input = type === 1 ? h("input", { type: "checkbox", id, "aria-describedby": id + "-about" })
      : h("input", { type: "text", inputmode: type === 2 || type === 3 ? "decimal" : "text", id, "aria-describedby": id + "-about", spellcheck: "false" });
    input.disabled = Boolean(d.read_only) || this.client.metadata.role === "view";
    const row = h("div", { class: "param", "data-name": name }, h("label", { for: id }, ...breakable(name)), input, h("span", { class: "unit" }, unit || kinds[type]),
      h("p", { class: "about", id: id + "-about" }, about + (d.read_only ? " · read only" : "")), error);
    this.fill(row, value);
    input.addEventListener("change", () => void this.set(node, name, type, row, input, error));
    return row;
  }

  private fill(row: HTMLElement, value: any): void {
    const input = row.querySelector("input")!, v = value[valueFields[value.type] || ""];
    if (value.type === 1) input.checked = v;
    else input.value = value.type === 0 ? "" : Array.isArray(v) ? JSON.stringify(v) : v === null ? "nan" : String(v);
    input.dataset.was = input.type === "checkbox" ? String(input.checked) : input.value;
    input.removeAttribute("aria-invalid");
  }

  private changed(list: any[]): void {
    for (const p of list) {
      const row = [...this.list.children].find((e) => (e as HTMLElement).dataset.name === p.name) as HTMLElement | undefined;
      if (row && !row.contains(document.activeElement)) this.fill(row, { ...p.value, ...Object.fromEntries(Object.entries(p.value).filter(([k]) => k.endsWith("_array_value")).map(([k, v]) => [k, Array.from(v as any, (x: any) => (typeof x === "bigint" ? Number(x) : x))])) });
    }
  }

  private async set(node: string, name: string, type: number, row: HTMLElement, input: HTMLInputElement, error: HTMLElement): Promise<void> {
    error.textContent = "";
    try {
      const value: any = { type, [valueFields[type]]: valueOf(type, input) };
      const r = (await this.client.call(node + "/set_parameters", { parameters: [{ name, value }] })).results[0];
      if (!r.successful) throw new Error(r.reason || "refused");
      this.fill(row, value);
      say(`${name} set`);
    } catch (e) {
      error.textContent = (e as Error).message;
      input.setAttribute("aria-invalid", "true");
    }
  }

  private filter(): void {
    const text = this.search.value.toLowerCase();
    for (const row of this.list.children as HTMLCollectionOf<HTMLElement>) row.hidden = !(row.textContent ?? "").toLowerCase().includes(text);
  }
}

function valueOf(type: number, input: HTMLInputElement): unknown {
  const text = input.value.trim();
  switch (type) {
    case 1: return input.checked;
    case 2: case 3: {
      const n = Number(text);
      if (text === "" || Number.isNaN(n)) throw new Error(`"${text}" is no number`);
      return n;
    }
    case 4: return input.value;
    default: {
      const list = JSON.parse(text.startsWith("[") ? text : `[${text}]`);
      if (!Array.isArray(list)) throw new Error("want a list, as in [1, 2]");
      return list;
    }
  }
}

const hiddenServices = /\/(list|describe|get|set)_parameters$|\/get_parameter_types$|\/set_parameters_atomically$|\/get_type_description$/;

export class ServicePanel extends Panel {
  private name = h("select", { id: "service", "aria-label": "Service", onchange: () => this.form() });
  private fields = h("form", { id: "service-form", onsubmit: (e: Event) => { e.preventDefault(); void this.send(); } });
  private reply = h("pre", { id: "service-reply", tabindex: 0, "aria-label": "Reply", "aria-live": "polite" });

  constructor(private client: Client) {
    super("services", "Services");
    this.element.append(h("div", { class: "row" }, this.name), this.fields, this.reply);
    client.on("services", () => { if (this.visible) this.list(); });
  }

  protected start(): void { this.list(); }

  private list(): void {
    const was = this.name.value, names = [...this.client.services.keys()].filter((n) => !hiddenServices.test(n)).sort();
    if (names.join() === [...this.name.options].map((o) => o.value).join()) return;
    this.name.replaceChildren(...names.map((n) => h("option", { value: n }, `${n}  (${this.client.services.get(n)!.type.replace("/srv/", "/")})`)));
    if (names.includes(was)) this.name.value = was;
    if (this.name.value !== was) this.form();
  }

  private get service(): Service | undefined { return this.client.services.get(this.name.value); }

  private form(): void {
    const s = this.service;
    if (!s) return;
    const types = parse(s.request.schema, { ros2: true }), rows: HTMLElement[] = [];
    const walk = (d: any, prefix: string) => {
      for (const f of d?.definitions ?? []) {
        if (f.isConstant) continue;
        const path = prefix + f.name, id = "field-" + path;
        if (f.isComplex && !f.isArray) { walk(types.find((t) => t.name === f.type), path + "."); continue; }
        const input = f.type === "bool" && !f.isArray ? h("input", { type: "checkbox", id }) : h("input", { type: "text", id, placeholder: f.isArray ? "[]" : f.type === "string" ? "" : "0" });
        input.dataset.path = path; input.dataset.kind = f.isArray ? "list" : f.type;
        rows.push(h("div", { class: "param" }, h("label", { for: id }, path), input, h("span", { class: "unit" }, f.type + (f.isArray ? "[]" : ""))));
      }
    };
    walk(types.find((t) => t.name === undefined) ?? types[0], "");
    this.fields.replaceChildren(...rows, h("button", { type: "submit", class: "primary", id: "service-call" }, "Call"));
    this.reply.textContent = "";
  }

  private async send(): Promise<void> {
    const request: any = {};
    try {
      for (const input of this.fields.querySelectorAll("input")) {
        const path = input.dataset.path!.split("."), kind = input.dataset.kind!;
        let at = request;
        for (const part of path.slice(0, -1)) at = at[part] ??= {};
        if (kind === "bool") at[path[path.length - 1]] = input.checked;
        else if (input.value !== "") at[path[path.length - 1]] = kind === "string" ? input.value : JSON.parse(input.value);
      }
      this.reply.textContent = "…";
      this.reply.textContent = JSON.stringify(await this.client.call(this.name.value, request), null, 2);
    } catch (e) { this.reply.textContent = (e as Error).message; }
  }
}
