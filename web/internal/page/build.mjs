// SPDX-License-Identifier: Apache-2.0
// Makes dist/ of src/: one module and one style sheet, and a second module, view3d.js, that is loaded when it is first
// needed; the same contents on every machine. Modules and the style sheet are kept compressed: they are the largest part of
// the page, and the program has to fit on a robot. --check only compares, what is compressed by its contents.
import { build } from "esbuild";
import { readFileSync, writeFileSync, mkdirSync, existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const check = process.argv.includes("--check");
const result = await build({
  absWorkingDir: here, entryPoints: { page: "src/main.ts", view3d: "src/view3d/view.ts" }, bundle: true, minify: true, format: "esm", target: "es2022", write: false,
  outdir: "dist", entryNames: "[name]", splitting: true, chunkNames: "shared", // what both modules use is in shared.js, once
  legalComments: "none", charset: "utf8",
});
const files = Object.fromEntries(result.outputFiles.map((f) => [f.path.split("/").pop(), Buffer.from(f.contents)]));
for (const name of ["index.html", "icon.svg", "licences.txt"]) files[name] = readFileSync(join(here, "src", name));

let stale = false;
mkdirSync(join(here, "dist"), { recursive: true });
for (const [name, data] of Object.entries(files)) {
  const packed = /\.(js|css)$/.test(name);
  const path = join(here, "dist", packed ? name + ".gz" : name);
  if (existsSync(path) && (packed ? gunzipSync(readFileSync(path)) : readFileSync(path)).equals(data)) continue;
  stale = true;
  if (!check) writeFileSync(path, packed ? gzipSync(data, { level: 9 }) : data);
  else console.error(`${path} is not what src makes: npm run build in web/internal/page`);
}
process.exit(check && stale ? 1 : 0);
