// SPDX-License-Identifier: Apache-2.0
// The texts of the page in the languages that it has, by i18next. A text is inserted as text, never as HTML.
import i18next from "i18next";
import de from "./texts/de.json";
import en from "./texts/en.json";
import fr from "./texts/fr.json";

type Singular<K> = K extends `${infer B}_one` | `${infer B}_other` ? B : K;

/** Key names a text; one with forms for numbers (KEY_one, KEY_other) needs the value "count". */
export type Key = Singular<keyof typeof en>;

const stored = "language"; // in localStorage

/** tables are the texts by the codes of their languages. */
export const tables: Record<string, Record<string, string>> = { en, de, fr };

/** languages are those that have texts, by their codes, each with its own name. */
export const languages: Record<string, string> = { en: "English", de: "Deutsch", fr: "Français" };

/** chosen is the language that a person chose before, else the first of the browser's that has texts, else English. */
function chosen(): string {
  try {
    const kept = localStorage.getItem(stored);
    if (kept && kept in languages) return kept;
  } catch { /* no storage here */ }
  const wanted = typeof navigator === "undefined" ? [] : navigator.languages ?? [];
  return wanted.map((l) => l.split("-")[0]).find((l) => l in languages) ?? "en";
}

const texts = i18next.createInstance();
void texts.init({
  lng: chosen(), fallbackLng: "en", resources: Object.fromEntries(Object.entries(tables).map(([code, translation]) => [code, { translation }])), initAsync: false, showSupportNotice: false,
  keySeparator: false, nsSeparator: false, interpolation: { escapeValue: false },
} as Parameters<typeof texts.init>[0]);

/** language is the code of the language in use. */
export const language = (): string => texts.language;

/** useLanguage stores a choice; the page shows it after it is loaded again. */
export function useLanguage(code: string): void {
  try { localStorage.setItem(stored, code); } catch { /* not stored: it is the browser's again */ }
  location.reload();
}

/** t returns a text with its {{values}} filled in. */
export const t = (key: Key, values?: Record<string, unknown>): string => texts.t(key as string, values as any) as string;
