// What one graph's view consists of, put together on the page. What the parts want of each other is wired here; what
// concerns the view as a whole goes to whoever asked for them.

import { Controls } from "./controls.js";
import { Bin, iconButton, make, QUIET } from "./dom.js";
import { Explore } from "./explore.js";
import { Legend } from "./legend.js";
import type { News } from "./links.js";
import { type Channel, Menus } from "./menus.js";
import { Picture } from "./picture.js";
import { type Offer, Saving } from "./saving.js";
import { Search } from "./search.js";
import { Status } from "./status.js";
import { Tools } from "./tools.js";
import type { Frame, GraphData, Host, SceneInfo, ViewerData } from "./types.js";

/** What the user can change. */
export type Change = Partial<Pick<ViewerData, Channel | "edges" | "exaggeration" | "selection">>;

/** The parts of one graph's view; another graph gets new ones. */
export interface Parts {
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

export interface PartsEvents {
  changed(change: Change): void;
  /** Something that linked views should know. */
  told(news: News): void;
  /** Other nodes are hidden than before; a bit each, as `Host.hid` has them. */
  hid(bits: Uint8Array): void;
  /** The legend's lines are picked out or hidden otherwise. */
  legend(): void;
  chosen(channel: Channel, key: string): void;
  /** What can be saved now. */
  offers(): Offer[];
  /** Where the nodes are at the moment that is looked at. */
  positions(): Float32Array | null;
  measured(): void;
  /** The analysis was opened or closed: the others have other room. */
  opened(): void;
  /** A moment of the run to look at; null for how it is now. */
  moment(frame: Frame | null): void;
  escape(): void;
  /** From now on it is drawn in this way. */
  explained(info: SceneInfo): void;
  failed(error: unknown): void;
}

/** Fills the root with new parts for a graph. */
export function buildParts(root: HTMLElement, graph: GraphData, host: Host, events: PartsEvents): Parts {
  const bin = new Bin();
  const keep = <T extends { destroy(): void }>(part: T): T => {
    bin.add(() => part.destroy());
    return part;
  };
  const status = keep(new Status());
  const stage = make("div", "graphne-stage");
  let picture: Picture | null = null;
  try {
    picture = keep(
      new Picture(stage, graph, {
        selected: (selection) => events.changed({ selection }),
        hid: (bits) => {
          explore.hide(bits);
          events.hid(bits);
        },
        hovered: (hover) => events.told({ hover }),
        play: () => controls.toggle(),
        search: () => search?.focus(),
        escape: () => events.escape(),
      }),
    );
  } catch (error) {
    status.note("scene", `The graph cannot be drawn here: ${(error as Error).message}`, "error");
  }
  const legend = keep(new Legend(() => events.legend()));
  const menus = keep(new Menus((channel, key) => events.chosen(channel, key)));
  const explore = keep(
    new Explore(graph, host, {
      positions: () => events.positions(),
      visit: (node) => picture?.visit(node),
      fly: (node) => picture?.flyTo(node),
      pick: (nodes) => events.changed({ selection: Uint32Array.from(nodes) }),
      filtered: (hidden) => picture?.setMarks({ hidden }),
      measured: () => events.measured(),
      opened: (open) => {
        root.toggleAttribute("data-analysis", open);
        events.opened();
      },
      failed: (error) => events.failed(error),
    }),
  );
  const controls = keep(
    new Controls(host, {
      exaggeration: (exaggeration) => events.changed({ exaggeration }),
      moment: (frame) => events.moment(frame),
      failed: (message) => events.failed(message),
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
      edges: (edges) => events.changed({ edges }),
      lens: (on) => {
        if (picture) picture.lens = on;
        tools.showLens(on, true);
        explore.setLens(on);
      },
      save: () => saving.toggle(events.offers()),
      screen: document.fullscreenEnabled ? () => void fillScreen(root).catch((error) => events.failed(error)) : null,
    }),
  );
  const saving = keep(
    new Saving(tools.save, {
      busy: (words) => {
        if (words) status.note("saving", words, "busy");
        else status.dropNote("saving");
      },
      failed: (error) => events.failed(error),
    }),
  );
  const search = graph.names
    ? keep(
        new Search(graph.names, {
          matched: (matches) => picture?.setMarks({ matches }),
          // The others that were found would hide who is beside it.
          chosen: (node) => {
            picture?.setMarks({ matches: null });
            picture?.visit(node);
          },
          left: () => picture?.surface.focus(),
        }),
      )
    : null;
  const head = headOf(bin, stage, [menus.element, ...(search ? [search.element] : [])], explore.button);
  stage.append(status.middle, status.element, saving.element);
  root.removeAttribute("data-analysis");
  const main = make("div", "graphne-main", {}, tools.element, stage, explore.panel.element, legend.element);
  root.replaceChildren(head, main, explore.line, controls.element);
  if (picture) {
    const { scene } = picture;
    let explained: SceneInfo | null = null;
    // A view may lose its context and be drawn otherwise from then on.
    bin.add(
      scene.onDraw(() => {
        if (explained === scene.info) return;
        explained = scene.info;
        events.explained(scene.info);
      }),
    );
  }
  tools.showLens(false, graph.pairs.length > 0 && picture !== null);
  return { bin, legend, tools, menus, search, controls, status, explore, picture };
}

/** The line above the picture; where it is narrow, its menus hide behind a button. */
function headOf(bin: Bin, stage: HTMLElement, hideable: readonly HTMLElement[], analysis: HTMLElement): HTMLElement {
  const adjust = iconButton("adjust", "Appearance", "Choose what colour, size and label show");
  adjust.classList.add("graphne-adjust");
  adjust.setAttribute("aria-expanded", "false");
  const head = make("div", "graphne-head", { [QUIET]: "true" }, ...hideable, adjust, analysis);
  const unfold = (open: boolean): void => adjust.setAttribute("aria-expanded", String(head.classList.toggle("graphne-open", open)));
  bin.listen(adjust, "click", () => unfold(!head.classList.contains("graphne-open")));
  bin.listen(stage, "pointerdown", () => unfold(false));
  bin.listen<KeyboardEvent>(head, "keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented || !head.classList.contains("graphne-open")) return;
    unfold(false);
    adjust.focus();
  });
  return head;
}

async function fillScreen(root: HTMLElement): Promise<void> {
  if (root.matches(":fullscreen")) await document.exitFullscreen();
  else await root.requestFullscreen();
}
