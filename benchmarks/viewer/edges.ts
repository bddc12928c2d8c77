// Whole pictures of one graph, with plain edges and with styled ones: how long each takes, the graphics included.

import { type EdgeAppearance, edgeLooks, PLAIN_EDGES } from "../../js/src/picture/edge-appearance.js";
import { createScene } from "../../js/src/scene/scene.js";

const CLUSTERS = 100;

/** A graph of clusters, its layout, and edges with weights; always the same. */
function make(nodes: number, edges: number) {
  let seed = 3;
  const random = (): number => (seed = (seed * 48271) % 2147483647) / 2147483647;
  const middles = Array.from({ length: CLUSTERS }, () => [100 * random(), 100 * random()]);
  const positions = new Float32Array(2 * nodes);
  for (let k = 0; k < 2 * nodes; k++) positions[k] = middles[(k >> 1) % CLUSTERS][k & 1] + 5 * (random() + random() - 1);
  const pairs = new Uint32Array(2 * edges);
  for (let k = 0; k < edges; k++) {
    pairs[2 * k] = Math.floor(random() * nodes);
    const near = pairs[2 * k] + CLUSTERS * Math.floor((random() * nodes) / CLUSTERS);
    pairs[2 * k + 1] = (random() < 0.85 ? near : Math.floor(random() * nodes)) % nodes;
  }
  const values = Float32Array.from({ length: edges }, () => random() ** 3);
  const range = { low: 0, high: 1, scale: [0, 1] as const, whole: false };
  const weight = { key: "e:weight", name: "weight", kind: "values" as const, values, ...range };
  return { positions, pairs, weight };
}

/** Median milliseconds of a picture with plain edges and of one with styled ones, in turns. */
export async function run(nodes: number, edges: number, turns: number): Promise<Record<string, number>> {
  const { positions, pairs, weight } = make(nodes, edges);
  const colors = { colormap: ["#440154", "#21918c", "#fde725"], other: "#b8b8b8", missing: "#dadada", plain: "#0072b2" };
  const rest = { columns: [], names: null, notes: [], ...colors };
  const graph = { nodes, edges, pairs, directed: true, edgeColumns: [weight], ...rest };
  const looks: Record<string, EdgeAppearance> = {
    plain: PLAIN_EDGES,
    styled: { width: weight, color: weight, label: null, arrows: true, curved: true },
  };
  const scene = createScene(document.body, nodes, pairs);
  scene.setRadii(new Float32Array(nodes).fill(1.4));
  scene.setPositions(positions, 0);
  await new Promise((resolve) => setTimeout(resolve, 500));
  const gl = scene.canvas.getContext("webgl2")!;
  // A saved picture draws everything at once; instead of being written as PNG it is waited for.
  scene.canvas.toBlob = (done) => {
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
    done(new Blob());
  };
  const times: Record<string, number[]> = { plain: [], styled: [] };
  for (let turn = 0; turn < turns; turn++) {
    for (const [name, look] of Object.entries(looks)) {
      scene.setEdgeLooks(edgeLooks(graph, look, null, "light"));
      await scene.toBlob();
      const before = performance.now();
      await scene.toBlob();
      times[name].push(performance.now() - before);
    }
  }
  const median = (all: number[]): number => all.sort((a, b) => a - b)[all.length >> 1];
  return Object.fromEntries(Object.entries(times).map(([name, all]) => [name, median(all)]));
}
