// Files that the browser hands to the user.

import { make } from "./elements.js";

export function download(content: Blob, file: string): void {
  const url = URL.createObjectURL(content);
  make("a", "", { href: url, download: file }).click();
  // Not at once: the browser reads it in its own time.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
