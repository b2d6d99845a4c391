// SPDX-License-Identifier: Apache-2.0
// Goals of an action (action_msgs): sent, followed by feedback and status, and canceled.
import { Client } from "./client";

/** goalStates are the states of action_msgs/msg/GoalStatus. */
export const goalStates = ["unknown", "accepted", "executing", "canceling", "succeeded", "canceled", "aborted"] as const;
export type GoalState = (typeof goalStates)[number] | "sending" | "rejected" | "failed";

/** Goal is one that was sent here; times are in ms of performance.now(). */
export interface Goal { id: string; uuid: number[]; state: GoalState; sent: number; ended: number | undefined; feedback: any; feedbacks: number; result: any; reason: string }

const mostGoals = 20; // that are kept

/** hasEnded returns whether a goal's state will not change any more. */
export const hasEnded = (s: GoalState): boolean => s === "succeeded" || s === "canceled" || s === "aborted" || s === "rejected" || s === "failed";

/** actionsOf lists the actions of the network by their services. */
export const actionsOf = (services: Iterable<string>): string[] => [...services].filter((s) => s.endsWith("/_action/send_goal")).map((s) => s.slice(0, -"/_action/send_goal".length)).sort();

/** Goals follows the goals of an action that are sent here: event "changed". */
export class Goals extends EventTarget {
  readonly list: Goal[] = []; // the newest first

  constructor(private client: Client, readonly action: string) { super(); }

  private name(part: string): string { return `${this.action}/_action/${part}`; }

  private changed(): void { this.dispatchEvent(new Event("changed")); }

  /** follow subscribes to feedback and status until the function returned is called. */
  follow(): () => void {
    const stops = [
      this.client.subscribe(this.name("feedback"), (m) => this.feed(m)),
      this.client.subscribe(this.name("status"), (m) => this.status(m.status_list)),
    ];
    return () => { for (const stop of stops) stop(); };
  }

  private of(uuid: ArrayLike<number>): Goal | undefined { const id = idOf(uuid); return this.list.find((g) => g.id === id); }

  /** feed takes a message of the feedback topic. */
  feed(m: any): void {
    const g = this.of(m.goal_id.uuid);
    if (!g) return;
    g.feedback = m.feedback;
    g.feedbacks++;
    this.changed();
  }

  /** status takes a list of the status topic. A goal that has ended stays so. */
  status(list: any[]): void {
    for (const s of list) {
      const g = this.of(s.goal_info.goal_id.uuid), state = goalStates[s.status] ?? "unknown";
      if (!g || hasEnded(g.state) || g.state === state) continue;
      this.set(g, state);
    }
  }

  private set(g: Goal, state: GoalState): void {
    g.state = state;
    if (hasEnded(state)) g.ended ??= performance.now();
    this.changed();
  }

  /** send sends a goal and follows it to its end. */
  async send(goal: object): Promise<void> {
    const uuid = [...crypto.getRandomValues(new Uint8Array(16))];
    const g: Goal = { id: idOf(uuid), uuid, state: "sending", sent: performance.now(), ended: undefined, feedback: undefined, feedbacks: 0, result: undefined, reason: "" };
    this.list.unshift(g);
    if (this.list.length > mostGoals) this.list.pop();
    this.changed();
    try {
      const r = await this.client.call(this.name("send_goal"), { goal_id: { uuid }, goal });
      if (!r.accepted) { this.set(g, "rejected"); return; }
      if (g.state === "sending") this.set(g, "accepted");
      const end = await this.result(g);
      g.result = end.result;
      this.set(g, goalStates[end.status] ?? "unknown");
    } catch (e) {
      g.reason = (e as Error).message;
      if (!hasEnded(g.state)) this.set(g, "failed");
    }
  }

  /** result waits for a goal's end: the call is repeated when it ends before, until the goal has. */
  private async result(g: Goal): Promise<any> {
    for (let again = 0; ; again++) {
      try { return await this.client.call(this.name("get_result"), { goal_id: { uuid: g.uuid } }); } catch (e) {
        if (!this.client.connected || again > 1000 || (hasEnded(g.state) && again > 2)) throw e;
      }
    }
  }

  /** cancel asks the server to cancel a goal; without one, all goals. It returns what went wrong, or "". */
  async cancel(g?: Goal): Promise<string> {
    try {
      const r = await this.client.call(this.name("cancel_goal"), { goal_info: { goal_id: { uuid: g?.uuid ?? Array(16).fill(0) }, stamp: { sec: 0, nanosec: 0 } } });
      return r.return_code ? `cancel_goal: ${r.return_code}` : "";
    } catch (e) { return (e as Error).message; }
  }
}

/** idOf is a UUID as a text. */
export function idOf(uuid: ArrayLike<number>): string { return Array.from(uuid, (b) => b.toString(16).padStart(2, "0")).join(""); }
