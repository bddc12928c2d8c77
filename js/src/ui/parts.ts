// What one graph's view consists of, put together on the page. What the parts want of each other is wired here; what
// concerns the view as a whole goes to whoever asked for them.

import { Analysis } from "../analysis/analysis.js";
import { plural } from "../data/format.js";
import type { Column, Frame, GraphData } from "../data/types.js";
import { Disposables } from "../dom/disposables.js";
import { iconButton, make, QUIET } from "../dom/elements.js";
import { Picture } from "../picture/picture.js";
import type { SceneInfo } from "../scene/types.js";
import type { Host } from "../store/api.js";
import type { Store } from "../store/store.js";
import { Visibility } from "../store/visibility.js";
import { DataTable } from "../table/table.js";
import { AppearanceMenus } from "./controls/appearance-menus.js";
import { ColumnChooser } from "./controls/column-chooser.js";
import { MoreMenu } from "./controls/more-menu.js";
import { type ExportOption, SaveMenu } from "./controls/save-menu.js";
import { Search } from "./controls/search.js";
import { Toolbar } from "./controls/toolbar.js";
import { heightHandle } from "./height-handle.js";
import { Legend } from "./legend/legend.js";
import { NodeMenu } from "./node-menu.js";
import { RunControls } from "./run/run-controls.js";
import { Breadcrumbs } from "./status/breadcrumbs.js";
import { StatusLine } from "./status/status-line.js";
import { Timeline } from "./timeline.js";

/** The parts of one graph's view; another graph gets new ones. */
export interface Parts {
  readonly disposables: Disposables;
  readonly legend: Legend;
  readonly toolbar: Toolbar;
  readonly menus: AppearanceMenus;
  readonly more: MoreMenu;
  readonly chooser: ColumnChooser;
  readonly search: Search | null;
  readonly controls: RunControls;
  readonly status: StatusLine;
  readonly analysis: Analysis;
  readonly visibility: Visibility;
  readonly crumbs: Breadcrumbs;
  readonly nodeMenu: NodeMenu | null;
  readonly table: DataTable;
  readonly timeline: Timeline;
  /** null where nothing can be drawn; the reason is shown instead. */
  readonly picture: Picture | null;
}

export interface PartsEvents {
  /** The pointer came to a node, or to none: -1. */
  hovered(node: number): void;
  clicked(node: number): void;
  /** Whether the layout changes by itself at the moment. */
  moving(): boolean;
  /** Other nodes can be seen than before; a bit for each that cannot. */
  visibilityChanged(bits: Uint8Array): void;
  /** The columns that can be shown. */
  columns(): readonly Column[];
  /** A statistic was computed, or could not be: the menus offer something else. */
  settled(): void;
  /** What can be saved now. */
  exportOptions(): ExportOption[];
  /** Where the nodes are at the moment that is looked at. */
  positions(): Float32Array | null;
  measured(): void;
  /** The analysis was opened or closed: the others have other room. */
  opened(): void;
  /** A moment of the run to look at; null for how it is now. */
  moment(frame: Frame | null): void;
  escape(): void;
  /** Nodes have other sizes, since the picture has. */
  resized(): void;
  /** From now on it is drawn in this way. */
  backendChanged(info: SceneInfo): void;
  failed(error: unknown): void;
}

/** Fills the root with new parts for a graph. */
export function buildParts(root: HTMLElement, graph: GraphData, store: Store, host: Host, events: PartsEvents): Parts {
  const disposables = new Disposables();
  const keep = <T extends { destroy(): void }>(part: T): T => {
    disposables.add(() => part.destroy());
    return part;
  };
  const status = keep(new StatusLine());
  const area = make("div", "graphne-area");
  let picture: Picture | null = null;
  try {
    picture = keep(
      new Picture(area, graph, store, {
        hovered: (node) => events.hovered(node),
        clicked: (node) => events.clicked(node),
        moving: () => events.moving(),
        menu: (node, left, top) => nodeMenu?.open(node, left, top),
        step: (by) => nodeMenu?.step(by),
        enter: () => nodeMenu?.enter(),
        back: () => nodeMenu?.back(),
        play: () => controls.toggle(),
        search: () => search?.focus(),
        escape: () => events.escape(),
        resized: () => events.resized(),
      }),
    );
  } catch (error) {
    status.note("scene", `The graph cannot be drawn here: ${(error as Error).message}`, "error");
  }
  const nodeMenu = picture ? keep(new NodeMenu(area, graph, store, picture, status)) : null;
  const crumbs = keep(new Breadcrumbs(store, () => picture?.pins.release(null)));
  const legend = keep(new Legend(store));
  disposables.listen<MouseEvent>(legend.element, "contextmenu", (event) => {
    const entry = (event.target as Element).closest<HTMLElement>("[data-id]");
    if (!entry?.dataset.id) return;
    event.preventDefault();
    const box = area.getBoundingClientRect();
    const at = entry.getBoundingClientRect();
    nodeMenu?.openEntry(entry.dataset.id, box.width, at.top - box.top, entry);
  });
  const more = keep(new MoreMenu(store));
  const menus = keep(new AppearanceMenus((channel, key) => chooser.choose(channel, key)));
  const chooser = keep(
    new ColumnChooser(store, host, menus, status, {
      columns: () => events.columns(),
      settled: () => events.settled(),
      failed: (message) => events.failed(message),
    }),
  );
  const analysis = keep(
    new Analysis(graph, host, store, {
      positions: () => events.positions(),
      visit: (node) => picture?.visit(node),
      fly: (node) => picture?.flyTo(node),
      predicted: (ends) => picture?.predicted.show(ends),
      measured: () => events.measured(),
      opened: (open) => {
        root.toggleAttribute("data-analysis", open);
        events.opened();
      },
      failed: (error) => events.failed(error),
    }),
  );
  const visibility = keep(
    new Visibility(store, graph, (others) => {
      picture?.setMarks({ classes: visibility.marks, hidden: visibility.flags });
      picture?.hideEdges(visibility.edgeFlags);
      if (!others) return;
      analysis.hide(visibility.bits);
      table.visibilityChanged();
      events.visibilityChanged(visibility.bits);
    }),
  );
  const table = keep(
    new DataTable(graph, store, {
      hidden: () => ({ bits: visibility.bits, edges: visibility.edgeFlags }),
      fly: (node) => picture?.flyTo(node),
      opened: () => events.opened(),
      failed: (error) => events.failed(error),
    }),
  );
  const timeline = keep(
    new Timeline(store, { opened: () => events.opened(), failed: (error) => events.failed(error) }),
  );
  const controls = keep(
    new RunControls(host, {
      exaggeration: (exaggeration) => store.dispatch({ type: "set", part: { exaggeration } }),
      moment: (frame) => events.moment(frame),
      usual: () => picture?.usual ?? null,
      spread: (moved) => {
        const words = moved ? `${plural(moved, "node")} moved apart` : "No nodes overlap";
        status.announce(words);
        if (moved) status.dropNote("overlap");
        else status.note("overlap", `${words} where the whole layout is seen.`, "info");
      },
      failed: (message) => events.failed(message),
    }),
  );
  const toolbar = keep(
    new Toolbar(store, {
      zoom: (factor) => picture?.moveCamera((camera) => camera.zoomBy(factor)),
      fit: () => picture?.moveCamera((camera) => camera.fit(true)),
      save: () => saveMenu.toggle(events.exportOptions()),
      screen: document.fullscreenEnabled ? () => void fillScreen(root).catch((error) => events.failed(error)) : null,
    }),
  );
  const saveMenu = keep(
    new SaveMenu(toolbar.save, {
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
  menus.element.append(more.element);
  const head = headOf(
    disposables,
    area,
    [menus.element, ...(search ? [search.element] : [])],
    [analysis.button, table.button, timeline.button],
  );
  area.append(crumbs.element, status.placeholder, status.element, saveMenu.element);
  root.removeAttribute("data-analysis");
  const main = make("div", "graphne-main", {}, toolbar.element, area, analysis.panel.element, legend.element);
  root.replaceChildren(
    head,
    main,
    timeline.element,
    table.element,
    analysis.line,
    controls.element,
    heightHandle(disposables, store),
  );
  if (picture) {
    const { scene } = picture;
    let reported: SceneInfo | null = null;
    // A view may lose its context and be drawn otherwise from then on.
    disposables.add(
      scene.onDraw(() => {
        if (reported === scene.info) return;
        reported = scene.info;
        events.backendChanged(scene.info);
      }),
    );
  }
  toolbar.hasNeighbors = graph.pairs.length > 0 && picture !== null;
  toolbar.hasEdges = graph.pairs.length > 0;
  return {
    disposables,
    legend,
    toolbar,
    menus,
    more,
    chooser,
    search,
    controls,
    status,
    analysis,
    visibility,
    crumbs,
    nodeMenu,
    table,
    timeline,
    picture,
  };
}

/** The line above the picture; where it is narrow, its menus hide behind a button. */
function headOf(
  disposables: Disposables,
  area: HTMLElement,
  hideable: readonly HTMLElement[],
  panels: readonly HTMLElement[],
): HTMLElement {
  const adjust = iconButton("adjust", "Appearance", "Choose what colour, size and label show");
  adjust.classList.add("graphne-adjust");
  adjust.setAttribute("aria-expanded", "false");
  const head = make("div", "graphne-head", { [QUIET]: "true" }, ...hideable, adjust, ...panels);
  const unfold = (open: boolean): void =>
    adjust.setAttribute("aria-expanded", String(head.classList.toggle("graphne-open", open)));
  disposables.listen(adjust, "click", () => unfold(!head.classList.contains("graphne-open")));
  disposables.listen(area, "pointerdown", () => unfold(false));
  disposables.listen<KeyboardEvent>(head, "keydown", (event) => {
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
