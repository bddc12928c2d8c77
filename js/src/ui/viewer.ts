// The viewer: what is looked at, and the store of how. It brings content to the parts; state they take from the store. It
// knows no host but the `Host` it is given.

import { RECALL_KEY } from "../analysis/layout-metrics.js";
import { formatCount, plural, sentenceOf } from "../data/format.js";
import { statisticOf } from "../data/statistics.js";
import type { Column, Frame, RunState, RunStatus, Shade } from "../data/types.js";
import { Disposables, watchSize } from "../dom/disposables.js";
import { make, QUIET } from "../dom/elements.js";
import { INK, shadeOf, watchHost } from "../dom/theme.js";
import { APPEARANCE_KEYS } from "../protocol/settings.js";
import type { SceneInfo } from "../scene/types.js";
import type { GraphViewerApi, Host, ViewerData } from "../store/api.js";
import type { LinkGroup, LinkMember, SharedChange } from "../store/link-group.js";
import { cleanBits } from "../store/nodes.js";
import { putPlaces } from "../store/placement.js";
import { reduce } from "../store/reduce.js";
import { ENDS, INITIAL, type ViewState } from "../store/state.js";
import { type Cause, Store } from "../store/store.js";
import { type ExportOption, exportOptionsOf } from "./controls/save-menu.js";
import { heightOf } from "./height-handle.js";
import { buildParts, type Parts } from "./parts.js";
import { publishState } from "./publish-state.js";
import { allColumns, resolveAppearance, searchedTexts } from "./resolve-appearance.js";
import { updateSizeClasses, watchScrolling } from "./size-classes.js";
import { announcement, KERNEL_GONE, placeholderText, selectionText, summaryText } from "./status/status-text.js";
import { listenForUndo } from "./undo-keys.js";

/** What of a viewer's data is its state, kept by the store; the rest is what is looked at. */
const STATE = [...APPEARANCE_KEYS, "selection", "hidden", "placement"] as const;
/** What of the appearance is seen to elsewhere, not with the columns and colours. */
const APART: readonly string[] = ["edges", "exaggeration", "height"];
const CONTENT = ["graph", "extra", "frame", "status", "rotation", "events"] as const;
/** States in which the layout changes by itself. */
const MOVING: readonly RunState[] = ["starting", "running"];

type Content = Pick<ViewerData, (typeof CONTENT)[number]>;

function pick<K extends keyof ViewerData>(data: Partial<ViewerData>, keys: readonly K[]): Partial<Pick<ViewerData, K>> {
  const given = keys.filter((key) => data[key] !== undefined).map((key) => [key, data[key]] as const);
  return Object.fromEntries(given) as Partial<Pick<ViewerData, K>>;
}

/** The part of the state that a host has said something about. */
function statePart(data: Partial<ViewerData>, nodes: number): Partial<ViewState> {
  const part = pick(data, STATE);
  return { ...part, ...(part.hidden && { hidden: cleanBits(part.hidden, nodes) }), ...data.view };
}

export class GraphViewer implements GraphViewerApi {
  #root = make("div", "graphne");
  #el: HTMLElement;
  #disposables = new Disposables();
  #content: Content;
  #store: Store;
  #host: Host;
  #shade: Shade = "light";
  #columns: Column[] = [];
  /** Where the nodes are at the moment that is looked at. */
  #positions: Float32Array | null = null;
  #moment: Frame | null = null;
  #parts: Parts;
  /** Explains what the picture shows. */
  #showLegend: () => void = () => {};
  #group: LinkGroup | null = null;
  #leave: () => void = () => {};
  #member: LinkMember;
  /** Several things change at once: columns and colours are looked at when all have. */
  #batching = false;
  #appearanceChanged = false;

  constructor(el: HTMLElement, data: ViewerData, host: Host = {}) {
    this.#el = el;
    this.#content = pick(data, CONTENT) as Content;
    this.#host = host;
    this.#store = new Store(reduce(INITIAL, { type: "set", part: statePart(data, data.graph.nodes) }));
    const viewer = this;
    this.#member = {
      get graph() {
        return viewer.#content.graph;
      },
      receive: (change) => viewer.#receive(change),
    };
    this.#disposables.add(() => this.link(null));
    el.append(this.#root);
    this.#disposables.add(() => this.#root.remove());
    this.#shade = shadeOf(data.theme, el);
    this.#parts = this.#build();
    this.#disposables.add(() => this.#parts.disposables.empty());
    this.#disposables.add(watchHost(() => this.#followTheme()));
    // JupyterLab's one-key commands are for whatever has the focus, and it looks for this mark there before it looks
    // around: without it arrows would move cells, not sliders.
    this.#disposables.listen<FocusEvent>(this.#root, "focusin", ({ target }) => {
      const control = target as Element;
      if (control.closest(`[${QUIET}]`)) control.setAttribute(QUIET, "true");
    });
    listenForUndo(this.#disposables, this.#root, this.#store);
    watchSize(this.#disposables, this.#root, () => this.#fitWidth());
    watchScrolling(this.#disposables, this.#root);
    this.#subscribe();
    this.#show(new Set(CONTENT));
    this.#showState();
  }

  /** Shares what is hovered and most of the state with the other members of a group; null leaves it. */
  link(group: LinkGroup | null): void {
    if (group === this.#group) return;
    this.#leave();
    this.#leave = () => {};
    this.#group = group;
    if (group && this.#disposables.open) this.#leave = group.join(this.#member);
  }

  update(part: Partial<ViewerData>): void {
    if (!this.#disposables.open) return;
    const given = pick(part, CONTENT);
    const changed = new Set(CONTENT.filter((key) => key in given && given[key] !== this.#content[key]));
    const before = this.#content;
    this.#content = { ...before, ...given };
    const state = statePart(part, this.#content.graph.nodes);
    if (changed.has("graph")) {
      this.#parts.disposables.empty();
      if (!part.frame) this.#content.frame = null;
      this.#positions = null;
      // What was said of another graph's nodes means nothing here.
      const { selection, hidden, placement, camera, filters } = INITIAL;
      const kept = { ...this.#store.state, selection, hidden, placement, camera, filters };
      this.#store.replace(reduce(kept, { type: "set", part: state }));
      this.#parts = this.#build();
      this.#show(new Set(CONTENT));
      this.#showState();
      return;
    }
    this.#batching = true;
    this.#store.dispatch({ type: "set", part: state }, "host");
    this.#batching = false;
    const appearanceChanged = this.#appearanceChanged;
    this.#appearanceChanged = false;
    this.#show(changed, before.status, appearanceChanged);
  }

  frame(frame: Frame): void {
    if (!this.#disposables.open) return;
    const { nodes } = this.#content.graph;
    if (frame.positions.length !== 2 * nodes) {
      const words = `A frame of ${plural(frame.positions.length / 2, "node")} does not fit the graph`;
      this.warn(`${words}, which has ${formatCount(nodes)}.`);
      return;
    }
    this.#content.frame = frame;
    this.#showFrame(frame);
  }

  warn(message: string): void {
    if (!this.#disposables.open) return;
    this.#parts.status.note("warning", message, "warning");
    this.#parts.status.announce(message);
  }

  destroy(): void {
    this.#disposables.empty();
  }

  #build(): Parts {
    return buildParts(this.#root, this.#content.graph, this.#store, this.#host, {
      hovered: (hover) => {
        this.#group?.send(this.#member, { hover });
        this.#tell("hover", hover);
      },
      clicked: (node) => this.#tell("click", node),
      moving: () => MOVING.includes(this.#content.status.state),
      visibilityChanged: (bits) => {
        this.#updateSummary();
        this.#host.visibilityChanged?.(bits);
      },
      columns: () => this.#columns,
      settled: () => this.#fillMenus(),
      exportOptions: () => this.#exportOptions(),
      positions: () => this.#positions,
      measured: () => this.#applyAppearance(),
      opened: () => this.#fitWidth(),
      moment: (frame) => this.#showMoment(frame ?? this.#content.frame),
      escape: () => this.#escape(),
      resized: () => this.#showLegend(),
      backendChanged: (info) => this.#reportBackend(info),
      failed: (error) => this.warn(sentenceOf(error)),
    });
  }

  /** What of the state concerns the view as a whole; parts see to the rest themselves. */
  #subscribe(): void {
    const watch = <T>(select: (state: ViewState) => T, changed: (value: T, before: T, cause: Cause) => void): void =>
      this.#disposables.add(this.#store.subscribe(select, changed));
    watch(
      ({ theme }) => theme,
      (theme) => (this.#shade = shadeOf(theme, this.#el)),
    );
    watch(
      (state) => JSON.stringify(APPEARANCE_KEYS.filter((key) => !APART.includes(key)).map((key) => state[key])),
      () => {
        if (this.#batching) this.#appearanceChanged = true;
        else this.#applyAppearance();
      },
    );
    watch(
      ({ placement }) => placement,
      () => this.#showPlacement(),
    );
    watch(
      ({ height, table }) => heightOf(height, table),
      () => this.#setHeight(),
    );
    watch(
      ({ edges }) => edges,
      (edges) => this.#parts.picture?.scene.setEdgesVisible(edges),
    );
    watch(
      ({ exaggeration }) => exaggeration,
      (value) => this.#parts.controls.showExaggeration(value),
    );
    watch(
      ({ selection }) => selection,
      ({ length }, _, cause) => {
        this.#updateSummary();
        if (cause !== "host")
          this.#parts.status.announce(length ? `${plural(length, "node")} selected` : "Selection cleared");
      },
    );
    const share = (change: SharedChange): void => this.#group?.send(this.#member, change);
    publishState(this.#disposables, this.#store, this.#host, share, (error) => this.warn(sentenceOf(error)));
  }

  /** Tells the host what the pointer does, where somebody wants to hear of it. */
  #tell(event: "click" | "hover", node: number): void {
    if (this.#content.events.includes(event)) this.#host.pointed?.(event, node);
  }

  #setHeight(): void {
    const { height, table } = this.#store.state;
    this.#root.style.height = `${heightOf(height, table)}px`;
  }

  /** Brings all of the state to new parts. */
  #showState(): void {
    const { edges, exaggeration } = this.#store.state;
    this.#setHeight();
    this.#parts.picture?.scene.setEdgesVisible(edges);
    this.#parts.controls.showExaggeration(exaggeration);
    this.#updateSummary();
  }

  /** Brings to the screen what has changed. */
  #show(changed: ReadonlySet<keyof Content>, before?: RunStatus, appearanceChanged = false): void {
    const { frame, status, rotation } = this.#content;
    const { picture, controls, analysis } = this.#parts;
    if (appearanceChanged || changed.has("graph") || changed.has("extra")) this.#applyAppearance();
    if (changed.has("status")) {
      controls.show(status);
      analysis.setStatus(status);
      this.#reportRun(before);
      if (before?.steerable !== status.steerable) this.#fillMenus();
    }
    if (changed.has("rotation") && picture) picture.rotation = rotation;
    if ((changed.has("frame") || changed.has("rotation")) && frame) this.#showFrame(frame);
    this.#showPlaceholder();
  }

  #showFrame(frame: Frame): void {
    const { controls, status } = this.#parts;
    this.#showMoment(frame);
    controls.progress(frame);
    if (status.hasPlaceholder) this.#showPlaceholder();
  }

  /** Shows the nodes at a moment of the run, be it the newest. */
  #showMoment(frame: Frame | null): void {
    if (!frame) return;
    this.#moment = frame;
    this.#positions = this.#placed(frame);
    this.#parts.picture?.setPositions(this.#positions);
    this.#parts.analysis.moved();
  }

  /** The positions of a frame; in the newest, nodes are where somebody has put them. */
  #placed(frame: Frame): Float32Array {
    const { placement } = this.#store.state;
    if (frame !== this.#content.frame || placement.nodes.length === 0) return frame.positions;
    const moving = MOVING.includes(this.#content.status.state);
    return putPlaces(frame.positions, placement, moving);
  }

  /** Nodes were put somewhere else, or released. */
  #showPlacement(): void {
    const { picture, analysis } = this.#parts;
    if (!this.#moment || this.#moment !== this.#content.frame) return;
    this.#positions = this.#placed(this.#moment);
    picture?.showPlacement(this.#positions);
    analysis.moved();
  }

  #applyAppearance(): void {
    const { graph, extra } = this.#content;
    const { state } = this.#store;
    const { picture, legend, controls, search, analysis, visibility } = this.#parts;
    this.#root.dataset.theme = this.#shade;
    this.#columns = allColumns(graph, extra, analysis.column, state);
    const appearance = resolveAppearance(graph, this.#columns, state, this.#shade);
    const { color: colored, size, edges, edgeColumns, title } = appearance;
    search?.alsoIn(searchedTexts(appearance));
    this.#fillMenus();
    picture?.setAppearance(appearance);
    this.#showLegend = () => {
      const diameters = picture?.diameters ?? [0, 0];
      legend.show(colored, graph, this.#shade, { size, diameters, edges });
    };
    this.#showLegend();
    this.#parts.more.show(graph, colored);
    this.#updateSummary();
    visibility.show(this.#columns, colored);
    this.#parts.nodeMenu?.show(colored, title);
    this.#parts.crumbs.show([...this.#columns, ...edgeColumns]);
    controls.setInk(INK[this.#shade].accent, INK[this.#shade].text);
    this.#parts.table.setColumns(this.#columns);
    this.#parts.timeline.setColumns(this.#columns, edgeColumns);
    analysis.show(
      this.#columns,
      title,
      colored,
      this.#shade,
      [state.color, state.size, state.label].includes(RECALL_KEY),
    );
  }

  #exportOptions(): ExportOption[] {
    const { graph, status } = this.#content;
    const { selection } = this.#store.state;
    const { picture } = this.#parts;
    const command = status.steerable ? this.#host.command : undefined;
    return exportOptionsOf({
      graph,
      selection,
      columns: this.#columns,
      picture: picture && (() => picture.toBlob()),
      command,
    });
  }

  /** Fills the menus. */
  #fillMenus(): void {
    const { graph, status } = this.#content;
    const { color, size, label } = this.#store.state;
    const compute = this.#host.command !== undefined && status.steerable && graph.nodes > 0;
    this.#parts.menus.show(this.#columns, graph.names !== null, { color, size, label }, compute);
  }

  /** Does here what was done in another view. The host hears of it, as if it had been done here. */
  #receive({ hover, color, ...part }: SharedChange): void {
    if (!this.#disposables.open) return;
    if (hover !== undefined) this.#parts.picture?.setMarks({ hoveredElsewhere: hover });
    const known = color === "" || this.#columns.some(({ key }) => key === color);
    this.#store.dispatch({ type: "set", part: { ...part, ...(color !== undefined && known && { color }) } }, "group");
    // A statistic that another view shows is computed here, too.
    if (color && !known && statisticOf(color) && this.#content.status.steerable)
      this.#parts.chooser.choose("color", color);
  }

  #updateSummary(): void {
    const { graph } = this.#content;
    const { selection } = this.#store.state;
    const { analysis, picture, status, visibility } = this.#parts;
    const chosen = selectionText(selection, visibility.bits, analysis.distanceText(selection));
    const info = picture?.scene.info ?? { mostEdges: Infinity, mostStyled: Infinity };
    status.setSummary(summaryText(graph, chosen, visibility, info, this.#stylesEdges));
  }

  /** Whether edges are asked to have looks of their own. */
  get #stylesEdges(): boolean {
    const { edgeWidth, edgeColor, arrows } = this.#store.state;
    return (
      edgeWidth !== "" || (edgeColor !== "" && edgeColor !== ENDS) || (arrows && this.#content.graph.directed !== false)
    );
  }

  /** Says how the picture is drawn, where that is not as it should be. */
  #reportBackend(info: SceneInfo): void {
    const { status } = this.#parts;
    if (info.backend === "canvas2d" && info.reason) status.note("backend", info.reason, "info");
    else status.dropNote("backend");
    this.#updateSummary();
  }

  #reportRun(before: RunStatus | undefined): void {
    const { status } = this.#content;
    const { status: line } = this.#parts;
    if (status.state === "failed") line.note("run", status.message || "The run failed.", "error");
    else line.dropNote("run");
    if (!status.gone) line.dropNote("kernel");
    else if (!before?.gone) line.note("kernel", KERNEL_GONE, "warning");
    if (!status.update) line.dropNote("update");
    else if (status.update !== before?.update) line.note("update", status.update, "info");
    const words = announcement(status, before);
    if (words !== null) line.announce(words);
  }

  #showPlaceholder(): void {
    this.#parts.status.setPlaceholder(...placeholderText(this.#content, this.#parts.picture !== null));
  }

  #escape(): void {
    if (this.#parts.search?.clear()) return;
    if (this.#store.state.selection.length) this.#store.dispatch({ type: "select", nodes: [], mode: "replace" });
    else this.#store.dispatch({ type: "resetLegend" });
  }

  #followTheme(): void {
    const shade = shadeOf(this.#store.state.theme, this.#el);
    if (!this.#disposables.open || shade === this.#shade) return;
    this.#shade = shade;
    this.#applyAppearance();
  }

  #fitWidth(): void {
    // Before it was on the page it could not see what is painted behind it.
    this.#followTheme();
    const { toolbar, legend, controls } = this.#parts;
    updateSizeClasses(this.#root, toolbar.element, (narrow, folds) => {
      // Whoever folded the legend by hand keeps it so until it would cover the picture, or no longer does.
      if (folds) legend.fold(narrow);
      controls.redraw();
    });
  }
}
