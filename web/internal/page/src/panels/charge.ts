// SPDX-License-Identifier: Apache-2.0
// The history of a battery's voltage, and the texts of its state.

export const lowest = 0.2; // of the charge: below it is low

/** History keeps a number over the last s. */
export class History {
  private list: { time: number; value: number }[] = [];
  low = Infinity;
  high = -Infinity;

  constructor(private seconds: number) {}

  /** add adds a value at a time, s; one that is not finite is left out. */
  add(time: number, value: number): void {
    if (!Number.isFinite(value)) return;
    this.list.push({ time, value });
    while (this.list.length && this.list[0].time < time - this.seconds) this.list.shift();
    this.low = Math.min(...this.list.map((p) => p.value));
    this.high = Math.max(...this.list.map((p) => p.value));
  }

  /** points are those of an SVG polyline in a box, the newest at the right edge; "" for fewer than two. */
  points(now: number, width: number, height: number): string {
    if (this.list.length < 2) return "";
    const range = Math.max(this.high - this.low, 0.05), middle = (this.high + this.low) / 2;
    return this.list.map((p) => `${(width * (1 - (now - p.time) / this.seconds)).toFixed(1)},${(2 + height * (0.5 - (p.value - middle) / range)).toFixed(1)}`).join(" ");
  }
}

/** statusKey is the key of the text of sensor_msgs/msg/BatteryState.power_supply_status; "": unknown. */
export const statusKey = (status: number): string => ["", "battery.charging", "battery.discharging", "battery.notCharging", "battery.full"][status] ?? "";
