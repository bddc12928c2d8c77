// One viewer on a page, closed after each test. Whoever uses it replaces the scene by the one of `fakes.ts`.
import { afterEach, beforeEach } from "vitest";
import type { Host, ViewerData } from "../src/store/api.js";
import { GraphViewer } from "../src/ui/viewer.js";
import { dataOf, type FakeScene, scenes } from "./fakes.js";

/** Where the viewer is, and the one that was opened last. */
export let el: HTMLElement;
export let viewer: GraphViewer;

/** Gives each test a place of its own; to be called once a file. */
export function onEmptyPage(): void {
  beforeEach(() => {
    el = document.createElement("div");
    document.body.append(el);
  });
  afterEach(() => {
    viewer?.destroy();
    document.body.replaceChildren();
    scenes.length = 0;
  });
}

/** Opens a viewer; returns its scene. */
export function open(part: Partial<ViewerData> = {}, host: Host = {}): FakeScene {
  viewer = new GraphViewer(el, dataOf(part), host);
  return scenes.at(-1)!;
}

export const find = <E extends HTMLElement = HTMLElement>(selector: string): E => el.querySelector<E>(selector)!;
