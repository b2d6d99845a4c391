// SPDX-License-Identifier: Apache-2.0
// What the page knows of its connection and of the chosen robot, in words.

/** Facts are what the words follow from; times are in s. */
export interface Facts {
  connected: boolean;
  refused: string; // why the server refused
  lost: number | undefined; // since the connection was lost; undefined before the first
  robots: number;
  silence: number | undefined; // since the robot's last odometry; undefined if it never sent any
  paused: boolean; // the simulation's time
}

export const silentAfter = 1; // s

/** State is a line for people; ok is false for what is wrong, silent marks what is shown as old. */
export interface State { text: string; ok: boolean; silent: boolean }

/** stateOf puts facts into words. */
export function stateOf(f: Facts): State {
  if (!f.connected) {
    const text = f.refused || (f.lost === undefined ? "Connecting …" : `No connection for ${Math.round(f.lost)} s, trying again …`);
    return { text, ok: f.lost === undefined && !f.refused, silent: f.lost !== undefined };
  }
  if (f.robots === 0) return { text: "Connected, no robot yet", ok: true, silent: false };
  if (f.paused) return { text: "Simulation paused", ok: true, silent: false };
  if (f.silence !== undefined && f.silence > silentAfter) return { text: `Robot silent for ${Math.floor(f.silence)} s`, ok: false, silent: true };
  return { text: "Connected", ok: true, silent: false };
}

/** Step is a pose on a robot's way, with its speed (m/s) and its time (s). */
export interface Step { x: number; y: number; v: number; time: number }

const jump = 0.03; // m that a pose may be off
const pause = 1; // s between poses after which the way between them is unknown

/**
 * connection says how a trail continues from one pose to the next: "on" by a line, "gap" after a time without poses, or
 * "new" where the robot cannot have driven here: it was put elsewhere, or its program began anew.
 */
export function connection(last: Step, now: Step): "on" | "gap" | "new" {
  const dt = now.time - last.time, way = Math.hypot(now.x - last.x, now.y - last.y);
  if (dt < 0 || way > jump + 2 * Math.max(Math.abs(last.v), Math.abs(now.v)) * Math.min(dt, pause)) return "new";
  return dt > pause ? "gap" : "on";
}
