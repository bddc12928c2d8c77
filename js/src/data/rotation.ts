// A layout that is rotated (or mirrored) to lie as another one does. Only what is drawn is: positions that are measured,
// and the camera's place as it is kept, are those of the layout itself.

import type { CameraPlace, Rotation } from "./types.js";

/** Positions as they are drawn. */
export function rotated(positions: Float32Array, rotation: Rotation | null): Float32Array {
  if (!rotation) return positions;
  const [a, b, c, d] = rotation;
  const moved = new Float32Array(positions.length);
  for (let i = 0; i < positions.length; i += 2) {
    moved[i] = a * positions[i] + b * positions[i + 1];
    moved[i + 1] = c * positions[i] + d * positions[i + 1];
  }
  return moved;
}

/** The other way round. */
export function unrotated(places: Float32Array, rotation: Rotation | null): Float32Array {
  return rotated(places, rotation && inverse(rotation));
}

function inverse([a, b, c, d]: Rotation): Rotation {
  const by = a * d - b * c;
  return [d / by, -b / by, -c / by, a / by];
}

/** Where the camera is in the drawn coordinates, of its place in the layout's. */
export function rotatedPlace({ center: [x, y], span }: CameraPlace, rotation: Rotation | null): CameraPlace {
  if (!rotation) return { center: [x, y], span };
  const [a, b, c, d] = rotation;
  return { center: [a * x + b * y, c * x + d * y], span: span * Math.sqrt(Math.abs(a * d - b * c)) };
}

/** The other way round. */
export function unrotatedPlace(place: CameraPlace, rotation: Rotation | null): CameraPlace {
  return rotatedPlace(place, rotation && inverse(rotation));
}
