// SPDX-License-Identifier: Apache-2.0
// The icons of the page: those of Lucide that it uses. They are decoration: what they are on has a text or a label.
import { h } from "preact";
import {
  ChevronDown, Copy, Crosshair, Download, Eraser, GripVertical, LayoutDashboard, Maximize2, Minimize2, Minus, Pause, Play, Plus, Scan, Settings, Trash2, X,
} from "lucide";

const icons = {
  add: Plus, close: X, copy: Copy, down: ChevronDown, download: Download, erase: Eraser, fit: Scan, follow: Crosshair, full: Maximize2, grip: GripVertical, layout: LayoutDashboard,
  pause: Pause, play: Play, remove: Minus, restore: Minimize2, settings: Settings, trash: Trash2,
};

export type IconName = keyof typeof icons;

const frame = { viewBox: "0 0 24 24", width: "1.15em", height: "1.15em", fill: "none", stroke: "currentColor", "stroke-width": "2", "stroke-linecap": "round", "stroke-linejoin": "round", "aria-hidden": "true" };
const svg = "http://www.w3.org/2000/svg";

/** icon makes an icon as an element. */
export function icon(name: IconName): SVGElement {
  const make = (tag: string, attributes: object) => {
    const e = document.createElementNS(svg, tag);
    for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, String(v));
    return e;
  };
  const out = make("svg", frame);
  for (const [tag, attributes] of icons[name]) out.append(make(tag, attributes));
  out.classList.add("icon");
  return out;
}

/** Icon is an icon of a component. */
export const Icon = ({ name }: { name: IconName }) => h("svg", { ...frame, class: "icon" }, icons[name].map(([tag, attributes]) => h(tag, attributes as any)));
