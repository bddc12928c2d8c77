// Light or dark, as the host is. Hosts say it in their own ways; none of them is asked for more than attributes.

import type { Shade, Theme } from "../data/types.js";
import { luminance, parseColor } from "../encoding/colors.js";

/** What a host wrote somewhere, e.g. "vscode-high-contrast-light" or "true dark mode", as a shade. */
function read(text: string | null | undefined): Shade | null {
  if (!text) return null;
  const lower = text.toLowerCase();
  if (/\blight\b/.test(lower)) return "light";
  return /\b(dark|high-contrast)\b/.test(lower) ? "dark" : null;
}

/** The nearest ancestor that paints a background decides; shadow roots are looked through. */
function paintedBehind(element: Element | null): Shade | null {
  let at: Node | null = element;
  while (at) {
    if (at instanceof Element) {
      const color = parseColor(getComputedStyle(at).backgroundColor);
      if (color && color[3] > 127) return luminance(color) < 0.18 ? "dark" : "light";
    }
    at = at instanceof ShadowRoot ? at.host : at.parentNode;
  }
  return null;
}

/** The shade of whatever shows `element`. */
export function hostShade(element: Element | null): Shade {
  const { body, documentElement: html } = document;
  // JupyterLab and Notebook 7, and the pages nbconvert makes of notebooks.
  const jupyter = body.dataset.jpThemeLight;
  if (jupyter) return jupyter === "false" ? "dark" : "light";
  const shade =
    read(body.dataset.vscodeThemeKind) ?? // VS Code
    read(Array.from(body.classList).find((name) => name.startsWith("vscode-"))) ??
    read(html.getAttribute("theme")) ?? // Colab
    read(html.dataset.theme) ??
    read(body.dataset.theme) ?? // marimo, Sphinx themes
    read(html.dataset.bsTheme) ?? // Quarto
    read(body.className) ??
    read(html.className) ??
    paintedBehind(element);
  if (shade) return shade;
  return window.matchMedia?.("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

/** Follows the host's theme; call what it returns to stop. */
export function watchHost(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  for (const element of [document.documentElement, document.body]) {
    observer.observe(element, { attributes: true });
  }
  const system = window.matchMedia?.("(prefers-color-scheme: dark)");
  system?.addEventListener?.("change", changed);
  return () => {
    observer.disconnect();
    system?.removeEventListener?.("change", changed);
  };
}

export function shadeOf(theme: Theme, element: Element | null): Shade {
  return theme === "auto" ? hostShade(element) : theme;
}

/** Colours that canvases need; those of elements are in style.css. */
export const INK = {
  light: {
    background: "#ffffff",
    edge: "#66717c",
    selection: "#101418",
    text: "#1f2328",
    muted: "#66707b",
    accent: "#1f6feb",
    lost: "#c2410c",
  },
  dark: {
    background: "#15181c",
    edge: "#6f7a87",
    selection: "#ffffff",
    text: "#e6e9ec",
    muted: "#98a2ad",
    accent: "#6ea8fe",
    lost: "#ff9d5c",
  },
} as const;
