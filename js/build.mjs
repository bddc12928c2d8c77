// A self-contained ES module for notebooks, a script for exported pages, what `graphne view` adds to the module, and a
// style sheet for each, where the Python package looks for them.
import { readFile, writeFile } from "node:fs/promises";
import { context } from "esbuild";
import { minify } from "terser";

const outdir = "../graphne_viz/viewer/static";
const shared = { outdir, bundle: true, target: "es2022", minify: true, legalComments: "none", logLevel: "info" };
// A page's script stands within it: it must be ASCII, whatever the page is saved as, and of the old kind.
const kinds = {
  widget: { format: "esm" },
  page: { format: "iife", charset: "ascii" },
  serve: { format: "esm", external: ["./widget.js"] },
};

/** Takes off some more: a page that is mailed, or a notebook that is saved, carries the whole viewer. */
async function squeeze(name) {
  const file = `${outdir}/${name}.js`;
  const { format, charset } = kinds[name];
  const options = { ecma: 2022, module: format === "esm", compress: { passes: 3 }, format: { ascii_only: charset === "ascii" } };
  const { code } = await minify(await readFile(file, "utf8"), options);
  await writeFile(file, code);
}

for (const [name, kind] of Object.entries(kinds)) {
  const one = await context({ ...shared, ...kind, entryPoints: { [name]: `src/${name}.ts` } });
  if (process.argv.includes("--watch")) {
    await one.watch();
  } else {
    await one.rebuild();
    await one.dispose();
    await squeeze(name);
  }
}
