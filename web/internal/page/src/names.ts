// SPDX-License-Identifier: Apache-2.0
// Names on the map that do not cover each other.

/** Name is a robot's: its middle and how far it reaches from there, and the width of its name, px. */
export interface Name { text: string; x: number; y: number; width: number; reach: number }

/** PlacedName is where a name is written: the middle of its baseline, px. */
export interface PlacedName { text: string; x: number; y: number }

const tall = 15; // px of a line
const gap = 6; // px between a robot and its name
const cell = 64; // px: names are looked for among those of their cells

/**
 * placeNames writes each name above its robot, else below it, where no name of before is. Those for which both places
 * are taken are left out: the first ones come first. The time it takes grows with the number of names, not with its square.
 */
export function placeNames(names: readonly Name[]): PlacedName[] {
  const cells = new Map<string, [number, number, number, number][]>(), out: PlacedName[] = [];
  for (const n of names) {
    for (const y of [n.y - n.reach - gap, n.y + n.reach + gap + tall - 4]) {
      const box: [number, number, number, number] = [n.x - n.width / 2 - 2, y - tall + 3, n.x + n.width / 2 + 2, y + 4];
      const keys: string[] = [];
      for (let i = Math.floor(box[0] / cell); i <= Math.floor(box[2] / cell); i++) for (let k = Math.floor(box[1] / cell); k <= Math.floor(box[3] / cell); k++) keys.push(i + " " + k);
      if (keys.some((key) => cells.get(key)?.some((b) => b[0] < box[2] && box[0] < b[2] && b[1] < box[3] && box[1] < b[3]))) continue;
      for (const key of keys) { const list = cells.get(key); if (list) list.push(box); else cells.set(key, [box]); }
      out.push({ text: n.text, x: n.x, y });
      break;
    }
  }
  return out;
}
