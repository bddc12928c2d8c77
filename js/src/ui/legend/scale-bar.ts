// A colour bar for numbers, with the few round ones under it that have room.

import { formatCount, valueText } from "../../data/format.js";
import type { GraphData, Shade, ValueColumn } from "../../data/types.js";
import { make } from "../../dom/elements.js";
import { toCss, valueScale } from "../../encoding/colors.js";

/** Letters that have room under a colour bar, with some air between them. */
const MOST_LETTERS = 20;

/** Round numbers from low to high, about `most` of them. */
export function ticks(low: number, high: number, most: number, whole: boolean): number[] {
  const span = high - low;
  if (!(span > 0) || !Number.isFinite(span)) return Number.isFinite(low) ? [low] : [];
  let step = 10 ** Math.floor(Math.log10(span / most));
  for (const factor of [2, 2.5, 2]) if (span / step > most) step *= factor;
  if (whole) step = Math.max(1, Math.round(step));
  const found: number[] = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k++) {
    found.push(Number((k * step).toPrecision(12)));
  }
  return found;
}

/** The bar of a column of numbers, and a line for those without any. */
export function scaleBar(column: ValueColumn, graph: GraphData, shade: Shade): HTMLElement[] {
  const { colors, missing } = valueScale(graph, shade);
  const [low, high] = column.scale;
  const bar = make("div", "graphne-scale", { role: "img" });
  bar.setAttribute("aria-label", `Colours from ${valueText(column, low)} to ${valueText(column, high)}`);
  if (column.low < low || column.high > high) {
    bar.title = `Values from ${valueText(column, column.low)} to ${valueText(column, column.high)}; those beyond the scale have the colour of its end`;
  }
  bar.style.background = `linear-gradient(to right, ${colors
    .filter((_, k) => k % 5 === 0)
    .map(toCss)
    .join(", ")})`;
  const axis = make("div", "graphne-scale-ticks");
  const span = high - low;
  const share = (value: number): number => (span > 0 ? (value - low) / span : 0.5);
  const tickText = (value: number): string =>
    (value === low && column.low < low ? "≤ " : value === high && column.high > high ? "≥ " : "") +
    // Within two days it is the time that tells them apart; there is no room for the year, too.
    (column.date && span < 2 ? valueText(column, value).slice(5) : valueText(column, value, true));
  // The ends are always written; between them the round number nearest to the middle, which has room.
  const round = ticks(low, high, 5, column.whole).filter((value) => Math.abs(share(value) - 0.5) < 0.15);
  const nearest = round.sort((a, b) => Math.abs(share(a) - 0.5) - Math.abs(share(b) - 0.5)).slice(0, 1);
  const letters = (value: number): number => tickText(value).length;
  // The ends begin and end with the bar; the middle one is about its place.
  const fits = (value: number): boolean => {
    const half = letters(value) / 2 / MOST_LETTERS;
    return share(value) - half > letters(low) / MOST_LETTERS && share(value) + half < 1 - letters(high) / MOST_LETTERS;
  };
  const middle = nearest.filter(fits);
  for (const value of span > 0 ? [low, ...middle, high] : [low]) {
    const tick = make("span", "graphne-tick", {}, tickText(value));
    tick.style.left = `${100 * share(value)}%`;
    tick.style.transform = `translateX(${-100 * share(value)}%)`;
    axis.append(tick);
  }
  let unknown = 0;
  for (let i = 0; i < column.values.length; i++) if (!Number.isFinite(column.values[i])) unknown++;
  // Where nobody has a value, and no range is known, there is no scale either.
  const shown: HTMLElement[] = unknown < column.values.length || span > 0 ? [bar, axis] : [];
  if (unknown > 0) {
    const swatch = make("span", "graphne-swatch");
    swatch.style.background = toCss(missing);
    const name = make("span", "graphne-line-name", {}, "no value");
    const count = make("span", "graphne-line-count", {}, formatCount(unknown));
    shown.push(make("div", "graphne-line", {}, swatch, name, count));
  }
  return shown;
}
