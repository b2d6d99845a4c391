// SPDX-License-Identifier: Apache-2.0
// Navigation of the chosen robot: its goal, its path, how far it is, and why it failed; by the action navigate_to_pose
// where there is one, else by goal_pose and plan.
import { Client } from "./client";
import { Fleet } from "./robots";
import { t } from "./texts";
import { full, say } from "./ui";

const silent = 2500; // ms without a plan after which a drive has ended
const late = 1500; // ms in which a plan may come after the end of its drive
const states = ["unknown", "accepted", "driving", "canceling", "reached", "canceled", "failed"]; // action_msgs/GoalStatus

interface Goal { x: number; y: number; frame: string }

/** Navigation follows the navigator of the chosen robot; "changed" is sent when what is known has changed. */
export class Navigation extends EventTarget {
  state = "";
  reason = "";
  goal: Goal | undefined;
  remaining: number | undefined; // m
  elapsed: number | undefined; // s
  recoveries = 0;
  private planned = -Infinity; // performance.now() of the last plan
  private endedAt = -Infinity; // performance.now() of the end of the last drive
  private byTopic = false; // it drives to a goal without an action: its plans show it
  private stops: (() => void)[] = [];
  private fed = false; // by feedback, which knows the way left better than a path does
  private own = 0; // number of the last goal sent here

  constructor(private client: Client, private fleet: Fleet) {
    super();
    fleet.addEventListener("chosen", () => { this.forget(); this.follow(); });
    document.addEventListener("visibilitychange", () => this.follow());
    setInterval(() => this.check(), 500);
  }

  private name(topic: string): string { return full(this.fleet.chosen?.name ?? "/", topic); }

  /** node is the navigator's name. */
  get node(): string | undefined {
    return (this.client.publishers.get(this.name("navigate_to_pose/_action/status")) ?? this.client.publishers.get(this.name("plan")))?.[0];
  }

  /** active returns whether it drives the robot now. */
  get active(): boolean { return this.state === "driving" || this.state === "canceling" || this.state === "accepted"; }

  /** follow subscribes while the page is seen. */
  private follow(): void {
    for (const stop of this.stops) stop();
    this.stops = !this.fleet.chosen || document.hidden ? [] : [
      this.client.subscribe(this.name("plan"), (m) => this.plan(m), { period: 250 }),
      this.client.subscribe(this.name("navigate_to_pose/_action/status"), (m) => this.status(m.status_list)),
      this.client.subscribe(this.name("navigate_to_pose/_action/feedback"), (m) => this.feedback(m.feedback), { period: 250 }),
      this.client.subscribe("/rosout", (m) => this.log(m)),
    ];
  }

  /** forget is for another robot. */
  private forget(): void {
    this.state = this.reason = "";
    this.goal = this.remaining = this.elapsed = undefined;
    this.recoveries = 0;
    this.planned = this.endedAt = -Infinity;
    this.byTopic = this.fed = false;
    this.own++;
    this.changed();
  }

  private changed(): void { this.dispatchEvent(new Event("changed")); }

  private plan(m: any): void {
    const now = performance.now(), last = m.poses[m.poses.length - 1]?.pose.position;
    if (!this.active && now - this.endedAt < late) return;
    this.planned = now;
    if (!this.active) { this.byTopic = true; this.reason = ""; this.recoveries = 0; this.elapsed = undefined; this.state = "driving"; }
    if (last) this.goal = { x: last.x, y: last.y, frame: m.header.frame_id };
    let length = 0;
    for (let i = 1; i < m.poses.length; i++) {
      const a = m.poses[i - 1].pose.position, b = m.poses[i].pose.position;
      length += Math.hypot(a.x - b.x, a.y - b.y);
    }
    if (!this.fed) this.remaining = length;
    this.changed();
  }

  private status(list: any[]): void {
    const last = list[list.length - 1];
    if (!last) return;
    const state = states[last.status] ?? states[0];
    if (state === this.state) return;
    if (!this.active) { this.reason = ""; this.recoveries = 0; }
    this.state = state;
    this.byTopic = false;
    if (!this.active) this.ended();
    this.changed();
  }

  private ended(): void {
    this.endedAt = performance.now();
    this.fed = this.byTopic = false;
    say(t("navigation.ended", { state: this.state }));
  }

  private feedback(f: any): void {
    this.fed = true;
    this.remaining = f.distance_remaining;
    this.elapsed = f.navigation_time.sec + (f.navigation_time.nanosec ?? 0) / 1e9;
    this.recoveries = f.number_of_recoveries;
    this.changed();
  }

  /** log keeps what the navigator warns of: goals by topic have no other result. */
  private log(m: any): void {
    if (m.level < 30 || !this.node || m.name.split(".")[0] !== this.node.slice(this.node.lastIndexOf("/") + 1)) return;
    this.reason = m.msg;
    if (/not reached/.test(m.msg)) { this.state = "failed"; this.ended(); }
    this.changed();
  }

  /** check ends a drive by topic: its plans have ended. */
  private check(): void {
    if (!this.byTopic || this.state !== "driving" || performance.now() - this.planned < silent) return;
    this.state = this.remaining !== undefined && this.remaining < 0.05 ? "reached" : "stopped";
    this.ended();
    this.changed();
  }

  /** offered returns whether the robot's navigator has the action. */
  get offered(): boolean { return this.client.services.has(this.name("navigate_to_pose/_action/send_goal")); }

  /** send sends a goal by the action and follows it to its end. */
  async send(pose: object): Promise<void> {
    const number = ++this.own, uuid = [...crypto.getRandomValues(new Uint8Array(16))];
    this.reason = "";
    try {
      const r = await this.client.call(this.name("navigate_to_pose/_action/send_goal"), { goal_id: { uuid }, goal: { pose } });
      if (!r.accepted) throw new Error("the navigator rejected the goal");
      const result = await this.result(uuid, number);
      if (number !== this.own || !result) return;
      this.state = states[result.status] ?? states[0];
      this.reason = result.result?.error_msg || this.reason;
    } catch (e) {
      if (number !== this.own) return;
      this.state = "failed";
      this.reason = (e as Error).message;
    }
    this.ended();
    this.changed();
  }

  /** result waits for a goal's end; a call that ends before is repeated while the robot drives. */
  private async result(uuid: number[], number: number): Promise<any> {
    for (;;) {
      try {
        return await this.client.call(this.name("navigate_to_pose/_action/get_result"), { goal_id: { uuid } });
      } catch (e) {
        if (number !== this.own || !this.active) throw e;
        if (!this.client.connected) throw e;
      }
    }
  }

  /** cancel stops all goals of the action. */
  async cancel(): Promise<void> {
    const all = { goal_info: { goal_id: { uuid: Array(16).fill(0) }, stamp: { sec: 0, nanosec: 0 } } };
    try { await this.client.call(this.name("navigate_to_pose/_action/cancel_goal"), all); } catch (e) { this.reason = (e as Error).message; this.changed(); }
  }
}
