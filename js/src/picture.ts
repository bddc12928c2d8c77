// Everything on the picture: the scene, labels, the outline of a selection, the tooltip, and who stands out.

import { nodeColors, nodeRadii, suitableRadius } from "./colors.js";
import { Bin, make, perFrame, watchSize } from "./dom.js";
import { formatCount, plural } from "./format.js";
import { Interaction, type Tool } from "./interaction.js";
import { Labels, degreesOf } from "./labels.js";
import { Lens } from "./lens.js";
import { centerOf, type ClassMarks, combine, hiddenBits, isHidden, markNodes, sameNodes, type SelectMode } from "./marks.js";
import { createScene } from "./scene.js";
import { drawSketch } from "./sketch.js";
import { INK, type Shade } from "./theme.js";
import { nameOf, type Title } from "./titles.js";
import { Tooltip, rowsOf, textOf } from "./tooltip.js";
import { type Bounds, type Column, type GraphData, type SceneApi, SELECTED } from "./types.js";

/** Milliseconds between two looks at what is under a pointer that rests while the nodes move. */
const REPICK = 100;
/** Selected nodes are labelled up to this number. */
const MOST_PINNED = 20;
/** The key of the column that holds every node's number of neighbours. */
const DEGREE_KEY = "degree";
const NOBODY = new Uint32Array(0);

export interface PictureEvents {
  selected(selection: Uint32Array): void;
  /** The pointer came to a node, or to none: -1. */
  hovered(node: number): void;
  /** Other nodes are hidden than before; a bit each, nothing if none is. */
  hid?(bits: Uint8Array): void;
  play(): void;
  search(): void;
  escape(): void;
}

export interface Look {
  readonly color: Column | null;
  readonly size: Column | null;
  /** What is written beside nodes; "names" for their own names. */
  readonly label: Column | "names" | null;
  readonly columns: readonly Column[];
  /** How nodes are called wherever one of them is spoken of. */
  readonly title: Title;
  readonly shade: Shade;
}

export class Picture {
  /** What takes the focus, pointers and keys. */
  readonly surface: HTMLElement;
  readonly scene: SceneApi;
  #bin = new Bin();
  #graph: GraphData;
  #events: PictureEvents;
  #interaction: Interaction;
  #labels: Labels;
  #tooltip = new Tooltip();
  #sketch = make("canvas", "graphne-overlay", { "aria-hidden": "true", hidden: true });
  #lens: Lens;
  #look: Look;
  #flags: Uint8Array;
  #selection: Uint32Array = NOBODY;
  #matches: ArrayLike<number> | null = null;
  #classes: ClassMarks | null = null;
  #hidden: Uint8Array | null = null;
  #pointer: { left: number; top: number } | null = null;
  #hovered = -1;
  #hiddenBits: Uint8Array = new Uint8Array(0);
  #suspect = false;
  /** What is hovered in another view. */
  #echo = -1;
  #pickedAt = 0;
  #degrees: Uint32Array | null = null;
  #size: [width: number, height: number] = [0, 0];
  #base = 0;
  #placed = false;
  #wanted: Bounds | null = null;
  #remark: () => void;
  #repick: () => void;

  /** Throws where no scene can be made. */
  constructor(stage: HTMLElement, graph: GraphData, events: PictureEvents) {
    this.#graph = graph;
    this.#look = { color: null, size: null, label: null, columns: [], title: (node) => nameOf(graph, node), shade: "light" };
    this.#events = events;
    this.#flags = new Uint8Array(graph.nodes);
    const overlay = make("canvas", "graphne-overlay", { "aria-hidden": "true" });
    this.surface = make("div", "graphne-surface", {
      tabindex: "0",
      role: "application",
      "aria-label": `Graph of ${graph.nodes} nodes and ${graph.edges} edges`,
      "aria-roledescription": "graph; arrows move, plus and minus zoom, 0 shows all, space pauses, slash searches",
    });
    stage.prepend(this.surface);
    this.scene = createScene(this.surface, graph.nodes, graph.pairs);
    this.#bin.add(() => this.scene.destroy());
    const glass = make("canvas", "graphne-overlay", { "aria-hidden": "true" });
    this.#lens = new Lens(glass, this.scene);
    this.surface.append(glass, overlay, this.#sketch, make("div", "graphne-overlay graphne-ring"), this.#tooltip.element);
    this.#labels = new Labels(overlay, this.scene, (node) => this.#look.title(node));
    this.#bin.add(() => this.#labels.destroy());
    this.#remark = perFrame(this.#bin, () => this.#mark());
    this.#repick = perFrame(this.#bin, () => this.#pick());
    this.#bin.add(this.scene.onDraw(() => this.#drawn()));
    this.#interaction = new Interaction(this.surface, () => this.scene.camera, {
      hover: (left, top) => {
        this.#pointer = { left, top };
        this.#repick();
      },
      leave: () => this.#leave(),
      tap: (left, top, mode, touch) => this.#tap(left, top, mode, touch),
      doubleTap: (left, top, touch) => this.#doubleTap(left, top, touch),
      sketch: (outline) => drawSketch(this.#sketch, this.#size, outline, INK[this.#look.shade].accent),
      select: (outline, mode) => this.#choose(this.scene.within(outline), mode),
      moved: () => this.#repickLater(),
      fit: () => this.scene.camera.fit(true),
      play: () => events.play(),
      search: () => events.search(),
      escape: () => {
        this.#leave();
        events.escape();
      },
    });
    this.#bin.add(() => this.#interaction.destroy());
    watchSize(this.#bin, this.surface, () => this.#measure());
    this.#measure();
  }

  get tool(): Tool {
    return this.#interaction.tool;
  }

  set tool(tool: Tool) {
    this.#interaction.cancel();
    this.#interaction.tool = tool;
    this.surface.dataset["tool"] = tool;
  }

  /** Whether hovering shows where a node's neighbours are, and who is near without being one. */
  get lens(): boolean {
    return this.#lens.on;
  }

  set lens(on: boolean) {
    this.#lens.on = on;
    this.#lens.look(-1, this.#flags);
    this.#remark();
  }

  /** What part of the layout is looked at; null while the camera follows all of it. */
  get view(): Bounds | null {
    const { camera } = this.scene;
    if (camera.following || !this.#size[0] || !this.#size[1]) return null;
    const [left, top] = camera.toWorld(0, 0);
    const [right, bottom] = camera.toWorld(...this.#size);
    return { left, bottom, right, top };
  }

  /** Looks there without a flight, as soon as there is something to look at and a size to show it in. */
  set view(bounds: Bounds | null) {
    this.#wanted = bounds;
    const [width, height] = this.#size;
    if (!bounds || !this.#placed || !width || !height) return;
    this.#wanted = null;
    const { camera } = this.scene;
    const scale = Math.min(width / (bounds.right - bounds.left), height / (bounds.top - bounds.bottom));
    camera.zoomBy(scale / camera.scale);
    const [left, top] = camera.toScreen((bounds.left + bounds.right) / 2, (bounds.top + bounds.bottom) / 2);
    camera.panBy(width / 2 - left, height / 2 - top);
  }

  dress(look: Look): void {
    const before = this.#look;
    this.#look = look;
    const { color, size, label, shade } = look;
    const { background, edge, selection, accent, lost, text } = INK[shade];
    this.#lens.setInk({ near: accent, far: lost, stranger: text });
    this.scene.setSceneColors({ background, edge, selection });
    this.#styleLabels();
    this.scene.setColors(nodeColors(color, this.#graph, shade));
    if (size !== before.size || !this.#base) this.#resizeNodes();
    if (label !== before.label || size !== before.size) {
      const named = (node: number): string => nameOf(this.#graph, node);
      const text = label === null || label === "names" ? named : (node: number): string => textOf(label, node);
      this.#labels.setTexts(label === null ? null : text, () => (size?.kind === "values" ? size.values : this.#degreesOf()));
    }
    if (this.#hovered >= 0) this.#describe();
    this.scene.invalidate();
  }

  setPositions(positions: Float32Array): void {
    this.scene.setPositions(positions);
    this.#placed = true;
    if (this.#wanted) this.view = this.#wanted;
  }

  /** Who is selected, found, picked out in the legend or left out by filters. */
  setMarks(marks: {
    selection?: Uint32Array;
    matches?: ArrayLike<number> | null;
    classes?: ClassMarks | null;
    hidden?: Uint8Array | null;
    echo?: number;
  }): void {
    if (marks.selection !== undefined) this.#selection = marks.selection;
    if (marks.matches !== undefined) this.#matches = marks.matches;
    if (marks.classes !== undefined) this.#classes = marks.classes;
    if (marks.hidden !== undefined) this.#hidden = marks.hidden;
    if (marks.echo !== undefined) this.#echo = marks.echo;
    this.#suspect = true;
    this.#remark();
  }

  /** Selects a node and shows it among its neighbours. */
  visit(node: number): void {
    this.#choose([node], "replace");
    this.flyTo(node);
  }

  /** Shows a node among its neighbours; one that is hidden is nowhere to be shown. */
  flyTo(node: number): void {
    if (isHidden(this.#hiddenBits, node)) return;
    const bounds = this.scene.boundsOf(Uint32Array.of(node, ...this.scene.neighborsOf(node).subarray(0, 10_000)));
    if (bounds) this.scene.camera.flyTo(bounds);
  }

  /** The picture with its labels, as PNG. */
  async toBlob(): Promise<Blob> {
    const scene = await createImageBitmap(await this.scene.toBlob());
    const canvas = make("canvas", "");
    canvas.width = scene.width;
    canvas.height = scene.height;
    const context = canvas.getContext("2d");
    context?.drawImage(scene, 0, 0);
    for (const above of this.surface.querySelectorAll<HTMLCanvasElement>("canvas.graphne-overlay")) {
      if (above.width > 0) context?.drawImage(above, 0, 0, scene.width, scene.height);
    }
    scene.close();
    return new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("The browser made no picture."))), "image/png");
    });
  }

  destroy(): void {
    this.#bin.empty();
    this.surface.remove();
  }

  #degreesOf(): Uint32Array {
    return (this.#degrees ??= degreesOf(this.#graph.nodes, this.#graph.pairs));
  }

  #measure(): void {
    const { clientWidth: width, clientHeight: height } = this.surface;
    if (width === this.#size[0] && height === this.#size[1]) return;
    this.#size = [width, height];
    this.#labels.resize(width, height);
    this.#lens.resize(width, height);
    if (this.#base) this.#resizeNodes();
    // Until now it may have stood outside of the page, where no font is known.
    this.#styleLabels();
    if (this.#wanted) this.view = this.#wanted;
    this.scene.invalidate();
  }

  #styleLabels(): void {
    const { background, text } = INK[this.#look.shade];
    this.#labels.setStyle({ color: text, halo: background, family: getComputedStyle(this.surface).fontFamily || "sans-serif" });
  }

  #resizeNodes(): void {
    const [width, height] = this.#size;
    // A layout is about as wide as it is high, whatever the canvas is.
    const side = Math.min(width, height) || 400;
    this.#base = suitableRadius(this.#graph.nodes, side * Math.min(Math.max(width, side), 1.4 * side));
    this.scene.setRadii(nodeRadii(this.#look.size, this.#graph.nodes, this.#base));
  }

  #drawn(): void {
    this.#labels.draw();
    this.#lens.draw();
    this.#repickLater();
  }

  /** The nodes or the camera moved: something else may be under the pointer by now. */
  #repickLater(): void {
    if (this.#pointer && performance.now() - this.#pickedAt > REPICK) this.#repick();
  }

  #pick(): void {
    this.#pickedAt = performance.now();
    if (!this.#pointer || this.#interaction.dragging) return;
    const { left, top } = this.#pointer;
    const node = this.scene.pick(left, top, 3);
    this.#hover(node);
    if (node >= 0) this.#tooltip.place(left, top, this.#size[0], this.#size[1], 14);
  }

  #hover(node: number): void {
    if (node === this.#hovered) return;
    this.#hovered = node;
    this.surface.classList.toggle("graphne-over", node >= 0);
    this.#mark();
    if (node < 0) this.#tooltip.hide();
    else this.#describe();
    this.#events.hovered(node);
  }

  #describe(): void {
    const { columns, color, shade, title } = this.#look;
    const node = this.#hovered;
    const rows = rowsOf(node, columns, color, this.#graph, shade);
    const counted = columns.some(({ key }) => key === DEGREE_KEY);
    this.#tooltip.show(title(node), counted ? null : this.scene.neighborsOf(node).length, rows, this.#lensWords(), this.#size[1]);
  }

  #lensWords(): string[] {
    const { seen } = this.#lens;
    if (!seen || this.#hovered < 0) return [];
    const all = seen.near.length + seen.far.length;
    const strangers = seen.strangers.length ? [`${formatCount(seen.strangers.length)} near without an edge`] : [];
    return [`${formatCount(seen.near.length)} of ${plural(all, "neighbour")} near`, ...strangers];
  }

  #leave(): void {
    this.#pointer = null;
    this.#hover(-1);
  }

  #tap(left: number, top: number, mode: SelectMode, touch: boolean): void {
    const node = this.scene.pick(left, top, touch ? 10 : 3);
    if (node < 0) {
      if (mode === "replace") this.#choose(NOBODY, "replace");
    } else {
      const held = mode === "add" && this.#selection.includes(node);
      this.#choose([node], held ? "remove" : mode);
    }
    // A finger cannot hover: what it taps is described.
    if (!touch) return;
    this.#hover(node);
    if (node >= 0) this.#tooltip.place(left, top, this.#size[0], this.#size[1], 22);
  }

  #doubleTap(left: number, top: number, touch: boolean): void {
    const node = this.scene.pick(left, top, touch ? 10 : 3);
    if (node >= 0) this.visit(node);
    else this.scene.camera.fit(true);
  }

  #choose(nodes: ArrayLike<number>, mode: SelectMode): void {
    if (mode !== "add" && nodes.length === 0 && this.#selection.length === 0) return;
    this.#selection = combine(this.#selection, nodes, mode);
    this.#remark();
    this.#events.selected(this.#selection);
  }

  #mark(): void {
    const { scene } = this;
    const echo = this.#hovered < 0 ? this.#echo : -1;
    const center = centerOf(echo < 0 ? this.#hovered : echo, this.#matches, this.#selection);
    // A new array each time would be garbage at every move of the pointer; the scene has read the old one by now.
    const flags = markNodes(this.#flags, {
      center,
      neighbors: center >= 0 ? scene.neighborsOf(center) : NOBODY,
      matches: this.#matches,
      selection: this.#selection,
      classes: this.#classes,
      hidden: this.#hidden,
    });
    // A ring tells the node from its neighbours; where there is no pointer on it, a name does, too.
    if (center >= 0) flags[center] |= SELECTED;
    this.#lens.look(center, flags);
    scene.raiseEdgesOf(center);
    scene.setFlags(flags);
    if (this.#suspect) this.#tellHidden(flags);
    const pinned = this.#selection.length <= MOST_PINNED ? Array.from(this.#selection) : [];
    this.#labels.setFlags(flags, echo >= 0 ? [echo, ...pinned.filter((node) => node !== echo)] : pinned);
    scene.invalidate();
  }

  /** Hovering hides nobody: only after other changes is it worth a look. */
  #tellHidden(flags: Uint8Array): void {
    this.#suspect = false;
    const bits = hiddenBits(flags);
    if (sameNodes(bits, this.#hiddenBits)) return;
    this.#hiddenBits = bits;
    this.#events.hid?.(bits);
  }
}
