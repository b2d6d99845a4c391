// SPDX-License-Identifier: Apache-2.0
// What a panel of the page is, and what it gets. A panel costs something only while it is seen: what start() begins and
// passes to keep() ends when the panel is hidden.
import { FunctionComponent, h, render } from "preact";
import { Client } from "../client";
import { Frames } from "../frames";
import { Fleet } from "../robots";
import { Panel } from "../ui";

/** Context is what panels share. */
export interface Context {
  /** client subscribes to topics, publishes, and calls services; it comes back by itself after a lost connection. */
  readonly client: Client;
  /** fleet holds the robots and the one that is chosen: events "changed" and "chosen". */
  readonly fleet: Fleet;
  /** frames are the transforms and the fixed frame. */
  readonly frames: Frames;
}

/** Definition is a row of the list of panels: make is called once. */
export interface Definition {
  readonly id: string; // also of the elements panel-ID and tab-ID
  readonly title: string;
  make(context: Context): Panel;
}

/** Settings are what a panel remembers in this browser, as JSON by names. */
export class Settings {
  private values: Record<string, unknown> = {};

  constructor(private panel: string) {
    try {
      const kept = JSON.parse(localStorage.getItem("panel." + panel) ?? "{}");
      if (kept && typeof kept === "object") this.values = kept;
    } catch { /* not ours, or no storage here: as new */ }
  }

  /** text is a setting, or "" if it is none or no text. */
  text(name: string): string { const v = this.values[name]; return typeof v === "string" ? v : ""; }

  set(name: string, value: string): void {
    this.values[name] = value;
    try { localStorage.setItem("panel." + this.panel, JSON.stringify(this.values)); } catch { /* full or forbidden: it lasts until the page is closed */ }
  }
}

/** Props are those of the component of a panel; kept is what outlasts the times in which it is not seen. */
export interface Props<Kept = undefined> { context: Context; settings: Settings; kept: Kept }

/** component makes the definition of a panel that Preact draws; it is mounted while the panel is seen. */
export function component(id: string, title: string, Body: FunctionComponent<Props>): Definition;
export function component<Kept>(id: string, title: string, Body: FunctionComponent<Props<Kept>>, keep: () => Kept): Definition;
export function component(id: string, title: string, Body: FunctionComponent<any>, keep?: () => unknown): Definition {
  return { id, title, make: (context) => new ComponentPanel(id, title, { context, settings: new Settings(id), kept: keep?.() }, Body) };
}

class ComponentPanel extends Panel {
  constructor(id: string, title: string, private props: Props<unknown>, private Body: FunctionComponent<any>) { super(id, title); }

  protected start(): void {
    this.element.style.minHeight = "";
    render(h(this.Body, this.props), this.element);
    this.keep(() => {
      const height = this.element.offsetHeight; // what is below does not move when this one is scrolled away
      if (height) this.element.style.minHeight = `${height}px`;
      render(null, this.element);
    });
  }
}
