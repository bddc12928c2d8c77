// The outline of a selection while it is drawn.

import { prepare } from "../../dom/elements.js";

/** Draws an outline, x and y interleaved, on a canvas of that size; null clears it. */
export function drawOutline(
  canvas: HTMLCanvasElement,
  [width, height]: readonly [number, number],
  outline: Float64Array | null,
  accent: string,
): void {
  // Some browsers go on showing the last outline of a canvas that was only cleared.
  canvas.hidden = outline === null;
  const context = prepare(canvas, width, height);
  if (!context || !outline) return;
  context.beginPath();
  for (let at = 0; at < outline.length; at += 2) context.lineTo(outline[at], outline[at + 1]);
  context.closePath();
  context.globalAlpha = 0.1;
  context.fillStyle = accent;
  context.fill("evenodd");
  context.globalAlpha = 1;
  context.strokeStyle = accent;
  context.lineWidth = 1.25;
  context.setLineDash([4, 3]);
  context.stroke();
}
