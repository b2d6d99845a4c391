// SPDX-License-Identifier: Apache-2.0
// The panel of parameters: those of a node in groups, each with what it means, its unit and its limits.
import { useEffect, useRef, useState } from "preact/hooks";
import { say } from "../ui";
import { useClient } from "./hooks";
import { t } from "../texts";
import { Props, component, text as textReader } from "./panel";
import { Descriptor, Value, aboutOf, bool, choicesOf, double, enteredValue, groupsOf, integer, kinds, rangeOf, shownValue, stepOf, text, unitOf } from "./values";

type Client = Props["context"]["client"];
type Known = Map<string, { descriptor: Descriptor; value: Value }>;

const suffix = "/list_parameters";
const folded = "qos_overrides"; // a group that few look for

/** load asks a node for its parameters. */
async function load(client: Client, node: string): Promise<Known> {
  const names: string[] = (await client.call(node + suffix, {})).result.names.sort();
  const [described, got] = await Promise.all([client.call(node + "/describe_parameters", { names }), client.call(node + "/get_parameters", { names })]);
  return new Map(names.map((name, i) => [name, { descriptor: described.descriptors[i] ?? {}, value: got.values[i] ?? { type: 0 } }]));
}

interface ParameterSettings { node: string; filter: string }

function Parameters({ context: { client, fleet, id }, settings, set }: Props<ParameterSettings>) {
  useClient(client, "services", "state");
  const [robot, setRobot] = useState(fleet.chosen?.name ?? "/");
  const { node: chosen, filter } = settings, [note, setNote] = useState("");
  const [known, setKnown] = useState<Known>(new Map());
  useEffect(() => {
    const other = () => { setRobot(fleet.chosen?.name ?? "/"); set({ node: "" }); };
    fleet.addEventListener("chosen", other);
    return () => fleet.removeEventListener("chosen", other);
  }, [fleet]);
  const nodes = [...client.services.values()].filter((s) => s.type === "rcl_interfaces/srv/ListParameters").map((s) => s.name.slice(0, -suffix.length)).sort();
  const prefix = robot === "/" ? "/" : robot + "/";
  const node = nodes.includes(chosen) ? chosen : nodes.find((n) => n.startsWith(prefix) && n.endsWith("driver")) ?? nodes[0] ?? "";
  const [times, setTimes] = useState(0); // that it was loaded
  useEffect(() => {
    setKnown(new Map());
    if (!node) return setNote(t("parameters.none"));
    let ended = false;
    setNote(t("loading"));
    load(client, node).then((k) => { if (!ended) { setKnown(k); setNote(t("parameters.count", { count: k.size })); } }, (e) => { if (!ended) setNote((e as Error).message); });
    return () => { ended = true; };
  }, [node, times]);
  const take = (name: string, value: Value) => setKnown((k) => {
    const at = k.get(name);
    return at ? new Map(k).set(name, { ...at, value }) : k;
  });
  useEffect(() => client.subscribe("/parameter_events", (m) => {
    if (m.node === node) for (const p of [...m.new_parameters, ...m.changed_parameters]) take(p.name, p.value);
  }), [node]);
  const matches = (name: string) => `${name} ${aboutOf(known.get(name)!.descriptor)}`.toLowerCase().includes(filter.toLowerCase());
  const groups = groupsOf([...known.keys()]).map(([group, names]) => [group, names.filter(matches)] as const).filter(([, names]) => names.length);
  return <>
    <div class="row">
      <select id={id("node")} aria-label={t("node")} value={node} onChange={(e) => set({ node: e.currentTarget.value })}>{nodes.map((n) => <option key={n} value={n}>{n}</option>)}</select>
      <input type="search" id={id("filter")} placeholder={t("filter")} aria-label={t("parameters.filter")} value={filter} onInput={(e) => set({ filter: e.currentTarget.value })} />
      <button type="button" id={id("reload")} onClick={() => setTimes(times + 1)}>{t("reload")}</button>
    </div>
    <p class="state" id={id("state")} role="status">{client.metadata.role === "view" ? t("parameters.readOnly", { note }) : note}</p>
    <div id={id("list")}>{groups.map(([group, names]) => <details key={node + group} class="group" open={filter !== "" || group !== folded}>
      <summary><span>{group}</span><span class="age">{names.length}</span></summary>
      <div class="params">{names.map((name) => <Parameter key={name} id={id("p-" + name)} client={client} node={node} name={name} {...known.get(name)!} taken={(v) => take(name, v)} />)}</div>
    </details>)}</div>
  </>;
}

interface ParameterProps { id: string; client: Client; node: string; name: string; descriptor: Descriptor; value: Value; taken: (v: Value) => void }

/** Parameter is a row: the name, a field that fits what the descriptor allows, what is wrong with what was entered. */
function Parameter({ id, client, node, name, descriptor: d, value, taken }: ParameterProps) {
  const [draft, setDraft] = useState<string>(), [error, setError] = useState("");
  const last = useRef(0); // answers to earlier changes count no more
  const type = value.type || d.type || 0;
  const fixed = Boolean(d.read_only) || client.metadata.role === "view";
  const change = async (written: string) => {
    const mine = ++last.current;
    setDraft(written);
    try {
      const entered = enteredValue(type, written);
      const r = (await client.call(node + "/set_parameters", { parameters: [{ name, value: entered }] })).results[0];
      if (mine !== last.current) return;
      if (!r?.successful) throw new Error(r?.reason || t("parameters.refused"));
      taken(entered);
      setDraft(undefined);
      setError("");
      say(t("parameters.set", { name }));
    } catch (e) { if (mine === last.current) setError((e as Error).message); }
  };
  return <div class="param" data-name={name}>
    <label for={id}>{name.split(/(?<=[._])/).map((part, i) => <>{i > 0 && <wbr />}{part}</>)}</label>
    {fixed ? <output id={id} class="value">{shownValue(value) || (type === text ? t("empty") : t("parameters.notSet"))}</output>
      : <Field id={id} name={name} type={type} descriptor={d} shown={draft ?? shownValue(value)} wrong={error !== ""} draft={setDraft} change={(s) => void change(s)} />}
    <span class="unit">{unitOf(d) || kinds[type]}</span>
    <p class="about" id={id + "-about"}>{aboutOf(d)}{d.read_only && ` · ${t("readOnly")}`}</p>
    <p class="error" id={id + "-error"} role="alert">{error}</p>
  </div>;
}

interface FieldProps { id: string; name: string; type: number; descriptor: Descriptor; shown: string; wrong: boolean; draft: (s: string) => void; change: (s: string) => void }

/** Field is a box to tick, a choice, a slider with a number, or a text. */
function Field({ id, name, type, descriptor, shown, wrong, draft, change }: FieldProps) {
  const attributes = { id, "aria-describedby": `${id}-about ${id}-error`, "aria-invalid": wrong ? "true" as const : undefined };
  const options = choicesOf(descriptor), range = type === integer || type === double ? rangeOf(descriptor) : undefined;
  if (type === bool) return <input type="checkbox" {...attributes} checked={shown === "true"} onChange={(e) => change(String(e.currentTarget.checked))} />;
  if (options.length) {
    return <select {...attributes} value={shown} onChange={(e) => change(e.currentTarget.value)}>
      {(options.includes(shown) ? options : [shown, ...options]).map((o) => <option key={o} value={o}>{o || t("empty")}</option>)}
    </select>;
  }
  const entry = { ...attributes, value: shown, onInput: (e: { currentTarget: HTMLInputElement }) => draft(e.currentTarget.value), onChange: (e: { currentTarget: HTMLInputElement }) => change(e.currentTarget.value) };
  if (!range || !(range.to_value > range.from_value) || shown === "nan") {
    return <input type="text" inputmode={type === integer || type === double ? "decimal" : "text"} spellcheck={false} {...entry} />;
  }
  const step = stepOf(range, type);
  return <span class="slide">
    <input type="range" aria-label={t("parameters.slider", { name })} min={range.from_value} max={range.to_value} step={step} value={shown}
      onInput={(e) => draft(e.currentTarget.value)} onChange={(e) => change(e.currentTarget.value)} />
    <input type="number" min={range.from_value} max={range.to_value} step={range.step > 0 || type === integer ? step : "any"} {...entry} />
  </span>;
}

export const parameterPanel = component<ParameterSettings>({
  id: "parameters", title: "parameters.title", about: "parameters.about", size: [6, 12], settings: { node: textReader(), filter: textReader() }, Body: Parameters,
});
