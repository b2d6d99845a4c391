// SPDX-License-Identifier: Apache-2.0
// Names on the map that cover neither each other nor robots.

/** Body is a robot: its middle and how far it reaches from there, px. */
export interface Body { x: number; y: number; reach: number }

/** Name is a robot's, with its width, px. */
export interface Name extends Body { text: string; width: number }

/** PlacedName is where a name is written: the middle of its baseline, px. */
export interface PlacedName { text: string; x: number; y: number }

type Box = [number, number, number, number]; // left, top, right, bottom

const tall = 15; // px of a line
const gap = 6; // px between a robot and its name
const cell = 64; // px: boxes are looked for among those of their cells
const most = 400; // cells of a box: a robot that fills the window covers all names anyway

/** Boxes are areas that are taken. */
class Boxes {
  private cells = new Map<string, Box[]>();

  private *keys(b: Box): Generator<string> {
    let n = 0;
    for (let i = Math.floor(b[0] / cell); i <= Math.floor(b[2] / cell); i++) for (let k = Math.floor(b[1] / cell); k <= Math.floor(b[3] / cell) && n++ < most; k++) yield i + " " + k;
  }

  add(box: Box): void {
    for (const key of this.keys(box)) { const list = this.cells.get(key); if (list) list.push(box); else this.cells.set(key, [box]); }
  }

  meets(box: Box): boolean {
    for (const key of this.keys(box)) if (this.cells.get(key)?.some((b) => b[0] < box[2] && box[0] < b[2] && b[1] < box[3] && box[1] < b[3])) return true;
    return false;
  }
}

/**
 * placeNames writes each name above its robot, else below, right or left of it, where no earlier name and no robot is.
 * Those for which all places are taken are left out: the first ones come first. The time it takes grows with the number
 * of names, not with its square.
 */
export function placeNames(names: readonly Name[], bodies: readonly Body[] = []): PlacedName[] {
  const taken = new Boxes(), out: PlacedName[] = [];
  for (const b of bodies) taken.add([b.x - b.reach, b.y - b.reach, b.x + b.reach, b.y + b.reach]);
  for (const n of names) {
    const side = n.width / 2 + n.reach + gap, middle = n.y + tall / 2 - 3;
    for (const [x, y] of [[n.x, n.y - n.reach - gap], [n.x, n.y + n.reach + gap + tall - 4], [n.x + side, middle], [n.x - side, middle]]) {
      const box: Box = [x - n.width / 2 - 2, y - tall + 3, x + n.width / 2 + 2, y + 4];
      if (taken.meets(box)) continue;
      taken.add(box);
      out.push({ text: n.text, x, y });
      break;
    }
  }
  return out;
}
