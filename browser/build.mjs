// Bundles the page's modules and three.js into one classic script; its first line has the hash of all sources.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { dirname, join } from "node:path";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url)), target = join(here, "../src/taut/report/living");
const sources = [...readdirSync(join(here, "page")).filter((name) => name.endsWith(".js")).sort().map((name) => join(here, "page", name)), join(here, "package-lock.json")];
const hash = createHash("sha256");
for (const file of sources) hash.update(readFileSync(file));
const { version } = JSON.parse(readFileSync(join(here, "node_modules/three/package.json")));
await build({
  entryPoints: [join(here, "page/main.js")],
  bundle: true,
  format: "iife",
  minify: true,
  charset: "ascii",
  legalComments: "none",
  target: "es2022",
  outfile: join(target, "page.min.js"),
  banner: { js: `// taut's page with three.js ${version} (MIT, see three.LICENSE); sources ${hash.digest("hex")}` },
});
const bundle = join(target, "page.min.js"), text = readFileSync(bundle, "utf-8").replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
writeFileSync(bundle, text);
writeFileSync(join(target, "three.LICENSE"), readFileSync(join(here, "node_modules/three/LICENSE")));
