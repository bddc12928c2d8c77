// Everything on the picture: the scene, labels, the outline of a selection, the tooltip, and who stands out.

import { degreesOf } from "../data/adjacency.js";
import { rotated } from "../data/rotation.js";
import type { GraphData, Rotation } from "../data/types.js";
import { Disposables, perFrame, watchSize } from "../dom/disposables.js";
import { make } from "../dom/elements.js";
import { INK } from "../dom/theme.js";
import { nodeColors } from "../encoding/colors.js";
import { dotStyle, layoutArea, letterScale } from "../encoding/dots.js";
import { drawOrder, greyNodes } from "../encoding/draw-order.js";
import { diameterRange, nodeRadii } from "../encoding/sizes.js";
import { nameOf, textOf } from "../encoding/titles.js";
import { createScene } from "../scene/scene.js";
import type { CameraApi, SceneApi } from "../scene/types.js";
import type { SelectMode } from "../store/nodes.js";
import type { ViewState } from "../store/state.js";
import type { Store } from "../store/store.js";
import { type Appearance, plainAppearance } from "./appearance.js";
import { composedPicture } from "./composed-picture.js";
import { edgeLooks, sameEdges } from "./edge-appearance.js";
import { Highlight, type Marks } from "./highlight.js";
import { TextLayers } from "./labels/text-layers.js";
import { Lens } from "./lens.js";
import { Pins } from "./pins.js";
import { Hover } from "./pointer/hover.js";
import { Interaction } from "./pointer/interaction.js";
import { NodeDrag } from "./pointer/node-drag.js";
import { drawOutline } from "./pointer/selection-outline.js";
import { PredictedEdges } from "./predicted-edges.js";
import { StoredCamera } from "./stored-camera.js";

/** Pixels beside and above the outermost nodes for their labels. */
const LABEL_ROOM = { width: 36, height: 14 } as const;
const NO_NODES = new Uint32Array(0);

const KEYS =
  "Arrow keys move, plus and minus zoom, 0 shows all, space pauses, slash searches, n and Shift+N go to neighbours, Enter goes on from there, Backspace goes back, h hides what is selected, p pins or releases it, Shift+F10 opens a menu, Escape clears.";
let pictures = 0;

export interface PictureEvents {
  /** The pointer came to a node, or to none: -1. */
  hovered(node: number): void;
  clicked(node: number): void;
  /** Whether the layout changes by itself at the moment. */
  moving(): boolean;
  /** A menu is asked for: of a node, or of the picture for -1, at a point of it. */
  menu(node: number, left: number, top: number): void;
  step(by: 1 | -1): void;
  enter(): void;
  back(): void;
  play(): void;
  search(): void;
  escape(): void;
  /** Nodes have other sizes, since the picture has. */
  resized(): void;
}

export class Picture {
  /** What takes the focus, pointers and keys. */
  readonly surface: HTMLElement;
  readonly scene: SceneApi;
  readonly predicted: PredictedEdges;
  readonly pins: Pins;
  #disposables = new Disposables();
  #graph: GraphData;
  #store: Store;
  #events: PictureEvents;
  #interaction: Interaction;
  #texts: TextLayers;
  #hover: Hover;
  #outline = make("canvas", "graphne-overlay", { "aria-hidden": "true", hidden: true });
  #lens: Lens;
  #drag: NodeDrag;
  #appearance: Appearance;
  #highlight: Highlight;
  #hiddenEdges: Uint8Array | null = null;
  #camera: StoredCamera;
  #degrees: Uint32Array | null = null;
  #size: [width: number, height: number] = [0, 0];
  #base = 0;
  /** Where the nodes are, or go. */
  #shown: Float32Array | null = null;
  #markSoon: () => void;

  /** Throws where no scene can be made. */
  constructor(area: HTMLElement, graph: GraphData, store: Store, events: PictureEvents) {
    this.#graph = graph;
    this.#store = store;
    this.#events = events;
    this.#appearance = plainAppearance(graph);
    const help = make("p", "graphne-live", { id: `graphne-keys-${++pictures}` }, KEYS);
    this.surface = make("div", "graphne-surface", {
      tabindex: "0",
      role: "application",
      "aria-label": `Graph of ${graph.nodes} nodes and ${graph.edges} edges`,
      "aria-roledescription": "graph",
      "aria-describedby": help.id,
    });
    area.append(help);
    this.#disposables.add(() => help.remove());
    area.prepend(this.surface);
    // Before the scene does so, which draws at once: what is written on the picture would be stretched.
    watchSize(this.#disposables, this.surface, () => this.#measure());
    this.scene = createScene(this.surface, graph.nodes, graph.pairs);
    this.#disposables.add(() => this.scene.destroy());
    const lensCanvas = make("canvas", "graphne-overlay", { "aria-hidden": "true" });
    this.#lens = new Lens(lensCanvas, this.scene);
    this.#hover = new Hover(this.surface, this.scene, graph, this.#lens, {
      dragging: () => this.#interaction.dragging,
      changed: (node) => {
        this.#mark();
        events.hovered(node);
      },
    });
    this.#disposables.add(() => this.#hover.destroy());
    this.#texts = new TextLayers(this.scene, graph, (node) => this.#appearance.title(node));
    this.#disposables.add(() => this.#texts.destroy());
    this.#highlight = new Highlight(this.scene, graph, store, this.#texts, this.#lens);
    this.predicted = new PredictedEdges(this.scene, this.#highlight.flags);
    this.#camera = new StoredCamera(this.scene.camera, store);
    this.#disposables.add(() => this.#camera.destroy());
    const rotation = (): Rotation | null => this.#camera.rotation;
    this.#drag = new NodeDrag(this.scene, store, rotation);
    this.#disposables.add(() => this.#drag.destroy());
    this.pins = new Pins(this.scene, store, { rotation, moving: () => events.moving() });
    this.#disposables.add(() => this.pins.destroy());
    this.surface.append(
      this.predicted.canvas,
      this.#texts.edgeLabels.canvas,
      this.#texts.names.canvas,
      lensCanvas,
      this.#texts.labels.canvas,
      this.pins.canvas,
      this.#outline,
      make("div", "graphne-overlay graphne-ring"),
      this.#hover.tooltip.element,
    );
    this.#markSoon = perFrame(this.#disposables, () => this.#mark());
    this.#disposables.add(this.scene.onDraw(() => this.#drawn()));
    this.#interaction = new Interaction(this.surface, () => this.scene.camera, {
      hover: (left, top) => this.#hover.pointAt(left, top),
      leave: () => this.#hover.leave(),
      tap: (left, top, mode, touch) => this.#tap(left, top, mode, touch),
      doubleTap: (left, top, touch) => this.#doubleTap(left, top, touch),
      outline: (points) => drawOutline(this.#outline, this.#size, points, INK[this.#appearance.shade].accent),
      select: (outline, mode) => this.#select(this.scene.within(outline), mode),
      moved: () => this.#cameraMoved(),
      fit: () => this.moveCamera((camera) => camera.fit(true)),
      play: () => events.play(),
      search: () => events.search(),
      aim: (left, top, touch) => this.#drag.aim(left, top, touch),
      grab: (left, top, touch) => this.#drag.grab(left, top, touch),
      drag: (left, top) => this.#drag.move(left, top),
      drop: (cancelled) => {
        if (cancelled) this.#drag.cancel();
        else this.#drag.drop();
      },
      menu: (at, touch) => this.#openMenu(at, touch),
      step: (by) => events.step(by),
      enter: () => events.enter(),
      back: () => events.back(),
      pin: () => this.pins.toggle(store.state.selection),
      hide: () => store.dispatch({ type: "hide", nodes: store.state.selection, of: graph.nodes }),
      escape: () => {
        this.#hover.leave();
        events.escape();
      },
    });
    this.#disposables.add(() => this.#interaction.destroy());
    const watch = <T>(select: (state: ViewState) => T, changed: (value: T) => void): void =>
      this.#disposables.add(store.subscribe(select, changed));
    watch(
      ({ selection }) => selection,
      () => this.#markSoon(),
    );
    watch(
      ({ tool }) => tool,
      () => this.#takeTool(),
    );
    watch(
      ({ lens }) => lens,
      (on) => {
        this.#lens.on = on;
        this.#lens.look(-1, this.#highlight.flags);
        this.#markSoon();
      },
    );
    this.#takeTool();
    this.#lens.on = store.state.lens;
    this.#measure();
  }

  /** Diameters in pixels of the nodes with the least and the greatest value. */
  get diameters(): readonly [smallest: number, largest: number] {
    const { size, sizeRange } = this.#appearance;
    return diameterRange(size, this.#graph.nodes, this.#base, sizeRange);
  }

  /** The radius of a node of usual size and the scale of the layout, in pixels, where all of it is seen. */
  get usual(): { readonly radius: number; readonly scale: number } {
    const { scale, zoom } = this.scene.camera;
    return { radius: this.#base, scale: scale / zoom };
  }

  /** Moves the camera for the user. */
  moveCamera(move: (camera: CameraApi) => void): void {
    move(this.scene.camera);
    this.#cameraMoved();
  }

  /** How the layout is rotated when it is drawn. */
  set rotation(rotation: Rotation | null) {
    this.#camera.rotation = rotation;
  }

  setAppearance(appearance: Appearance): void {
    const before = this.#appearance;
    this.#appearance = appearance;
    const { color, size, label, shade } = appearance;
    const { background, edge, selection, accent, lost, text } = INK[shade];
    this.#lens.setInk({ near: accent, far: lost, stranger: text });
    this.pins.setInk(text, background);
    this.scene.setSceneColors({ background, edge, selection });
    this.#styleLabels();
    this.scene.setColors(nodeColors(color, this.#graph, shade));
    if (size !== before.size || appearance.sizeRange !== before.sizeRange || !this.#base) this.#resizeNodes();
    if (size !== before.size || color !== before.color) {
      this.scene.setOrder(drawOrder(greyNodes(color, this.#graph), nodeRadii(size, this.#graph.nodes, 1)));
    }
    if (label !== before.label || size !== before.size) {
      const named = (node: number): string => nameOf(this.#graph, node);
      const text = label === null || label === "names" ? named : (node: number): string => textOf(label, node);
      this.#texts.labels.setTexts(label === null ? null : text, () =>
        size?.kind === "values" ? size.values : this.#degreesOf(),
      );
    }
    if (label !== before.label)
      this.scene.camera.reserve(label === null ? 0 : LABEL_ROOM.width, label === null ? 0 : LABEL_ROOM.height);
    this.#texts.names.show(appearance.classNames ? color : null, this.#graph, shade);
    if (shade !== before.shade || !sameEdges(appearance.edges, before.edges)) this.#dressEdges();
    this.#hover.setAppearance(appearance);
    this.scene.invalidate();
  }

  /** Leaves edges out: 1 for each that cannot be seen; null for none. */
  hideEdges(hidden: Uint8Array | null): void {
    if (hidden === this.#hiddenEdges) return;
    this.#hiddenEdges = hidden;
    this.#dressEdges();
  }

  #dressEdges(): void {
    const { edges, shade } = this.#appearance;
    const looks = edgeLooks(this.#graph, edges, this.#hiddenEdges, shade);
    this.scene.setEdgeLooks(looks);
    this.#texts.edgeLabels.show(edges, looks);
  }

  setPositions(positions: Float32Array): void {
    const { rotation } = this.#camera;
    const shown = rotation ? rotated(positions, rotation) : positions;
    this.scene.setPositions(shown);
    this.#shown = shown;
  }

  /** Nodes were put somewhere by hand: those that are held are there at once, others move there. */
  showPlacement(positions: Float32Array): void {
    if (this.#drag.active) this.#drag.show(positions);
    else this.setPositions(positions);
  }

  /** 1 for each node that cannot be seen; null where all can. */
  get hidden(): Uint8Array | null {
    return this.#highlight.hidden;
  }

  /** 1 for each edge that filters leave out; null where none does. */
  get hiddenEdges(): Uint8Array | null {
    return this.#hiddenEdges;
  }

  /** Selects the nodes of a path and draws its edges above the others, until something else is selected. */
  showPath(path: readonly number[]): void {
    this.#select(path, "replace");
    this.#highlight.setPath(path);
    this.#markSoon();
  }

  /** The node that is seen nearest to the middle, -1 for none. */
  central(): number {
    const [width, height] = this.#size;
    const [x, y] = this.scene.camera.toWorld(width / 2, height / 2);
    const { positions } = this.scene;
    let best = -1;
    let least = Number.POSITIVE_INFINITY;
    for (let node = 0; node < this.#graph.nodes; node++) {
      const away = Math.hypot(positions[2 * node] - x, positions[2 * node + 1] - y);
      if (away < least && !this.hidden?.[node]) [best, least] = [node, away];
    }
    return best;
  }

  #openMenu(at: { left: number; top: number } | null, touch: boolean): void {
    if (at) {
      this.#events.menu(this.#hover.nodeAt(at.left, at.top, touch), at.left, at.top);
      return;
    }
    const { selection } = this.#store.state;
    const node = selection.length === 1 ? selection[0] : -1;
    const { positions, camera } = this.scene;
    const place = camera.toScreen(positions[2 * node], positions[2 * node + 1]);
    const [left, top] = node >= 0 ? place : this.#size.map((side) => side / 2);
    this.#events.menu(node, left, top);
  }

  /** Who is found, picked out in the legend, not to be seen, or hovered in another view. */
  setMarks(marks: Marks): void {
    this.#highlight.set(marks);
    this.#markSoon();
  }

  /** Selects a node and shows it among its neighbours. */
  visit(node: number): void {
    this.#select([node], "replace");
    this.flyTo(node);
  }

  /** Shows a node among its neighbours; one that is hidden is nowhere to be shown. */
  flyTo(node: number): void {
    if (this.hidden?.[node]) return;
    const bounds = this.scene.boundsOf(Uint32Array.of(node, ...this.scene.neighborsOf(node).subarray(0, 10_000)));
    if (bounds) this.moveCamera((camera) => camera.flyTo(bounds));
  }

  /** Shows nodes as large as they fit, or while the layout moves all; it belongs to what was done last, and is undone with it. */
  showNodes(nodes: Uint32Array): void {
    const bounds = this.#events.moving() ? null : this.scene.boundsOf(nodes);
    if (bounds) this.scene.camera.flyTo(bounds);
    else this.scene.camera.fit(true);
    this.#cameraMoved(true);
  }

  /** The picture with its labels, as PNG. */
  toBlob(): Promise<Blob> {
    return composedPicture(this.scene, this.surface);
  }

  destroy(): void {
    this.#disposables.empty();
    this.surface.remove();
  }

  #degreesOf(): Uint32Array {
    return (this.#degrees ??= degreesOf(this.#graph.nodes, this.#graph.pairs));
  }

  #measure(): void {
    const { clientWidth: width, clientHeight: height } = this.surface;
    if (width === this.#size[0] && height === this.#size[1]) return;
    this.#size = [width, height];
    this.#texts.resize(width, height);
    this.#lens.resize(width, height);
    this.#hover.resize(width, height);
    if (this.#base) {
      this.#resizeNodes();
      this.#events.resized();
    }
    // Until now it may have stood outside of the page, where no font is known.
    this.#styleLabels();
    this.scene.invalidate();
  }

  #styleLabels(): void {
    const { background, text } = INK[this.#appearance.shade];
    const family = getComputedStyle(this.surface).fontFamily || "sans-serif";
    this.#texts.setStyle({ color: text, halo: background, family });
  }

  #resizeNodes(): void {
    const [width, height] = this.#size;
    this.#base = dotStyle(this.#graph.nodes, layoutArea(width || 400, height || 400)).radius;
    const { size, sizeRange } = this.#appearance;
    const radii = nodeRadii(size, this.#graph.nodes, this.#base, sizeRange);
    this.scene.setRadii(radii);
    this.#texts.labels.setScale((node) => letterScale(radii[node], this.#base));
  }

  #drawn(): void {
    // Every frame passes here, and most have nothing above them: whoever has not is not even called.
    if (this.predicted.shows) this.predicted.draw();
    this.#texts.draw(this.#shown);
    if (this.#lens.shows) this.#lens.draw();
    if (this.pins.shows) this.pins.draw();
    this.#hover.moved();
  }

  #tap(left: number, top: number, mode: SelectMode, touch: boolean): void {
    const pin = this.pins.at(left, top, touch ? 10 : 2);
    if (pin >= 0 && mode === "replace") {
      this.pins.release([pin]);
      return;
    }
    const node = this.#hover.nodeAt(left, top, touch);
    if (node >= 0) this.#events.clicked(node);
    const edge = node < 0 ? this.#hover.edgeAt(left, top, touch) : -1;
    if (node >= 0) {
      const held = mode === "add" && this.#store.state.selection.includes(node);
      this.#select([node], held ? "remove" : mode);
    } else if (edge >= 0) {
      this.#select(this.#graph.pairs.subarray(2 * edge, 2 * edge + 2), mode);
    } else if (mode === "replace") {
      this.#select(NO_NODES, "replace");
    }
    if (touch) this.#hover.touch(node, edge, left, top);
  }

  #doubleTap(left: number, top: number, touch: boolean): void {
    const node = this.#hover.nodeAt(left, top, touch);
    if (node >= 0) this.visit(node);
    else this.moveCamera((camera) => camera.fit(true));
  }

  #select(nodes: ArrayLike<number>, mode: SelectMode): void {
    this.#store.dispatch({ type: "select", nodes, mode });
  }

  #takeTool(): void {
    const { tool } = this.#store.state;
    this.#interaction.cancel();
    this.#interaction.tool = tool;
    this.surface.dataset.tool = tool;
  }

  #cameraMoved(amends = false): void {
    this.#camera.moved(amends);
    this.#hover.moved();
  }

  #mark(): void {
    this.#highlight.show(this.#hover.node, this.#hover.edge);
  }
}
