// SPDX-License-Identifier: Apache-2.0
// The panel of actions: sends a goal of any action, shows feedback and result, and cancels it.
import { useEffect, useState } from "preact/hooks";
import { Goal, Goals, actionsOf, hasEnded } from "../goals";
import { Key, t } from "../texts";
import { MessageEditor, messageProblem } from "./editor";
import { blank } from "./fields";
import { useClient, useEvents, usePeriod } from "./hooks";
import { messageOf, textOf } from "./messages";
import { Context, Props, component, text } from "./panel";

interface ActionSettings { action: string; goal: string }

/** Kept holds the goals of each action, which go on while the panel is not seen. */
interface Kept { goals: (action: string) => Goals }

function keep({ client }: Context): Kept {
  const by = new Map<string, Goals>();
  return { goals: (action) => {
    let g = by.get(action);
    if (!g) by.set(action, g = new Goals(client, action));
    return g;
  } };
}

function Actions({ context, settings, set, kept }: Props<ActionSettings, Kept>) {
  const { client, id } = context;
  useClient(client, "services", "state");
  const [error, setError] = useState("");
  const names = actionsOf(client.services.keys()), service = client.services.get(settings.action + "/_action/send_goal");
  const template = (name: string) => { const s = client.services.get(name + "/_action/send_goal"); return s ? JSON.stringify((blank(s.request.schema) as any).goal ?? {}, null, 1) : ""; };
  const choose = (name: string) => { set(names.includes(name) ? { action: name, goal: template(name) } : { action: name }); setError(""); };
  useEffect(() => { if (service && settings.goal === "") set({ goal: template(settings.action) }); }, [service?.type]);
  const readOnly = client.metadata.role === "view";
  const send = (e: Event) => {
    e.preventDefault();
    if (!service) return;
    let problem = messageProblem(settings.goal, undefined);
    if (!problem) problem = messageProblem(`{"goal": ${settings.goal}}`, service.request.schema).replace(/^goal\./, "");
    setError(problem);
    if (!problem) void kept.goals(settings.action).send(messageOf(settings.goal));
  };
  return <form onSubmit={send}>
    <div class="row">
      <label for={id("name")}>{t("action")}</label>
      <input id={id("name")} list={id("names")} value={settings.action} placeholder="/action" spellcheck={false} autocomplete="off" aria-invalid={settings.action && !service ? "true" : undefined} aria-describedby={id("type")} onInput={(e) => choose(e.currentTarget.value.trim())} />
      <datalist id={id("names")}>{names.map((n) => <option key={n} value={n} />)}</datalist>
      <button type="button" id={id("template")} disabled={!service} onClick={() => { set({ goal: template(settings.action) }); setError(""); }}>{t("publish.template")}</button>
    </div>
    <p class="caption" id={id("type")} role="status">{service ? service.type.replace(/_SendGoal$/, "") : settings.action ? t("actions.unknown") : t("actions.count", { count: names.length })}</p>
    {service && <>
      <MessageEditor id={id("goal")} value={settings.goal} schema={service.request.schema} label={t("actions.goal")} error={error} change={(g) => { set({ goal: g }); setError(""); }} />
      <div class="row"><button type="submit" class="primary" id={id("send")} disabled={readOnly}>{t("actions.send")}</button>
        <button type="button" id={id("cancel-all")} disabled={readOnly} onClick={() => void kept.goals(settings.action).cancel().then(setError)}>{t("actions.cancelAll")}</button></div>
      <List key={settings.action} context={context} goals={kept.goals(settings.action)} readOnly={readOnly} />
    </>}
  </form>;
}

function List({ context: { id }, goals, readOnly }: { context: Context; goals: Goals; readOnly: boolean }) {
  useEffect(() => goals.follow(), [goals]);
  useEvents(goals, "changed");
  usePeriod(500);
  return <ol class="goals" id={id("list")} aria-label={t("actions.goals")}>{goals.list.map((g) => <One key={g.id} goal={g} cancel={readOnly || hasEnded(g.state) ? undefined : () => void goals.cancel(g)} />)}</ol>;
}

function One({ goal: g, cancel }: { goal: Goal; cancel: (() => void) | undefined }) {
  const seconds = (((g.ended ?? performance.now()) - g.sent) / 1000).toFixed(1);
  return <li data-state={g.state}>
    <div class="row"><strong role="status">{t(`goal.${g.state}` as Key)}</strong><span class="caption">{`${seconds} s`}{g.feedbacks > 0 && ` · ${t("actions.feedbacks", { count: g.feedbacks })}`}</span>
      {cancel && <button type="button" onClick={cancel}>{t("cancel")}</button>}</div>
    {g.reason && <p class="error">{g.reason}</p>}
    {g.result !== undefined ? <pre tabIndex={0} aria-label={t("actions.result")}>{textOf(g.result)}</pre> : g.feedback !== undefined && <pre tabIndex={0} aria-label={t("actions.feedback")}>{textOf(g.feedback)}</pre>}
  </li>;
}

const long = (v: unknown) => (typeof v === "string" && v.length <= 100_000 ? v : "");

export const actionPanel = component<ActionSettings, Kept>({
  id: "actions", title: "actions.title", about: "actions.about", size: [5, 10], settings: { action: text(), goal: long }, Body: Actions, keep,
});
