// A self-contained ES module for notebooks, a script for exported pages, what `graphne view` adds to the module, and a
// style sheet for each, where the Python package looks for them.
import { context } from "esbuild";

const shared = {
  outdir: "../graphne_viz/viewer/static",
  bundle: true,
  target: "es2022",
  minify: true,
  legalComments: "none",
  logLevel: "info",
};
const building = await Promise.all([
  context({ ...shared, entryPoints: { widget: "src/widget.ts" }, format: "esm" }),
  // It stands within the page: it must be ASCII, whatever the page is saved as, and a script of the old kind.
  context({ ...shared, entryPoints: { page: "src/page.ts" }, format: "iife", charset: "ascii" }),
  context({ ...shared, entryPoints: { serve: "src/serve.ts" }, format: "esm", external: ["./widget.js"] }),
]);
if (process.argv.includes("--watch")) {
  await Promise.all(building.map((one) => one.watch()));
} else {
  for (const one of building) {
    await one.rebuild();
    await one.dispose();
  }
}
