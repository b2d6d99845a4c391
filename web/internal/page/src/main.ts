// SPDX-License-Identifier: Apache-2.0
// Puts the panels together. A hidden panel costs nothing: neither here nor on the robot.
import "./style.css";
import { accessForm, storedToken } from "./access";
import { CameraPanel } from "./camera";
import { Client } from "./client";
import { DrivePanel } from "./drive";
import { MapPanel } from "./map";
import { Navigation, NavigationPanel } from "./navigation";
import { diagnosticsPanel } from "./panels/diagnostics";
import { fleetPanel } from "./panels/fleet";
import { graphPanel } from "./panels/graph";
import { logPanel } from "./panels/log";
import { Context, Definition } from "./panels/panel";
import { parameterPanel } from "./panels/parameters";
import { topicPanel } from "./panels/topics";
import { PlotPanel } from "./plots";
import { Frames } from "./frames";
import { Fleet } from "./robots";
import { ActionPanel, SensorPanel } from "./sensors";
import { ScenePanel } from "./scene";
import { ServicePanel } from "./services";
import { SimulationBar } from "./simulation";
import { stateOf } from "./states";
import { themeChoice } from "./theme";
import { Panel, h } from "./ui";
import { Workspace } from "./workspace";

const client = new Client(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`, storedToken());
const fleet = new Fleet(client);
const frames = new Frames(client, fleet), navigation = new Navigation(client, fleet);
const context: Context = { client, fleet, frames };
const map = new MapPanel(client, fleet, frames), camera = new CameraPanel(client, fleet), drive = new DrivePanel(client, fleet, navigation);
const drawn = (d: Definition) => d.make(context);
const tabs: Panel[] = [new SensorPanel(client, fleet), new ScenePanel(client, fleet, frames, navigation), new NavigationPanel(client, navigation), new PlotPanel(client, fleet),
  new ActionPanel(client, fleet), drawn(parameterPanel), drawn(diagnosticsPanel), drawn(logPanel), new ServicePanel(client), ...[topicPanel, graphPanel, fleetPanel].map(drawn)];

const state = h("span", { id: "state", role: "status" }, "Connecting …");
const robots = h("div", { id: "robots", role: "group", "aria-label": "Robots" });
const fewRobots = 12; // that need no search
const find = h("input", { type: "search", id: "robots-find", placeholder: "robot", "aria-label": "Find robots", hidden: true, oninput: () => showRobots() });
const theme = themeChoice(() => { for (const p of tabs) p.restart(); });
const discovery = 3000; // ms
let aloneSince = performance.now();
const domain = h("code", { id: "domain" });
const code = (text: string) => h("code", {}, text);
const none = h("section", { id: "none", class: "panel", hidden: true, "aria-label": "No robot yet" }, h("h2", {}, "No robot yet"),
  h("p", {}, "This page lists robots as they appear on the network. To start one:"),
  h("ul", {}, h("li", {}, code("epuck-driver sim"), " simulates one on a computer;"), h("li", {}, code("epuck-driver run"), " drives a real one, on its Raspberry Pi.")),
  h("p", {}, "It must use the domain of this server, ", code("ROS_DOMAIN_ID="), domain, ", and be in the same network."));
const workspace = new Workspace(tabs, () => update());
const simulation = new SimulationBar(client, fleet, map);

document.getElementById("app")!.append(
  h("header", {}, h("h1", {}, "e-puck2"), find, robots, state, theme),
  accessForm(client),
  simulation.element, none,
  h("main", {}, map.element, h("div", { class: "side" }, camera.element, drive.element), workspace.element),
  h("p", { id: "notice", role: "alert", hidden: true }),
  h("p", { id: "live", class: "hidden", "aria-live": "polite" }));

// What is in sight runs; what is scrolled away, in another tab or behind another window does not. The stick stays.
const inSight = new Set<Element>();
const sight = new IntersectionObserver((entries) => {
  for (const e of entries) { if (e.isIntersecting) inSight.add(e.target); else inSight.delete(e.target); }
  update();
});
for (const p of [map, camera, ...tabs]) sight.observe(p.element);
function update(): void {
  const on = !document.hidden;
  fleet.attend(on);
  map.visible = on && inSight.has(map.element);
  camera.visible = on && inSight.has(camera.element);
  drive.visible = on;
  for (const p of tabs) p.visible = on && workspace.isShown(p) && inSight.has(p.element);
}
document.addEventListener("visibilitychange", update);

function showRobots(): void {
  find.hidden = fleet.robots.size <= fewRobots;
  const text = find.hidden ? "" : find.value.toLowerCase();
  robots.replaceChildren(...[...fleet.robots.values()].filter((r) => r.title.toLowerCase().includes(text)).sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true })).map((r) => {
    const held = client.control.find((x) => x.robot === r.name);
    return h("button", { type: "button", "aria-pressed": String(r === fleet.chosen), onclick: () => fleet.choose(r.name) }, r.title + (held ? (held.you ? " ●" : " ○") : ""));
  }));
}
function showState(): void {
  const lost = client.lost === undefined ? undefined : (performance.now() - client.lost) / 1000;
  const now = stateOf({ connected: client.connected, refused: client.refused, lost, robots: fleet.robots.size, silence: fleet.silence(fleet.chosen), paused: simulation.paused });
  if (state.textContent !== now.text) state.textContent = now.text;
  state.dataset.ok = String(now.ok);
  camera.element.classList.toggle("silent", now.silent);
  const alone = client.connected && fleet.robots.size === 0;
  if (!alone) aloneSince = performance.now();
  none.hidden = !alone || performance.now() - aloneSince < discovery; // robots take a while to be found
  if (!none.hidden) domain.textContent = client.metadata.domain || "0";
}
setInterval(() => { if (!document.hidden) showState(); }, 250);
fleet.addEventListener("changed", () => { showRobots(); showState(); map.restart(); });
client.on("control", showRobots);
client.on("state", () => { showState(); update(); });
map.paused = () => simulation.paused;
let noticeTimer = 0;
client.addEventListener("status", (e) => {
  if ((e as CustomEvent).detail.level < 2) return; // a topic that went this moment, for example
  const notice = document.getElementById("notice")!;
  notice.textContent = (e as CustomEvent).detail.message;
  notice.hidden = false;
  clearTimeout(noticeTimer);
  noticeTimer = setTimeout(() => { notice.hidden = true; }, 6000);
});
addEventListener("pagehide", () => client.stop());
addEventListener("pageshow", (e) => { if (e.persisted) client.connect(); });

update();
client.connect();
