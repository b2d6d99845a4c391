// SPDX-License-Identifier: Apache-2.0
// The panel of the view in three dimensions. Its script is loaded when the panel is first seen.
import { IconName, icon } from "../icons";
import { t } from "../texts";
import { h } from "../ui";
import type { View3D } from "../view3d/view";
import { Context, Definition, Panel, text } from "./panel";

type Module = typeof import("../view3d/view");

/** layers are those that a person showed or hid, by their titles. */
interface SceneSettings { view: string; layers: Record<string, boolean> }

class ScenePanel extends Panel {
  private frames = this.context.frames;
  private host = h("div", { class: "scene" });
  private note = h("p", { class: "caption", id: this.context.id("note"), role: "status" }, t("scene.loading"));
  private frame = h("select", { id: this.context.id("frame"), "aria-label": t("scene.frame") });
  private view = h("select", { id: this.context.id("view"), "aria-label": t("scene.view") });
  private tool = h("select", { id: this.context.id("tool"), "aria-label": t("scene.tool") });
  private send = h("button", { type: "button", id: this.context.id("send"), hidden: true, onclick: () => this.view3d?.tools.send() }, t("scene.send"));
  private layers = h("div", { class: "layers" });
  private names = ""; // of the layers and frames that are listed
  private view3d: View3D | undefined;
  private loading = false;

  constructor(context: Context, private settings: SceneSettings, private changed: (s: SceneSettings) => void) {
    super(context, "scene.title");
    const button = (name: IconName, label: string, f: () => void) => h("button", { type: "button", "aria-label": label, title: label, onclick: f }, icon(name));
    this.element.append(h("div", { class: "row" }, h("label", {}, t("scene.view") + " ", this.view), h("label", {}, t("scene.tool") + " ", this.tool), this.send, h("label", {}, t("scene.frame") + " ", this.frame),
      h("span", { class: "buttons" }, button("add", t("view.zoomIn"), () => this.view3d?.cameras.zoom(1.3)), button("remove", t("view.zoomOut"), () => this.view3d?.cameras.zoom(1 / 1.3)),
      button("fit", t("view.showAll"), () => this.view3d?.showAll()))),
      this.host, this.note, h("details", {}, h("summary", {}, t("scene.layers")), this.layers));
    this.frame.addEventListener("change", () => { this.frames.wanted = this.frame.value; this.view3d?.changed(); });
    this.view.addEventListener("change", () => { if (this.view3d) { this.view3d.cameras.view = this.view.value as any; this.view3d.changed(); this.store({ view: this.view.value }); } });
    this.tool.addEventListener("change", () => { this.view3d?.tools.use(this.tool.value as any); this.send.hidden = this.tool.value !== "waypoints"; this.view3d?.changed(); });
  }

  protected start(): void {
    if (!this.view3d) { void this.load(); return; }
    this.view3d.start();
    this.keep(() => this.view3d!.stop());
  }

  override remove(): void {
    super.remove();
    this.view3d?.dispose();
  }

  private async load(): Promise<void> {
    if (this.loading) return;
    this.loading = true;
    try {
      const module: Module = await import(new URL("view3d.js", import.meta.url).href);
      const view = this.view3d = new module.View3D(this.context.client, this.context.fleet, this.frames, this.context.navigation, { ...this.settings.layers }, (layers) => this.store({ layers: { ...layers } }));
      this.host.append(view.canvas);
      Object.assign(view.canvas, { id: this.context.key === "scene" ? "scene" : this.context.id("canvas"), tabIndex: 0, view3d: view });
      view.canvas.setAttribute("role", "img");
      view.canvas.setAttribute("aria-label", t("scene.label"));
      view.canvas.addEventListener("keydown", (e) => this.key(e));
      view.layersChanged = () => this.list();
      view.said = (text) => { this.note.textContent = text; };
      this.view.append(...Object.entries(module.views).map(([value, key]) => h("option", { value }, t(key))));
      this.tool.append(...Object.entries(module.tools).map(([value, key]) => h("option", { value }, t(key))));
      if (this.settings.view in module.views) view.cameras.view = this.view.value = this.settings.view as any;
      this.note.textContent = "";
    } catch (e) {
      this.note.textContent = t("scene.none", { reason: (e as Error).message });
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

  /** list shows frames and layers. It replaces them only when they are others: a list that is open must not close. */
  private list(): void {
    const v = this.view3d!, frames = this.frames.all();
    const names = JSON.stringify([frames, this.frames.wanted || this.frames.fixed, v.offered.map((o) => o.key)]);
    if (names !== this.names) {
      this.names = names;
      this.frame.replaceChildren(h("option", { value: "" }, t("scene.automatic", { frame: this.frames.wanted ? "" : this.frames.fixed })), ...frames.map((f) => h("option", { value: f }, f)));
      this.frame.value = this.frames.wanted;
      const axes = this.box("frames", t("scene.frames"), v.axes.group.visible, (on) => { v.axes.group.visible = on; v.changed(); });
      this.layers.replaceChildren(axes, ...v.offered.map((o) => this.box(o.key, o.title, v.isOn(o.key), (on) => v.show(o.key, on))));
    }
    for (const l of this.layers.querySelectorAll<HTMLElement>("label")) {
      l.title = v.missing(l.dataset.key!);
      l.classList.toggle("lost", l.title !== "");
    }
  }

  private store(change: Partial<SceneSettings>): void {
    this.settings = { ...this.settings, ...change };
    this.changed(this.settings);
  }

  private box(key: string, title: string, on: boolean, f: (on: boolean) => void): HTMLElement {
    const input = h("input", { type: "checkbox", checked: on });
    input.addEventListener("change", () => f(input.checked));
    return h("label", { "data-key": key }, input, " " + title);
  }
}

const mostLayers = 500;

/** layersOf reads which layers are shown. */
function layersOf(v: unknown): Record<string, boolean> {
  const given = v !== null && typeof v === "object" ? Object.entries(v) : [];
  return Object.fromEntries(given.slice(0, mostLayers).filter(([, on]) => typeof on === "boolean"));
}

export const scenePanel: Definition<SceneSettings> = {
  id: "scene", title: "scene.title", about: "scene.about", size: [6, 14], settings: { view: text(), layers: layersOf },
  make: (context, settings, changed) => new ScenePanel(context, settings, changed),
};
