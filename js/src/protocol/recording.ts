// The way a layout formed: moments of a run, as graphne_viz/viewer/run/recording.py writes them.

import type { Frame, Recording } from "../data/types.js";
import { type Bytes, count, list, number, object, open } from "./wire.js";

interface Shot {
  readonly iteration: number;
  readonly phase: number;
  readonly kl: number;
  readonly corner: readonly [number, number];
  readonly unit: number;
}

/** The moments of a run of a graph with so many nodes; throws an Error with one sentence that can be shown. */
export function decodeRecording(buffer: Bytes, nodes: number): Recording {
  const box = open(buffer);
  if (box.nodes !== nodes) throw new Error(`The replay is of ${box.nodes} nodes; the graph has ${nodes}.`);
  const heads = list(box.header.shots, "shots").map((value) => object(value, "shots"));
  if (heads.length === 0) throw new Error("The replay is empty.");
  const each = 2 * nodes;
  const low = box.array(box.header.low, ["u1"], "low", each * heads.length);
  const high = box.array(box.header.high, ["u1"], "high", each * heads.length);
  const places = new Uint16Array(each * heads.length);
  const shots = heads.map((head, k): Shot => {
    const from = k * each;
    if (head.whole === true || k === 0) {
      for (let i = from; i < from + each; i++) places[i] = low[i] | (high[i] << 8);
    } else {
      for (let i = from; i < from + each; i++) {
        const folded = low[i] | (high[i] << 8);
        places[i] = places[i - each] + ((folded >>> 1) ^ -(folded & 1));
      }
    }
    const [x, y] = list(head.corner, "corner");
    return {
      iteration: count(head.iteration, "iteration"),
      phase: count(head.phase, "phase"),
      kl: head.kl == null ? Number.NaN : number(head.kl, "kl"),
      corner: [number(x, "corner"), number(y, "corner")],
      unit: number(head.unit, "unit"),
    };
  });
  return {
    length: shots.length,
    at: (k): Frame => {
      const { corner, unit, iteration, phase, kl } = shots[k];
      const positions = new Float32Array(each);
      for (let i = 0, from = k * each; i < each; i++) positions[i] = corner[i & 1] + unit * places[from + i];
      return { nodes, seq: 0, iteration, phase, kl, exaggeration: 1, run: 0, positions };
    },
  };
}
