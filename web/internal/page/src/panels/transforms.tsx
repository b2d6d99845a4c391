// SPDX-License-Identifier: Apache-2.0
// The panel of frames: the tree of transforms with ages and rates, and what is wrong with it.
import { useEffect, useState } from "preact/hooks";
import { t } from "../texts";
import { usePeriod } from "./hooks";
import { rateText } from "./inputs";
import { Props, component, text } from "./panel";
import { Frame, FrameWatch } from "./tree";

interface TransformSettings { filter: string }

const now = () => performance.now() / 1000;
const deepest = 50; // frames below each other that are shown
const mostNamed = 5; // frames of a warning

const named = (names: readonly string[]) => names.slice(0, mostNamed).join(", ") + (names.length > mostNamed ? ` … (${names.length})` : "");

function Transforms({ context: { frames, fleet, id }, settings, set, kept }: Props<TransformSettings, FrameWatch>) {
  const [fixedTooMany] = useState(() => fleet.robots.size);
  useEffect(() => {
    kept.resume(now());
    for (const p of frames.buffer.parents()) if (p.fixed) kept.add(p.frame, p.parent, true, now()); // static ones are sent once
    const take = (transforms: any[], fixed: boolean) => kept.take(transforms, fixed, now());
    frames.observers.add(take);
    const stop = frames.watch(true);
    return () => { frames.observers.delete(take); stop(); };
  }, [frames]);
  usePeriod(500);
  const tree = kept.tree(now()), filter = settings.filter.toLowerCase(), refused = [...frames.buffer.refused].sort();
  const warnings = [
    ...tree.loops.map((l) => t("transforms.loop", { names: named([...l, l[0]]).replaceAll(", ", " → ") })),
    ...tree.severalParents.map((s) => t("transforms.parents", { name: s.name, parents: s.parents.join(", ") })),
    ...(tree.stale.length ? [t("transforms.stale", { count: tree.stale.length, names: named(tree.stale) })] : []),
    ...(tree.roots.length > 1 && tree.count > 0 ? [t("transforms.trees", { count: tree.roots.length, names: named(tree.roots.map((r) => r.name)) })] : []),
    ...(refused.length ? [t("transforms.notFinite", { names: named(refused) })] : []),
    ...(frames.complete ? [] : [t("transforms.tooMany", { count: fixedTooMany })]),
  ];
  return <>
    <div class="row">
      <input type="search" id={id("filter")} placeholder={t("transforms.filter")} aria-label={t("transforms.filterLabel")} value={settings.filter} onInput={(e) => set({ filter: e.currentTarget.value })} />
      <span class="caption" id={id("count")} role="status">{tree.count === 0 ? t("transforms.none") : t("transforms.count", { count: tree.count })}</span>
    </div>
    {warnings.length > 0 && <ul class="warnings" id={id("warnings")}>{warnings.map((w) => <li key={w}>{w}</li>)}</ul>}
    <div class="frame-tree" id={id("tree")}>{tree.roots.map((r) => <ul key={r.name} class="frames"><Branch frame={r} depth={0} filter={filter} root /></ul>)}</div>
  </>;
}

/** holds returns whether a frame or one below it is searched for. */
const holds = (f: Frame, filter: string): boolean => f.name.toLowerCase().includes(filter) || f.children.some((c) => holds(c, filter));

function Branch({ frame, depth, filter, root }: { frame: Frame; depth: number; filter: string; root?: boolean }) {
  if (depth > deepest || (filter && !holds(frame, filter))) return null;
  return <li data-frame={frame.name} class={frame.stale ? "stale-frame" : ""}>
    <span class={root ? "frame root" : "frame"}>{frame.name}</span>{" "}
    <span class="age">{root ? "" : frame.fixed ? t("transforms.static") : `${rateText(frame.hz ?? 0)}, ${t("transforms.age", { age: (frame.age ?? 0).toFixed(1) })}`}</span>
    {frame.children.length > 0 && <ul class="frames">{frame.children.map((c) => <Branch key={c.name} frame={c} depth={depth + 1} filter={filter} />)}</ul>}
  </li>;
}

export const transformPanel = component<TransformSettings, FrameWatch>({
  id: "transforms", title: "transforms.title", about: "transforms.about", size: [4, 10], settings: { filter: text() }, Body: Transforms, keep: () => new FrameWatch(),
});
