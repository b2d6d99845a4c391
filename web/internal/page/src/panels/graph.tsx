// SPDX-License-Identifier: Apache-2.0
// The panel of nodes, with what they publish and read, and of frames, as a tree.
import { useEffect, useState } from "preact/hooks";
import { Client } from "../client";
import { useClient, usePeriod } from "./hooks";
import { Props, component } from "./panel";
import { notFinite } from "../transforms";

interface Node { publishes: string[]; reads: string[] }

/** nodesOf lists the nodes of the network by name. */
function nodesOf(client: Client): [string, Node][] {
  const nodes = new Map<string, Node>();
  const at = (name: string) => {
    let n = nodes.get(name);
    if (!n) nodes.set(name, n = { publishes: [], reads: [] });
    return n;
  };
  for (const [topic, ids] of client.publishers) for (const id of ids) at(id).publishes.push(topic);
  for (const [topic, s] of client.subscribed) for (const id of s.nodes) at(id).reads.push(topic);
  return [...nodes].sort(([a], [b]) => a.localeCompare(b, undefined, { numeric: true }));
}

const mostNodes = 200; // that are listed at once

function Nodes({ client }: { client: Client }) {
  useClient(client, "graph", "state");
  const [text, setText] = useState("");
  const all = nodesOf(client), found = all.filter(([name, n]) => [name, ...n.publishes, ...n.reads].some((s) => s.toLowerCase().includes(text.toLowerCase())));
  return <section aria-label="Nodes">
    <h3>Nodes</h3>
    <div class="row"><input type="search" id="node-filter" placeholder="node or topic" aria-label="Filter by node or topic" value={text} onInput={(e) => setText(e.currentTarget.value)} /></div>
    <p class="caption" id="node-count" role="status">{`${found.length} of ${all.length} nodes${found.length > mostNodes ? `, the first ${mostNodes} are listed` : ""}`}</p>
    <div id="nodes" class="tree">{found.slice(0, mostNodes).map(([name, n]) => <details key={name}>
      <summary><span>{name}</span><span class="age">{`publishes ${n.publishes.length}, reads ${n.reads.length}`}</span></summary>
      <dl>
        {n.publishes.sort().map((t) => <><dt>publishes</dt><dd>{t}</dd></>)}
        {n.reads.sort().map((t) => <><dt>reads</dt><dd>{t}</dd></>)}
      </dl>
    </details>)}</div>
  </section>;
}

interface Frame { frame: string; parent: string; time: number; fixed: boolean }

const deepest = 50; // frames below each other that are shown

/** Below lists the frames whose parent is one frame. */
function Below({ parent, by, newest, depth }: { parent: string; by: Map<string, Frame[]>; newest: number; depth: number }) {
  const list = by.get(parent);
  if (!list || depth > deepest) return null;
  return <ul class="frames">{list.map((f) => <li key={f.frame}>
    {f.frame} <span class="age">{f.fixed ? "fixed" : newest - f.time < 0.05 ? "newest" : `${(newest - f.time).toFixed(1)} s older than the newest`}</span>
    <Below parent={f.frame} by={by} newest={newest} depth={depth + 1} />
  </li>)}</ul>;
}

function FrameTree({ context: { frames } }: { context: Props["context"] }) {
  useEffect(() => frames.watch(true), [frames]);
  usePeriod(500);
  const all = frames.buffer.parents().sort((a, b) => a.frame.localeCompare(b.frame, undefined, { numeric: true }));
  const by = new Map<string, Frame[]>();
  for (const f of all) by.set(f.parent, [...(by.get(f.parent) ?? []), f]);
  const children = new Set(all.map((f) => f.frame)), roots = [...by.keys()].filter((p) => !children.has(p)).sort();
  const newest = Math.max(0, ...all.filter((f) => !f.fixed).map((f) => f.time));
  return <section aria-label="Frames">
    <h3>Frames</h3>
    <p class="caption" id="frame-count">{all.length === 0 ? "No transforms yet" : `${new Set([...children, ...roots]).size} frames in ${roots.length} ${roots.length === 1 ? "tree" : "trees"}`}</p>
    {frames.buffer.refused.size > 0 && <p class="caption" id="frames-refused">{[...frames.buffer.refused].sort().join(", ")}: {notFinite}</p>}
    <div id="frames">{roots.map((r) => <div key={r}><strong>{r}</strong><Below parent={r} by={by} newest={newest} depth={0} /></div>)}</div>
  </section>;
}

function GraphBody({ context }: Props) {
  return <div class="columns"><Nodes client={context.client} /><FrameTree context={context} /></div>;
}

export const graphPanel = component("graph", "Nodes and frames", GraphBody);
