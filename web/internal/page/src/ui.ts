// SPDX-License-Identifier: Apache-2.0
// Small things that every panel uses.

type Child = Node | string | undefined | false;

/** h makes an element: h("p", { class: "x", onclick: f }, "text", child). */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Record<string, any> = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) e.addEventListener(name.slice(2), value);
    else if (value === true) e.setAttribute(name, "");
    else if (value !== false && value !== undefined) e.setAttribute(name, String(value));
  }
  for (const c of children) if (c) e.append(c);
  return e;
}

/** eachFrame calls f with each frame that the browser draws, and returns what ends that. */
export function eachFrame(f: () => void): () => void {
  let handle = 0;
  const step = () => { f(); handle = requestAnimationFrame(step); };
  handle = requestAnimationFrame(step);
  return () => cancelAnimationFrame(handle);
}

export function every(ms: number, f: () => void): () => void {
  f();
  const timer = setInterval(f, ms);
  return () => clearInterval(timer);
}

export const color = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();

/** full joins a namespace and a relative name. */
export const full = (robot: string, name: string): string => (robot === "/" ? "/" + name : robot + "/" + name);

export function fixed(x: number | undefined, digits: number): string {
  if (x === undefined || Number.isNaN(x)) return "–";
  if (!Number.isFinite(x)) return x > 0 ? "∞" : "−∞";
  return x.toFixed(digits).replace("-", "−");
}

export const yaw = (q: { x: number; y: number; z: number; w: number }): number =>
  Math.atan2(2 * (q.w * q.z + q.x * q.y), 1 - 2 * (q.y * q.y + q.z * q.z));

/** scrollsOnPhones lets keys scroll an element where the window is too narrow for all of it. */
export function scrollsOnPhones(e: HTMLElement): void {
  const narrow = matchMedia("(max-width: 900px)");
  const apply = () => { if (narrow.matches) e.tabIndex = 0; else e.removeAttribute("tabindex"); };
  narrow.addEventListener("change", apply);
  apply();
}

/** say puts a text where screen readers announce it. */
export function say(text: string): void {
  const e = document.getElementById("live");
  if (e) e.textContent = text;
}

/** saveFile offers data as a file to save. */
export function saveFile(name: string, data: Blob): void {
  const url = URL.createObjectURL(data);
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
