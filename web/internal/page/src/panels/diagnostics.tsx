// SPDX-License-Identifier: Apache-2.0
// The panel of diagnostics: components, the worst first, each with its statuses and how its level changed.
import { useEffect, useState } from "preact/hooks";
import { usePeriod } from "./hooks";
import { Props, component } from "./panel";
import { Component, Span, Status, Statuses, levels, timeline } from "./statuses";

const minutes = 10; // of the timeline
const shownChanges = 20;

const now = () => performance.timeOrigin + performance.now();
const clock = (t: number) => new Date(t).toLocaleTimeString(undefined, { hour12: false });
const age = (s: Status) => `${Math.max(0, Math.round((now() - s.seen) / 1000))} s ago`;

function Diagnostics({ context: { client }, settings, kept }: Props<Statuses>) {
  const [least, setLeast] = useState(settings.text("least") || "0"), [filter, setFilter] = useState("");
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
      <select id="diagnostics-least" aria-label="Which statuses" value={least} onChange={(e) => { setLeast(e.currentTarget.value); settings.set("least", e.currentTarget.value); }}>
        <option value="0">All</option><option value="1">Only what is not OK</option>
      </select>
      <input type="search" id="diagnostics-filter" placeholder="filter" aria-label="Filter by component or text" value={filter} onInput={(e) => setFilter(e.currentTarget.value)} />
    </div>
    <p class="caption levels" id="diagnostics-count" role="status">{statuses.length === 0 ? "No diagnostics yet" : counts.map(([level, n]) => <span key={level} data-level={level}><Mark level={level} />{`${n} ${levels[level]}`}</span>)}</p>
    <div class="tree" id="diagnostics" role="region" aria-label="Diagnostics of all robots">{found.map((c) => <One key={c.name} component={c} />)}</div>
  </>;
}

/** Mark is the sign of a level, which does not depend on colours alone. */
const Mark = ({ level }: { level: number }) => <span class="mark" aria-hidden="true">{["✓", "!", "✕", "?"][level] ?? "?"}</span>;

function One({ component: c }: { component: Component }) {
  const at = now(), spans = timeline(c.statuses, at, minutes * 60_000);
  return <details class="component" data-level={c.level} data-component={c.name} open={c.level === 1 || c.level === 2}>
    <summary><span><Mark level={c.level} /><strong>{c.name}</strong> {levels[c.level] ?? c.level}</span>
      <Timeline spans={spans} /></summary>
    {c.statuses.map((s) => <details key={s.hardware + s.name} data-level={s.level} data-status={s.name}>
      <summary><span><Mark level={s.level} />{`${levels[s.level] ?? s.level}  ${s.name}: ${s.message}${s.hardware ? `  (${s.hardware})` : ""}`}</span><span class="age">{age(s)}</span></summary>
      <dl>{s.values.map((v, i) => <><dt key={i}>{v.key}</dt><dd>{v.value}</dd></>)}</dl>
      <ol class="changes" aria-label={`Changes of ${s.name}`}>{s.changes.slice(-shownChanges).reverse().map((x) => <li key={x.time} data-level={x.level}>
        <time>{clock(x.time)}</time> {x.unseen ? "not observed from here on" : `${levels[x.level] ?? x.level}: ${x.message}`}</li>)}</ol>
    </details>)}
  </details>;
}

/** Timeline draws levels of the last minutes: the worse, the higher. */
function Timeline({ spans }: { spans: Span[] }) {
  const text = spans.length ? spans.slice(-5).map((s) => `${levels[s.level] ?? s.level} for ${Math.round((s.to - s.from) * minutes * 60)} s`).join(", ") : "nothing";
  return <span class="timeline" role="img" aria-label={`The last ${minutes} minutes: ${text}`} title={`The last ${minutes} minutes`}>
    {spans.map((s, i) => <i key={i} data-level={s.level} style={{ left: `${100 * s.from}%`, width: `${100 * (s.to - s.from)}%` }} />)}
  </span>;
}

export const diagnosticsPanel = component("diagnostics", "Diagnostics", Diagnostics, () => new Statuses());
