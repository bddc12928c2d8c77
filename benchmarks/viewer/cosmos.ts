// cosmos.gl 3 without its simulation. As by default it keeps a layout that grows in sight and moves on the graphics card
// from one frame to the next, as the viewer does; the move takes as long as the viewer's.

import { offer } from "./harness.js";
import { Graph } from "@cosmos.gl/graph";

let graph: Graph;

offer({
  frames: 1,
  async start(el, { pairs, positions }) {
    graph = new Graph(el, {
      enableSimulation: false,
      transitionDuration: 60,
      pixelRatio: 1,
      fitViewDelay: 0,
      fitViewDuration: 0,
      pointDefaultSize: 4,
      backgroundColor: "#ffffff",
    });
    await graph.ready;
    graph.setPointPositions(positions);
    graph.setLinks(Float32Array.from(pairs));
    graph.render();
  },
  update(_, positions) {
    graph.setPointPositions(positions);
    graph.render();
  },
});
