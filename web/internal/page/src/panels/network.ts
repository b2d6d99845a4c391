// SPDX-License-Identifier: Apache-2.0
// The graph of nodes and topics.

/** Node is a node with the topics that it publishes and those that it is subscribed to. */
export interface Node { name: string; publishes: string[]; subscribes: string[] }

/** Ends are the nodes of a topic. */
export interface Ends { publishers: ReadonlyMap<string, readonly string[]>; subscribers: ReadonlyMap<string, { nodes: readonly string[] }> }

const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name, undefined, { numeric: true });

/** nodesOf lists the nodes of the network by name. */
export function nodesOf({ publishers, subscribers }: Ends): Node[] {
  const nodes = new Map<string, Node>();
  const at = (name: string) => {
    let n = nodes.get(name);
    if (!n) nodes.set(name, n = { name, publishes: [], subscribes: [] });
    return n;
  };
  for (const [topic, ids] of publishers) for (const id of ids) at(id).publishes.push(topic);
  for (const [topic, s] of subscribers) for (const id of s.nodes) at(id).subscribes.push(topic);
  for (const n of nodes.values()) { n.publishes.sort(); n.subscribes.sort(); }
  return [...nodes.values()].sort(byName);
}

/** Link is a topic between two nodes. */
export interface Link { topic: string; other: string }

/** around are the links of a node: from publishers of what it reads, and to subscribers of what it publishes. Topics without another node have other "". */
export function around(node: Node, ends: Ends): { from: Link[]; to: Link[] } {
  const links = (topics: readonly string[], others: (topic: string) => readonly string[]) => topics.flatMap((topic) => {
    const list = others(topic).filter((o) => o !== node.name);
    return list.length ? list.map((other) => ({ topic, other })) : [{ topic, other: "" }];
  });
  return { from: links(node.subscribes, (x) => ends.publishers.get(x) ?? []), to: links(node.publishes, (x) => ends.subscribers.get(x)?.nodes ?? []) };
}

/** byOther groups links by their node, those without one last. */
export function byOther(links: readonly Link[]): { other: string; topics: string[] }[] {
  const groups = new Map<string, string[]>();
  for (const l of links) groups.set(l.other, [...(groups.get(l.other) ?? []), l.topic]);
  return [...groups].map(([other, topics]) => ({ other, topics: topics.sort() })).sort((a, b) => (a.other === "" ? 1 : b.other === "" ? -1 : a.other.localeCompare(b.other, undefined, { numeric: true })));
}
