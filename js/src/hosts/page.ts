// Binds the viewer to an exported page: all data is in the page itself, and nobody answers.

import { sentenceOf } from "../data/format.js";
import { statisticOf } from "../data/statistics.js";
import { Disposables } from "../dom/disposables.js";
import { make } from "../dom/elements.js";
import { decodeRecording } from "../protocol/recording.js";
import { number, readAppearance, readRotation, readStatus, text } from "../protocol/settings.js";
import { LinkGroup } from "../store/link-group.js";
import { alike, SharedLegend } from "../ui/legend/shared-legend.js";
import "../styles/style.css";
import "../styles/page.css";
import type { Column, GraphData, Recording } from "../data/types.js";
import { decodeColumns, decodeGraph, list, object } from "../protocol/wire.js";
import type { ViewerData } from "../store/api.js";
import { decodePlacement } from "../store/placement.js";
import { fromJson } from "../store/serialize.js";
import { GraphViewer } from "../ui/viewer.js";

/** Space around the pictures that is not theirs, and what a picture has at least, in pixels. */
const MARGIN = 24;
const LEAST = 340;
/** Control bar, menus and so on, which a square picture is not to be cut for. */
const FRAME = 100;
const DAMAGED = "The graph cannot be shown: the data of this page is damaged or incomplete.";

/** Base64 and `deflate-raw` undone. */
async function inflate(base64: string): Promise<Uint8Array> {
  if (typeof DecompressionStream !== "function") {
    throw new Error("this browser is too old to unpack the data; one from 2023 or later can");
  }
  const packed = atob(base64);
  const bytes = new Uint8Array(packed.length);
  for (let i = 0; i < packed.length; i++) bytes[i] = packed.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Blocks of data by name; what several panels share is unpacked and decoded once. */
class Blocks {
  #bytes = new Map<string, Promise<Uint8Array>>();
  #graphs = new Map<string, Promise<GraphData>>();

  bytes(name: string): Promise<Uint8Array> {
    if (!name) return Promise.resolve(new Uint8Array(0));
    const known = this.#bytes.get(name);
    if (known) return known;
    const element = document.getElementById(`graphne-${name}`);
    const made = element
      ? inflate(element.textContent ?? "")
      : Promise.reject(new Error("a part of the page is missing"));
    this.#bytes.set(name, made);
    return made;
  }

  graph(name: string): Promise<GraphData> {
    const known = this.#graphs.get(name);
    if (known) return known;
    const made = this.bytes(name).then(decodeGraph);
    this.#graphs.set(name, made);
    return made;
  }
}

interface Loaded {
  readonly data: ViewerData;
  readonly recording: Recording;
}

async function load(panel: Record<string, unknown>, blocks: Blocks): Promise<Loaded> {
  const graph = await blocks.graph(text(panel.graph));
  const recording = decodeRecording(await blocks.bytes(text(panel.recording)), graph.nodes);
  const extra: Column[] = decodeColumns(await blocks.bytes(text(panel.extra)), graph.nodes);
  const chosen = await blocks.bytes(text(panel.selection));
  const status = readStatus(panel.status, false, true);
  const data: ViewerData = {
    graph,
    extra,
    frame: { ...recording.at(recording.length - 1), run: status.run },
    status: { ...status, shots: recording.length },
    ...readAppearance((name) => panel[name]),
    exaggeration: 1,
    height: number(panel.height, LEAST),
    selection: new Uint32Array(chosen.slice().buffer).filter((node) => node < graph.nodes),
    hidden: await blocks.bytes(text(panel.hidden)),
    placement: decodePlacement(await blocks.bytes(text(panel.pinned)), graph.nodes),
    events: [],
    view: fromJson(panel.view),
    rotation: readRotation(panel.rotation),
  };
  return { data, recording };
}

/** The height of a picture that was given none: the window's, if it is alone, otherwise about its width. */
export function suitableHeight(width: number, top: number, alone: boolean): number {
  const others = document.querySelectorAll<HTMLElement>("footer, figcaption, body > section");
  const below = Array.from(others).reduce((sum, element) => sum + element.offsetHeight, 0);
  const room = window.innerHeight - MARGIN - (alone ? below : 0);
  return Math.max(LEAST, alone ? room - top : Math.min(room, 0.9 * width + FRAME));
}

function keepHeight(disposables: Disposables, place: HTMLElement, viewer: GraphViewer, alone: boolean): void {
  const fit = (): void => {
    const top = place.getBoundingClientRect().top + window.scrollY;
    viewer.update({ height: Math.round(suitableHeight(place.clientWidth, top, alone)) });
  };
  fit();
  disposables.listen(window, "resize", fit);
}

/** Lets pictures of one graph know each other's statistics, which mean the same in all of them. */
export function share(loaded: readonly (Loaded | Error)[]): (Loaded | Error)[] {
  const sound = loaded.filter((one): one is Loaded => !(one instanceof Error));
  return loaded.map((one) => {
    if (one instanceof Error) return one;
    const { data, recording } = one;
    const others = sound.filter((other) => other.data.graph === data.graph).flatMap((other) => other.data.extra);
    const known = new Map(others.filter(({ key }) => statisticOf(key)).map((column) => [column.key, column]));
    return {
      data: { ...data, extra: [...data.extra.filter(({ key }) => !known.has(key)), ...known.values()] },
      recording,
    };
  });
}

/** What one picture shows; null where it cannot, and says so. */
function show(
  place: HTMLElement,
  panel: Record<string, unknown>,
  loaded: Loaded | Error,
  group: LinkGroup | null,
): ViewerData | null {
  try {
    if (loaded instanceof Error) throw loaded;
    const { data, recording } = loaded;
    const viewer = new GraphViewer(place, data, { recording: () => Promise.resolve(recording) });
    viewer.link(group);
    if (panel.height == null) keepHeight(new Disposables(), place, viewer, group === null);
    return data;
  } catch (error) {
    place.append(make("p", "graphne-trouble", {}, `The graph cannot be shown: ${(error as Error).message}`));
    return null;
  }
}

/** How it was made, for whoever wants to know or to repeat it. */
function explain(about: Record<string, unknown>): void {
  const footer = document.querySelector("footer");
  if (!footer || Object.keys(about).length === 0) return;
  const written = make("pre", "", {}, JSON.stringify(about, null, 2));
  const details = make("details", "", {}, make("summary", "", {}, "How this was made"), written);
  // It unfolds below the window, where nobody would see that anything happened.
  details.addEventListener("toggle", () => details.open && details.scrollIntoView({ block: "nearest" }));
  footer.append(details);
}

interface Contents {
  readonly panels: readonly Record<string, unknown>[];
  readonly about: Record<string, unknown>;
}

/** What the page says of its panels and of itself; throws where that is damaged. */
function contents(): Contents {
  const data = object(JSON.parse(document.getElementById("graphne-data")?.textContent ?? "{}"), "data");
  const panels = list(data.panels, "panels").map((panel) => object(panel, "panel"));
  return { panels, about: object(data.about ?? {}, "about") };
}

/** Shows all panels of the page; resolves when all are there. */
export async function start(): Promise<void> {
  const places = Array.from(document.querySelectorAll<HTMLElement>(".graphne-place"));
  let found: Contents;
  try {
    found = contents();
  } catch {
    // Once, however many pictures the page was to have.
    (places[0] ?? document.body).append(make("p", "graphne-trouble", {}, DAMAGED));
    return;
  }
  const { panels, about } = found;
  const blocks = new Blocks();
  explain(about);
  const group = places.length > 1 ? new LinkGroup() : null;
  const loading = places.map((_, k) =>
    load(panels[k] ?? {}, blocks).catch((error: unknown) => new Error(sentenceOf(error))),
  );
  const loaded = share(await Promise.all(loading));
  const shown = places.map((place, k) => show(place, panels[k] ?? {}, loaded[k], group));
  if (group) explainOnce(group, shown);
}

/** Puts one legend above pictures that share their colours, in place of each one's own. */
function explainOnce(group: LinkGroup, shown: readonly (ViewerData | null)[]): void {
  const grid = document.querySelector<HTMLElement>(".graphne-grid");
  const views = shown.filter((data) => data !== null);
  if (!grid || !alike(views)) return;
  const legend = new SharedLegend(group, views[0], (explained) => grid.toggleAttribute("data-explained", explained));
  grid.before(legend.element);
}

if (document.getElementById("graphne-data")) void start();
