// SPDX-License-Identifier: Apache-2.0
// What the page knows of one kind of robot, the e-puck2: nothing else of the page does. Other robots are shown by the
// types of their topics, their robot_description and their outline.
import { bodyRadius, leds, maxRanges, redLED } from "./measures";

/** Reading is a number of a sensor: topics whose name below the robot's namespace matches, with limits and a unit. */
export interface Reading { topic: RegExp; group: string; field: string; unit: string; low: number; high: number; digits: number; scale?: number; label?: (name: string) => string }

const microphones = ["right", "left", "back", "front"];

export const robotDescription = {
  name: "e-puck2",
  /** radius is that of a robot that publishes neither robot_description nor outline, m. */
  radius: bodyRadius,
  /** leds are the directions of its LEDs from the middle, as x and y. */
  leds,
  /** lit is the colour of an LED by its number and its value. */
  lit(i: number, value: number | boolean): string {
    if (i % 2 === 0) return value ? redLED : "";
    const n = Number(value) & 0xffffff;
    return n === 0 ? "" : "#" + n.toString(16).padStart(6, "0");
  },
  ledTopic: (i: number): string => "led" + i,
  /** colored returns whether an LED has any colour, not only one. */
  colored: (i: number): boolean => i % 2 === 1,
  /** tunes are numbers of melodies that the topic plays. */
  speaker: { topic: "speaker", tunes: [1, 2, 3] },
  /** notFromAbove are sensors of the ground, which the view from above leaves out. */
  notFromAbove: /^gs\d$/,
  /** readings are names and limits of its sensors; types say them of other robots' sensors. */
  readings: [
    { topic: /^battery_state$/, group: "sensors.battery", field: "voltage", unit: "V", low: 3, high: 4.3, digits: 2, label: () => "voltage" },
    { topic: /^battery_state$/, group: "sensors.battery", field: "percentage", unit: "%", low: 0, high: 100, digits: 0, scale: 100, label: () => "charge" },
    { topic: /^tof$/, group: "sensors.ranges", field: "range", unit: "m", low: 0, high: maxRanges.tof, digits: 3, label: () => "ToF" },
    { topic: /^ps\d$/, group: "sensors.ranges", field: "range", unit: "m", low: 0, high: maxRanges.infrared, digits: 4 },
    { topic: /^gs\d$/, group: "sensors.ground", field: "range", unit: "m", low: 0, high: maxRanges.ground, digits: 4 },
    { topic: /^mic\d$/, group: "sensors.microphones", field: "data", unit: "", low: 0, high: 4096, digits: 0, label: (name: string) => microphones[Number(name.slice(3))] ?? name },
    { topic: /^ls\d$/, group: "sensors.light", field: "illuminance", unit: "lx", low: 0, high: 250, digits: 0 },
  ] as Reading[],
  /** procedures are services of std_srvs/srv/Trigger that the panel of lights offers, with a question before. */
  procedures: [
    { service: "calibrate_ir", id: "calibrate-ir", title: "lights.calibrateInfrared", question: "lights.askInfrared" },
    { service: "reset_odometry", id: "reset-odometry", title: "lights.resetOdometry", question: "" },
    { service: "calibrate_imu", id: "calibrate-imu", title: "lights.calibrateIMU", question: "lights.askIMU" },
  ] as const,
  /** speeds are limits of the stick: the least, the greatest, the step and the first value; m/s and rad/s. */
  speeds: { linear: [0.01, 0.13, 0.01, 0.06], angular: [0.2, 4, 0.1, 1.5] } as const,
  /** camera is the topic of its pictures, hint the one of texts for a person who calibrates it. */
  camera: "image_raw/compressed",
  cameraHint: "calibration/hint",
};
