// SPDX-License-Identifier: Apache-2.0
// The state of each robot of a fleet, as a list shows it.

export type Sort = "name" | "battery" | "state";

/** RobotState is what is known of a robot: battery in parts of 1, silence in s since its last odometry. */
export interface RobotState { name: string; title: string; voltage: number | undefined; battery: number | undefined; silence: number | undefined; driver: string; speed: number }

export const silentAfter = 1; // s
export const lowBattery = 0.2;

/** stateKey is the key of the text of a robot's state. */
export function stateKey(r: RobotState): "fleet.unknown" | "fleet.silent" | "fleet.moving" | "fleet.still" {
  if (r.silence === undefined) return "fleet.unknown";
  if (r.silence > silentAfter) return "fleet.silent";
  return Math.abs(r.speed) > 0.002 ? "fleet.moving" : "fleet.still";
}

const rank = { "fleet.silent": 0, "fleet.unknown": 1, "fleet.moving": 2, "fleet.still": 3 };

/** arranged are the robots whose name, driver or state matches a search, in an order: the worst first, but by name as people count. */
export function arranged(robots: readonly RobotState[], search: string, sort: Sort, textOfState: (r: RobotState) => string): RobotState[] {
  const text = search.trim().toLowerCase(), byName = (a: RobotState, b: RobotState) => a.title.localeCompare(b.title, undefined, { numeric: true });
  const found = robots.filter((r) => `${r.title} ${r.driver} ${textOfState(r)}`.toLowerCase().includes(text));
  if (sort === "battery") return found.sort((a, b) => (a.battery ?? 2) - (b.battery ?? 2) || byName(a, b));
  if (sort === "state") return found.sort((a, b) => rank[stateKey(a)] - rank[stateKey(b)] || byName(a, b));
  return found.sort(byName);
}

/** counted are how many robots are in each state. */
export function counted(robots: readonly RobotState[]): [ReturnType<typeof stateKey>, number][] {
  const counts = new Map<ReturnType<typeof stateKey>, number>();
  for (const r of robots) counts.set(stateKey(r), (counts.get(stateKey(r)) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => rank[a] - rank[b]);
}
