// SPDX-License-Identifier: Apache-2.0
// The panel of all robots, as a list or as cards: the state and the battery of each, who drives it, and its camera.
import { useEffect, useRef } from "preact/hooks";
import { robotDescription } from "../description";
import { Robot } from "../robots";
import { t } from "../texts";
import { full } from "../ui";
import { useClient, useEvents, usePeriod } from "./hooks";
import { Context, Props, choice, component, flag, text } from "./panel";
import { RobotState, Sort, arranged, counted, lowBattery, stateKey } from "./states";

const most = { list: 300, cards: 40 }; // robots that are shown at once

interface FleetSettings { view: "list" | "cards"; search: string; sort: Sort; cameras: boolean }

/** Known is what messages said of a robot. */
class Known {
  voltage: number | undefined;
  battery: number | undefined;
  seen: number | undefined; // performance.now() of its last odometry
  speed = 0;
}

/** Kept holds it by robot, over the times in which the panel is not seen. */
type Kept = Map<string, Known>;

/** useRobots follows batteries and odometry of robots. */
function useRobots({ client }: Context, robots: readonly Robot[], kept: Kept): void {
  const names = robots.map((r) => r.name).join(" ");
  useEffect(() => {
    const stops = robots.flatMap((r) => {
      let k = kept.get(r.name);
      if (!k) kept.set(r.name, k = new Known());
      const known = k;
      known.seen = known.seen === undefined ? undefined : performance.now(); // nothing was followed until now
      return [
        client.subscribe(full(r.name, "battery_state"), (m) => { known.voltage = m.voltage; known.battery = Number.isFinite(m.percentage) ? m.percentage : undefined; }, { period: 1000 }),
        client.subscribe(full(r.name, "odom"), (m) => { known.seen = performance.now(); known.speed = Math.hypot(m.twist.twist.linear.x, m.twist.twist.angular.z / 20); }, { period: 500 }),
      ];
    });
    return () => { for (const stop of stops) stop(); };
  }, [names]);
}

function Fleet({ context, settings, set, kept }: Props<FleetSettings, Kept>) {
  const { client, fleet, id } = context, { view, search, sort, cameras } = settings;
  useClient(client, "control", "state");
  useEvents(fleet, "changed");
  usePeriod(1000);
  const robots = [...fleet.robots.values()];
  useRobots(context, robots, kept);
  const states = robots.map((r): RobotState => {
    const k = kept.get(r.name), held = client.control.find((c) => c.robot === r.name);
    return { name: r.name, title: r.title, voltage: k?.voltage, battery: k?.battery, silence: k?.seen === undefined ? undefined : (performance.now() - k.seen) / 1000, speed: k?.speed ?? 0, driver: held ? (held.you ? t("fleet.you") : held.driver) : "" };
  });
  const found = arranged(states, search, sort, stateText), shown = found.slice(0, most[view]);
  return <>
    <div class="row">
      <input type="search" id={id("filter")} placeholder={t("fleet.search")} aria-label={t("fleet.searchLabel")} value={search} onInput={(e) => set({ search: e.currentTarget.value })} />
      <select id={id("view")} aria-label={t("fleet.view")} value={view} onChange={(e) => set({ view: e.currentTarget.value as FleetSettings["view"] })}><option value="list">{t("fleet.list")}</option><option value="cards">{t("fleet.cards")}</option></select>
      <select id={id("sort")} aria-label={t("fleet.sort")} value={sort} onChange={(e) => set({ sort: e.currentTarget.value as Sort })}><option value="name">{t("fleet.byName")}</option><option value="battery">{t("fleet.byBattery")}</option><option value="state">{t("fleet.byState")}</option></select>
      {view === "cards" && <label><input type="checkbox" id={id("cameras")} checked={cameras} onChange={(e) => set({ cameras: e.currentTarget.checked })} /> {t("fleet.cameras")}</label>}
    </div>
    <p class="caption" id={id("count")} role="status">{t("fleet.count", { found: found.length, count: robots.length }) + counted(states).map(([key, n]) => ` · ${n} ${t(key)}`).join("") + (found.length > shown.length ? ` · ${t("first", { count: shown.length })}` : "")}</p>
    {view === "list"
      ? <table class="fleet" id={id("list")}><thead><tr><th>{t("fleet.robot")}</th><th>{t("fleet.state")}</th><th>{t("fleet.battery")}</th><th>{t("fleet.driver")}</th></tr></thead>
        <tbody>{shown.map((s) => <tr key={s.name} data-robot={s.name} data-state={stateKey(s)}>
          <th scope="row"><button type="button" aria-pressed={s.name === fleet.chosen?.name} onClick={() => fleet.choose(s.name)}>{s.title}</button></th>
          <td data-what="age">{stateText(s)}</td><td data-what="battery"><Battery state={s} /></td><td data-what="driver">{s.driver}</td></tr>)}</tbody></table>
      : <div class="robots" id={id("list")}>{shown.map((s) => <article key={s.name} class={stateKey(s) === "fleet.silent" || stateKey(s) === "fleet.unknown" ? "robot lost" : "robot"} data-robot={s.name} aria-label={s.title}>
        <button type="button" aria-pressed={s.name === fleet.chosen?.name} onClick={() => fleet.choose(s.name)}>{s.title}</button>
        <span data-what="age">{stateText(s)}</span><span data-what="battery"><Battery state={s} /></span><span data-what="driver">{s.driver ? t("fleet.drives", { driver: s.driver }) : t("fleet.noDriver")}</span>
        {cameras && <Picture robot={fleet.robots.get(s.name)!} context={context} />}
      </article>)}</div>}
  </>;
}

function stateText(s: RobotState): string {
  const key = stateKey(s);
  return key === "fleet.silent" ? t("fleet.silentFor", { count: Math.round(s.silence ?? 0) }) : t(key);
}

function Battery({ state: { voltage, battery } }: { state: RobotState }) {
  if (voltage === undefined) return <>{t("fleet.noBattery")}</>;
  return <span class={battery !== undefined && battery < lowBattery ? "low" : ""}>{`${voltage.toFixed(2)} V`}{battery !== undefined && `, ${Math.round(100 * battery)} %`}</span>;
}

/** Picture shows a robot's camera once a second while it is in sight. */
function Picture({ robot, context: { client } }: { robot: Robot; context: Context }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    let ended = false, stop: (() => void) | undefined;
    const follow = () => client.subscribe(full(robot.name, robotDescription.camera), (m) => {
      void createImageBitmap(new Blob([m.data])).then((b) => {
        const c = canvas.current;
        if (c && !ended) {
          if (c.width !== b.width || c.height !== b.height) { c.width = b.width; c.height = b.height; }
          c.getContext("2d")!.drawImage(b, 0, 0);
          c.dataset.shown = String(Number(c.dataset.shown ?? 0) + 1);
        }
        b.close();
      }, () => undefined); // no picture that the browser knows: the last one stays
    }, { period: 1000, acknowledge: true });
    const sight = new IntersectionObserver(([e]) => { if (e.isIntersecting) stop ??= follow(); else { stop?.(); stop = undefined; } });
    sight.observe(canvas.current!);
    return () => { ended = true; sight.disconnect(); stop?.(); };
  }, [robot]);
  return <canvas ref={canvas} role="img" aria-label={t("fleet.camera", { robot: robot.title })} width={160} height={120} />;
}

export const fleetPanel = component<FleetSettings, Kept>({
  id: "fleet", title: "fleet.title", about: "fleet.about", size: [5, 12],
  settings: { view: choice<"list" | "cards">("list", "cards"), search: text(), sort: choice<Sort>("name", "battery", "state"), cameras: flag() }, Body: Fleet, keep: () => new Map(),
});
