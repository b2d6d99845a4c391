// SPDX-License-Identifier: Apache-2.0
// Layouts of the workspace: which panels it has, where, how large, and with which settings, as JSON in the browser, in a
// file and in an address.
import type { Key } from "./texts";

/** Place is an instance of a panel: its column (0 to 11) and row, its size in columns and rows of 40 px, and its settings. */
export interface Place { kind: string; x: number; y: number; w: number; h: number; settings: Record<string, unknown> }

export interface Layout { version: 2; panels: Place[] }

export const columns = 12;
export const leastWidth = 2, leastHeight = 3, mostHeight = 60, mostRows = 1000;
export const mostPanels = 60;

const place = (kind: string, x: number, y: number, w: number, h: number, settings: Record<string, unknown> = {}): Place => ({ kind, x, y, w, h, settings });
const layout = (...panels: Place[]): Layout => ({ version: 2, panels });

/** layouts are the ones to choose from, by the keys of their names. */
export const layouts = {
  "layout.robot": layout(place("map", 0, 0, 9, 19), place("camera", 9, 0, 3, 9), place("drive", 9, 9, 3, 10),
    place("sensors", 0, 19, 6, 14), place("plots", 6, 19, 6, 8), place("log", 6, 27, 6, 6)),
  "layout.fleet": layout(place("map", 0, 0, 7, 19), place("fleet", 7, 0, 5, 12, { view: "list" }), place("drive", 7, 12, 5, 10),
    place("diagnostics", 0, 19, 7, 12), place("log", 7, 22, 5, 9)),
  "layout.recording": layout(place("scene", 0, 0, 7, 15), place("image", 7, 0, 5, 9), place("messages", 7, 9, 5, 12),
    place("plots", 0, 15, 7, 9), place("log", 7, 21, 5, 8), place("transforms", 0, 24, 7, 8)),
  "layout.class": layout(place("fleet", 0, 0, 12, 18, { view: "cards", cameras: true }), place("log", 0, 18, 7, 9), place("diagnostics", 7, 18, 5, 9)),
  "layout.phone": layout(place("map", 0, 0, 9, 19), place("drive", 9, 9, 3, 10), place("camera", 9, 0, 3, 9),
    place("sensors", 0, 19, 6, 14), place("scene", 6, 19, 6, 12), place("plots", 0, 33, 6, 8), place("log", 6, 31, 6, 8), place("fleet", 0, 41, 6, 8), place("diagnostics", 6, 39, 6, 8)),
} satisfies Partial<Record<Key, Layout>>;

/** formerKinds are kinds of panels that version 1 had under another name. */
const formerKinds: Record<string, string> = { topics: "messages", graph: "nodes", actions: "lights" };

/**
 * layoutOf reads a layout of this version or of version 1: of a file, an address or the browser's storage. Unknown panels
 * are left out, and sizes are kept within limits. It fails with the key of what is wrong.
 */
export function layoutOf(text: string, kinds: readonly string[]): Layout {
  let value: any;
  try { value = JSON.parse(text); } catch { throw new Error("layout.noJSON" satisfies Key); }
  if (value?.version === 1 && Array.isArray(value.open)) return migrated(value, kinds);
  if (value?.version !== 2 || !Array.isArray(value.panels)) throw new Error("layout.none" satisfies Key);
  const panels: Place[] = [];
  for (const p of value.panels.slice(0, mostPanels)) {
    if (!kinds.includes(p?.kind)) continue; // a panel of another version
    const w = within(p.w, leastWidth, columns, 6);
    panels.push(place(p.kind, within(p.x, 0, columns - w, 0), within(p.y, 0, mostRows, 0), w, within(p.h, leastHeight, mostHeight, 8),
      p.settings !== null && typeof p.settings === "object" && !Array.isArray(p.settings) ? p.settings : {}));
  }
  return { version: 2, panels };
}

const remInRows = 0.4; // rows of a rem: version 1 had heights in rem, of 16 px

/** migrated reads a layout of version 1, which had the map, the camera and the stick always, and panels below them in three columns. */
function migrated(value: any, kinds: readonly string[]): Layout {
  const panels = ["map", "camera", "drive"].map((kind) => layouts["layout.robot"].panels.find((p) => p.kind === kind)!).filter((p) => kinds.includes(p.kind));
  let x = 0, y = 19, row = 0;
  const below = [...value.open.slice(0, mostPanels), ...(value.open.some((p: any) => p?.id === value.shown) ? [] : [{ id: value.shown, width: 3, height: 0 }])];
  for (const p of below) {
    const kind = formerKinds[p?.id] ?? p?.id;
    if (!kinds.includes(kind) || panels.some((o) => o.kind === kind)) continue;
    const w = 4 * within(p.width, 1, 3, 1), h = p.height === 0 ? 10 : within(p.height * remInRows, leastHeight, mostHeight, 10);
    if (x + w > columns) { x = 0; y += row; row = 0; }
    panels.push(place(kind, x, y, w, h));
    x += w;
    row = Math.max(row, h);
  }
  return { version: 2, panels };
}

function within(value: unknown, low: number, high: number, otherwise: number): number {
  return typeof value === "number" && Number.isFinite(value) ? Math.min(Math.max(Math.round(value), low), high) : otherwise;
}

interface Box { x: number; y: number; w: number; h: number }

/** lowest is the row below all panels, where a new one goes. */
export const lowest = (boxes: readonly Box[]): number => boxes.reduce((y, b) => Math.max(y, b.y + b.h), 0);

/**
 * swapped returns the rows of a panel and of the nearest one above (-1) or below (1) that shares a column with it, after
 * they changed places; undefined if there is none.
 */
export function swapped<B extends Box>(boxes: readonly B[], box: B, by: 1 | -1): { other: B; y: number; otherY: number } | undefined {
  const shares = (b: B) => b !== box && b.x < box.x + box.w && box.x < b.x + b.w;
  const found = boxes.filter((b) => shares(b) && (by < 0 ? b.y + b.h <= box.y : b.y >= box.y + box.h));
  if (!found.length) return undefined;
  const other = found.reduce((a, b) => ((by < 0 ? b.y + b.h > a.y + a.h : b.y < a.y) ? b : a));
  return by < 0 ? { other, y: other.y, otherY: other.y + box.h } : { other, y: box.y + other.h, otherY: box.y };
}
