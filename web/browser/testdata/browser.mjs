// SPDX-License-Identifier: Apache-2.0
// Controls a browser by standard input: each line is JavaScript as a JSON string, run with browser, page and sleep in
// scope. Each line of standard output is its result.
import { createInterface } from "node:readline";
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const require = createRequire(new URL("../../internal/page/package.json", import.meta.url));
const puppeteer = (await import(require.resolve("puppeteer-core"))).default;
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", ...(process.env.BROWSER_WEBGL ? ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"] : ["--disable-gpu"]), "--disable-dev-shm-usage", "--autoplay-policy=no-user-gesture-required", "--disable-features=WebRtcHideLocalIpsWithMdns"],
});
let page = await browser.newPage();
const problems = [];
const watch = (p) => {
  p.on("pageerror", (e) => problems.push(e.message));
  p.on("console", (m) => { if (m.type() === "error") problems.push(m.text()); });
  p.on("dialog", (d) => void d.accept());
  p.on("request", (r) => { if (!/^(http|ws|data|blob)/.test(r.url()) || (/^http/.test(r.url()) && !r.url().startsWith("http://localhost"))) problems.push("foreign request " + r.url()); });
};
watch(page);
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const AsyncFunction = (async () => {}).constructor;
const setPage = (p) => { page = p; };
for await (const line of createInterface({ input: process.stdin })) {
  let answer;
  try {
    answer = { value: await new AsyncFunction("browser", "page", "sleep", "problems", "axe", "watch", "setPage", JSON.parse(line))(browser, page, sleep, problems, axe, watch, setPage) ?? null };
  } catch (e) { answer = { error: String(e?.stack ?? e) }; }
  process.stdout.write(JSON.stringify(answer) + "\n");
}
await browser.close();
