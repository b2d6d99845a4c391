// SPDX-License-Identifier: Apache-2.0
// The colours of the page: light, dark or high contrast, as the system has it or as a person chooses.
import { Key, t } from "./texts";
import { h } from "./ui";

const key = "theme"; // in localStorage
const themes = ["light", "dark", "contrast"];

/** themeChoice makes the choice of a theme and puts it into force; changed is called after it has become another. */
export function themeChoice(changed: () => void): HTMLSelectElement {
  const dark = matchMedia("(prefers-color-scheme: dark)"), contrast = matchMedia("(prefers-contrast: more)");
  const root = document.documentElement.dataset;
  const choice = h("select", { id: "theme", "aria-label": t("theme.title"), onchange: () => {
    try { localStorage.setItem(key, choice.value); } catch { /* it lasts until the page is closed */ }
    apply();
  } }, h("option", { value: "" }, t("theme.system")), ...themes.map((value) => h("option", { value }, t(`theme.${value}` as Key))));
  const apply = () => {
    const theme = choice.value || (contrast.matches ? "contrast" : dark.matches ? "dark" : "light");
    if (root.theme === theme) return;
    const first = root.theme === undefined;
    root.theme = theme;
    if (!first) changed();
  };
  let kept = "";
  try { kept = localStorage.getItem(key) ?? ""; } catch { /* as the system has it */ }
  choice.value = themes.includes(kept) ? kept : "";
  for (const query of [dark, contrast]) query.addEventListener("change", apply);
  apply();
  return choice;
}
