// SPDX-License-Identifier: Apache-2.0
// What a panel is. Each kind of panel is a module that exports a Definition; the workspace makes instances of it. An
// instance costs something only while it is seen: what start() begins and passes to keep() ends when it is hidden.
import { FunctionComponent, h as element, render } from "preact";
import { Client } from "../client";
import { Frames } from "../frames";
import { Navigation } from "../navigation";
import { Fleet, Pose, Robot } from "../robots";
import { Key, t } from "../texts";
import { h } from "../ui";

/** World is what the simulation's toolbar shares with views from above. */
export interface World {
  /** paused returns whether a simulation is paused: then nothing is old. */
  paused(): boolean;
  /** move puts a robot elsewhere in the frame of the world; undefined: robots cannot be dragged. */
  move: ((robot: Robot, pose: Pose) => void) | undefined;
  /** place is called once with the next point of the world that is pressed, m. */
  place: ((x: number, y: number) => void) | undefined;
}

/** Shared is what all panels share. */
export interface Shared {
  /** client subscribes to topics, publishes, and calls services; it connects again after a lost connection. */
  readonly client: Client;
  /** fleet holds the robots and the one that is chosen: events "changed" and "chosen". */
  readonly fleet: Fleet;
  /** frames are the transforms and the fixed frame. */
  readonly frames: Frames;
  /** navigation follows the navigator of the chosen robot: event "changed". */
  readonly navigation: Navigation;
  readonly world: World;
}

/** Context is what an instance of a panel gets. */
export interface Context extends Shared {
  /** key is unique among the instances: the id of the kind, with a number from the second one on. */
  readonly key: string;
  /** id returns the id of an element of this instance. */
  id(name: string): string;
}

/** Readers read the settings of a panel from JSON that may come from anywhere: each returns the default for what is not valid. */
export type Readers<S> = { readonly [K in keyof S]: (value: unknown) => S[K] };

/** Definition is a kind of panel. */
export interface Definition<S extends object = any> {
  readonly id: string; // of lower-case letters, in layouts and ids of elements
  readonly title: Key;
  readonly about: Key; // one line for the list of panels
  /** width (columns of 12) and height (rows of 40 px) of a new instance. */
  readonly size: readonly [number, number];
  /** settings are kept in the layout, by instance. */
  readonly settings: Readers<S>;
  /** make makes an instance. It calls changed with the settings whenever a person changed them. */
  make(context: Context, settings: S, changed: (settings: S) => void): Panel;
}

/** readSettings returns valid settings of a panel. */
export function readSettings<S extends object>(readers: Readers<S>, value: unknown): S {
  const given = value !== null && typeof value === "object" ? (value as Record<string, unknown>) : {};
  return Object.fromEntries(Object.entries<(v: unknown) => unknown>(readers).map(([name, read]) => [name, read(Object.hasOwn(given, name) ? given[name] : undefined)])) as S;
}

const mostText = 1000; // characters

/** text reads a text. */
export const text = (otherwise = "") => (v: unknown): string => (typeof v === "string" && v.length <= mostText ? v : otherwise);
/** choice reads one of some texts. */
export const choice = <T extends string>(otherwise: T, ...options: T[]) => (v: unknown): T => (v === otherwise || options.includes(v as T) ? (v as T) : otherwise);
/** flag reads yes or no. */
export const flag = (otherwise = false) => (v: unknown): boolean => (typeof v === "boolean" ? v : otherwise);
/** number reads a number within limits. */
export const number = (otherwise: number, low: number, high: number) => (v: unknown): number =>
  typeof v === "number" && Number.isFinite(v) ? Math.min(Math.max(v, low), high) : otherwise;
/** list reads at most so many values; those that item returns undefined for are left out. */
export const list = <T>(item: (v: unknown) => T | undefined, most: number) => (v: unknown): T[] =>
  (Array.isArray(v) ? v : []).slice(0, most).map(item).filter((x): x is T => x !== undefined);

/** Panel is an instance. */
export abstract class Panel {
  readonly element: HTMLElement;
  private running = false;
  private stops: (() => void)[] = [];
  private life = new AbortController();

  constructor(readonly context: Context, title: Key) {
    this.element = h("section", { class: "panel", id: "panel-" + context.key, "aria-label": t(title) });
  }

  /** start begins what costs; what it keeps with keep() ends when the panel is hidden. */
  protected abstract start(): void;
  protected keep(stop: () => void): void { this.stops.push(stop); }

  /** signal ends listeners when the panel is removed. */
  protected get signal(): AbortSignal { return this.life.signal; }

  set visible(on: boolean) {
    if (on === this.running) return;
    this.running = on;
    if (on) this.start();
    else this.halt();
  }
  get visible(): boolean { return this.running; }

  /** restart is for another robot or other colours. */
  restart(): void { if (this.running) { this.halt(); this.start(); } }

  /** remove ends all of it. */
  remove(): void { this.visible = false; this.life.abort(); this.element.remove(); }

  /** halt ends what start began; the panel stays as visible as it was. */
  protected halt(): void { const stops = this.stops; this.stops = []; for (const stop of stops) stop(); }
}

/** Props are those of the component of a panel; kept is what outlasts the times in which it is not seen. */
export interface Props<S = object, Kept = undefined> { context: Context; settings: Readonly<S>; set: (change: Partial<S>) => void; kept: Kept }

/** Component is a kind of panel that Preact draws; Body is mounted while the panel is seen. */
export interface Component<S extends object, Kept> extends Omit<Definition<S>, "make"> { Body: FunctionComponent<Props<S, Kept>>; keep?: (context: Context) => Kept }

/** component makes a definition of a component. */
export function component<S extends object, Kept = undefined>(c: Component<S, Kept>): Definition<S> {
  return { ...c, make: (context, settings, changed) => new ComponentPanel<S, Kept>(context, c, settings, changed) };
}

class ComponentPanel<S extends object, Kept> extends Panel {
  private kept: Kept;
  private waiting = false;

  constructor(context: Context, private definition: Component<S, Kept>, private settings: S, private changed: (settings: S) => void) {
    super(context, definition.title);
    this.kept = definition.keep?.(context) as Kept;
  }

  protected start(): void {
    this.draw();
    this.keep(() => render(null, this.element));
  }

  private draw(): void {
    render(element(this.definition.Body, { context: this.context, settings: this.settings, kept: this.kept, set: (change: Partial<S>) => {
      this.settings = { ...this.settings, ...change };
      this.changed(this.settings);
      if (this.waiting) return;
      this.waiting = true;
      queueMicrotask(() => { this.waiting = false; if (this.visible) this.draw(); }); // not within a drawing that is under way
    } }), this.element);
  }
}
