// One self-contained ES module and one style sheet, where the Python package looks for them.
import { context } from "esbuild";

const building = await context({
  entryPoints: { widget: "src/widget.ts" },
  outdir: "../graphne_viz/viewer/static",
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: true,
  legalComments: "none",
  logLevel: "info",
});
if (process.argv.includes("--watch")) {
  await building.watch();
} else {
  await building.rebuild();
  await building.dispose();
}
