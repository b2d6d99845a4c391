// SPDX-License-Identifier: Apache-2.0
// The panel of the log: lines of all nodes, also those of before the page was opened, by level, node and text.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Lines, mostLines, severities, severity, timeOfLine } from "./lines";
import { Props, component } from "./panel";

const period = 100; // ms between drawings

function Log({ context: { client }, settings, kept }: Props<Lines>) {
  const [level, setLevel] = useState(settings.text("level") || "20"), [filter, setFilter] = useState(settings.text("filter"));
  const [node, setNode] = useState(""), [, draw] = useState(0);
  const list = useRef<HTMLOListElement>(null), atEnd = useRef(true);
  useEffect(() => {
    let timer = 0;
    const stop = client.subscribe("/rosout", (m) => {
      kept.take(m);
      timer ||= window.setTimeout(() => { timer = 0; draw((n) => n + 1); }, period);
    });
    return () => { stop(); clearTimeout(timer); };
  }, [client]);
  useLayoutEffect(() => { if (list.current && atEnd.current) list.current.scrollTop = list.current.scrollHeight; });
  const nodes = [...new Set(kept.list.map((l) => l.node))].sort(), text = filter.toLowerCase();
  const found = kept.list.filter((l) => l.level >= Number(level) && (node === "" || l.node === node) && `${l.node} ${l.text}`.toLowerCase().includes(text));
  return <>
    <div class="row">
      <select id="log-level" aria-label="Least level" value={level} onChange={(e) => { setLevel(e.currentTarget.value); settings.set("level", e.currentTarget.value); }}>
        {severities.map(([n, name]) => <option key={n} value={n}>{name}</option>)}
      </select>
      <select id="log-node" aria-label="Node" value={node} onChange={(e) => setNode(e.currentTarget.value)}>
        <option value="">All nodes</option>{nodes.map((n) => <option key={n} value={n}>{n}</option>)}
      </select>
      <input id="log-filter" type="search" placeholder="filter" aria-label="Filter by node or text" value={filter} onInput={(e) => { setFilter(e.currentTarget.value); settings.set("filter", e.currentTarget.value); }} />
    </div>
    <p class="caption" id="log-count" role="status">{`${found.length} of ${kept.list.length} lines${kept.list.length >= mostLines ? ", older ones are dropped" : ""}`}</p>
    <ol class="log" id="log" tabIndex={0} aria-label="Log" ref={list}
      onScroll={(e) => { const l = e.currentTarget; atEnd.current = l.scrollTop + l.clientHeight >= l.scrollHeight - 20; }}>
      {found.map((l) => <li key={l.key} data-level={l.level} title={l.where}><time>{timeOfLine(l.time)}</time> <b>{severity(l.level)}</b> <span class="who">{l.node}</span> {l.text}</li>)}
    </ol>
  </>;
}

export const logPanel = component("log", "Log", Log, () => new Lines());
