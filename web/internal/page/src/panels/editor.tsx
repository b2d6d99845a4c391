// SPDX-License-Identifier: Apache-2.0
// A message as JSON that a person writes, checked against its type; what is wrong is at the field, and is selected there.
import { useEffect, useRef } from "preact/hooks";
import { t } from "../texts";
import { problemOf } from "./fields";
import { messageOf } from "./messages";

/** messageProblem returns what is wrong with a message as text, "" if nothing is. Without a definition only JSON is checked. */
export function messageProblem(text: string, schema: string | undefined): string {
  let message: object;
  try { message = messageOf(text); } catch (e) { return (e as Error).message === "object" ? t("editor.object") : t("editor.noJSON", { reason: (e as Error).message }); }
  const p = schema === undefined ? undefined : problemOf(schema, message);
  return p ? `${p.path || "{}"}: ${t(p.key, p.values)}` : "";
}

/** whereOf finds the field of a path in JSON text, for a path of names; undefined: not found. */
export function whereOf(text: string, path: string): [number, number] | undefined {
  let at = 0;
  for (const part of path.match(/[^.[\]]+/g) ?? []) {
    if (/^\d+$/.test(part)) continue;
    const next = text.indexOf(JSON.stringify(part), at);
    if (next < 0) return undefined;
    at = next;
  }
  const last = (path.match(/[^.[\]]+/g) ?? []).filter((p) => !/^\d+$/.test(p)).pop();
  return last === undefined ? undefined : [at, at + JSON.stringify(last).length];
}

interface EditorProps { id: string; value: string; schema: string | undefined; label: string; error: string; change: (text: string) => void }

export function MessageEditor({ id, value, schema, label, error, change }: EditorProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const path = /^([\w.[\]]+): /.exec(error)?.[1], where = path && whereOf(value, path);
    if (where) { area.current!.focus(); area.current!.setSelectionRange(where[0], where[1]); }
  }, [error]);
  return <>
    <textarea id={id} class="editor" ref={area} rows={Math.min(16, Math.max(4, value.split("\n").length))} spellcheck={false} value={value} aria-label={label} aria-invalid={error ? "true" : undefined} aria-describedby={id + "-error"}
      onInput={(e) => change(e.currentTarget.value)} />
    <p class="error" id={id + "-error"} role="alert">{error}</p>
    {schema === undefined && <p class="caption">{t("editor.noType")}</p>}
  </>;
}
