// The viewer: its data, and how changes of it reach the parts, the host and linked views. It knows no host but the `Host`
// it is given.

import { mergeColumns } from "./colors.js";
import { Bin, make, QUIET, watchSize } from "./dom.js";
import { RECALL_KEY } from "./explore.js";
import { formatCount, plural, sentenceOf } from "./format.js";
import type { Group, Member, News } from "./links.js";
import { sameNodes } from "./marks.js";
import { type Channel, NAMES_KEY } from "./menus.js";
import { buildParts, type Change, type Parts } from "./parts.js";
import { type Offer, offersOf } from "./saving.js";
import { statisticOf, titleOf } from "./statistics.js";
import { namingColumns, textsOf, titleBy } from "./titles.js";
import { INK, type Shade, shadeOf, watchHost } from "./theme.js";
import type { Bounds, Column, Frame, GraphViewerApi, Host, RunStatus, SceneInfo, Turn, ViewerData } from "./types.js";
import { announcement, factsOf, inPlaceOfPicture, selectedWords } from "./words.js";

/** Narrower than this, the legend folds and the menus hide behind a button. */
const NARROW = 600;
/** Narrower than this, the control bar saves room. */
const MEDIUM = 780;
/** Wider than this, legend and analysis have room beside each other. */
const SPACIOUS = 1000;
/** Lower than this, the tools do not fit below each other. */
const LOW = 336;
/** Lower than this, the analysis has no room below the picture. */
const TIGHT = 400;

/** Positions turned about the origin; the camera sees to where that is. */
function turned(positions: Float32Array, turn: Turn | null): Float32Array {
  if (!turn) return positions;
  const [a, b, c, d] = turn;
  const moved = new Float32Array(positions.length);
  for (let i = 0; i < positions.length; i += 2) {
    moved[i] = a * positions[i] + b * positions[i + 1];
    moved[i + 1] = c * positions[i] + d * positions[i + 1];
  }
  return moved;
}

export class GraphViewer implements GraphViewerApi {
  #root = make("div", "graphne");
  #el: HTMLElement;
  #bin = new Bin();
  #data: ViewerData;
  #host: Host;
  #shade: Shade = "light";
  #columns: Column[] = [];
  /** Where the nodes are at the moment that is looked at. */
  #seen: Float32Array | null = null;
  #parts: Parts;
  /** A bit for each node, as `Host.hid` has them. */
  #hidden: Uint8Array = new Uint8Array(0);
  #group: Group | null = null;
  #leave: () => void = () => {};
  /** What is done now was heard from the group: it knows. */
  #hearing = false;
  #member: Member;

  constructor(el: HTMLElement, data: ViewerData, host: Host = {}) {
    this.#el = el;
    this.#data = { ...data };
    this.#host = host;
    const viewer = this;
    this.#member = {
      get graph() {
        return viewer.#data.graph;
      },
      hear: (news) => viewer.#hear(news),
    };
    this.#bin.add(() => this.link(null));
    el.append(this.#root);
    this.#bin.add(() => this.#root.remove());
    this.#shade = shadeOf(data.theme, el);
    this.#parts = this.#build();
    this.#bin.add(() => this.#parts.bin.empty());
    this.#bin.add(watchHost(() => this.#follow()));
    // JupyterLab's one-key commands are for whatever has the focus, and it looks for this mark there before it looks
    // around: without it arrows would move cells, not sliders.
    this.#bin.listen<FocusEvent>(this.#root, "focusin", ({ target }) => {
      const control = target as Element;
      if (control.closest(`[${QUIET}]`)) control.setAttribute(QUIET, "true");
    });
    watchSize(this.#bin, this.#root, () => this.#fitWidth());
    this.#show(new Set(Object.keys(this.#data) as (keyof ViewerData)[]));
  }

  /** What part of the layout is looked at, null for all of it; setting it goes there. */
  get view(): Bounds | null {
    return this.#parts.picture?.view ?? null;
  }

  set view(bounds: Bounds | null) {
    if (bounds && this.#parts.picture) this.#parts.picture.view = bounds;
  }

  /** Shares what is hovered, selected, coloured and picked out with the other members of a group; null leaves it. */
  link(group: Group | null): void {
    if (group === this.#group) return;
    this.#leave();
    this.#leave = () => {};
    this.#group = group;
    if (group && this.#bin.open) this.#leave = group.join(this.#member);
  }

  update(part: Partial<ViewerData>): void {
    if (!this.#bin.open) return;
    const changed = new Set<keyof ViewerData>();
    for (const key of Object.keys(part) as (keyof ViewerData)[]) {
      if (part[key] !== undefined && !this.#same(key, part)) changed.add(key);
    }
    const before = this.#data;
    this.#data = { ...before, ...(Object.fromEntries([...changed].map((key) => [key, part[key]])) as Partial<ViewerData>) };
    if (changed.has("graph")) {
      this.#parts.bin.empty();
      if (!part.frame) this.#data.frame = null;
      this.#seen = null;
      if (!part.selection) this.#data.selection = new Uint32Array(0);
      this.#parts = this.#build();
      this.#show(new Set(Object.keys(this.#data) as (keyof ViewerData)[]));
    } else {
      this.#show(changed, before.status);
    }
  }

  frame(frame: Frame): void {
    if (!this.#bin.open) return;
    const { nodes } = this.#data.graph;
    if (frame.positions.length !== 2 * nodes) {
      this.warn(`A frame of ${plural(frame.positions.length / 2, "node")} does not fit the graph, which has ${formatCount(nodes)}.`);
      return;
    }
    this.#data.frame = frame;
    this.#place(frame);
  }

  warn(message: string): void {
    if (!this.#bin.open) return;
    this.#parts.status.note("warning", message, "warning");
    this.#parts.status.say(message);
  }

  destroy(): void {
    this.#bin.empty();
  }

  #same(key: keyof ViewerData, part: Partial<ViewerData>): boolean {
    if (key === "selection") return sameNodes(part.selection!, this.#data.selection);
    return part[key] === this.#data[key];
  }

  #build(): Parts {
    this.#hidden = new Uint8Array(0);
    return buildParts(this.#root, this.#data.graph, this.#host, {
      changed: (change) => this.#changed(change),
      told: (news) => this.#tell(news),
      hid: (bits) => {
        this.#hidden = bits;
        this.#countFacts();
        this.#host.hid?.(bits);
      },
      legend: () => {
        const { legend, picture } = this.#parts;
        picture?.setMarks({ classes: legend.marks });
        this.#tell({ legend: { column: this.#data.color, state: legend.state } });
      },
      chosen: (channel, key) => this.#choose(channel, key),
      offers: () => this.#offers(),
      positions: () => this.#seen,
      measured: () => this.#dress(),
      opened: () => this.#fitWidth(),
      moment: (frame) => this.#look(frame ?? this.#data.frame),
      escape: () => this.#escape(),
      explained: (info) => this.#explain(info),
      failed: (error) => this.warn(sentenceOf(error)),
    });
  }

  /** Brings to the screen what has changed. */
  #show(changed: ReadonlySet<keyof ViewerData>, before?: RunStatus): void {
    const data = this.#data;
    const { picture, tools, controls, explore } = this.#parts;
    const has = (...keys: (keyof ViewerData)[]): boolean => keys.some((key) => changed.has(key));
    if (has("height")) this.#root.style.height = `${Math.max(160, data.height)}px`;
    if (has("theme")) this.#shade = shadeOf(data.theme, this.#el);
    if (has("graph", "extra", "color", "size", "label", "theme")) this.#dress();
    if (has("edges")) {
      picture?.scene.setEdgesVisible(data.edges);
      tools.showEdges(data.edges, data.graph.pairs.length > 0);
    }
    if (has("color") && before) this.#tell({ color: data.color });
    if (has("selection")) {
      picture?.setMarks({ selection: data.selection });
      explore.select(data.selection);
      if (before) this.#tell({ selection: data.selection });
    }
    if (has("selection", "graph")) this.#countFacts();
    if (has("exaggeration")) controls.showExaggeration(data.exaggeration);
    if (has("status")) {
      controls.show(data.status);
      explore.setStatus(data.status);
      this.#report(before);
      if (before?.steerable !== data.status.steerable) this.#offer();
    }
    if (has("frame", "turn") && data.frame) this.#place(data.frame);
    this.#middle();
  }

  #place(frame: Frame): void {
    const { controls, status } = this.#parts;
    this.#look(frame);
    controls.progress(frame);
    if (!status.middle.hidden) this.#middle();
  }

  /** Shows the nodes at a moment of the run, be it the newest. */
  #look(frame: Frame | null): void {
    if (!frame) return;
    this.#seen = frame.positions;
    this.#parts.picture?.setPositions(turned(frame.positions, this.#data.turn));
    this.#parts.explore.moved();
  }

  #dress(): void {
    const { graph, extra, color, size, label } = this.#data;
    const { picture, legend, controls, search, explore } = this.#parts;
    this.#root.dataset["theme"] = this.#shade;
    const { column } = explore;
    this.#columns = [...mergeColumns(graph, extra), ...(column ? [column] : [])];
    const find = (key: string): Column | null => this.#columns.find((column) => column.key === key) ?? null;
    const colored = find(color);
    const written = find(label) ?? (label === NAMES_KEY && graph.names ? "names" : null);
    const title = titleBy(graph, written, this.#columns);
    // What stands on the nodes is what people look for, and what they are called.
    const beside = written === "names" ? null : written;
    const sought = new Set([...(beside ? [beside] : []), ...namingColumns(beside, this.#columns)]);
    search?.alsoIn([...sought].map(textsOf).filter((texts) => texts !== null));
    this.#offer();
    legend.show(colored, graph, this.#shade);
    picture?.dress({
      color: colored,
      size: find(size),
      label: written,
      columns: this.#columns,
      title,
      shade: this.#shade,
    });
    picture?.setMarks({ classes: legend.marks });
    controls.setInk(INK[this.#shade].accent, INK[this.#shade].text);
    explore.show(this.#columns, title, colored, this.#shade, [color, size, label].includes(RECALL_KEY));
  }

  #offers(): Offer[] {
    const { graph, selection, status } = this.#data;
    const { picture } = this.#parts;
    const command = status.steerable ? this.#host.command : undefined;
    return offersOf({ graph, selection, columns: this.#columns, picture: picture && (() => picture.toBlob()), command });
  }

  /** Fills the menus. */
  #offer(): void {
    const { graph, color, size, label, status } = this.#data;
    const compute = this.#host.command !== undefined && status.steerable && graph.nodes > 0;
    this.#parts.menus.show(this.#columns, graph.names !== null, { color, size, label }, compute);
  }

  /** Shows a column, which the kernel may have to compute first. */
  #choose(channel: Channel, key: string): void {
    const statistic = statisticOf(key);
    const { menus, status } = this.#parts;
    const before = this.#data[channel];
    if (!statistic || !this.#host.command || this.#columns.some((column) => column.key === key)) {
      this.#changed({ [channel]: key });
      return;
    }
    const words = `Computing ${titleOf(statistic)} …`;
    const note = `computing ${channel}`;
    menus.wait(channel, key);
    status.note(note, words, "busy");
    status.say(words);
    const end = (): boolean => {
      menus.wait(channel, null);
      status.dropNote(note);
      return this.#bin.open && this.#parts.menus === menus;
    };
    this.#host.command("statistic", { statistic }).then(
      () => {
        if (!end()) return;
        // Who chose something else meanwhile, in Python, keeps that; the new column is in the menu.
        if (this.#data[channel] === before) this.#changed({ [channel]: key });
        this.#offer();
      },
      (error: unknown) => {
        if (!end()) return;
        this.warn(sentenceOf(error));
        this.#offer();
      },
    );
  }

  /** The user changed something: show it here and tell the host, which never hears its own changes back. */
  #changed(part: Change): void {
    this.update(part);
    if ("selection" in part) {
      const count = this.#data.selection.length;
      this.#parts.status.say(count ? `${plural(count, "node")} selected` : "Selection cleared");
    }
    try {
      this.#host.changed?.(part);
    } catch (error) {
      this.warn((error as Error).message);
    }
  }

  #tell(news: News): void {
    if (!this.#hearing) this.#group?.tell(this.#member, news);
  }

  /** Does here what was done in another view. The host hears of it, as if it had been done here. */
  #hear({ hover, selection, color, legend }: News): void {
    if (!this.#bin.open || this.#hearing) return;
    this.#hearing = true;
    try {
      if (hover !== undefined) this.#parts.picture?.setMarks({ echo: hover });
      if (selection && !sameNodes(selection, this.#data.selection)) this.#changed({ selection });
      const known = color === "" || this.#columns.some(({ key }) => key === color);
      if (color !== undefined && color !== this.#data.color) {
        if (known) this.#changed({ color });
        else if (statisticOf(color) && this.#data.status.steerable) this.#choose("color", color);
      }
      if (legend && legend.column === this.#data.color) {
        this.#parts.legend.adopt(legend.state);
        this.#parts.picture?.setMarks({ classes: this.#parts.legend.marks });
      }
    } finally {
      this.#hearing = false;
    }
  }

  #countFacts(): void {
    const { graph, selection } = this.#data;
    const { explore, picture, status } = this.#parts;
    const chosen = selectedWords(selection, this.#hidden, explore.apart(selection));
    status.facts(factsOf(graph, chosen, this.#hidden, picture?.scene.info.mostEdges ?? Infinity));
  }

  /** Says how the picture is drawn, where that is not as it should be. */
  #explain(info: SceneInfo): void {
    const { status } = this.#parts;
    if (info.backend === "canvas2d" && info.reason) status.note("backend", info.reason, "info");
    else status.dropNote("backend");
    this.#countFacts();
  }

  #report(before: RunStatus | undefined): void {
    const { status } = this.#data;
    const { status: line } = this.#parts;
    if (status.state === "failed") line.note("run", status.message || "The run failed.", "error");
    else line.dropNote("run");
    const said = announcement(status, before);
    if (said !== null) line.say(said);
  }

  #middle(): void {
    this.#parts.status.center(...inPlaceOfPicture(this.#data, this.#parts.picture !== null));
  }

  #escape(): void {
    const { search, legend } = this.#parts;
    if (search?.clear()) return;
    if (this.#data.selection.length) this.#changed({ selection: new Uint32Array(0) });
    else legend.reset();
  }

  #follow(): void {
    const shade = shadeOf(this.#data.theme, this.#el);
    if (!this.#bin.open || shade === this.#shade) return;
    this.#shade = shade;
    this.#dress();
  }

  #fitWidth(): void {
    // Before it was on the page it could not see what is painted behind it.
    this.#follow();
    const width = this.#root.clientWidth;
    this.#root.toggleAttribute("data-spacious", width >= SPACIOUS);
    const size = width < NARROW ? "narrow" : width < MEDIUM ? "medium" : "wide";
    const before = this.#root.dataset["size"];
    this.#root.toggleAttribute("data-tight", size === "narrow" && this.#root.clientHeight < TIGHT);
    if (width && before !== size) {
      // Whoever folded the legend by hand keeps it so until it would cover the picture, or no longer does.
      if ((size === "narrow") !== (before === "narrow")) this.#parts.legend.fold(size === "narrow");
      this.#root.dataset["size"] = size;
      this.#parts.controls.redraw();
    }
    // Last, because it depends on what the others leave.
    this.#root.toggleAttribute("data-low", this.#parts.tools.element.clientHeight < LOW);
  }
}
