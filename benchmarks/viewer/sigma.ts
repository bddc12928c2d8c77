// sigma 3, updated as its documentation says: all positions in one go, the drawing left to sigma.

import { offer } from "./harness.js";
import { UndirectedGraph } from "graphology";
import Sigma from "sigma";

const graph = new UndirectedGraph();

offer({
  frames: 1,
  start(el, { nodes, pairs, positions }) {
    for (let i = 0; i < nodes; i++) graph.addNode(i, { x: positions[2 * i], y: positions[2 * i + 1], size: 2, color: "#0072b2" });
    for (let k = 0; k < pairs.length; k += 2) graph.addEdge(pairs[k], pairs[k + 1]);
    // Labels would cost more.
    new Sigma(graph, el, { renderLabels: false });
  },
  update(_, positions) {
    let at = 0;
    graph.updateEachNodeAttributes(
      (_node, attributes) => {
        attributes.x = positions[at++];
        attributes.y = positions[at++];
        return attributes;
      },
      { attributes: ["x", "y"] },
    );
  },
});
