// SPDX-License-Identifier: Apache-2.0
// The workspace: one panel by a tab, and those that are kept open, moved and sized by a person. It is remembered in the
// browser, saved as a file and shared by an address.
import { Layout, Place, layoutOf, layouts, leastHeight, mostColumns, mostHeight } from "./layouts";
import { Panel, h, say, scrollsOnPhones } from "./ui";

const stored = "layout"; // in localStorage
const step = 4; // rem
const usualHeight = 24; // rem, of a panel that gets a height

export class Workspace {
  readonly element: HTMLElement;
  private tablist = h("div", { class: "tabs", role: "tablist", "aria-label": "Details" });
  private cards = h("div", { class: "cards", role: "group", "aria-label": "Panels" });
  private byID = new Map<string, { panel: Panel; card: HTMLElement; tab: HTMLElement }>();
  private keep = h("button", { type: "button", id: "layout-keep", onclick: () => this.keepOpen() }, "Keep open");
  private choice = h("select", { id: "layout-choice", "aria-label": "Layout", onchange: () => this.chosen() }, h("option", { value: "" }, "Choose a layout …"), ...Object.keys(layouts).map((n) => h("option", { value: n }, n)));
  private file = h("input", { type: "file", id: "layout-file", accept: "application/json,.json", hidden: true, onchange: () => void this.read() });
  private note = h("span", { class: "caption", id: "layout-note", role: "status" });
  private menu: HTMLDetailsElement;
  private layout: Layout;

  /** changed is called after other panels are shown. */
  constructor(private panels: Panel[], private changed: () => void) {
    panels.forEach((p, i) => this.add(p, i));
    const button = (id: string, text: string, f: () => void) => h("button", { type: "button", id, onclick: f }, text);
    this.element = h("div", { class: "details folded" }, h("div", { class: "details-head" }, this.tablist,
      h("button", { type: "button", id: "sheet-close", "aria-label": "Close the panel", title: "Close the panel", onclick: () => this.closeSheet() }, "×"),
      this.menu = h("details", { class: "layout", id: "layout" }, h("summary", {}, "Layout"),
        h("div", {}, this.keep, this.choice, button("layout-save", "Save as file", () => this.save()), button("layout-open", "Open file", () => this.file.click()),
          button("layout-share", "Into the address", () => this.share()), this.file, this.note))), this.cards);
    this.menu.addEventListener("keydown", (e) => { if (e.key === "Escape") this.fold(); });
    addEventListener("pointerdown", (e) => { if (!this.menu.contains(e.target as Node)) this.menu.open = false; });
    scrollsOnPhones(this.cards);
    this.layout = this.first();
    this.show();
  }

  /** fold closes the menu of layouts. */
  private fold(): void {
    this.menu.open = false;
    this.menu.querySelector("summary")!.focus();
  }

  /** isShown returns whether a panel is open. */
  isShown(p: Panel): boolean { return !this.byID.get(p.id)!.card.hidden; }

  private get ids(): string[] { return this.panels.map((p) => p.id); }

  /** first is the layout of the address, else the one that the browser remembers. */
  private first(): Layout {
    try {
      const given = new URLSearchParams(location.search).get("layout") ?? localStorage.getItem(stored);
      if (given) return layoutOf(given, this.ids);
    } catch (e) { this.note.textContent = (e as Error).message; }
    return layoutOf(JSON.stringify(layouts["One robot"]), this.ids);
  }

  /** add makes the tab of a panel, as WAI-ARIA has them (arrows move), and its card. */
  private add(p: Panel, i: number): void {
    const tab = h("button", { type: "button", role: "tab", id: "tab-" + p.id, "aria-controls": "panel-" + p.id, onclick: () => this.choose(i), onkeydown: (e: KeyboardEvent) => {
      const n = this.panels.length, to = { ArrowRight: i + 1, ArrowLeft: i - 1, Home: 0, End: n - 1 }[e.key];
      if (to === undefined) return;
      e.preventDefault();
      this.choose((to + n) % n, true);
    } }, p.title);
    const button = (name: string, text: string, f: () => void) => h("button", { type: "button", class: "small", "data-do": name, "aria-label": `${p.title}: ${name}`, title: name, onclick: f }, text);
    const head = h("div", { class: "card-head" }, h("h2", {}, p.title), h("div", { class: "card-buttons" },
      button("earlier", "←", () => this.move(p.id, -1)), button("later", "→", () => this.move(p.id, 1)),
      button("narrower", "⇥⇤", () => this.size(p.id, -1, 0)), button("wider", "⇤⇥", () => this.size(p.id, 1, 0)),
      button("lower", "▴", () => this.size(p.id, 0, -step)), button("higher", "▾", () => this.size(p.id, 0, step)),
      button("close", "×", () => this.close(p.id))));
    const card = h("div", { class: "card", id: "card-" + p.id }, head, p.element);
    this.tablist.append(tab);
    this.cards.append(card);
    this.byID.set(p.id, { panel: p, card, tab });
  }

  /** closeSheet shows the map alone on a phone, where panels are sheets over it. */
  private closeSheet(): void {
    this.element.classList.add("folded");
    this.byID.get(this.layout.shown)!.tab.focus();
  }

  private choose(i: number, focus = false): void {
    const { id } = this.panels[i], at = this.byID.get(id)!;
    this.layout.shown = id;
    this.element.classList.remove("folded");
    this.done();
    if (focus) at.tab.focus();
    at.tab.scrollIntoView({ block: "nearest", inline: "nearest" });
    at.card.scrollIntoView({ block: "nearest" }); // a panel runs only where it is seen
  }

  private place(id: string): Place | undefined { return this.layout.open.find((p) => p.id === id); }

  private keepOpen(): void {
    const id = this.layout.shown;
    if (!this.place(id)) this.layout.open.push({ id, width: 1, height: 0 });
    this.menu.open = false;
    this.done();
    this.byID.get(id)!.card.querySelector<HTMLElement>("[data-do=close]")!.focus(); // the button is disabled now
  }

  private close(id: string): void {
    this.layout.open = this.layout.open.filter((p) => p.id !== id);
    this.done();
    this.byID.get(id)!.tab.focus();
  }

  private move(id: string, by: number): void {
    const list = this.layout.open, from = list.findIndex((p) => p.id === id), to = from + by;
    if (from < 0 || to < 0 || to >= list.length) return;
    const focused = document.activeElement as HTMLElement | null; // moving loses the focus
    [list[from], list[to]] = [list[to], list[from]];
    this.done();
    focused?.focus();
    say(`Place ${to + 1} of ${list.length}`);
  }

  private size(id: string, columns: number, rows: number): void {
    const p = this.place(id);
    if (!p) return;
    p.width = Math.min(Math.max(p.width + columns, 1), mostColumns);
    if (rows) p.height = Math.min(Math.max((p.height || usualHeight) + rows, leastHeight), mostHeight);
    this.done();
  }

  /** done shows the layout and remembers it. */
  private done(): void {
    this.note.textContent = "";
    this.show();
    try { localStorage.setItem(stored, JSON.stringify(this.layout)); } catch { /* full or forbidden: it lasts until the page is closed */ }
    this.changed();
  }

  private show(): void {
    const order = [...this.layout.open.map((p) => p.id), ...this.ids.filter((id) => !this.place(id))];
    order.forEach((id, i) => { // only what is not in its place is moved: moving scrolls a panel back and loses its focus
      const { card } = this.byID.get(id)!;
      if (this.cards.children[i] !== card) this.cards.insertBefore(card, this.cards.children[i]);
    });
    for (const [id, at] of this.byID) this.dress(id, at);
    this.keep.disabled = this.place(this.layout.shown) !== undefined;
  }

  private dress(id: string, { panel, card, tab }: { panel: Panel; card: HTMLElement; tab: HTMLElement }): void {
    const place = this.place(id), shown = id === this.layout.shown;
    tab.setAttribute("aria-selected", String(shown));
    tab.tabIndex = shown ? 0 : -1;
    card.hidden = !place && !shown;
    card.classList.toggle("open", place !== undefined);
    card.style.gridColumn = `span ${place?.width ?? mostColumns}`;
    card.style.height = place?.height ? `${place.height}rem` : "";
    panel.element.setAttribute("role", place ? "region" : "tabpanel");
    panel.element.setAttribute("aria-labelledby", "tab-" + id);
    panel.element.removeAttribute("aria-label");
    if (place) panel.element.tabIndex = 0; // what scrolls can be scrolled by keys
    else panel.element.removeAttribute("tabindex");
  }

  private use(layout: Layout): void {
    this.layout = layout;
    this.done();
  }

  private chosen(): void {
    const layout = layouts[this.choice.value];
    this.choice.value = "";
    if (!layout) return;
    this.menu.open = false;
    this.element.classList.remove("folded");
    this.use(layoutOf(JSON.stringify(layout), this.ids));
    this.element.scrollIntoView({ block: "start" });
  }

  private save(): void {
    const url = URL.createObjectURL(new Blob([JSON.stringify(this.layout, null, 2) + "\n"], { type: "application/json" }));
    h("a", { href: url, download: "layout.json" }).click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  }

  private async read(): Promise<void> {
    const file = this.file.files?.[0];
    if (!file) return;
    try { this.use(layoutOf(await file.text(), this.ids)); } catch (e) { this.note.textContent = (e as Error).message; }
    this.file.value = "";
  }

  /** share puts the layout into the browser's address, without the token that it may have held. */
  private share(): void {
    const address = new URL(location.href);
    address.hash = "";
    address.searchParams.set("layout", JSON.stringify(this.layout));
    history.replaceState(null, "", address);
    this.note.textContent = "The browser's address has this layout now";
  }
}
