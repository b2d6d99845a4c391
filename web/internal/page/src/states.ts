// SPDX-License-Identifier: Apache-2.0
// What the page knows of its connection and of the chosen robot, for the line above.
import type { Key } from "./texts";

/** Facts are what the line depends on; times are in s. */
export interface Facts {
  connected: boolean;
  refused: string; // why the server refused: "missing" or "wrong" is the token
  lost: number | undefined; // since the connection was lost; undefined before the first
  robots: number;
  silence: number | undefined; // since the robot's last odometry; undefined if it never sent any
  paused: boolean; // the simulation's time
}

export const silentAfter = 1; // s

/** State is the key and the values of a line for people; ok is false for what is wrong, silent marks what is shown as old. */
export interface State { key: Key; values?: Record<string, unknown>; ok: boolean; silent: boolean }

/** stateOf returns what the line says. */
export function stateOf(f: Facts): State {
  if (!f.connected) {
    if (f.refused === "missing" || f.refused === "wrong") return { key: f.refused === "missing" ? "state.tokenMissing" : "state.tokenWrong", ok: false, silent: f.lost !== undefined };
    if (f.refused) return { key: "state.refused", values: { reason: f.refused }, ok: false, silent: f.lost !== undefined };
    if (f.lost === undefined) return { key: "state.connecting", ok: true, silent: false };
    return { key: "state.lost", values: { count: Math.round(f.lost) }, ok: false, silent: true };
  }
  if (f.robots === 0) return { key: "state.connectedNoRobot", ok: true, silent: false };
  if (f.paused) return { key: "state.paused", ok: true, silent: false };
  if (f.silence !== undefined && f.silence > silentAfter) return { key: "state.silent", values: { count: Math.floor(f.silence) }, ok: false, silent: true };
  return { key: "state.connected", ok: true, silent: false };
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
