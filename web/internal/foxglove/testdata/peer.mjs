// SPDX-License-Identifier: Apache-2.0
// Foxglove's own client and decoders, as a peer: node peer.mjs URL PROTOCOL. It writes the result as one line of JSON.
import { createRequire } from "node:module";
const require = createRequire(new URL("../../page/package.json", import.meta.url));
const { FoxgloveClient } = require("@foxglove/ws-protocol");
const { parse } = require("@foxglove/rosmsg");
const { MessageReader, MessageWriter } = require("@foxglove/rosmsg2-serialization");
const WebSocket = require("ws");

const [url, protocol] = process.argv.slice(2);
const client = new FoxgloveClient({ ws: new WebSocket(url, [protocol]) });
const told = { decoded: {}, failed: [] };
const channels = new Map(), services = new Map();
const waiting = new Set();
const until = (what, is) => new Promise((resolve, reject) => {
  if (is()) return resolve();
  const timer = setTimeout(() => { waiting.delete(check); reject(new Error("waited for ever for " + (typeof what === "function" ? what() : what))); }, 30000);
  const check = () => { if (is()) { clearTimeout(timer); waiting.delete(check); resolve(); } };
  waiting.add(check);
});
const news = () => { for (const f of [...waiting]) f(); };
const on = (name, f) => client.on(name, (m) => { f(m); news(); });

let info, parameters = [], graph = { published: new Map(), subscribed: new Map(), services: new Map() };
const statuses = [], responses = new Map(), failures = [], assets = new Map();
on("error", (e) => { told.failed.push(String(e)); });
on("serverInfo", (m) => { info = m; });
on("status", (m) => statuses.push(m));
// A part of the robot may go and come again under another channel while this client is connected.
const subscriptions = new Map(), messages = new Map();
let subscribed = false;
const subscribe = (c) => subscriptions.set(client.subscribe(c.id), c);
on("advertise", (list) => { for (const c of list) { channels.set(c.topic, c); if (subscribed) subscribe(c); } });
on("unadvertise", (ids) => { for (const [k, c] of channels) if (ids.includes(c.id)) channels.delete(k); });
on("advertiseServices", (list) => { for (const s of list) services.set(s.name, s); });
on("parameterValues", (m) => parameters.push(m));
on("serviceCallResponse", (m) => responses.set(m.callId, m));
on("serviceCallFailure", (m) => failures.push(m));
on("fetchAssetResponse", (m) => assets.set(m.requestId, m));
let time;
on("time", (m) => { time = m.timestamp; });
on("connectionGraphUpdate", (m) => {
  for (const t of m.publishedTopics) graph.published.set(t.name, t.publisherIds);
  for (const t of m.subscribedTopics) graph.subscribed.set(t.name, t.subscriberIds);
  for (const s of m.advertisedServices) graph.services.set(s.name, s.providerIds);
});
on("message", (m) => {
  const c = subscriptions.get(m.subscriptionId);
  try {
    const value = new MessageReader(parse(c.schema, { ros2: true })).readMessage(m.data);
    messages.set(c.topic, value);
    told.decoded[c.topic] = c.schemaName;
  } catch (e) { told.failed.push(`${c.topic}: ${e}`); }
});
const reader = (s) => new MessageReader(parse(s.schema, { ros2: true }));
const writer = (schema) => new MessageWriter(parse(schema, { ros2: true }));

try {
  await until("serverInfo", () => info);
  told.capabilities = info.capabilities; told.encodings = info.supportedEncodings; told.metadata = info.metadata;
  await until("the robot's topics", () => channels.has("/odom") && channels.has("/tof") && channels.has("/imu") && channels.has("/image_raw"));
  subscribed = true;
  for (const c of channels.values()) subscribe(c);
  const expected = [...channels.keys()].filter((t) => !/tv_remote|parameter_events|rosout$|mag$|gs\d|cmd_vel/.test(t));
  await until(() => "a message of " + expected.filter((t) => !told.decoded[t]), () => expected.every((t) => told.decoded[t]));

  // Publishing, in CDR and in JSON.
  const twist = "geometry_msgs/Vector3 linear\ngeometry_msgs/Vector3 angular\n" + "=".repeat(80) + "\nMSG: geometry_msgs/Vector3\nfloat64 x\nfloat64 y\nfloat64 z\n";
  const drive = client.advertise({ topic: "/cmd_vel", encoding: "cdr", schemaName: "geometry_msgs/msg/Twist" });
  const end = Date.now() + 15000;
  while (Math.abs(messages.get("/odom").twist.twist.linear.x) < 0.01 && Date.now() < end) {
    client.sendMessage(drive, writer(twist).writeMessage({ linear: { x: 0.05, y: 0, z: 0 }, angular: { x: 0, y: 0, z: 0 } }));
    await new Promise((r) => setTimeout(r, 100));
  }
  told.drove = messages.get("/odom").twist.twist.linear.x;
  client.unadvertise(drive);
  const led = client.advertise({ topic: "/led1", encoding: "json", schemaName: "std_msgs/Int32" });
  client.sendMessage(led, new TextEncoder().encode(JSON.stringify({ data: 0x00ff00 })));

  // Parameters.
  client.getParameters([], "all");
  await until("all parameters", () => parameters.some((m) => m.id === "all"));
  const all = parameters.find((m) => m.id === "all").parameters;
  told.parameters = all.length;
  told.radius = all.find((p) => p.name === "/epuck_driver.wheel_radius");
  client.subscribeParameterUpdates(["/epuck_driver.wheel_radius"]);
  client.setParameters([{ name: "/epuck_driver.wheel_radius", value: 0.021 }], "set");
  await until("the set parameter and its update", () => parameters.some((m) => m.id === "set") && parameters.some((m) => m.id === undefined));
  told.set = parameters.find((m) => m.id === "set").parameters[0].value;
  told.update = parameters.find((m) => m.id === undefined).parameters[0].value;
  client.setParameters([{ name: "/epuck_driver.wheel_radius", value: -1 }], "bad");
  await until("the refusal", () => statuses.some((s) => s.message.includes("wheel_radius")) && parameters.some((m) => m.id === "bad"));
  told.refusal = statuses.find((s) => s.message.includes("wheel_radius")).message;

  // Services.
  const reset = services.get("/reset_odometry");
  client.sendServiceCallRequest({ serviceId: reset.id, callId: 1, encoding: "cdr", data: new DataView(Uint8Array.from([0, 1, 0, 0, 0]).buffer) });
  client.sendServiceCallRequest({ serviceId: reset.id, callId: 2, encoding: "json", data: new DataView(new TextEncoder().encode("{}").buffer) });
  client.sendServiceCallRequest({ serviceId: 99999, callId: 3, encoding: "cdr", data: new DataView(new ArrayBuffer(4)) });
  await until("the services' answers", () => responses.has(1) && responses.has(2) && failures.some((f) => f.callId === 3));
  told.reset = reader(reset.response).readMessage(responses.get(1).data).success;
  told.resetJSON = JSON.parse(new TextDecoder().decode(responses.get(2).data)).success;

  // Connection graph, assets, time.
  client.subscribeConnectionGraph();
  await until("the graph", () => graph.published.has("/odom") && graph.subscribed.has("/cmd_vel") && graph.services.has("/reset_odometry"));
  told.publishers = graph.published.get("/odom");
  client.fetchAsset("package://epuck_driver/urdf/epuck.urdf", 1);
  client.fetchAsset("package://epuck_driver/../../etc/passwd", 2);
  await until("the assets", () => assets.has(1) && assets.has(2));
  told.asset = assets.get(1).status === 0 ? assets.get(1).data.byteLength : assets.get(1).error;
  told.traversal = assets.get(2).status;
  if (info.capabilities.includes("time")) { await until("the time", () => time !== undefined); told.time = String(time); }
} catch (e) { told.failed.push(String(e?.stack ?? e)); told.channels = [...channels.keys()]; }
process.stdout.write(JSON.stringify(told) + "\n");
client.close();
process.exit(0);
