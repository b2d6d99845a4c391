// SPDX-License-Identifier: Apache-2.0
// The panel of topics: messages of any topic as text, and publishing.
import { useEffect, useRef, useState } from "preact/hooks";
import { blank, messageOf, textOf } from "./messages";
import { Props, component } from "./panel";
import { useClient } from "./hooks";

const period = 200; // ms between messages that are shown

function Topics({ context: { client }, settings }: Props) {
  useClient(client, "channels", "graph", "state");
  const [topic, setTopic] = useState(settings.text("topic"));
  const channel = client.topics.get(topic), names = [...client.topics.keys()].sort();
  const choose = (name: string) => { setTopic(name); settings.set("topic", name); };
  const wrong = topic !== "" && !channel;
  return <>
    <div class="row">
      <label for="topic-name">Topic</label>
      <input id="topic-name" list="topic-names" value={topic} spellcheck={false} autocomplete="off" aria-invalid={wrong ? "true" : undefined}
        aria-describedby="topic-type" onInput={(e) => choose(e.currentTarget.value.trim())} />
      <datalist id="topic-names">{names.map((n) => <option key={n} value={n}>{client.topics.get(n)!.schemaName}</option>)}</datalist>
    </div>
    <p class="caption" id="topic-type" role="status">{channel ? channel.schemaName : wrong ? "No node publishes a topic of this name" : `${names.length} topics`}</p>
    {channel && <Messages key={topic} client={client} topic={topic} />}
    {channel && client.metadata.role !== "view" && <Publish key={channel.topic + channel.schemaName} client={client} topic={topic} />}
  </>;
}

type Client = Props["context"]["client"];

/** Messages shows the newest message of a topic. */
function Messages({ client, topic }: { client: Client; topic: string }) {
  const [text, setText] = useState(""), [paused, setPaused] = useState(false), [age, setAge] = useState(0);
  const seen = useRef(performance.now());
  useEffect(() => (paused ? undefined : client.subscribe(topic, (m) => {
    seen.current = performance.now();
    setText(textOf(m));
    setAge(0);
  }, { period })), [topic, paused]);
  useEffect(() => {
    const timer = setInterval(() => setAge(Math.floor((performance.now() - seen.current) / 1000)), 500);
    return () => clearInterval(timer);
  }, [topic]);
  return <>
    <div class="row">
      <button type="button" id="topic-pause" aria-pressed={paused} onClick={() => setPaused(!paused)}>Pause</button>
      <span class="caption" id="topic-age">{text === "" ? "No message yet" : age > 0 ? `The newest is ${age} s old` : "Arriving"}</span>
    </div>
    <pre id="topic-message" tabIndex={0} aria-label={`Newest message of ${topic}`}>{text}</pre>
  </>;
}

/** Publish sends what a person writes. */
function Publish({ client, topic }: { client: Client; topic: string }) {
  const c = client.topics.get(topic);
  const [text, setText] = useState(() => (c ? JSON.stringify(blank(c.schema), null, 1) : "{}"));
  const [error, setError] = useState(""), [sent, setSent] = useState(0);
  const send = (e: Event) => {
    e.preventDefault();
    if (!c) return;
    try {
      client.publish(topic, c.schemaName, messageOf(text));
      setError("");
      setSent(sent + 1);
    } catch (e) { setError((e as Error).message); }
  };
  return <details>
    <summary id="publish-open">Publish on this topic</summary>
    <form onSubmit={send}>
      <textarea id="publish-message" rows={8} spellcheck={false} value={text} aria-label="Message as JSON" aria-invalid={error ? "true" : undefined} aria-describedby="publish-error"
        onInput={(e) => setText(e.currentTarget.value)} />
      <div class="row"><button type="submit" class="primary" id="publish-send">Publish</button><span class="caption" role="status">{sent > 0 && `${sent} sent`}</span></div>
      <p class="error" id="publish-error" role="alert">{error}</p>
    </form>
  </details>;
}

export const topicPanel = component("topics", "Topics", Topics);
