// SPDX-License-Identifier: Apache-2.0
// roslib's actions and types, what Foxglove's connection to rosbridge does with roslib, and what roslibpy sends:
// node protocol.mjs URL. It writes the result as one line of JSON.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
const require = createRequire(new URL("../../page/package.json", import.meta.url));
const WS = require("ws");
globalThis.WebSocket ??= WS;
const module = new URL("../../page/node_modules/roslib/", import.meta.url);
const { exports } = JSON.parse(readFileSync(new URL("package.json", module), "utf8"));
const ROSLIB = await import(new URL(exports["."].import?.default ?? exports["."].import ?? exports["."].default, module));

const report = { failed: [] };
const within = (what, p) => Promise.race([p, new Promise((_, reject) => setTimeout(() => reject(new Error("no answer: " + what)), 60000))]);
const promise = (what, f) => within(what, new Promise((resolve, reject) => f(resolve, (e) => reject(new Error(what + ": " + e)))));
const connect = async () => {
  const ros = new ROSLIB.Ros({ url: process.argv[2] });
  await promise("connection", (resolve, reject) => { ros.on("connection", resolve); ros.on("error", (e) => reject(e?.message ?? e)); });
  return ros;
};
const type = "example_interfaces/action/Fibonacci";
try {
  const ros = await connect(), other = await connect();

  // A goal to the robot's action, with feedback; one that is canceled; one that fails.
  const count = new ROSLIB.Action({ ros, name: "/fibonacci", actionType: type });
  report.feedback = 0;
  report.result = await promise("result", (y, n) => count.sendGoal({ order: 3 }, y, () => report.feedback++, n));
  report.canceled = await promise("cancel", (y) => {
    const id = count.sendGoal({ order: 1000 }, () => y("a result"), () => count.cancelGoal(id), (e) => y(String(e)));
  });
  report.rejected = await promise("rejection", (y) => count.sendGoal({ order: -1 }, () => y("a result"), () => {}, (e) => y(String(e))));

  // An action of a page: another client sends the goals.
  const offered = new ROSLIB.Action({ ros, name: "/page/count", actionType: type });
  offered.advertise((goal, id) => {
    if (goal.order === 9) return; // until it is canceled
    offered.sendFeedback(id, { sequence: [0] });
    if (goal.order < 5) offered.setSucceeded(id, { sequence: [0, 1] });
    else offered.setFailed(id);
  }, (id) => offered.setCanceled(id, { sequence: [] }));
  const remote = new ROSLIB.Action({ ros: other, name: "/page/count", actionType: type });
  const send = (order, feedback) => promise("goal " + order, (y) => { const id = remote.sendGoal({ order }, (r) => y(r.sequence), () => feedback?.(id), (e) => y(String(e))); if (order === 9) setTimeout(() => remote.cancelGoal(id), 500); });
  for (let i = 0; i < 20 && !Array.isArray(report.pageResult); i++) report.pageResult = await send(1); // it may not be known yet
  report.pageFailed = await send(6);
  report.pageCanceled = await send(9);
  offered.unadvertise();

  // Foxglove's connection: topics with definitions, then cbor-raw, and the types of services.
  const raw = await promise("raw types", (y, n) => ros.getTopicsAndRawTypes(y, n));
  report.definition = raw.typedefs_full_text[raw.topics.indexOf("/chatter")];
  const chatter = new ROSLIB.Topic({ ros, name: "/chatter", messageType: "std_msgs/msg/String", compression: "cbor-raw" });
  const bytes = await promise("cbor-raw", (y) => chatter.subscribe((m) => y(m.bytes)));
  report.raw = Buffer.from(bytes).subarray(8, -1).toString();
  const details = await promise("details", (y, n) => ros.getMessageDetails("sensor_msgs/Imu", y, n));
  report.decoded = ros.decodeTypeDefs(details).orientation?.w;
  report.actions = await promise("actions", (y, n) => ros.getActionServers(y, n));

  // Two listeners of one topic: each gets each message once.
  const a = new ROSLIB.Topic({ ros: other, name: "/chatter", messageType: "std_msgs/String" });
  const b = new ROSLIB.Topic({ ros: other, name: "/chatter", messageType: "std_msgs/String" });
  const heard = { a: [], b: [] };
  a.subscribe((m) => heard.a.push(m.data));
  b.subscribe((m) => heard.b.push(m.data));
  await new Promise((r) => setTimeout(r, 2000));
  report.twice = [heard.a, heard.b].map((l) => l.length - new Set(l).size);
  ros.close(); other.close();

  // roslibpy: texts of Python's json module, in binary frames.
  const python = new WS(process.argv[2]);
  const next = (what) => promise(what, (y) => python.once("message", (d) => y(JSON.parse(d))));
  await promise("connection", (y, n) => { python.on("open", y); python.on("error", n); });
  const say = (text) => python.send(Buffer.from(text), { binary: true });
  say('{"op": "set_level", "level": "warning", "id": 1}');
  say('{"op": "call_service", "id": "call_service:/rosapi/get_time:1", "service": "/rosapi/get_time", "args": {}}');
  report.time = (await next("time")).values.time.secs > 1e9;
  say('{"op": "advertise", "id": "advertise:/floats:2", "type": "std_msgs/Float64MultiArray", "topic": "/floats", "latch": false, "queue_size": 100}');
  say('{"op": "subscribe", "id": "subscribe:/floats:3", "type": "std_msgs/Float64MultiArray", "topic": "/floats", "compression": "none", "throttle_rate": 0, "queue_length": 0}');
  say('{"op": "publish", "id": "publish:/floats:4", "topic": "/floats", "msg": {"layout": {"dim": [], "data_offset": 0}, "data": [NaN, -Infinity, 1.5]}, "latch": false}');
  report.floats = (await next("floats")).msg?.data;
  python.close();
} catch (e) { report.failed.push(String(e?.stack ?? e)); }
process.stdout.write(JSON.stringify(report) + "\n");
process.exit(0);
