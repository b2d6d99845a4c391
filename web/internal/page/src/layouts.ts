// SPDX-License-Identifier: Apache-2.0
// Layouts of the workspace: which panels are kept open, in which order and size, as JSON in the browser, in a file and
// in an address.

/** Place is a panel that is kept open: its width in columns, 1 to mostColumns, and its height, rem; 0 is as high as it needs. */
export interface Place { id: string; width: number; height: number }

/** Layout is a workspace; shown is the tab that is chosen. */
export interface Layout { version: 1; open: Place[]; shown: string }

export const mostColumns = 3;
export const leastHeight = 12, mostHeight = 80; // rem

const place = (id: string, width = 1, height = 0): Place => ({ id, width, height });

/** layouts are the ones to choose from, by their names. */
export const layouts: Record<string, Layout> = {
  "One robot": { version: 1, open: [], shown: "sensors" },
  "Fleet": { version: 1, open: [place("fleet", 2, 30), place("diagnostics", 1, 30)], shown: "fleet" },
  "Class": { version: 1, open: [place("fleet", 3), place("log", 2, 24), place("diagnostics", 1, 24)], shown: "fleet" },
  "Recording": { version: 1, open: [place("plots", 2), place("topics", 1, 26), place("log", 3, 24)], shown: "plots" },
};

/** layoutOf reads a layout: of a file, an address or the browser's storage. It fails with what is wrong. */
export function layoutOf(text: string, panels: readonly string[]): Layout {
  let value: any;
  try { value = JSON.parse(text); } catch { throw new Error("This is no layout: no JSON"); }
  if (value?.version !== 1 || !Array.isArray(value.open)) throw new Error("This is no layout of this page");
  const open: Place[] = [];
  for (const p of value.open) {
    if (!panels.includes(p?.id) || open.some((o) => o.id === p.id)) continue; // a panel of another version
    open.push(place(p.id, within(p.width, 1, mostColumns, 1), p.height === 0 ? 0 : within(p.height, leastHeight, mostHeight, 0)));
  }
  return { version: 1, open, shown: panels.includes(value.shown) ? value.shown : panels[0] };
}

function within(value: unknown, low: number, high: number, otherwise: number): number {
  return typeof value === "number" && Number.isFinite(value) ? Math.min(Math.max(Math.round(value), low), high) : otherwise;
}
