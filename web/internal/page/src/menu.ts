// SPDX-License-Identifier: Apache-2.0
// A menu: a button that opens a box, which Escape and a press elsewhere close.
import { IconName, icon } from "./icons";
import { h } from "./ui";

/** menu makes one; without named it shows its icon alone. */
export function menu(id: string, name: IconName, label: string, named: boolean, ...content: HTMLElement[]): HTMLDetailsElement {
  const summary = h("summary", { "aria-label": label, title: label }, icon(name), named && h("span", {}, label));
  const out = h("details", { class: "menu", id }, summary, h("div", { tabindex: -1 }, ...content));
  out.addEventListener("keydown", (e) => { if (e.key === "Escape" && out.open) { out.open = false; summary.focus(); } });
  addEventListener("pointerdown", (e) => { if (!out.contains(e.target as Node)) out.open = false; });
  return out;
}
