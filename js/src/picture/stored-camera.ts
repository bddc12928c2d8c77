// The scene's camera and the place that the store has for it: whoever moves one moves the other. The store's is in the
// coordinates of the layout, the scene's in those of what is drawn, which may be rotated.

import { rotatedPlace, unrotatedPlace } from "../data/rotation.js";
import type { Rotation } from "../data/types.js";
import type { CameraApi } from "../scene/types.js";
import type { Store } from "../store/store.js";

export class StoredCamera {
  #camera: CameraApi;
  #store: Store;
  #rotation: Rotation | null = null;
  /** The camera is where the store is told, not the other way round. */
  #telling = false;
  #forget: () => void;

  constructor(camera: CameraApi, store: Store) {
    this.#camera = camera;
    this.#store = store;
    this.#forget = store.subscribe(
      ({ camera }) => camera,
      () => this.#follow(true),
    );
    this.#follow(false);
  }

  /** How the layout is rotated when it is drawn. */
  get rotation(): Rotation | null {
    return this.#rotation;
  }

  set rotation(rotation: Rotation | null) {
    this.#rotation = rotation;
    this.#follow(false);
  }

  /** The user moved the camera: the store hears where to. `amends`: it belongs to what was done last, and is undone with it. */
  moved(amends = false): void {
    const { place } = this.#camera;
    this.#telling = true;
    const to = place && unrotatedPlace(place, this.#rotation);
    this.#store.dispatch({ type: "moveCamera", to }, "user", amends);
    this.#telling = false;
  }

  destroy(): void {
    this.#forget();
  }

  #follow(animate: boolean): void {
    const { camera } = this.#store.state;
    if (this.#telling || (!camera && this.#camera.following)) return;
    this.#camera.moveTo(camera && rotatedPlace(camera, this.#rotation), animate);
  }
}
