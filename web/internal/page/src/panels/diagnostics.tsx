// SPDX-License-Identifier: Apache-2.0
// The panel of diagnostics: components, the worst first, each with its statuses and how its level changed.
import { useEffect } from "preact/hooks";
import { Key, t } from "../texts";
import { usePeriod } from "./hooks";
import { Props, choice, component, text } from "./panel";
import { Component, Span, Status, Statuses, levels, timeline } from "./statuses";

interface DiagnosticSettings { least: "0" | "1"; filter: string }

const levelText = (level: number): string => (levels[level] ? t(`level.${levels[level]}` as Key) : String(level));

const minutes = 10; // of the timeline
const shownChanges = 20;

const now = () => performance.timeOrigin + performance.now();
const clock = (t: number) => new Date(t).toLocaleTimeString(undefined, { hour12: false });
const age = (s: Status) => t("age.seconds", { count: Math.max(0, Math.round((now() - s.seen) / 1000)) });

function Diagnostics({ context: { client, id, key }, settings, set, kept }: Props<DiagnosticSettings, Statuses>) {
  const { least, filter } = settings;
  useEffect(() => {
    kept.look(now());
    const stop = client.subscribe("/diagnostics", (m) => kept.take(m.status, now()));
    return () => { stop(); kept.leave(now()); };
  }, [client]);
  usePeriod(500);
  const all = kept.list(now()), statuses = all.flatMap((c) => c.statuses);
  const bad = (s: Status) => Number(least) === 0 || s.level > 0;
  const matches = (c: Component, s: Status) => bad(s) && `${c.name} ${s.name} ${s.message} ${s.hardware}`.toLowerCase().includes(filter.toLowerCase());
  const found = all.map((c) => ({ ...c, statuses: c.statuses.filter((s) => matches(c, s)) })).filter((c) => c.statuses.length);
  const counts = [2, 3, 1, 0].map((level) => [level, statuses.filter((s) => s.level === level).length] as const).filter(([, n]) => n > 0);
  return <>
    <div class="row">
      <select id={id("least")} aria-label={t("diagnostics.least")} value={least} onChange={(e) => set({ least: e.currentTarget.value as "0" | "1" })}>
        <option value="0">{t("diagnostics.all")}</option><option value="1">{t("diagnostics.notOK")}</option>
      </select>
      <input type="search" id={id("filter")} placeholder={t("filter")} aria-label={t("diagnostics.filter")} value={filter} onInput={(e) => set({ filter: e.currentTarget.value })} />
    </div>
    <p class="caption levels" id={id("count")} role="status">{statuses.length === 0 ? t("diagnostics.none") : counts.map(([level, n]) => <span key={level} data-level={level}><Mark level={level} />{`${n} ${levelText(level)}`}</span>)}</p>
    <div class="tree" id={key === "diagnostics" ? "diagnostics" : id("list")} role="region" aria-label={t("diagnostics.label")}>{found.map((c) => <One key={c.name} component={c} />)}</div>
  </>;
}

/** Mark is the sign of a level, which does not depend on colours alone. */
const Mark = ({ level }: { level: number }) => <span class="mark" aria-hidden="true">{["✓", "!", "✕", "?"][level] ?? "?"}</span>;

function One({ component: c }: { component: Component }) {
  const at = now(), spans = timeline(c.statuses, at, minutes * 60_000);
  return <details class="component" data-level={c.level} data-component={c.name} open={c.level === 1 || c.level === 2}>
    <summary><span><Mark level={c.level} /><strong>{c.name}</strong> {levelText(c.level)}</span>
      <Timeline spans={spans} /></summary>
    {c.statuses.map((s) => <details key={s.hardware + s.name} data-level={s.level} data-status={s.name}>
      <summary><span><Mark level={s.level} />{`${levelText(s.level)}  ${s.name}: ${s.message}${s.hardware ? `  (${s.hardware})` : ""}`}</span><span class="age">{age(s)}</span></summary>
      <dl>{s.values.map((v, i) => <><dt key={i}>{v.key}</dt><dd>{v.value}</dd></>)}</dl>
      <ol class="changes" aria-label={t("diagnostics.changes", { name: s.name })}>{s.changes.slice(-shownChanges).reverse().map((x) => <li key={x.time} data-level={x.level}>
        <time>{clock(x.time)}</time> {x.unseen ? t("diagnostics.unseen") : `${levelText(x.level)}: ${x.message}`}</li>)}</ol>
    </details>)}
  </details>;
}

/** Timeline draws levels of the last minutes: the worse, the higher. */
function Timeline({ spans }: { spans: Span[] }) {
  const line = spans.length ? spans.slice(-5).map((s) => t("diagnostics.for", { level: levelText(s.level), count: Math.round((s.to - s.from) * minutes * 60) })).join(", ") : "–";
  return <span class="timeline" role="img" aria-label={`${t("diagnostics.last", { minutes })}: ${line}`} title={t("diagnostics.last", { minutes })}>
    {spans.map((s, i) => <i key={i} data-level={s.level} style={{ left: `${100 * s.from}%`, width: `${100 * (s.to - s.from)}%` }} />)}
  </span>;
}

export const diagnosticsPanel = component<DiagnosticSettings, Statuses>({
  id: "diagnostics", title: "diagnostics.title", about: "diagnostics.about", size: [5, 10], settings: { least: choice<"0" | "1">("0", "1"), filter: text() }, Body: Diagnostics, keep: () => new Statuses(),
});
