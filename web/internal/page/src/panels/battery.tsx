// SPDX-License-Identifier: Apache-2.0
// The panel of batteries: voltage, charge and current of each sensor_msgs/msg/BatteryState, with the charge of the last minutes.
import { useEffect } from "preact/hooks";
import { Key, t } from "../texts";
import { useClient, usePeriod } from "./hooks";
import { Props, component, text } from "./panel";
import { History, lowest, statusKey } from "./charge";

const period = 1000; // ms
const mostBatteries = 60;
const minutes = 10;
const width = 160, height = 36; // of a line, px

interface BatterySettings { filter: string }

/** Reading is the newest state of a battery; seen is performance.now() of it. */
interface Reading { m: any; seen: number; history: History }

function Batteries({ context: { client, id }, settings, set, kept }: Props<BatterySettings, Map<string, Reading>>) {
  useClient(client, "channels", "state");
  usePeriod(period);
  const topics = [...client.topics.values()].filter((c) => c.schemaName === "sensor_msgs/msg/BatteryState").map((c) => c.topic).sort((a, b) => a.localeCompare(b, undefined, { numeric: true }));
  const found = topics.filter((x) => x.toLowerCase().includes(settings.filter.toLowerCase())).slice(0, mostBatteries), names = found.join(" ");
  useEffect(() => {
    const stops = found.map((topic) => client.subscribe(topic, (m) => {
      let r = kept.get(topic);
      if (!r) kept.set(topic, r = { m, seen: 0, history: new History(minutes * 60) });
      r.m = m;
      r.seen = performance.now();
      r.history.add(r.seen / 1000, m.voltage);
    }, { period }));
    return () => { for (const stop of stops) stop(); };
  }, [names]);
  return <>
    {topics.length > 6 && <div class="row"><input type="search" id={id("filter")} placeholder={t("filter")} aria-label={t("battery.filter")} value={settings.filter} onInput={(e) => set({ filter: e.currentTarget.value })} /></div>}
    <p class="caption" id={id("count")} role="status">{topics.length === 0 ? t("battery.none") : t("battery.count", { count: topics.length })}</p>
    <ul class="batteries" id={id("list")}>{found.map((topic) => <Battery key={topic} topic={topic} reading={kept.get(topic)} />)}</ul>
  </>;
}

function Battery({ topic, reading }: { topic: string; reading: Reading | undefined }) {
  if (!reading) return <li data-topic={topic}><strong>{topic}</strong> <span class="caption">{t("topic.none")}</span></li>;
  const { m, history } = reading, age = Math.floor((performance.now() - reading.seen) / 1000), share = Number.isFinite(m.percentage) ? m.percentage : undefined;
  const status = statusKey(m.power_supply_status), values = [`${m.voltage.toFixed(2)} V`, Number.isFinite(m.current) && m.current !== 0 ? `${m.current.toFixed(2)} A` : "", Number.isFinite(m.temperature) && m.temperature !== 0 ? `${m.temperature.toFixed(0)} °C` : "", status ? t(status as Key) : "", age > 3 ? t("age.seconds", { count: age }) : ""].filter(Boolean);
  const points = history.points(performance.now() / 1000, width, height - 4);
  return <li data-topic={topic} class={age > 3 ? "stale" : share !== undefined && share < lowest ? "low" : ""}>
    <strong>{topic}</strong>
    {share !== undefined && <><meter min={0} max={1} low={lowest} value={share} aria-label={t("battery.charge", { topic })} /><b>{`${Math.round(100 * share)} %`}</b></>}
    <span class="caption">{values.join(" · ")}</span>
    {points && <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} role="img" aria-label={t("battery.history", { minutes, low: history.low.toFixed(2), high: history.high.toFixed(2) })}><polyline points={points} fill="none" stroke="currentColor" stroke-width="1.5" /></svg>}
  </li>;
}

export const batteryPanel = component<BatterySettings, Map<string, Reading>>({
  id: "battery", title: "battery.title", about: "battery.about", size: [4, 8], settings: { filter: text() }, Body: Batteries, keep: () => new Map(),
});
