// What of the state others keep or share: the host and linked views. A change is never sent back to where it came from.

import type { Disposables } from "../dom/disposables.js";
import { APPEARANCE_KEYS } from "../protocol/settings.js";
import type { Host } from "../store/api.js";
import { SHARED, type SharedChange } from "../store/link-group.js";
import { toJson } from "../store/serialize.js";
import type { ViewState } from "../store/state.js";
import type { Cause, Store } from "../store/store.js";

/** What hosts keep one by one. */
const KEPT = [...APPEARANCE_KEYS, "selection"] as const;
/** What they keep as one. */
const VIEW = ["camera", "tool", "lens", "filters", "legend", "table", "timeline"] as const;

export function publishState(
  disposables: Disposables,
  store: Store,
  host: Host,
  share: (change: SharedChange) => void,
  failed: (error: unknown) => void,
): void {
  const watch = <K extends keyof ViewState>(key: K, origin: Cause, changed: (value: ViewState[K]) => void): void => {
    const stop = store.subscribe(
      (state) => state[key],
      (value, _, cause) => {
        if (cause === origin) return;
        try {
          changed(value);
        } catch (error) {
          failed(error);
        }
      },
    );
    disposables.add(stop);
  };
  for (const key of KEPT) watch(key, "host", (value) => host.changed?.({ [key]: value }));
  for (const key of VIEW) watch(key, "host", () => host.saved?.({ view: toJson(store.state) }));
  watch("placement", "host", (placement) => host.saved?.({ placement }));
  watch("hidden", "host", (hidden) => host.saved?.({ hidden }));
  for (const key of SHARED) watch(key, "group", (value) => share({ [key]: value }));
}
