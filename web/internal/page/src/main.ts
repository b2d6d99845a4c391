// SPDX-License-Identifier: Apache-2.0
// Puts the panels together. A hidden panel costs nothing: neither here nor on the robot.
import "./style.css";
import { accessForm, storedToken } from "./access";
import { CameraPanel } from "./camera";
import { Client } from "./client";
import { DrivePanel } from "./drive";
import { DiagnosticsPanel, LogPanel } from "./health";
import { MapPanel } from "./map";
import { PlotPanel } from "./plots";
import { Fleet } from "./robots";
import { ActionPanel, SensorPanel } from "./sensors";
import { ParameterPanel, ServicePanel } from "./settings";
import { SimulationBar } from "./simulation";
import { Panel, h } from "./ui";

const client = new Client(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`, storedToken());
const fleet = new Fleet(client);
const map = new MapPanel(client, fleet), camera = new CameraPanel(client, fleet), drive = new DrivePanel(client, fleet);
const tabs: Panel[] = [new SensorPanel(client, fleet), new PlotPanel(client, fleet), new ActionPanel(client, fleet), new ParameterPanel(client, fleet),
  new DiagnosticsPanel(client), new LogPanel(client), new ServicePanel(client)];

const state = h("span", { id: "state", role: "status" }, "Connecting …");
const robots = h("div", { id: "robots", role: "group", "aria-label": "Robots" });
const theme = h("button", { type: "button", id: "theme", "aria-label": "Light or dark", title: "Light or dark", onclick: toggleTheme }, "◐");
const tablist = h("div", { class: "tabs", role: "tablist", "aria-label": "Details" });
const simulation = new SimulationBar(client, fleet, map);

document.getElementById("app")!.append(
  h("header", {}, h("h1", {}, "e-puck2"), robots, state, theme),
  accessForm(client),
  simulation.element,
  h("main", {}, map.element, h("div", { class: "side" }, camera.element, drive.element), h("div", { class: "details" }, tablist, ...tabs.map((p) => p.element))),
  h("p", { id: "notice", role: "alert", hidden: true }),
  h("p", { id: "live", class: "hidden", "aria-live": "polite" }));

function toggleTheme(): void {
  const dark = document.documentElement.dataset.theme ? document.documentElement.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = dark ? "light" : "dark";
  localStorage.setItem("theme", document.documentElement.dataset.theme);
  for (const p of tabs) p.restart();
}
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { for (const p of tabs) p.restart(); });
const theirs = localStorage.getItem("theme");
if (theirs) document.documentElement.dataset.theme = theirs;

// Tabs, as WAI-ARIA has them: arrows move, one panel is shown.
tabs.forEach((p, i) => {
  p.element.setAttribute("role", "tabpanel");
  p.element.setAttribute("aria-labelledby", "tab-" + p.id);
  p.element.removeAttribute("aria-label");
  tablist.append(h("button", { type: "button", role: "tab", id: "tab-" + p.id, "aria-controls": "panel-" + p.id, onclick: () => choose(i), onkeydown: (e: KeyboardEvent) => {
    const to = { ArrowRight: i + 1, ArrowLeft: i - 1, Home: 0, End: tabs.length - 1 }[e.key];
    if (to === undefined) return;
    e.preventDefault();
    choose((to + tabs.length) % tabs.length, true);
  } }, p.title));
});
let shown = 0;
function choose(i: number, focus = false): void {
  shown = i;
  tabs.forEach((p, k) => {
    const tab = tablist.children[k] as HTMLElement;
    tab.setAttribute("aria-selected", String(k === i));
    tab.tabIndex = k === i ? 0 : -1;
    p.element.hidden = k !== i;
  });
  if (focus) (tablist.children[i] as HTMLElement).focus();
  update();
}

// What is in sight runs; what is scrolled away, in another tab or behind another window does not. The stick stays.
const inSight = new Set<Element>();
const sight = new IntersectionObserver((entries) => {
  for (const e of entries) { if (e.isIntersecting) inSight.add(e.target); else inSight.delete(e.target); }
  update();
});
for (const p of [map, camera, ...tabs]) sight.observe(p.element);
function update(): void {
  const on = !document.hidden;
  map.visible = on && inSight.has(map.element);
  camera.visible = on && inSight.has(camera.element);
  drive.visible = on;
  tabs.forEach((p, k) => { p.visible = on && k === shown && inSight.has(p.element); });
}
document.addEventListener("visibilitychange", update);

function showRobots(): void {
  robots.replaceChildren(...[...fleet.robots.values()].sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true })).map((r) => {
    const held = client.control.find((x) => x.robot === r.name);
    return h("button", { type: "button", "aria-pressed": String(r === fleet.chosen), onclick: () => fleet.choose(r.name) }, r.title + (held ? (held.you ? " ●" : " ○") : ""));
  }));
}
function showState(): void {
  state.textContent = client.connected ? (fleet.robots.size ? "Connected" : "Connected, no robot yet") : client.refused ? client.refused : "No connection, trying again …";
  state.dataset.ok = String(client.connected);
}
fleet.addEventListener("changed", () => { showRobots(); showState(); map.restart(); });
client.on("control", showRobots);
client.on("state", () => { showState(); update(); });
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

choose(0);
update();
client.connect();
