// Scenes of three nodes on a page that is made up; all of it gone after each test.
import { afterEach, beforeEach, vi } from "vitest";
import { createScene } from "../src/scene/scene.js";
import type { SceneApi } from "../src/scene/types.js";
import { type Fake2d, FakePage, type Kind } from "./page.js";

export const PAIRS = Uint32Array.of(0, 1, 1, 2);
export const PLACES = Float32Array.of(-10, 0, 0, 0, 10, 5);

/** The page of the scenes, there since the first of them was made. */
export let page: FakePage;
export const scenes: SceneApi[] = [];

/** Gives each test a page of its own; to be called once a file. */
export function onFakePage(): void {
  beforeEach(() => {
    page = undefined as unknown as FakePage;
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  });
  afterEach(() => {
    for (const made of scenes.splice(0)) made.destroy();
    document.body.replaceChildren();
    vi.useRealTimers();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });
}

/** A page in a browser that has these contexts, where there is none yet. */
export function pageWith(kinds: readonly Kind[]): FakePage {
  return (page ??= new FakePage(kinds));
}

/** A scene in such a browser. */
export function scene(kinds: readonly Kind[], el?: HTMLElement, pairs: Uint32Array = PAIRS): SceneApi {
  pageWith(kinds);
  const made = createScene(el ?? page.element(), 3, pairs);
  scenes.push(made);
  return made;
}

/** What the last draw put on the canvas. */
export function picture(): string[] {
  const { drawn } = page.flats.find((flat) => flat.drawn.length > 0) as Fake2d;
  return drawn.slice(lastOf(drawn, (line) => line.startsWith("rect") && line.endsWith("400x300")) + 1);
}

export function lastOf(lines: string[], test: (line: string) => boolean): number {
  return lines.reduce((last, line, k) => (test(line) ? k : last), -1);
}
