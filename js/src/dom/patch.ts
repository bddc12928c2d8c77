// Lists and trees of elements that change: what is the same stays, and with it focus and scrolling.

/** How the items of a list become elements. */
export interface Patching<T> {
  key(item: T): string;
  make(item: T): HTMLElement;
  update(element: HTMLElement, item: T): void;
}

const patched = new WeakMap<Element, Map<string, HTMLElement>>();

/** Brings a parent's children in line with some items. Elements stay with their keys, and so do focus and scrolling. */
export function patch<T>(parent: Element, items: readonly T[], { key, make, update }: Patching<T>): void {
  const before = patched.get(parent) ?? new Map<string, HTMLElement>();
  const after = new Map<string, HTMLElement>();
  for (const item of items) {
    const name = key(item);
    const known = before.get(name);
    const element = known?.parentNode === parent ? known : make(item);
    update(element, item);
    after.set(name, element);
  }
  const stays = new Set<Element>(after.values());
  for (const child of Array.from(parent.children)) if (!stays.has(child)) child.remove();
  let at = parent.firstElementChild;
  for (const element of after.values()) {
    // Only what is out of place is moved: an element that is moved loses the focus.
    if (element === at) at = at.nextElementSibling;
    else parent.insertBefore(element, at);
  }
  patched.set(parent, after);
}

/** Makes these an element's children. Those with the same `data-key`, or in the same place, stay and take over what differs. */
export function render(parent: Node, ...children: (Node | string)[]): void {
  const keyOf = (node: Node): string | undefined => (node instanceof HTMLElement ? node.dataset.key : undefined);
  const keyed = new Map(Array.from(parent.childNodes, (node) => [keyOf(node), node]));
  const kept = new Set<Node>();
  let at = parent.firstChild;
  for (const child of children) {
    const node = typeof child === "string" ? document.createTextNode(child) : child;
    const key = keyOf(node);
    const known = key === undefined ? at : keyed.get(key);
    const stays = known && known.nodeName === node.nodeName && keyOf(known) === key ? known : null;
    if (stays && stays !== node) adopt(stays, node);
    const shown = stays ?? node;
    kept.add(shown);
    if (shown === at) at = at.nextSibling;
    else parent.insertBefore(shown, at);
  }
  for (const node of Array.from(parent.childNodes)) if (!kept.has(node)) parent.removeChild(node);
}

function adopt(stays: Node, node: Node): void {
  if (!(stays instanceof HTMLElement && node instanceof HTMLElement)) {
    if (stays.nodeValue !== node.nodeValue) stays.nodeValue = node.nodeValue;
    return;
  }
  for (const { name } of Array.from(stays.attributes)) if (!node.hasAttribute(name)) stays.removeAttribute(name);
  for (const { name, value } of Array.from(node.attributes)) {
    // A page may forbid styles that are written as attributes.
    if (name === "style") stays.style.cssText = node.style.cssText;
    else if (stays.getAttribute(name) !== value) stays.setAttribute(name, value);
  }
  render(stays, ...Array.from(node.childNodes));
}
