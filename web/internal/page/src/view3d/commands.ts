// SPDX-License-Identifier: Apache-2.0
// What is sent to a navigator: a goal, an initial pose, waypoints one after another.
import { Client } from "../client";
import { Frames, worldFrame } from "../frames";
import { Navigation } from "../navigation";
import { Fleet, Pose, Robot } from "../robots";
import { t } from "../texts";
import { Transform, compose, heading, inverse, planar } from "../transforms";
import { full } from "../ui";

const arrived = 0.1; // from a waypoint, m: the next one follows
const covariance = Array.from({ length: 36 }, (_, i) => ({ 0: 0.04, 7: 0.04, 35: 0.07 })[i] ?? 0); // as rviz sends it, for small robots

/** Commands sends poses of the fixed frame in the frame that the robot's navigator knows. */
export class Commands {
  private waiting: Pose[] = []; // waypoints in the navigator's frame, the present one first
  private robot: Robot | undefined; // that drives to them
  private number = 0;

  constructor(private client: Client, private fleet: Fleet, private frames: Frames, private navigation: Navigation) {}

  /** frameOf is the frame of a robot's navigator: the root of its odometry. */
  private frameOf(r: Robot): string { return r.odomFrame ? this.frames.buffer.root(r.odomFrame) : "odom"; }

  /** inFrame takes a pose of the fixed frame to another one, which without a connection is taken to be the same. */
  private inFrame(frame: string, p: Pose): Pose {
    const place = frame === worldFrame ? undefined : this.frames.place(frame);
    const at: Transform = place ? compose(inverse(place), planar(p.x, p.y, p.a)) : planar(p.x, p.y, p.a);
    return { x: at.t[0], y: at.t[1], a: heading(at) };
  }

  private message(p: Pose): object {
    return { position: { x: p.x, y: p.y, z: 0 }, orientation: { x: 0, y: 0, z: Math.sin(p.a / 2), w: Math.cos(p.a / 2) } };
  }

  private header(frame: string): object { return { stamp: { sec: 0, nanosec: 0 }, frame_id: frame }; }

  /** goal sends the chosen robot to a pose and says what was done. */
  goal(p: Pose): string {
    this.waiting = [];
    const r = this.fleet.chosen;
    return r ? this.sendGoal(r, this.inFrame(this.frameOf(r), p)) : t("state.noRobot");
  }

  private sendGoal(r: Robot, p: Pose): string {
    const topic = full(r.name, "goal_pose"), action = r === this.fleet.chosen && this.navigation.offered;
    if (!action && !this.client.subscribed.has(topic)) return t("command.noGoal", { topic });
    const frame = this.frameOf(r);
    const pose = { header: this.header(frame), pose: this.message(p) };
    if (action) void this.navigation.send(pose);
    else this.client.publish(topic, "geometry_msgs/msg/PoseStamped", pose);
    return t("command.goal", { robot: r.title, x: p.x.toFixed(2), y: p.y.toFixed(2), frame });
  }

  /** initialPose sends the localization of the chosen robot where it is. */
  initialPose(p: Pose): string {
    const r = this.fleet.chosen;
    if (!r) return t("state.noRobot");
    const own = full(r.name, "initialpose"), topic = this.client.subscribed.has(own) ? own : "/initialpose", frame = this.frameOf(r), q = this.inFrame(frame, p);
    if (!this.client.subscribed.has(topic)) return t("command.noPose", { topic: own });
    this.client.publish(topic, "geometry_msgs/msg/PoseWithCovarianceStamped", { header: this.header(frame), pose: { pose: this.message(q), covariance } });
    return t("command.pose", { robot: r.title, x: q.x.toFixed(2), y: q.y.toFixed(2), frame });
  }

  /** waypoints sends the chosen robot along poses. */
  waypoints(list: Pose[]): string {
    const r = this.fleet.chosen;
    if (!r) return t("state.noRobot");
    if (!list.length) return t("command.noWaypoints");
    this.robot = r;
    this.waiting = list.map((p) => this.inFrame(this.frameOf(r), p));
    this.number = list.length;
    return this.sendGoal(r, this.waiting[0]);
  }

  /** step sends the next waypoint when the robot has arrived, and returns a text about it; undefined: nothing new. */
  step(): string | undefined {
    const r = this.robot, to = this.waiting[0], at = r && this.frames.baseOf(r)?.pose;
    if (!r || !to || !at) return undefined;
    const p = this.inFrame(this.frameOf(r), at);
    if (Math.hypot(p.x - to.x, p.y - to.y) > arrived) return undefined;
    this.waiting.shift();
    if (!this.waiting.length) return t("command.all", { count: this.number });
    this.sendGoal(r, this.waiting[0]);
    return t("command.one", { number: this.number - this.waiting.length, count: this.number });
  }
}
