// SPDX-License-Identifier: Apache-2.0
// The panel of the log: lines of all nodes, also those of before the page was opened, by level, node and text.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Key, t } from "../texts";
import { saveFile } from "../ui";
import { Lines, mostLines, severities, severity, tableOfLines, timeOfLine } from "./lines";
import { Props, component, text } from "./panel";

const period = 100; // ms between drawings

interface LogSettings { level: string; node: string; filter: string }

const levelText = (level: number): string => t(`log.${severity(level)}` as Key);

function Log({ context: { client, id, key }, settings, set, kept }: Props<LogSettings, Lines>) {
  const { level, filter, node } = settings, [paused, setPaused] = useState(false), [, draw] = useState(0);
  const list = useRef<HTMLOListElement>(null), atEnd = useRef(true), hold = useRef(false);
  hold.current = paused;
  useEffect(() => {
    let timer = 0;
    const stop = client.subscribe("/rosout", (m) => {
      kept.take(m);
      if (!hold.current) timer ||= window.setTimeout(() => { timer = 0; draw((n) => n + 1); }, period);
    });
    return () => { stop(); clearTimeout(timer); };
  }, [client]);
  useLayoutEffect(() => { if (list.current && atEnd.current) list.current.scrollTop = list.current.scrollHeight; });
  const nodes = [...new Set([...kept.list.map((l) => l.node), ...(node ? [node] : [])])].sort(), lower = filter.toLowerCase();
  const found = kept.list.filter((l) => l.level >= Number(level) && (node === "" || l.node === node) && `${l.node} ${l.text}`.toLowerCase().includes(lower));
  return <>
    <div class="row">
      <select id={id("level")} aria-label={t("log.level")} value={level} onChange={(e) => set({ level: e.currentTarget.value })}>
        {severities.map(([n]) => <option key={n} value={n}>{levelText(n)}</option>)}
      </select>
      <select id={id("node")} aria-label={t("node")} value={node} onChange={(e) => set({ node: e.currentTarget.value })}>
        <option value="">{t("log.allNodes")}</option>{nodes.map((n) => <option key={n} value={n}>{n}</option>)}
      </select>
      <input id={id("filter")} type="search" placeholder={t("filter")} aria-label={t("log.filter")} value={filter} onInput={(e) => set({ filter: e.currentTarget.value })} />
      <button type="button" id={id("pause")} aria-pressed={paused} onClick={() => setPaused(!paused)}>{t("pause")}</button>
      <button type="button" id={id("save")} onClick={() => saveFile("log.txt", new Blob([tableOfLines(found)], { type: "text/plain" }))}>{t("save")}</button>
    </div>
    <p class="caption" id={id("count")} role="status">{t("log.count", { found: found.length, count: kept.list.length }) + (kept.list.length >= mostLines ? t("log.dropped") : "")}</p>
    <ol class="log" id={key === "log" ? "log" : id("list")} tabIndex={0} aria-label={t("log.title")} ref={list}
      onScroll={(e) => { const l = e.currentTarget; atEnd.current = l.scrollTop + l.clientHeight >= l.scrollHeight - 20; }}>
      {found.map((l) => <li key={l.key} data-level={l.level} title={l.where}><time>{timeOfLine(l.time)}</time> <b>{levelText(l.level)}</b> <span class="who">{l.node}</span> {l.text}</li>)}
    </ol>
  </>;
}

const levelOf = (v: unknown) => (severities.some(([n]) => String(n) === v) ? (v as string) : "20");

export const logPanel = component<LogSettings, Lines>({
  id: "log", title: "log.title", about: "log.about", size: [6, 9], settings: { level: levelOf, node: text(), filter: text() }, Body: Log, keep: () => new Lines(),
});
