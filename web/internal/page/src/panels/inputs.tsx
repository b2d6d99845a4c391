// SPDX-License-Identifier: Apache-2.0
// Inputs that several panels have.
import { Client } from "../client";
import { t } from "../texts";

interface TopicInputProps { id: string; client: Client; value: string; label: string; change: (name: string) => void; matches?: (type: string) => boolean; describedBy?: string; subscribed?: boolean }

const mostOptions = 400; // topics that are offered at once

/** TopicInput takes the name of a topic, with those that exist to choose from: with subscribed also those without a publisher. */
export function TopicInput({ id, client, value, label, change, matches, describedBy, subscribed }: TopicInputProps) {
  const types = new Map([...client.topics].map(([name, c]) => [name, c.schemaName]));
  if (subscribed) for (const [name, s] of client.subscribed) types.set(name, s.type);
  const names = [...types].filter(([name, type]) => (!matches || matches(type)) && (types.has(value) || name.toLowerCase().includes(value.toLowerCase()))).map(([name]) => name).sort();
  const unknown = value !== "" && !subscribed && !types.has(value);
  return <>
    <label for={id}>{label}</label>
    <input id={id} list={id + "-options"} value={value} spellcheck={false} autocomplete="off" placeholder="/topic" aria-invalid={unknown ? "true" : undefined} aria-describedby={describedBy} onInput={(e) => change(e.currentTarget.value.trim())} />
    <datalist id={id + "-options"}>{names.slice(0, mostOptions).map((n) => <option key={n} value={n}>{types.get(n)}</option>)}</datalist>
  </>;
}

/** Rate writes how often something comes. */
export const rateText = (hz: number): string => t("rate", { hz: hz < 10 ? hz.toFixed(1) : Math.round(hz) });
