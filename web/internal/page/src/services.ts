// SPDX-License-Identifier: Apache-2.0
// Services as forms.
import { parse } from "@foxglove/rosmsg";
import { Client, Service } from "./client";
import { Panel, h } from "./ui";

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
