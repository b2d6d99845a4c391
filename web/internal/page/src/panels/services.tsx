// SPDX-License-Identifier: Apache-2.0
// The panel of services: calls any service with a request that begins as a template of its type.
import { useEffect, useState } from "preact/hooks";
import { t } from "../texts";
import { MessageEditor, messageProblem } from "./editor";
import { blank } from "./fields";
import { useClient } from "./hooks";
import { messageOf, textOf } from "./messages";
import { Props, component, text } from "./panel";

const hiddenServices = /\/(list|describe|get|set)_parameters$|\/get_parameter_types$|\/set_parameters_atomically$|\/get_type_description$|\/_action\//;
const mostOptions = 400;

interface ServiceSettings { service: string; request: string }

function Services({ context: { client, id }, settings, set }: Props<ServiceSettings>) {
  useClient(client, "services", "state");
  const [error, setError] = useState(""), [reply, setReply] = useState<{ text: string; failed: boolean; ms: number }>(), [calling, setCalling] = useState(false);
  const names = [...client.services.keys()].filter((n) => !hiddenServices.test(n)).sort((a, b) => a.localeCompare(b, undefined, { numeric: true }));
  const service = client.services.get(settings.service);
  const template = (name: string) => { const s = client.services.get(name); return s ? JSON.stringify(blank(s.request.schema), null, 1) : ""; };
  const choose = (name: string) => { set(client.services.has(name) ? { service: name, request: template(name) } : { service: name }); setError(""); setReply(undefined); };
  useEffect(() => { if (service && settings.request === "") set({ request: template(settings.service) }); }, [service?.type]);
  const call = async (e: Event) => {
    e.preventDefault();
    const problem = !service ? t("services.unknown") : messageProblem(settings.request, service.request.schema), begun = performance.now();
    setError(problem);
    if (problem) return;
    setCalling(true);
    try { const r = await client.call(settings.service, messageOf(settings.request)); setReply({ text: textOf(r), failed: r?.success === false, ms: performance.now() - begun }); }
    catch (x) { setReply({ text: (x as Error).message, failed: true, ms: performance.now() - begun }); }
    setCalling(false);
  };
  return <form onSubmit={(e) => void call(e)}>
    <div class="row">
      <label for={id("name")}>{t("service")}</label>
      <input id={id("name")} list={id("names")} value={settings.service} placeholder="/service" spellcheck={false} autocomplete="off" aria-invalid={settings.service && !service ? "true" : undefined} aria-describedby={id("type")} onInput={(e) => choose(e.currentTarget.value.trim())} />
      <datalist id={id("names")}>{names.slice(0, mostOptions).map((n) => <option key={n} value={n}>{client.services.get(n)!.type}</option>)}</datalist>
      <button type="button" id={id("template")} disabled={!service} onClick={() => { set({ request: template(settings.service) }); setError(""); }}>{t("publish.template")}</button>
    </div>
    <p class="caption" id={id("type")} role="status">{service ? service.type : settings.service ? t("services.unknown") : t("services.count", { count: names.length })}</p>
    {service && <>
      <MessageEditor id={id("request")} value={settings.request} schema={service.request.schema} label={t("services.request")} error={error} change={(r) => { set({ request: r }); setError(""); }} />
      <div class="row"><button type="submit" class="primary" id={id("call")} disabled={calling}>{t("services.call")}</button>
        <span class="caption" role="status" id={id("state")}>{calling ? t("services.calling") : reply ? t(reply.failed ? "services.failed" : "services.answered", { ms: Math.round(reply.ms) }) : ""}</span></div>
    </>}
    {reply && <pre id={id("reply")} tabIndex={0} aria-label={t("services.reply")} class={reply.failed ? "failed" : ""}>{reply.text}</pre>}
  </form>;
}

const long = (v: unknown) => (typeof v === "string" && v.length <= 100_000 ? v : "");

export const servicePanel = component<ServiceSettings>({
  id: "services", title: "services.title", about: "services.about", size: [5, 10], settings: { service: text(), request: long }, Body: Services,
});
