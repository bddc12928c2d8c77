// A self-contained ES module for notebooks, a script for exported pages, what `graphne view` adds to the module, and a
// style sheet for each, where the Python package looks for them.
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { build, context } from "esbuild";
import { minify } from "terser";

const outdir = "../graphne_viz/viewer/static";
/** Imports of `worker:FILE` are the text of that file's bundle: a worker starts from a blob, and nothing is fetched. */
const workers = {
  name: "workers",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^worker:/ }, ({ path, importer }) => ({
      path: resolve(dirname(importer), path.slice("worker:".length)),
      namespace: "worker",
    }));
    onLoad({ filter: /./, namespace: "worker" }, async ({ path }) => {
      const { outputFiles } = await build({
        entryPoints: [path],
        bundle: true,
        format: "iife",
        target: "es2022",
        minify: true,
        write: false,
      });
      const { code } = await minify(outputFiles[0].text, { ecma: 2022, compress: { passes: 3 } });
      return { contents: code, loader: "text", watchFiles: [path] };
    });
  },
};
/** Shaders are text, which no minifier touches: without comments, indentation and needless spaces they are half as long. */
const shaders = {
  name: "shaders",
  setup({ onLoad }) {
    onLoad({ filter: /shaders\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      const brief = (shader) =>
        shader
          .replace(/^\s*\/\/.*\n/gm, "")
          .replace(/^\s+/gm, "")
          .replace(/ ?([-+*/=<>,;(){}?:&|]) ?/g, "$1")
          .replace(/([;{}])\n/g, "$1");
      return { contents: text.replace(/`[^`]*`/g, brief), loader: "ts" };
    });
  },
};
const shared = {
  plugins: [workers, shaders],
  outdir,
  bundle: true,
  target: "es2022",
  minify: true,
  legalComments: "none",
  logLevel: "info",
};
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
  const options = {
    ecma: 2022,
    module: format === "esm",
    compress: { passes: 3 },
    format: { ascii_only: charset === "ascii" },
  };
  const { code } = await minify(await readFile(file, "utf8"), options);
  await writeFile(file, name === "widget" ? once(code) : code);
}

/**
 * Lets a page run the module once, however often it is imported: anywidget imports it anew for every widget, and a
 * browser never lets go of a module. What another version has made is left alone.
 */
function once(code) {
  const [all, name] = code.match(/export\{([\w$]+) as default\};?\s*$/);
  const key = `graphne_viz ${createHash("sha256").update(code).digest("hex").slice(0, 16)}`;
  const body = code.slice(0, -all.length);
  return `const make=()=>{${body}return ${name}};export default globalThis[Symbol.for("${key}")]??=make();\n`;
}

for (const [name, kind] of Object.entries(kinds)) {
  const one = await context({ ...shared, ...kind, entryPoints: { [name]: `src/hosts/${name}.ts` } });
  if (process.argv.includes("--watch")) {
    await one.watch();
  } else {
    await one.rebuild();
    await one.dispose();
    await squeeze(name);
  }
}
