// SPDX-License-Identifier: Apache-2.0
// The workspace: panels on a grid that a person adds, moves, sizes and removes, by pointer and by keys. It is stored in
// the browser, saved as a file and shared by an address. On a phone the map fills the window with the stick and the
// camera over it, and the other panels are sheets that a bar of tabs opens.
import { GridStack, GridStackNode } from "gridstack";
import "gridstack/dist/gridstack.css";
import { IconName, icon } from "./icons";
import { Layout, Place, columns, layoutOf, layouts, leastHeight, leastWidth, lowest, mostHeight, mostPanels, swapped } from "./layouts";
import { Definition, Panel, Shared, readSettings } from "./panels/panel";
import { menu } from "./menu";
import { Key, t } from "./texts";
import { h, say, saveFile } from "./ui";

const stored = "layout"; // in localStorage
const cellHeight = 40; // px
const floating = ["map", "drive", "camera"]; // kinds of which a phone shows the first one without a sheet

/** Item is an instance with what is around it. */
interface Item { key: string; definition: Definition; panel: Panel; settings: object; element: HTMLElement; tab: HTMLButtonElement; grip: HTMLButtonElement }

export class Workspace {
  readonly element = h("main", {});
  /** bar has the tabs of a phone and the menus. */
  readonly bar: HTMLElement;
  private host = h("div", { class: "grid-stack" });
  private grid: GridStack;
  private tablist = h("div", { class: "tabs", role: "group", "aria-label": t("workspace.panels") });
  private items = new Map<string, Item>();
  private seen = new Set<Element>();
  private observer: IntersectionObserver;
  private narrow = matchMedia("(max-width: 900px)");
  private sheet: string | undefined; // key of the panel that is open on a phone
  private file = h("input", { type: "file", id: "layout-file", accept: "application/json,.json", hidden: true, onchange: () => void this.read() });
  private note = h("p", { class: "caption", id: "layout-note", role: "status" });
  private empty = h("p", { class: "empty", hidden: true }, t("workspace.empty"));
  private loading = false;

  constructor(private shared: Shared, private definitions: readonly Definition[]) {
    this.element.append(this.empty, this.host);
    const calm = matchMedia("(prefers-reduced-motion: reduce)");
    const grid = GridStack.init({
      column: columns, cellHeight, margin: 5, animate: false, draggable: { handle: ".card-head" }, resizable: { handles: "e,s,se" }, alwaysShowResizeHandle: true,
    }, this.host);
    if (!grid) throw new Error("no element for the grid");
    this.grid = grid;
    for (const name of ["dragstart", "resizestart"] as const) this.grid.on(name, () => this.grid.setAnimation(!calm.matches)); // else a new panel is not yet where it is scrolled to
    for (const name of ["dragstop", "resizestop"] as const) this.grid.on(name, () => this.grid.setAnimation(false));
    this.grid.on("change", () => this.store());
    this.observer = new IntersectionObserver((entries) => {
      for (const e of entries) { if (e.isIntersecting) this.seen.add(e.target); else this.seen.delete(e.target); }
      this.update();
    });
    document.addEventListener("visibilitychange", () => this.update());
    this.bar = this.makeBar();
    const size = () => { this.grid.setStatic(this.narrow.matches); this.dress(); };
    this.narrow.addEventListener("change", size);
    addEventListener("keydown", (e) => { if (e.key === "Escape") this.restoreAll(); });
    this.use(this.first());
    size();
  }

  private get kinds(): string[] { return this.definitions.map((d) => d.id); }

  /** first is the layout of the address, else the one that the browser stored, else the usual one for this window. */
  private first(): Layout {
    try {
      const given = new URLSearchParams(location.search).get("layout") ?? localStorage.getItem(stored);
      if (given) {
        const layout = layoutOf(given, this.kinds);
        if (given.includes('"version":1')) for (const p of layout.panels) p.settings = formerSettings(p.kind);
        return layout;
      }
    } catch (e) { this.note.textContent = t((e as Error).message as Key); }
    return layouts[this.narrow.matches ? "layout.phone" : "layout.robot"];
  }

  private makeBar(): HTMLElement {
    const button = (id: string, text: string, f: () => void) => h("button", { type: "button", id, onclick: f }, text);
    const kinds = h("div", { class: "kinds" }, ...this.definitions.map((d) => h("button", { type: "button", id: "add-" + d.id, onclick: () => { close(add); this.show(this.add(d)); } },
      h("strong", {}, t(d.title)), h("span", { class: "caption" }, t(d.about)))));
    const choices = Object.keys(layouts).map((key) => h("button", { type: "button", "data-layout": key, onclick: () => { close(layout); this.choose(key as keyof typeof layouts); } }, t(key as Key)));
    const add = menu("add", "add", t("workspace.add"), true, kinds);
    const layout = menu("layout", "layout", t("workspace.layout"), true, h("p", { class: "caption" }, t("workspace.choose")), ...choices, h("hr", {}),
      button("layout-save", t("workspace.save"), () => this.save()), button("layout-open", t("workspace.open"), () => this.file.click()),
      button("layout-share", t("workspace.share"), () => this.share()), this.file, this.note);
    const close = (m: HTMLDetailsElement) => { m.open = false; };
    return h("div", { class: "workspace-bar" }, this.tablist, add, layout);
  }

  /** add makes an instance of a kind, at its place or below all others, and returns its key. */
  private add(definition: Definition, place?: Place): string {
    if (this.items.size >= mostPanels) { say(t("workspace.most", { count: mostPanels })); return [...this.items.keys()].pop()!; }
    let n = 1, key = definition.id;
    while (this.items.has(key)) key = `${definition.id}-${++n}`;
    const title = t(definition.title) + (n > 1 ? ` ${n}` : "");
    const settings = readSettings(definition.settings, place?.settings);
    const panel = definition.make({ ...this.shared, key, id: (name) => `${key}-${name}` }, settings, (s) => { item.settings = s; this.store(); });
    const button = (what: string, f: () => void, ...names: IconName[]) => {
      const label = t(`workspace.${what}` as Key, { title });
      return h("button", { type: "button", class: "tool", "data-do": what, "aria-label": label, title: label, onclick: f }, ...names.map(icon));
    };
    const help = t("workspace.grip", { title });
    const grip = h("button", { type: "button", class: "tool grip", "data-do": "move", "aria-label": help, title: help, onkeydown: (e: KeyboardEvent) => this.key(item, e) }, icon("grip"));
    const head = h("div", { class: "card-head" }, grip, h("h2", {}, title), button("copy", () => this.show(this.copy(item)), "copy"), button("full", () => this.full(item), "full"),
      button("close", () => this.remove(item), "close", "trash"), button("hide", () => this.closeSheet(), "down"));
    const element = h("div", { class: "grid-stack-item", id: "card-" + key }, h("div", { class: "grid-stack-item-content card" }, head, panel.element));
    const tab = h("button", { type: "button", id: "tab-" + key, "aria-controls": "panel-" + key, onclick: () => this.show(key) }, title);
    panel.element.setAttribute("aria-label", title);
    panel.element.tabIndex = 0; // what scrolls can be scrolled by keys
    const item: Item = { key, definition, panel, settings, element, tab, grip };
    this.items.set(key, item);
    this.host.append(element);
    const [w, height] = definition.size;
    this.grid.makeWidget(element, { id: key, minW: leastWidth, minH: leastHeight, ...(place ? { x: place.x, y: place.y, w: place.w, h: place.h } : { x: 0, y: lowest(this.boxes()), w, h: height }) });
    this.tablist.append(tab);
    this.observer.observe(panel.element);
    this.dress();
    this.store();
    return key;
  }

  private boxes(): Required<Pick<GridStackNode, "x" | "y" | "w" | "h">>[] { return this.grid.engine.nodes as any; }

  private node(item: Item): any { return (item.element as any).gridstackNode; }

  private copy(item: Item): string {
    const { w, h: height } = this.node(item);
    return this.add(item.definition, { kind: item.definition.id, x: 0, y: lowest(this.boxes()), w, h: height, settings: structuredClone(item.settings) as Record<string, unknown> });
  }

  private remove(item: Item): void {
    const next = [...this.items.values()].find((i) => i !== item);
    this.observer.unobserve(item.panel.element);
    this.seen.delete(item.panel.element);
    item.panel.remove();
    this.grid.removeWidget(item.element);
    item.tab.remove();
    this.items.delete(item.key);
    if (this.sheet === item.key) this.sheet = undefined;
    this.dress();
    this.store();
    say(t("workspace.removed", { title: t(item.definition.title) }));
    if (this.narrow.matches) this.tablist.querySelector("button")?.focus();
    else (next?.grip ?? this.bar.querySelector<HTMLElement>("summary"))?.focus({ preventScroll: true });
  }

  /** show brings a panel into sight: on a phone as a sheet. */
  show(key: string): void {
    const item = this.items.get(key);
    if (!item) return;
    if (this.narrow.matches) this.sheet = this.sheet === key || this.floats(item) ? undefined : key;
    this.dress();
    item.element.scrollIntoView({ block: "nearest", behavior: "instant" });
    item.tab.scrollIntoView({ block: "nearest", inline: "nearest" });
    (this.narrow.matches ? item.tab : item.grip).focus({ preventScroll: true });
  }

  private closeSheet(): void {
    const item = this.items.get(this.sheet ?? "");
    this.sheet = undefined;
    this.dress();
    item?.tab.focus();
  }

  /** full shows a panel over the whole window, or in its place again. */
  private full(item: Item): void {
    const on = item.element.classList.toggle("full");
    document.body.classList.toggle("has-full", on);
    item.element.querySelector("[data-do=full]")!.replaceChildren(icon(on ? "restore" : "full"));
    say(t(on ? "workspace.isFull" : "workspace.isRestored", { title: t(item.definition.title) }));
  }

  private restoreAll(): void { for (const i of this.items.values()) if (i.element.classList.contains("full")) this.full(i); }

  /** floats returns whether a phone shows a panel without a sheet: the first of its kind. */
  private floats(item: Item): boolean { return floating.includes(item.definition.id) && item.key === item.definition.id; }

  /** dress puts the classes for a phone on the panels. */
  private dress(): void {
    const base = this.items.has("map");
    if (!base && !this.sheet && this.narrow.matches) this.sheet = [...this.items.values()].find((i) => !this.floats(i))?.key;
    for (const i of this.items.values()) {
      const floats = this.floats(i) && base, open = i.key === this.sheet;
      i.element.classList.toggle("floats", floats);
      i.element.classList.toggle("sheet", open && !floats);
      i.tab.hidden = floats;
      i.tab.setAttribute("aria-pressed", String(open && !floats));
    }
    this.element.classList.toggle("no-map", !base);
    this.element.classList.toggle("has-sheet", this.sheet !== undefined && this.items.has(this.sheet) && !this.items.get(this.sheet)!.element.classList.contains("floats"));
    this.empty.hidden = this.items.size > 0;
  }

  /** key moves a panel by arrows and sizes it by arrows with Shift. */
  private key(item: Item, e: KeyboardEvent): void {
    const d = ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] } as Record<string, [number, number]>)[e.key];
    if (!d || e.ctrlKey || e.altKey || e.metaKey) return;
    e.preventDefault();
    e.stopPropagation(); // arrows drive
    const n = this.node(item), [dx, dy] = d;
    if (e.shiftKey) this.grid.update(item.element, { w: Math.min(Math.max(n.w + dx, leastWidth), columns - n.x), h: Math.min(Math.max(n.h + dy, leastHeight), mostHeight) });
    else if (dx) this.grid.update(item.element, { x: Math.min(Math.max(n.x + dx, 0), columns - n.w) });
    else this.swap(n, dy as 1 | -1);
    this.store();
    const now = this.node(item);
    say(t("workspace.at", { column: now.x + 1, row: now.y + 1, width: now.w, height: now.h }));
    item.element.scrollIntoView({ block: "nearest", behavior: "instant" });
    item.grip.focus({ preventScroll: true });
  }

  private swap(n: GridStackNode, by: 1 | -1): void {
    const found = swapped(this.boxes() as any[], n as any, by);
    if (!found) return;
    this.grid.batchUpdate();
    this.grid.update(found.other.el, { y: found.otherY });
    this.grid.update(n.el!, { y: found.y });
    this.grid.batchUpdate(false);
  }

  /** update starts what is in sight and stops what is scrolled away, in another tab of the browser or behind another window. */
  private update(): void {
    for (const i of this.items.values()) i.panel.visible = !document.hidden && (this.seen.has(i.panel.element) || (i.definition.id === "drive" && !document.hidden));
  }

  /** restart is for other colours. */
  restart(): void { for (const i of this.items.values()) i.panel.restart(); }

  private get layout(): Layout {
    const all = [...this.items.values()].map((i) => { const { x, y, w, h: height } = this.node(i); return { kind: i.definition.id, x, y, w, h: height, settings: i.settings as Record<string, unknown> }; });
    return { version: 2, panels: all.sort((a, b) => a.y - b.y || a.x - b.x) };
  }

  private store(): void {
    if (this.loading) return;
    this.note.textContent = "";
    const address = new URL(location.href);
    if (address.searchParams.has("layout")) { // it would replace what is changed now when the page is loaded again
      address.searchParams.delete("layout");
      history.replaceState(null, "", address);
    }
    try { localStorage.setItem(stored, JSON.stringify(this.layout)); } catch { /* full or forbidden: it lasts until the page is closed */ }
  }

  /** use replaces all panels. */
  private use(layout: Layout): void {
    this.loading = true;
    for (const i of [...this.items.values()]) { this.observer.unobserve(i.panel.element); i.panel.remove(); i.tab.remove(); }
    this.seen.clear();
    this.items.clear();
    this.sheet = undefined;
    this.grid.removeAll();
    document.body.classList.remove("has-full");
    this.grid.batchUpdate();
    for (const p of layout.panels) { const d = this.definitions.find((x) => x.id === p.kind); if (d) this.add(d, p); }
    this.grid.batchUpdate(false);
    this.loading = false;
    this.dress();
  }

  private choose(key: keyof typeof layouts): void {
    this.use(layoutOf(JSON.stringify(layouts[key]), this.kinds));
    this.store();
    say(t("workspace.used", { name: t(key) }));
    scrollTo({ top: 0, behavior: "instant" });
  }

  private save(): void { saveFile("layout.json", new Blob([JSON.stringify(this.layout, null, 2) + "\n"], { type: "application/json" })); }

  private async read(): Promise<void> {
    const file = this.file.files?.[0];
    if (!file) return;
    try {
      this.use(layoutOf(await file.text(), this.kinds));
      this.store();
    } catch (e) { this.note.textContent = t((e as Error).message as Key); }
    this.file.value = "";
  }

  /** share puts the layout into the browser's address, without the token that it may have held. */
  private share(): void {
    const address = new URL(location.href);
    address.hash = "";
    address.searchParams.set("layout", JSON.stringify(this.layout));
    history.replaceState(null, "", address);
    this.note.textContent = t("workspace.shared");
  }
}

/** formerSettings are those that version 1 stored for a kind of panel. */
function formerSettings(kind: string): Record<string, unknown> {
  try {
    const kept = JSON.parse(localStorage.getItem("panel." + (kind === "messages" ? "topics" : kind)) ?? "{}");
    return kept !== null && typeof kept === "object" && !Array.isArray(kept) ? kept : {};
  } catch { return {}; }
}
