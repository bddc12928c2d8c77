// Sets of nodes: ascending numbers (selections), or a bit a node (what is hidden).

export type SelectMode = "replace" | "add" | "remove";

/** A new selection, ascending and without repetition. */
export function combine(before: Uint32Array, chosen: ArrayLike<number>, mode: SelectMode): Uint32Array {
  const nodes = new Set(mode === "replace" ? [] : before);
  for (let k = 0; k < chosen.length; k++) {
    if (mode === "remove") nodes.delete(chosen[k]);
    else nodes.add(chosen[k]);
  }
  return Uint32Array.from(nodes).sort();
}

/** All other nodes out of `of`, ascending. */
export function complement(nodes: ArrayLike<number>, of: number): Uint32Array {
  const inside = new Uint8Array(of);
  for (let k = 0; k < nodes.length; k++) inside[nodes[k]] = 1;
  const others = new Uint32Array(of);
  let count = 0;
  for (let node = 0; node < of; node++) if (!inside[node]) others[count++] = node;
  return others.slice(0, count);
}

/** The bits of `flags` that are not 0, the lowest of a byte first; nothing at all if all are. */
export function bitsOf(flags: Uint8Array): Uint8Array {
  const bits = new Uint8Array(Math.ceil(flags.length / 8));
  let some = false;
  for (let i = 0; i < flags.length; i++) {
    if (flags[i] === 0) continue;
    bits[i >> 3] |= 1 << (i & 7);
    some = true;
  }
  return some ? bits : new Uint8Array(0);
}

/** Whether a node's bit is set. */
export function hasBit(bits: Uint8Array, node: number): boolean {
  return ((bits[node >> 3] >> (node & 7)) & 1) === 1;
}

/** Those bits and the ones of some more nodes, out of `of`. */
export function withBits(bits: Uint8Array, nodes: ArrayLike<number>, of: number): Uint8Array {
  if (nodes.length === 0) return bits;
  const more = new Uint8Array(Math.ceil(of / 8));
  more.set(bits.subarray(0, more.length));
  for (let k = 0; k < nodes.length; k++) if (nodes[k] < of) more[nodes[k] >> 3] |= 1 << (nodes[k] & 7);
  return more;
}

/** How many bits are set. */
export function countBits(bits: Uint8Array): number {
  let count = 0;
  for (const byte of bits) for (let rest = byte; rest; rest &= rest - 1) count++;
  return count;
}

/** Bits as a host hands them over: none is beyond the last node, and none set is nothing at all. */
export function cleanBits(bits: Uint8Array, nodes: number): Uint8Array {
  const clean = bits.slice(0, Math.ceil(nodes / 8));
  if (clean.length === Math.ceil(nodes / 8) && nodes % 8) clean[clean.length - 1] &= (1 << (nodes % 8)) - 1;
  return clean.some((byte) => byte !== 0) ? clean : new Uint8Array(0);
}
