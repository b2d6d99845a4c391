// SPDX-License-Identifier: Apache-2.0
// The panel of nodes: a list, and the graph around the one that is chosen.
import { t } from "../texts";
import { useClient } from "./hooks";
import { Node, around, byOther, nodesOf } from "./network";
import { Props, component, text } from "./panel";

interface NodeSettings { node: string; filter: string }

const mostNodes = 200; // that are listed at once
const mostTopics = 6; // of a link that are named

function Nodes({ context: { client, id }, settings, set }: Props<NodeSettings>) {
  useClient(client, "graph", "state");
  const ends = { publishers: client.publishers, subscribers: client.subscribed }, all = nodesOf(ends), filter = settings.filter.toLowerCase();
  const found = all.filter((n) => [n.name, ...n.publishes, ...n.subscribes].some((s) => s.toLowerCase().includes(filter))), chosen = all.find((n) => n.name === settings.node);
  return <>
    <div class="row"><input type="search" id={id("filter")} placeholder={t("nodes.filter")} aria-label={t("nodes.filterLabel")} value={settings.filter} onInput={(e) => set({ filter: e.currentTarget.value })} />
      <span class="caption" id={id("count")} role="status">{t("nodes.count", { found: found.length, count: all.length })}</span></div>
    {chosen && <Graph node={chosen} ends={ends} choose={(node) => set({ node })} id={id("graph")} />}
    <ul class="nodes" id={id("list")}>{found.slice(0, mostNodes).map((n) => <li key={n.name}>
      <button type="button" aria-pressed={n.name === settings.node} onClick={() => set({ node: n.name === settings.node ? "" : n.name })}>{n.name}</button>
      <span class="age">{t("nodes.topics", { publishes: n.publishes.length, subscribes: n.subscribes.length })}</span>
    </li>)}</ul>
    {found.length > mostNodes && <p class="caption">{t("first", { count: mostNodes })}</p>}
  </>;
}

/** Graph shows a node between the nodes that it reads from and those that read from it. */
function Graph({ node, ends, choose, id }: { node: Node; ends: Parameters<typeof around>[1]; choose: (node: string) => void; id: string }) {
  const { from, to } = around(node, ends);
  const side = (links: typeof from, title: string, kind: "from" | "to") => <section class={kind} aria-label={title}>
    <h3>{title}</h3>
    {links.length === 0 && <p class="caption">{t("nodes.nothing")}</p>}
    {byOther(links).map((g) => <div key={g.other} class="link">
      {g.other ? <button type="button" onClick={() => choose(g.other)}>{g.other}</button> : <span class="caption">{t("nodes.noNode")}</span>}
      <ul>{g.topics.slice(0, mostTopics).map((x) => <li key={x}>{x}</li>)}{g.topics.length > mostTopics && <li><details><summary>{t("more", { count: g.topics.length - mostTopics })}</summary><ul>{g.topics.slice(mostTopics).map((x) => <li key={x}>{x}</li>)}</ul></details></li>}</ul>
    </div>)}
  </section>;
  return <div class="node-graph" id={id}>{side(from, t("nodes.from"), "from")}<strong class="this-node">{node.name}</strong>{side(to, t("nodes.to"), "to")}</div>;
}

export const nodePanel = component<NodeSettings>({ id: "nodes", title: "nodes.title", about: "nodes.about", size: [5, 10], settings: { node: text(), filter: text() }, Body: Nodes });
