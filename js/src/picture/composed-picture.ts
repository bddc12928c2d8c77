// The scene and whatever is drawn above it as one picture, to be saved.

import { make } from "../dom/elements.js";
import type { SceneApi } from "../scene/types.js";

/** The picture with its labels, as PNG; what is above the scene are the canvases of its surface. */
export async function composedPicture(scene: SceneApi, surface: HTMLElement): Promise<Blob> {
  const below = await createImageBitmap(await scene.toBlob());
  const canvas = make("canvas", "");
  canvas.width = below.width;
  canvas.height = below.height;
  const context = canvas.getContext("2d");
  context?.drawImage(below, 0, 0);
  for (const above of surface.querySelectorAll<HTMLCanvasElement>("canvas.graphne-overlay")) {
    if (above.width > 0) context?.drawImage(above, 0, 0, below.width, below.height);
  }
  below.close();
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("The browser made no picture."))), "image/png");
  });
}
