// The viewer: picture, legend, tools and controls, wired to each other. It knows no host but the `Host` it is given.

import { mergeColumns } from "./colors.js";
import { Controls, describe } from "./controls.js";
import { Bin, iconButton, make, watchSize } from "./dom.js";
import { Explore, RECALL_KEY } from "./explore.js";
import { formatCount, plural } from "./format.js";
import { Legend } from "./legend.js";
import type { Group, Member, News } from "./links.js";
import { sameNodes } from "./marks.js";
import { type Channel, Menus, NAMES_KEY } from "./menus.js";
import { Picture } from "./picture.js";
import { Search, textsOf } from "./search.js";
import { Status } from "./status.js";
import { statisticOf } from "./statistics.js";
import { INK, type Shade, shadeOf, watchHost } from "./theme.js";
import { Tools } from "./tools.js";
import type { Bounds, Column, Frame, GraphViewerApi, Host, RunStatus, SceneInfo, Turn, ViewerData } from "./types.js";

/** Narrower than this, the legend folds and the menus hide behind a button. */
const NARROW = 600;
/** Narrower than this, the control bar saves room. */
const MEDIUM = 780;
/** Wider than this, legend and analysis have room beside each other. */
const SPACIOUS = 1000;
/** Lower than this, the tools do not fit below each other. */
const LOW = 336;

/** Where JupyterLab's own shortcuts stay out of it. */
const QUIET = "data-lm-suppress-shortcuts";

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

/** The parts of one graph's view; another graph gets new ones. */
interface Parts {
  readonly bin: Bin;
  readonly legend: Legend;
  readonly tools: Tools;
  readonly menus: Menus;
  readonly search: Search | null;
  readonly controls: Controls;
  readonly status: Status;
  readonly explore: Explore;
  /** null where nothing can be drawn; the reason is shown instead. */
  readonly picture: Picture | null;
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
    const bin = new Bin();
    const { graph } = this.#data;
    const keep = <T extends { destroy(): void }>(part: T): T => {
      bin.add(() => part.destroy());
      return part;
    };
    const status = keep(new Status());
    const fail = (error: unknown): void => this.warn(error instanceof Error ? error.message : String(error));
    const stage = make("div", "graphne-stage");
    let picture: Picture | null = null;
    try {
      picture = keep(
        new Picture(stage, graph, {
          selected: (selection) => this.#changed({ selection }),
          hid: (bits) => this.#host.hid?.(bits),
          hovered: (hover) => this.#tell({ hover }),
          play: () => controls.toggle(),
          search: () => search?.focus(),
          escape: () => this.#escape(),
        }),
      );
    } catch (error) {
      status.note("scene", `The graph cannot be drawn here: ${(error as Error).message}`, "error");
    }
    const legend = keep(
      new Legend(() => {
        picture?.setMarks({ classes: legend.marks });
        this.#tell({ legend: { column: this.#data.color, state: legend.state } });
      }),
    );
    const menus = keep(new Menus((channel, key) => this.#choose(channel, key)));
    const explore = keep(
      new Explore(graph, this.#host, {
        positions: () => this.#seen,
        visit: (node) => picture?.visit(node),
        fly: (node) => picture?.flyTo(node),
        filtered: (hidden) => picture?.setMarks({ hidden }),
        measured: () => this.#dress(),
        opened: (open) => this.#root.toggleAttribute("data-analysis", open),
        failed: fail,
      }),
    );
    const controls = keep(
      new Controls(this.#host, {
        exaggeration: (exaggeration) => this.#changed({ exaggeration }),
        moment: (frame) => this.#look(frame ?? this.#data.frame),
        failed: fail,
      }),
    );
    const tools = keep(
      new Tools({
        tool: (tool) => {
          if (picture) picture.tool = tool;
          tools.show(tool);
        },
        zoom: (factor) => picture?.scene.camera.zoomBy(factor),
        fit: () => picture?.scene.camera.fit(true),
        edges: (visible) => this.#changed({ edges: visible }),
        lens: (on) => {
          if (picture) picture.lens = on;
          tools.showLens(on, true);
          explore.setLens(on);
        },
        save: () => void this.#save().catch(fail),
        screen: document.fullscreenEnabled ? () => void this.#fillScreen().catch(fail) : null,
      }),
    );
    const search = graph.names
      ? keep(
          new Search(graph.names, {
            matched: (matches) => picture?.setMarks({ matches }),
            chosen: (node) => picture?.visit(node),
            left: () => picture?.surface.focus(),
          }),
        )
      : null;
    const adjust = iconButton("adjust", "Appearance", "Choose what colour, size and label show");
    adjust.classList.add("graphne-adjust");
    adjust.setAttribute("aria-expanded", "false");
    const found = search ? [search.element] : [];
    const head = make("div", "graphne-head", { [QUIET]: "true" }, menus.element, ...found, adjust, explore.button);
    const unfold = (open: boolean): void => adjust.setAttribute("aria-expanded", String(head.classList.toggle("graphne-open", open)));
    bin.listen(adjust, "click", () => unfold(!head.classList.contains("graphne-open")));
    bin.listen(stage, "pointerdown", () => unfold(false));
    stage.append(status.middle, status.element);
    this.#root.removeAttribute("data-analysis");
    const main = make("div", "graphne-main", {}, tools.element, stage, explore.panel.element, legend.element);
    this.#root.replaceChildren(head, main, explore.line, controls.element);
    if (picture) {
      const { scene } = picture;
      let explained: SceneInfo | null = null;
      // A view may lose its context and be drawn otherwise from then on.
      bin.add(
        scene.onDraw(() => {
          if (explained === scene.info) return;
          explained = scene.info;
          this.#explain(scene.info);
        }),
      );
    }
    tools.showLens(false, graph.pairs.length > 0 && picture !== null);
    return { bin, legend, tools, menus, search, controls, status, explore, picture };
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
    search?.alsoIn(textsOf(find(label)));
    this.#offer();
    legend.show(colored, graph, this.#shade);
    picture?.dress({
      color: colored,
      size: find(size),
      label: find(label) ?? (label === NAMES_KEY && graph.names ? "names" : null),
      columns: this.#columns,
      shade: this.#shade,
    });
    picture?.setMarks({ classes: legend.marks });
    controls.setInk(INK[this.#shade].accent, INK[this.#shade].text);
    explore.show(this.#columns, colored, this.#shade, [color, size, label].includes(RECALL_KEY));
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
    if (!statistic || !this.#host.command || this.#columns.some((column) => column.key === key)) {
      this.#changed({ [channel]: key });
      return;
    }
    menus.wait(channel, true);
    status.say(`Computing ${statistic}`);
    this.#host
      .command("statistic", { statistic })
      .then(
        () => this.#changed({ [channel]: key }),
        (error: unknown) => {
          this.warn(error instanceof Error ? error.message : String(error));
          if (this.#bin.open) this.#offer();
        },
      )
      .finally(() => menus.wait(channel, false));
  }

  /** The user changed something: show it here and tell the host, which never hears its own changes back. */
  #changed(part: Partial<Pick<ViewerData, Channel | "edges" | "exaggeration" | "selection">>): void {
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
      if (color !== undefined && known && color !== this.#data.color) this.#changed({ color });
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
    const apart = this.#parts.explore.apart(selection);
    const chosen = selection.length ? [`${formatCount(selection.length)} selected${apart && `, ${apart}`}`] : [];
    const most = this.#parts.picture?.scene.info.mostEdges ?? Infinity;
    const pairs = graph.pairs.length >> 1;
    const sampled = pairs > most ? [`${formatCount(most)} of ${formatCount(pairs)} edges are drawn, for want of a graphics card`] : [];
    const facts = [...chosen, plural(graph.nodes, "node"), plural(graph.edges, "edge"), ...graph.notes, ...sampled];
    this.#parts.status.facts(facts.join(" · "));
  }

  /** Says how the picture is drawn, where that is not as it should be. */
  #explain(info: SceneInfo): void {
    const { status } = this.#parts;
    if (info.backend === "canvas2d" && info.reason) status.note("backend", info.reason, "info");
    else status.dropNote("backend");
    this.#countFacts();
  }

  /** Announces what the run does when that changes, not at every iteration. */
  #report(before: RunStatus | undefined): void {
    const { status } = this.#data;
    const { status: line } = this.#parts;
    if (status.state === "failed") line.note("run", status.message || "The run failed.", "error");
    else line.dropNote("run");
    if (before && before.state === status.state && before.phase === status.phase && before.message === status.message) return;
    const at = formatCount(status.iteration);
    const said: Partial<Record<RunStatus["state"], string>> = {
      paused: `Paused at iteration ${at}`,
      finished: `Finished after ${at} iterations`,
      stopped: `Stopped at iteration ${at}`,
      failed: "The run failed",
      idle: "",
    };
    line.say(said[status.state] ?? describe(status));
  }

  /** What stands in the middle while there is no picture. */
  #middle(): void {
    const { graph, frame, status } = this.#data;
    const { status: line, picture } = this.#parts;
    if (graph.nodes === 0) line.center("This graph has no nodes.");
    else if (frame || !picture) line.center("");
    else if (status.state === "failed" || status.state === "stopped") line.center("There is no layout.");
    else line.center("Preparing the layout…", true);
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
    this.#root.toggleAttribute("data-low", (this.#parts.legend.element.parentElement?.clientHeight ?? 0) < LOW);
    const size = width < NARROW ? "narrow" : width < MEDIUM ? "medium" : "wide";
    if (!width || this.#root.dataset["size"] === size) return;
    // Whoever folded the legend by hand keeps it so until it would cover the picture, or no longer does.
    if ((size === "narrow") !== (this.#root.dataset["size"] === "narrow")) this.#parts.legend.fold(size === "narrow");
    this.#root.dataset["size"] = size;
    this.#parts.controls.redraw();
  }

  async #save(): Promise<void> {
    const blob = await this.#parts.picture?.toBlob();
    if (!blob) return;
    const url = URL.createObjectURL(blob);
    make("a", "", { href: url, download: "graph.png" }).click();
    // Not at once: the browser reads it in its own time.
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  }

  async #fillScreen(): Promise<void> {
    if (this.#root.matches(":fullscreen")) await document.exitFullscreen();
    else await this.#root.requestFullscreen();
  }
}
