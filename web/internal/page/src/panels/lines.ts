// SPDX-License-Identifier: Apache-2.0
// Lines of /rosout in the order of their times, which the log of several nodes does not arrive in.

export interface Line { key: string; time: number; level: number; node: string; text: string; where: string }

export const mostLines = 1000;

/** severities are the levels of rcl_interfaces/msg/Log. */
export const severities: [number, string][] = [[10, "Debug"], [20, "Info"], [30, "Warn"], [40, "Error"], [50, "Fatal"]];

export const severity = (level: number): string => severities.find(([n]) => n >= level)?.[1] ?? String(level);

export class Lines {
  readonly list: Line[] = [];
  private keys = new Set<string>();

  /** take adds a message; one that is there already, as after a new subscription, counts once. */
  take(m: any): void {
    const nanosec: number = m.stamp.nsec ?? m.stamp.nanosec, time = m.stamp.sec + nanosec / 1e9;
    const key = `${m.stamp.sec}.${nanosec} ${m.name} ${m.msg}`;
    if (this.keys.has(key)) return;
    this.keys.add(key);
    let at = this.list.length;
    while (at > 0 && this.list[at - 1].time > time) at--;
    this.list.splice(at, 0, { key, time, level: m.level, node: m.name, text: m.msg, where: m.file ? `${m.file}:${m.line} ${m.function}` : "" });
    while (this.list.length > mostLines) this.keys.delete(this.list.shift()!.key);
  }
}

/** timeOfLine is the time of the day with ms, or for the small times of some simulations s. */
export function timeOfLine(time: number): string {
  if (time < 1e8) return time.toFixed(3);
  const d = new Date(time * 1000), two = (n: number) => String(n).padStart(2, "0");
  return `${two(d.getHours())}:${two(d.getMinutes())}:${two(d.getSeconds())}.${String(d.getMilliseconds()).padStart(3, "0")}`;
}

/** tableOfLines is lines as text, one a line. */
export const tableOfLines = (lines: readonly Line[]): string => lines.map((l) => `${timeOfLine(l.time)} ${severity(l.level).toUpperCase()} [${l.node}] ${l.text}\n`).join("");
