// SPDX-License-Identifier: Apache-2.0
// Puts the page together: the line of states above, the simulation's toolbar, and the workspace.
import "./style.css";
import { accessForm, storedToken } from "./access";
import { Client } from "./client";
import { robotDescription } from "./description";
import { Frames } from "./frames";
import { Navigation } from "./navigation";
import { definitions } from "./panels/all";
import { World } from "./panels/panel";
import { RobotPicker } from "./picker";
import { Fleet } from "./robots";
import { SimulationBar } from "./simulation";
import { stateOf } from "./states";
import { Key, language, languages, t, useLanguage } from "./texts";
import { themeChoice } from "./theme";
import { menu } from "./menu";
import { h } from "./ui";
import { Workspace } from "./workspace";

document.documentElement.lang = language();
document.title = robotDescription.name;
const client = new Client(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`, storedToken());
const fleet = new Fleet(client);
const frames = new Frames(client, fleet), navigation = new Navigation(client, fleet);
const world: World = { paused: () => simulation.paused, move: undefined, place: undefined };
const simulation = new SimulationBar(client, fleet, world);

const state = h("span", { id: "state", role: "status" }, t("state.connecting"));
const theme = themeChoice(() => workspace.restart());
const languageChoice = h("select", { id: "language", "aria-label": t("language"), onchange: () => useLanguage(languageChoice.value) },
  ...Object.entries(languages).map(([code, name]) => h("option", { value: code, lang: code }, name)));
languageChoice.value = language();
const settings = menu("settings", "settings", t("settings"), false, h("label", {}, t("language"), languageChoice), h("label", {}, t("theme.title"), theme));
const discovery = 3000; // ms
let aloneSince = performance.now();
const domain = h("code", { id: "domain" });
const code = (text: string) => h("code", {}, text);
const none = h("section", { id: "none", class: "panel", hidden: true, "aria-label": t("none.title") }, h("h2", {}, t("none.title")),
  h("p", {}, t("none.text")),
  h("ul", {}, h("li", {}, code("epuck-driver sim"), " ", t("none.sim")), h("li", {}, code("epuck-driver run"), " ", t("none.run"))),
  h("p", {}, t("none.domain"), " ", code("ROS_DOMAIN_ID="), domain));
const workspace = new Workspace({ client, fleet, frames, navigation, world }, definitions);

document.getElementById("app")!.append(
  h("header", {}, h("h1", {}, robotDescription.name), new RobotPicker(client, fleet).element, workspace.bar, state, settings),
  accessForm(client),
  simulation.element, none, workspace.element,
  h("p", { id: "notice", role: "alert", hidden: true }),
  h("p", { id: "live", class: "hidden", "aria-live": "polite" }));

const attend = () => fleet.attend(!document.hidden);
document.addEventListener("visibilitychange", attend);

function showState(): void {
  const lost = client.lost === undefined ? undefined : (performance.now() - client.lost) / 1000;
  const now = stateOf({ connected: client.connected, refused: client.refused, lost, robots: fleet.robots.size, silence: fleet.silence(fleet.chosen), paused: simulation.paused });
  const text = t(now.key as Key, now.values);
  if (state.textContent !== text) state.textContent = text;
  state.dataset.ok = String(now.ok);
  workspace.element.classList.toggle("silent", now.silent);
  const alone = client.connected && fleet.robots.size === 0;
  if (!alone) aloneSince = performance.now();
  none.hidden = !alone || performance.now() - aloneSince < discovery; // robots take a while to be found
  if (!none.hidden) domain.textContent = client.metadata.domain || "0";
}
setInterval(() => { if (!document.hidden) showState(); }, 250);
fleet.addEventListener("changed", showState);
client.on("state", showState);
let noticeTimer = 0;
client.addEventListener("status", (e) => {
  if ((e as CustomEvent).detail.level < 2) return; // a topic that is withdrawn at this moment, for example
  const notice = document.getElementById("notice")!;
  notice.textContent = (e as CustomEvent).detail.message;
  notice.hidden = false;
  clearTimeout(noticeTimer);
  noticeTimer = window.setTimeout(() => { notice.hidden = true; }, 6000);
});
addEventListener("pagehide", () => client.stop());
addEventListener("pageshow", (e) => { if (e.persisted) client.connect(); });

attend();
client.connect();
