// SPDX-License-Identifier: Apache-2.0
// The token that the server asks for: where the page has it from, and the form that asks for it when it is missing or wrong.
import { Client } from "./client";
import { t } from "./texts";
import { h } from "./ui";

const key = "token";

/** tokenOf returns the token in a text that a user enters: the token itself or an address with it behind "#". */
function tokenOf(text: string): string {
  const token = text.slice(text.lastIndexOf("#") + 1).trim();
  try { return decodeURIComponent(token); } catch { return token; }
}

/** storedToken takes the token out of the address, so that it is not in the history or on the screen. */
export function storedToken(): string {
  const given = tokenOf(location.hash);
  if (given) {
    sessionStorage.setItem(key, given);
    history.replaceState(null, "", location.pathname);
  }
  return sessionStorage.getItem(key) ?? "";
}

/** accessForm asks for the token when the server refuses that of the client. */
export function accessForm(client: Client): HTMLElement {
  const reason = h("p", { id: "access-reason", role: "alert" });
  const input = h("input", { type: "password", id: "access-token", autocomplete: "current-password", spellcheck: "false", required: true });
  const form = h("form", { id: "access", class: "panel", hidden: true, "aria-label": t("access.token"), onsubmit: (e: Event) => {
    e.preventDefault();
    const token = tokenOf(input.value);
    sessionStorage.setItem(key, token);
    input.value = "";
    form.hidden = true;
    client.use(token);
  } }, reason, h("div", { class: "row" }, h("label", { for: "access-token" }, t("access.token")), input, h("button", { type: "submit", class: "primary" }, t("access.connect"))));
  client.addEventListener("access", (e) => {
    sessionStorage.removeItem(key);
    reason.textContent = `${t((e as CustomEvent).detail === "missing" ? "access.missing" : "access.wrong")} ${t("access.hint")}`;
    form.hidden = false;
    input.focus();
  });
  return form;
}
