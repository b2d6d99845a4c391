// SPDX-License-Identifier: Apache-2.0
// The panel that publishes a message, once or at a rate.
import { useEffect, useState } from "preact/hooks";
import { t } from "../texts";
import { blank } from "./fields";
import { useClient, useDefinition } from "./hooks";
import { TopicInput } from "./inputs";
import { MessageEditor, messageProblem } from "./editor";
import { Props, component, number, text } from "./panel";
import { messageOf } from "./messages";

const mostRate = 50; // Hz

interface PublishSettings { topic: string; type: string; message: string; hz: number }

function Publish({ context: { client, id }, settings, set }: Props<PublishSettings>) {
  useClient(client, "channels", "graph", "state");
  const [error, setError] = useState(""), [sent, setSent] = useState(0), [running, setRunning] = useState(false);
  const { topic, message } = settings;
  const typeOf = (name: string) => client.topics.get(name)?.schemaName ?? client.subscribed.get(name)?.type ?? "";
  const type = settings.type || typeOf(topic), schema = useDefinition(client, type);
  const types = [...new Set([...client.topics.values()].map((c) => c.schemaName).concat([...client.subscribed.values()].map((x) => x.type)))].filter(Boolean).sort();
  const template = async (of: string) => {
    try { set({ message: JSON.stringify(blank(await client.definition(of)), null, 1) }); setError(""); } catch (e) { setError((e as Error).message); }
  };
  const choose = (name: string) => {
    const known = typeOf(name);
    set({ topic: name, ...(known ? { type: "" } : {}) });
    setError("");
    if (known) void template(known);
  };
  useEffect(() => { if (schema && message === "") set({ message: JSON.stringify(blank(schema), null, 1) }); }, [schema]);
  const readOnly = client.metadata.role === "view";
  const send = (): boolean => {
    const problem = topic.startsWith("/") ? type === "" ? t("publish.noType") : messageProblem(message, schema) : t("publish.noTopic");
    setError(problem);
    if (problem) { setRunning(false); return false; }
    client.publish(topic, type, messageOf(message));
    setSent((n) => n + 1);
    return true;
  };
  useEffect(() => {
    if (!running) return undefined;
    const timer = setInterval(send, 1000 / settings.hz);
    return () => clearInterval(timer);
  }, [running, settings.hz, message, topic, type]);
  return <form class="publish" onSubmit={(e) => { e.preventDefault(); send(); }}>
    <div class="row"><TopicInput id={id("topic")} client={client} value={topic} label={t("topic")} change={choose} subscribed /></div>
    <div class="row">
      <label for={id("type")}>{t("type")}</label>
      <input id={id("type")} list={id("types")} value={type} spellcheck={false} autocomplete="off" onInput={(e) => set({ type: e.currentTarget.value.trim() })} />
      <datalist id={id("types")}>{types.map((n) => <option key={n} value={n} />)}</datalist>
      <button type="button" id={id("template")} disabled={!schema} onClick={() => void template(type)}>{t("publish.template")}</button>
    </div>
    <MessageEditor id={id("message")} value={message} schema={schema} label={t("publish.message")} error={error} change={(m) => { set({ message: m }); setError(""); }} />
    <div class="row">
      <button type="submit" class="primary" id={id("send")} disabled={readOnly}>{t("publish.send")}</button>
      <button type="button" id={id("repeat")} aria-pressed={running} disabled={readOnly} onClick={() => setRunning(!running && send())}>{t("publish.repeat")}</button>
      <input class="short" type="number" id={id("hz")} min="0.1" max={mostRate} step="any" value={settings.hz} aria-label={t("publish.rate")} onChange={(e) => set({ hz: number(1, 0.1, mostRate)(Number(e.currentTarget.value)) })} /> Hz
      <span class="caption" role="status" id={id("sent")}>{readOnly ? t("readOnly") : sent > 0 ? t("publish.sent", { count: sent }) : ""}</span>
    </div>
  </form>;
}

const long = (v: unknown) => (typeof v === "string" && v.length <= 100_000 ? v : "");

export const publishPanel = component<PublishSettings>({
  id: "publish", title: "publish.title", about: "publish.about", size: [5, 10], settings: { topic: text(), type: text(), message: long, hz: number(1, 0.1, mostRate) }, Body: Publish,
});
