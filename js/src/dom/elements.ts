// Tiny helpers to build elements. Everything a graph brings along goes through text nodes and
// `textContent`; nothing here or elsewhere parses a string as HTML.

/** Where JupyterLab's own shortcuts stay out of it: letters and arrows mean something to the controls there. */
export const QUIET = "data-lm-suppress-shortcuts";

type Attributes = Readonly<Record<string, string | boolean>>;

/** Creates an element. A boolean attribute is present or absent; strings among the children become text. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className: string,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (className) element.className = className;
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== false) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/** Outlines on a grid of 16; "fill:" marks shapes that are filled instead of stroked. */
const ICONS = {
  play: "fill:M4.5 2.8v10.4L13 8z",
  pause: "fill:M4 3h2.8v10H4zM9.2 3H12v10H9.2z",
  stop: "fill:M3.8 3.8h8.4v8.4H3.8z",
  restart: "M3.2 8a4.8 4.8 0 1 0 1.5-3.5M3 2.6v2.7h2.7",
  spread:
    "M5.2 8.2a2.5 2.5 0 1 0 0 5 2.5 2.5 0 1 0 0-5M10.8 2.8a2.5 2.5 0 1 0 0 5 2.5 2.5 0 1 0 0-5M12.4 1.2h2.4v2.4M3.6 14.8H1.2v-2.4",
  replay: "M8 2.2a5.8 5.8 0 1 0 0 11.6A5.8 5.8 0 1 0 8 2.2M6.7 5.4v5.2L10.7 8z",
  pan: "M8 1.8v12.4M1.8 8h12.4M6.2 3.4 8 1.6l1.8 1.8M6.2 12.6 8 14.4l1.8-1.8M3.4 6.2 1.6 8l1.8 1.8M12.6 6.2 14.4 8l-1.8 1.8",
  rectangle: "M2.5 5v-2.5h2.5M7 2.5h2M11 2.5h2.5V5M13.5 7v2M13.5 11v2.5H11M9 13.5H7M5 13.5H2.5V11M2.5 9V7",
  lasso:
    "M6.2 10.9C3.9 10.4 2.2 9 2.2 7c0-2.7 2.7-4.6 5.9-4.6s5.7 1.9 5.7 4.3-2.5 4.3-5.4 4.4M6.3 9.7a1.3 1.3 0 1 0 0 2.6 1.3 1.3 0 1 0 0-2.6M6.8 12.2c.2 1-.4 1.7-1.5 1.9",
  zoomIn: "M8 3.2v9.6M3.2 8h9.6",
  zoomOut: "M3.2 8h9.6",
  fit: "M2.5 5.8V2.5h3.3M10.2 2.5h3.3v3.3M13.5 10.2v3.3h-3.3M5.8 13.5H2.5v-3.3",
  save: "M8 2.2v7.6M4.8 6.8 8 10l3.2-3.2M2.8 12.8h10.4",
  screen: "M9.5 2.5h4v4M13.3 2.7 9.3 6.7M6.5 13.5h-4v-4M2.7 13.3l4-4",
  edges:
    "M4.7 10.9 11.3 5.1M3.3 10.5a1.6 1.6 0 1 0 0 3.2 1.6 1.6 0 1 0 0-3.2M12.7 2.3a1.6 1.6 0 1 0 0 3.2 1.6 1.6 0 1 0 0-3.2",
  lens: "M1.6 8S4 3.8 8 3.8 14.4 8 14.4 8 12 12.2 8 12.2 1.6 8 1.6 8M8 6.1a1.9 1.9 0 1 0 0 3.8 1.9 1.9 0 1 0 0-3.8",
  analysis: "M2.5 13.5h11M4.5 13.3V9M8 13.3V3M11.5 13.3V6.5",
  search: "M7 2.6a4.4 4.4 0 1 0 0 8.8 4.4 4.4 0 1 0 0-8.8M10.3 10.3l3.3 3.3",
  adjust:
    "M2.5 5h6M12 5h1.5M2.5 11H4M7.5 11h6M10.25 3.4a1.6 1.6 0 1 0 0 3.2 1.6 1.6 0 1 0 0-3.2M5.75 9.4a1.6 1.6 0 1 0 0 3.2 1.6 1.6 0 1 0 0-3.2",
  undo: "M5.2 2.8 2.4 5.6l2.8 2.8M2.6 5.6h7a3.9 3.9 0 0 1 0 7.8H6",
  redo: "M10.8 2.8l2.8 2.8-2.8 2.8M13.4 5.6h-7a3.9 3.9 0 0 0 0 7.8H10",
  clock: "M8 2.2a5.8 5.8 0 1 0 0 11.6A5.8 5.8 0 1 0 8 2.2M8 4.8V8l2.3 1.7",
  table: "M2.5 3h11v10h-11zM2.5 6.3h11M2.5 9.6h11M6.3 3v10",
  close: "M4 4l8 8M12 4l-8 8",
  chevron: "M4.5 6.5 8 10l3.5-3.5",
} as const;

export type IconName = keyof typeof ICONS;

export function icon(name: IconName): SVGSVGElement {
  const shape: string = ICONS[name];
  const filled = shape.startsWith("fill:");
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("class", filled ? "graphne-icon graphne-icon-filled" : "graphne-icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", filled ? shape.slice(5) : shape);
  svg.append(path);
  return svg;
}

/** A button that shows an icon; `label` is read aloud, `title` is its tooltip (default: the label). */
export function iconButton(name: IconName, label: string, title = label): HTMLButtonElement {
  return make("button", "graphne-button", { type: "button", title, "aria-label": label }, icon(name));
}

/** Swaps a button's icon and words. */
export function relabel(button: HTMLButtonElement, name: IconName, label: string, title = label): void {
  if (button.dataset.icon !== name) {
    button.dataset.icon = name;
    button.replaceChildren(icon(name));
  }
  if (button.title !== title) button.title = title;
  if (button.getAttribute("aria-label") !== label) button.setAttribute("aria-label", label);
}

/** Lets a button be pressed, or not. One that has the focus keeps it, which `disabled` would throw away. */
export function enable(button: HTMLButtonElement, able: boolean): void {
  button.setAttribute("aria-disabled", String(!able));
}

/** Sets text only where it differs, so that a live region is not read out again. */
export function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** The 2D context of a canvas that is `width` by `height` CSS pixels, cleared; null where there is none. */
export function prepare(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D | null {
  const ratio = window.devicePixelRatio || 1;
  const columns = Math.max(1, Math.round(width * ratio));
  const rows = Math.max(1, Math.round(height * ratio));
  const context = canvas.getContext("2d");
  if (!context) return null;
  if (canvas.width !== columns || canvas.height !== rows) {
    canvas.width = columns;
    canvas.height = rows;
  }
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}
