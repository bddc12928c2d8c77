import { defineConfig } from "vitest/config";

// What build.mjs bundles as text is nothing here: there are no workers in jsdom, and measuring goes on in slices.
const workers = {
  name: "workers",
  enforce: "pre" as const,
  resolveId: (id: string) => (id.startsWith("worker:") ? `\0${id}` : null),
  load: (id: string) => (id.startsWith("\0worker:") ? 'export default ""' : null),
};

export default defineConfig({ plugins: [workers] });
