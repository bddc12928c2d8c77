// What is written on the picture: labels of edges below the names of classes, and those below the labels of nodes.

import type { GraphData } from "../../data/types.js";
import { make } from "../../dom/elements.js";
import type { Title } from "../../encoding/titles.js";
import type { SceneApi } from "../../scene/types.js";
import { EdgeLabels } from "./edge-labels.js";
import { MapNames } from "./map-names.js";
import { type LabelStyle, Labels } from "./node-labels.js";

const overlay = (more = ""): HTMLCanvasElement =>
  make("canvas", `graphne-overlay ${more}`.trim(), { "aria-hidden": "true" });

export class TextLayers {
  readonly labels: Labels;
  readonly names: MapNames;
  readonly edgeLabels: EdgeLabels;

  /** `title` is how a node is called that is named whatever the labels are. */
  constructor(scene: SceneApi, graph: GraphData, title: Title) {
    this.labels = new Labels(overlay(), scene, title);
    this.names = new MapNames(overlay("graphne-names"), scene);
    this.edgeLabels = new EdgeLabels(overlay(), scene, graph);
  }

  setStyle(style: LabelStyle): void {
    for (const layer of this.#layers) layer.setStyle(style);
  }

  resize(width: number, height: number): void {
    for (const layer of this.#layers) layer.resize(width, height);
  }

  /** Whatever comes later makes room for the names, which are found by where the nodes are, or go. */
  draw(positions: Float32Array | null): void {
    if (this.names.shows) {
      this.names.setPositions(positions);
      this.names.draw();
    }
    if (this.edgeLabels.shows) this.edgeLabels.draw(this.names.boxes);
    if (this.labels.shows) this.labels.draw(this.names.boxes);
  }

  destroy(): void {
    for (const layer of this.#layers) layer.destroy();
  }

  get #layers(): readonly (Labels | MapNames | EdgeLabels)[] {
    return [this.edgeLabels, this.names, this.labels];
  }
}
