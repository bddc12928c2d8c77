// How much room the viewer has, as attributes that its style sheets go by.

import type { Disposables } from "../dom/disposables.js";

/** Narrower than this, the legend folds and the menus hide behind a button. */
const NARROW = 600;
/** Narrower than this, the control bar saves room. */
const MEDIUM = 780;
/** Wider than this, legend and analysis have room beside each other. */
const SPACIOUS = 1000;
/** Lower than this, the tools do not fit below each other. */
const LOW = 391;
/** Lower than this, the analysis has no room below the picture. */
const TIGHT = 400;

/** Writes down how much room there is; `resized` hears whether it is narrow now, where that is another class of width. */
export function updateSizeClasses(
  root: HTMLElement,
  tools: HTMLElement,
  resized: (narrow: boolean, folds: boolean) => void,
): void {
  const width = root.clientWidth;
  root.toggleAttribute("data-spacious", width >= SPACIOUS);
  const size = width < NARROW ? "narrow" : width < MEDIUM ? "medium" : "wide";
  const before = root.dataset.size;
  root.toggleAttribute("data-tight", size === "narrow" && root.clientHeight < TIGHT);
  if (width && before !== size) {
    root.dataset.size = size;
    resized(size === "narrow", (size === "narrow") !== (before === "narrow"));
  }
  root.toggleAttribute("data-scrolled", isScrolled(root));
  // Last, because it depends on what the others leave.
  root.toggleAttribute("data-low", tools.clientHeight < LOW);
}

/** Notices that something around it has begun to scroll: a notebook grows below a view, whose own size stays. */
export function watchScrolling(disposables: Disposables, root: HTMLElement): void {
  const scrolled = (): void => {
    if (!root.hasAttribute("data-scrolled")) root.toggleAttribute("data-scrolled", isScrolled(root));
  };
  disposables.listen(window, "scroll", scrolled, { capture: true, passive: true });
}

/** Whether something around an element scrolls up and down. */
function isScrolled(element: HTMLElement): boolean {
  for (let at: Node | null = element.parentNode; at; at = at instanceof ShadowRoot ? at.host : at.parentNode) {
    if (!(at instanceof HTMLElement) || at.scrollHeight <= at.clientHeight + 1) continue;
    // The page itself scrolls whatever its style is, unless that forbids it.
    const { overflowY } = getComputedStyle(at);
    if (/auto|scroll/.test(overflowY) || (at === document.documentElement && overflowY !== "hidden")) return true;
  }
  return false;
}
