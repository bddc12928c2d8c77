// Settings as a host keeps them: a model's traits or an exported page's data. Whatever cannot be has its default.

import type { RunState, RunStatus, Theme, Turn } from "./types.js";

export const text = (value: unknown): string => (typeof value === "string" ? value : "");
export const number = (value: unknown, otherwise: number): number =>
  typeof value === "number" && Number.isFinite(value) ? value : otherwise;

const isPoint = (value: unknown): value is [number, number] =>
  Array.isArray(value) && value.length === 2 && value.every(Number.isFinite);

const STATES = ["idle", "starting", "running", "paused", "finished", "stopped", "failed"] as const;

const ACTIVE: readonly RunState[] = ["starting", "running", "paused"];

export function readStatus(value: unknown, connected: boolean, lost = false): RunStatus {
  const given = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  const history = Array.isArray(given["history"]) ? given["history"] : [];
  const state = STATES.find((state) => state === given["state"]) ?? "idle";
  return {
    // A run ends with its kernel.
    state: lost && ACTIVE.includes(state) ? "stopped" : state,
    message: text(given["message"]),
    run: number(given["run"], 0),
    iteration: number(given["iteration"], 0),
    total: number(given["total"], 0),
    phase: text(given["phase"]),
    kl: typeof given["kl"] === "number" && Number.isFinite(given["kl"]) ? given["kl"] : null,
    news: text(given["news"]),
    history: history.filter(isPoint),
    // A saved notebook says whatever was true when it was saved; nobody listens there.
    steerable: given["steerable"] === true && connected,
    dimension: number(given["dimension"], 0),
    shots: connected ? number(given["shots"], 0) : 0,
  };
}

export const readTheme = (value: unknown): Theme => (value === "light" || value === "dark" ? value : "auto");

/** Four numbers that are no turn of anything are none. */
export function readTurn(value: unknown): Turn | null {
  if (!Array.isArray(value) || value.length !== 4 || !value.every(Number.isFinite)) return null;
  const [a, b, c, d] = value as [number, number, number, number];
  return Math.abs(a * d - b * c) > 1e-9 ? [a, b, c, d] : null;
}
