// SPDX-License-Identifier: Apache-2.0
// roslib as in a student's program: node peer.mjs URL. It writes the result as one line of JSON.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
const require = createRequire(new URL("../../page/package.json", import.meta.url));
globalThis.WebSocket ??= require("ws");
const room = new URL("../../page/node_modules/roslib/", import.meta.url);
const { exports } = JSON.parse(readFileSync(new URL("package.json", room), "utf8"));
const ROSLIB = await import(new URL(exports["."].import?.default ?? exports["."].import ?? exports["."].default, room));

const told = { failed: [] };
const within = (what, p) => Promise.race([p, new Promise((_, reject) => setTimeout(() => reject(new Error("waited for ever for " + what)), 20000))]);
const promise = (what, f) => within(what, new Promise((resolve, reject) => f(resolve, (e) => reject(new Error(what + ": " + e)))));
try {
  const ros = new ROSLIB.Ros({ url: process.argv[2] });
  await promise("connection", (resolve, reject) => { ros.on("connection", resolve); ros.on("error", (e) => reject(e?.message ?? e)); });
  const topics = await promise("topics", (y, n) => ros.getTopics(y, n));
  told.topics = topics.topics.length;
  told.odomType = topics.types[topics.topics.indexOf("/odom")];
  told.services = (await promise("services", (y, n) => ros.getServices(y, n))).length;
  told.nodes = await promise("nodes", (y, n) => ros.getNodes(y, n));
  told.topicType = await promise("topic type", (y, n) => ros.getTopicType("/scan", y, n));
  told.serviceType = await promise("service type", (y, n) => ros.getServiceType("/reset_odometry", y, n));

  const topic = (name, messageType, more = {}) => new ROSLIB.Topic({ ros, name, messageType, ...more });
  const next = (t, is = () => true) => promise(t.name, (resolve) => { const f = (m) => { if (is(m)) { t.unsubscribe(f); resolve(m); } }; t.subscribe(f); });
  told.tof = (await next(topic("/tof", "sensor_msgs/msg/Range"))).max_range;
  const cbor = await next(topic("/scan", "sensor_msgs/LaserScan", { compression: "cbor" }));
  told.cborRays = cbor.ranges.length; told.cborKind = cbor.ranges.constructor.name;
  const raw = await next(topic("/odom", "nav_msgs/Odometry", { compression: "cbor-raw" }));
  told.raw = raw.bytes?.length ?? raw.bytes?.byteLength;
  told.pngRays = (await next(topic("/scan", "sensor_msgs/LaserScan", { compression: "png" }))).ranges.length;
  let slow = 0;
  const throttled = topic("/odom", "nav_msgs/Odometry", { throttle_rate: 400 });
  throttled.subscribe(() => slow++);
  const started = Date.now();
  await new Promise((r) => setTimeout(r, 1500));
  throttled.unsubscribe();
  told.throttled = slow / ((Date.now() - started) / 400);

  // Drive, as the tutorial does.
  const drive = topic("/cmd_vel", "geometry_msgs/Twist");
  const odom = topic("/odom", "nav_msgs/Odometry");
  const beat = setInterval(() => drive.publish({ linear: { x: 0.05, y: 0, z: 0 }, angular: { x: 0, y: 0, z: 0 } }), 50);
  await next(odom, (m) => m.twist.twist.linear.x > 0.03);
  clearInterval(beat);
  await next(odom, (m) => m.twist.twist.linear.x === 0); // the dead man
  told.drove = true;
  // A header without a stamp gets one; who publishes hears it, too.
  const talk = topic("/talk", "geometry_msgs/PointStamped");
  talk.advertise();
  const heard = next(topic("/talk", "geometry_msgs/PointStamped"));
  await new Promise((r) => setTimeout(r, 300));
  talk.publish({ header: { frame_id: "x" }, point: { x: 1, y: 2, z: 3 } });
  const point = await heard;
  told.stamped = point.header.stamp.sec > 1e9 && point.point.z === 3;

  const call = (name, serviceType, request) => promise(name, (y, n) => new ROSLIB.Service({ ros, name, serviceType }).callService(request, y, n));
  told.reset = (await call("/reset_odometry", "std_srvs/Trigger", {})).success;
  // A page that offers a service, which another client of the bridge calls.
  const offer = new ROSLIB.Service({ ros, name: "/page/greet", serviceType: "std_srvs/SetBool" });
  offer.advertise((q, a) => { a.success = q.data; a.message = "from a page"; return true; });
  const other = new ROSLIB.Ros({ url: process.argv[2] });
  await promise("second connection", (resolve) => other.on("connection", resolve));
  for (const started = Date.now(); Date.now() - started < 20000 && !told.greeted;) {
    const a = await promise("the page's service", (y) => new ROSLIB.Service({ ros: other, name: "/page/greet", serviceType: "std_srvs/SetBool" }).callService({ data: true }, y, () => y(undefined)));
    told.greeted = a?.success === true && a.message === "from a page"; // it may not be known yet
  }
  offer.unadvertise();
  for (const started = Date.now(); Date.now() - started < 20000 && !told.withdrawn;)
    told.withdrawn = !(await promise("services", (y, n) => other.getServices(y, n))).includes("/page/greet");
  other.close();
  await call("/no_such_service", "std_srvs/Trigger", {}).then(() => told.failed.push("a service that is not there answered"), () => { told.refused = true; });
  const radius = new ROSLIB.Param({ ros, name: "/epuck_driver:wheel_radius" });
  told.radius = await promise("get param", (y, n) => radius.get(y, n));
  await promise("set param", (y, n) => radius.set(0.0203, y, n));
  told.newRadius = await promise("get param", (y, n) => radius.get(y, n));
  told.params = (await promise("params", (y, n) => ros.getParams(y, n))).length;
  ros.close();
} catch (e) { told.failed.push(String(e?.stack ?? e)); }
process.stdout.write(JSON.stringify(told) + "\n");
process.exit(0);
