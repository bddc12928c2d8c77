// Settings as a host keeps them: a model's traits or an exported page's data. Whatever cannot be has its default.

import type { Rotation, RunState, RunStatus, Theme } from "../data/types.js";
import type { SizeRange } from "../encoding/sizes.js";
import { type AppearanceState, type ChosenColors, INITIAL } from "../store/state.js";

export const text = (value: unknown): string => (typeof value === "string" ? value : "");
export const number = (value: unknown, otherwise: number): number =>
  typeof value === "number" && Number.isFinite(value) ? value : otherwise;

/** The texts of a list. */
export const words = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((word): word is string => typeof word === "string") : [];

const isPoint = (value: unknown): value is [number, number] =>
  Array.isArray(value) && value.length === 2 && value.every(Number.isFinite);

const STATES = ["idle", "starting", "running", "paused", "finished", "stopped", "failed"] as const;

const ACTIVE: readonly RunState[] = ["starting", "running", "paused"];

export function readStatus(value: unknown, connected: boolean, lost = false): RunStatus {
  const given = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  const history = Array.isArray(given.history) ? given.history : [];
  const state = STATES.find((state) => state === given.state) ?? "idle";
  return {
    // A run ends with its kernel.
    state: lost && ACTIVE.includes(state) ? "stopped" : state,
    message: text(given.message),
    run: number(given.run, 0),
    iteration: number(given.iteration, 0),
    total: number(given.total, 0),
    phase: text(given.phase),
    kl: typeof given.kl === "number" && Number.isFinite(given.kl) ? given.kl : null,
    statusText: text(given.status_text),
    history: history.filter(isPoint),
    // A saved notebook says whatever was true when it was saved; nobody listens there.
    steerable: given.steerable === true && connected,
    gone: false,
    external: given.external === true,
    dimension: number(given.dimension, 0),
    shots: connected ? number(given.shots, 0) : 0,
    update: connected ? text(given.update) : "",
  };
}

export const readTheme = (value: unknown): Theme => (value === "light" || value === "dark" ? value : "auto");

/** Four numbers that are no turn of anything are none. */
export function readRotation(value: unknown): Rotation | null {
  if (!Array.isArray(value) || value.length !== 4 || !value.every(Number.isFinite)) return null;
  const [a, b, c, d] = value as [number, number, number, number];
  return Math.abs(a * d - b * c) > 1e-9 ? [a, b, c, d] : null;
}

/** Colours reach CSS, so nothing but plain hexadecimal ones pass. */
function readColors(value: unknown): ChosenColors {
  const fields = (given: unknown): [string, unknown][] =>
    typeof given === "object" && given !== null && !Array.isArray(given) ? Object.entries(given) : [];
  const isColor = ([, color]: [string, unknown]): boolean => typeof color === "string" && /^#[0-9a-f]{6}$/i.test(color);
  const columns = fields(value).map(([key, chosen]) => [key, Object.fromEntries(fields(chosen).filter(isColor))]);
  return Object.fromEntries(columns);
}

function readSizeRange(value: unknown): SizeRange {
  return isPoint(value) && value[0] >= 0 && value[1] >= value[0] && value[1] > 0 ? [value[0], value[1]] : null;
}

const not =
  (otherwise: boolean) =>
  (value: unknown): boolean =>
    typeof value === "boolean" ? value : otherwise;

type Setting<K extends keyof AppearanceState> = readonly [name: string, read: (value: unknown) => AppearanceState[K]];

/** How a host calls what the picture is drawn by, and how it is read; the one place where the names are spelled. */
export const APPEARANCE: { readonly [K in keyof AppearanceState]: Setting<K> } = {
  color: ["color", text],
  size: ["size", text],
  label: ["label", text],
  edges: ["edges", not(true)],
  edgeWidth: ["edge_width", text],
  edgeColor: ["edge_color", text],
  edgeLabel: ["edge_label", text],
  arrows: ["arrows", not(true)],
  curved: ["curved", not(false)],
  classNames: ["class_names", not(true)],
  colors: ["colors", readColors],
  sizeRange: ["size_range", readSizeRange],
  exaggeration: ["exaggeration", (value) => number(value, INITIAL.exaggeration)],
  theme: ["theme", readTheme],
  height: ["height", (value) => number(value, INITIAL.height)],
};

export const APPEARANCE_KEYS = Object.keys(APPEARANCE) as (keyof AppearanceState)[];

/** All of it, from whoever knows the value of a name. */
export function readAppearance(get: (name: string) => unknown): AppearanceState {
  return Object.fromEntries(
    APPEARANCE_KEYS.map((key) => [key, APPEARANCE[key][1](get(APPEARANCE[key][0]))]),
  ) as unknown as AppearanceState;
}
