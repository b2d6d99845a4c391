// SPDX-License-Identifier: Apache-2.0
// The panel of messages: the newest one of any topic as a tree that folds, with rate and size.
import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../texts";
import { useClient, usePeriod } from "./hooks";
import { TopicInput, rateText } from "./inputs";
import { Rate, Row, rowOf, sizeText, textOf } from "./messages";
import { Props, component, text } from "./panel";

const period = 200; // ms between messages that are shown

interface MessageSettings { topic: string }

/** Kept is what outlasts scrolling away: which rows a person opened or closed. */
interface Kept { folds: Map<string, boolean> }

function Messages({ context, settings, set, kept }: Props<MessageSettings, Kept>) {
  const { client, id } = context;
  useClient(client, "channels", "state");
  const channel = client.topics.get(settings.topic);
  return <>
    <div class="row"><TopicInput id={id("topic")} client={client} value={settings.topic} label={t("topic")} change={(topic) => set({ topic })} describedBy={id("type")} /></div>
    <p class="caption" id={id("type")} role="status">{channel ? channel.schemaName : settings.topic !== "" ? t("topic.unknown") : t("topic.count", { count: client.topics.size })}</p>
    {channel && <Newest key={settings.topic} context={context} topic={settings.topic} kept={kept} />}
  </>;
}

/** Newest shows the newest message of a topic. */
function Newest({ context: { client, id }, topic, kept }: { context: Props["context"]; topic: string; kept: Kept }) {
  const [message, setMessage] = useState<unknown>(), [paused, setPaused] = useState(false), [copied, setCopied] = useState(false);
  const rate = useRef(new Rate()), seen = useRef(performance.now()), drawn = useRef(0), last = useRef<unknown>(), hold = useRef(false);
  hold.current = paused;
  useEffect(() => {
    let timer = 0;
    const show = () => { timer = 0; drawn.current = performance.now(); if (!hold.current) setMessage(last.current); };
    const stop = client.subscribe(topic, (m, _time, bytes) => {
      const now = performance.now();
      rate.current.take(now / 1000, bytes);
      if (hold.current) return;
      last.current = m;
      seen.current = now;
      timer ||= window.setTimeout(show, Math.max(0, period - (now - drawn.current)));
    });
    return () => { stop(); clearTimeout(timer); };
  }, [topic]);
  usePeriod(500);
  const age = Math.floor((performance.now() - seen.current) / 1000), hz = rate.current.hz(performance.now() / 1000);
  const copy = () => void navigator.clipboard?.writeText(textOf(message)).then(() => setCopied(true), () => undefined);
  return <>
    <div class="row">
      <button type="button" id={id("pause")} aria-pressed={paused} onClick={() => setPaused(!paused)}>{t("pause")}</button>
      <button type="button" id={id("copy")} disabled={message === undefined} onClick={copy}>{copied ? t("copied") : t("copy")}</button>
      <span class="caption" id={id("age")}>{message === undefined ? t("topic.none") : `${rateText(hz)} · ${sizeText(rate.current.bytes)}${paused ? ` · ${t("paused")}` : age > 1 ? ` · ${t("age.seconds", { count: age })}` : ""}`}</span>
    </div>
    {message !== undefined && <ul class="values" id={id("message")} aria-label={t("messages.newest", { topic })}>{rowOf("", message).children?.().map((r) => <Value key={r.name} row={r} path={r.name} depth={0} folds={kept.folds} />)}</ul>}
  </>;
}

/** Value is a row with what is below it, as long as it is open. */
function Value({ row, path, depth, folds }: { row: Row; path: string; depth: number; folds: Map<string, boolean> }) {
  const [, draw] = useState(0);
  if (!row.children) return <li data-path={path}><span class="name">{row.name}</span> <span class="leaf">{row.text}</span></li>;
  const open = folds.get(path) ?? (depth < 2 && !row.text.startsWith("["));
  return <li data-path={path}>
    <details open={open} onToggle={(e) => { if (e.currentTarget.open !== open) { folds.set(path, e.currentTarget.open); draw((n) => n + 1); } }}>
      <summary><span class="name">{row.name}</span> <span class="leaf">{row.text}</span></summary>
      {open && <ul>{row.children().map((r) => <Value key={r.name} row={r} path={`${path}.${r.name}`} depth={depth + 1} folds={folds} />)}
        {row.hidden > 0 && <li class="caption">{t("messages.hidden", { count: row.hidden })}</li>}</ul>}
    </details>
  </li>;
}

export const messagePanel = component<MessageSettings, Kept>({
  id: "messages", title: "messages.title", about: "messages.about", size: [5, 10], settings: { topic: text() }, Body: Messages, keep: () => ({ folds: new Map() }),
});
