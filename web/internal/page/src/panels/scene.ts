// SPDX-License-Identifier: Apache-2.0
// The panel of the view in three dimensions. Its script is loaded when the panel is first seen.
import { Client } from "./client";
import { Frames } from "./frames";
import { Navigation } from "./navigation";
import { Fleet } from "./robots";
import { Panel, h } from "./ui";
import type { View3D } from "./view3d/view";

type Module = typeof import("./view3d/view");

export class ScenePanel extends Panel {
  private host = h("div", { class: "scene" });
  private note = h("p", { class: "caption", id: "scene-note", role: "status" }, "Loading …");
  private frame = h("select", { id: "scene-frame", "aria-label": "Fixed frame" });
  private view = h("select", { id: "scene-view", "aria-label": "View" });
  private tool = h("select", { id: "scene-tool", "aria-label": "Tool" });
  private send = h("button", { type: "button", id: "scene-send", hidden: true, onclick: () => this.view3d?.tools.send() }, "Send");
  private layers = h("div", { class: "layers" });
  private names = ""; // of the layers and frames that are listed
  private view3d: View3D | undefined;
  private loading = false;

  constructor(private client: Client, private fleet: Fleet, private frames: Frames, private navigation: Navigation) {
    super("scene", "3-D");
    const button = (text: string, label: string, f: () => void) => h("button", { type: "button", "aria-label": label, title: label, onclick: f }, text);
    this.element.append(h("div", { class: "row" }, h("label", {}, "View ", this.view), h("label", {}, "Tool ", this.tool), this.send, h("label", {}, "Fixed frame ", this.frame),
      button("+", "Zoom in", () => this.view3d?.cameras.zoom(1.3)), button("−", "Zoom out", () => this.view3d?.cameras.zoom(1 / 1.3)),
      button("⤢", "Show all", () => this.view3d?.showAll())),
      this.host, this.note, h("details", {}, h("summary", {}, "Layers"), this.layers));
    this.frame.addEventListener("change", () => { this.frames.wanted = this.frame.value; this.view3d?.changed(); });
    this.view.addEventListener("change", () => { if (this.view3d) { this.view3d.cameras.view = this.view.value as any; this.view3d.changed(); } });
    this.tool.addEventListener("change", () => { this.view3d?.tools.use(this.tool.value as any); this.send.hidden = this.tool.value !== "waypoints"; this.view3d?.changed(); });
  }

  protected start(): void {
    if (!this.view3d) { void this.load(); return; }
    this.view3d.start();
    this.keep(() => this.view3d!.stop());
  }

  private async load(): Promise<void> {
    if (this.loading) return;
    this.loading = true;
    try {
      const module: Module = await import(new URL("view3d.js", import.meta.url).href);
      const view = this.view3d = new module.View3D(this.client, this.fleet, this.frames, this.navigation);
      this.host.append(view.canvas);
      Object.assign(view.canvas, { id: "scene", tabIndex: 0, view3d: view });
      view.canvas.setAttribute("role", "img");
      view.canvas.setAttribute("aria-label", "View in three dimensions. Plus and minus zoom, Shift and arrows move the view, 0 shows all, Escape ends the tool.");
      view.canvas.addEventListener("keydown", (e) => this.key(e));
      view.layersChanged = () => this.list();
      view.said = (text) => { this.note.textContent = text; };
      this.view.append(...Object.entries(module.views).map(([value, text]) => h("option", { value }, text)));
      this.tool.append(...Object.entries(module.tools).map(([value, text]) => h("option", { value }, text)));
      this.note.textContent = "";
    } catch (e) {
      this.note.textContent = `There is no view in three dimensions here (${(e as Error).message}); the view from above shows the robots.`;
      return; // it stays so: a browser without WebGL gets none later
    }
    this.loading = false;
    if (this.visible) this.restart();
  }

  private key(e: KeyboardEvent): void {
    const v = this.view3d!, moves: Record<string, [number, number]> = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] }, d = moves[e.key];
    if (e.key === "+" || e.key === "=") v.cameras.zoom(1.2);
    else if (e.key === "-") v.cameras.zoom(1 / 1.2);
    else if (e.key === "0") v.showAll();
    else if (e.key === "Escape") v.tools.cancel();
    else if (d && e.shiftKey) v.cameras.pan(d[0], d[1]);
    else return;
    e.preventDefault();
    v.changed();
  }

  /** list shows frames and layers, anew only when they are others: a list that is open must not close. */
  private list(): void {
    const v = this.view3d!, frames = this.frames.all();
    const names = JSON.stringify([frames, this.frames.wanted || this.frames.fixed, v.offered.map((o) => o.key)]);
    if (names !== this.names) {
      this.names = names;
      this.frame.replaceChildren(h("option", { value: "" }, `Automatic: ${this.frames.wanted ? "" : this.frames.fixed}`), ...frames.map((f) => h("option", { value: f }, f)));
      this.frame.value = this.frames.wanted;
      const axes = this.box("frames", "frames", v.axes.group.visible, (on) => { v.axes.group.visible = on; v.changed(); });
      this.layers.replaceChildren(axes, ...v.offered.map((o) => this.box(o.key, o.title, v.isOn(o.key), (on) => v.show(o.key, on))));
    }
    for (const l of this.layers.querySelectorAll<HTMLElement>("label")) {
      l.title = v.missing(l.dataset.key!);
      l.classList.toggle("lost", l.title !== "");
    }
  }

  private box(key: string, title: string, on: boolean, f: (on: boolean) => void): HTMLElement {
    const input = h("input", { type: "checkbox", checked: on });
    input.addEventListener("change", () => f(input.checked));
    return h("label", { "data-key": key }, input, " " + title);
  }
}
