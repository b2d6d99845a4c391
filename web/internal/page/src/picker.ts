// SPDX-License-Identifier: Apache-2.0
// The choice of a robot: a button for each of a few, a list with a search for many, which does not grow with them.
import { Client } from "./client";
import { icon } from "./icons";
import { Fleet, Robot } from "./robots";
import { t } from "./texts";
import { h } from "./ui";

const few = 6; // robots that have a button each
const most = 200; // robots that the list shows at once

/** byName is the order of robots, as people count. */
export const byName = (a: { name: string }, b: { name: string }): number => a.name.localeCompare(b.name, undefined, { numeric: true });

export class RobotPicker {
  readonly element = h("div", { class: "picker" });
  private buttons = h("div", { id: "robots", role: "group", "aria-label": t("picker.robots") });
  private summary = h("summary", {});
  private find = h("input", { type: "search", id: "robots-find", placeholder: t("fleet.search"), "aria-label": t("picker.find"), oninput: () => this.list() });
  private rows = h("div", { class: "rows", id: "robots-list", role: "group", "aria-label": t("picker.robots") });
  private count = h("p", { class: "caption", role: "status" });
  private menu = h("details", { class: "menu", hidden: true }, this.summary, h("div", {}, this.find, this.count, this.rows));

  constructor(private client: Client, private fleet: Fleet) {
    this.element.append(this.buttons, this.menu);
    this.menu.addEventListener("toggle", () => { if (this.menu.open) { this.list(); this.find.focus(); } });
    this.menu.addEventListener("keydown", (e) => { if (e.key === "Escape") this.close(); });
    this.find.addEventListener("keydown", (e) => { if (e.key === "Enter") this.rows.querySelector("button")?.click(); });
    addEventListener("pointerdown", (e) => { if (!this.menu.contains(e.target as Node)) this.menu.open = false; });
    fleet.addEventListener("changed", () => this.show());
    client.on("control", () => this.show());
  }

  private close(): void { this.menu.open = false; this.summary.focus(); }

  private get sorted(): Robot[] { return [...this.fleet.robots.values()].sort(byName); }

  /** mark is behind the name of a robot that is driven: by this viewer, or by another. */
  private mark(r: Robot): string {
    const held = this.client.control.find((x) => x.robot === r.name);
    return held ? (held.you ? " ●" : " ○") : "";
  }

  private button(r: Robot): HTMLElement {
    return h("button", { type: "button", "aria-pressed": String(r === this.fleet.chosen), onclick: () => { this.fleet.choose(r.name); if (this.menu.open) this.close(); } }, r.title + this.mark(r));
  }

  private show(): void {
    const all = this.sorted, many = all.length > few;
    this.menu.hidden = !many;
    this.buttons.hidden = many;
    this.buttons.replaceChildren(...(many ? [] : all.map((r) => this.button(r))));
    const chosen = this.fleet.chosen;
    this.summary.replaceChildren(h("span", {}, chosen ? chosen.title + this.mark(chosen) : t("state.noRobot")), h("span", { class: "caption" }, t("picker.of", { count: all.length })), icon("down"));
    if (this.menu.open) this.list();
  }

  private list(): void {
    const text = this.find.value.trim().toLowerCase(), found = this.sorted.filter((r) => r.title.toLowerCase().includes(text));
    this.count.textContent = t("fleet.count", { found: found.length, count: this.fleet.robots.size });
    this.rows.replaceChildren(...found.slice(0, most).map((r) => this.button(r)));
  }
}
