// The nearest nodes of a layout. A k-d tree, unlike a grid, does not mind that layouts are dense in some places and
// empty in others; it is exact, and lives in typed arrays.

/** The few smallest of many: the largest of those kept is on top, and leaves first. */
export class NearestHeap {
  squares = new Float64Array(16);
  nodes = new Uint32Array(16);
  size = 0;
  #most = 0;

  /** Forgets all, and keeps so many from now on. */
  clear(most: number): void {
    this.size = 0;
    this.#most = most;
    if (this.squares.length >= most) return;
    this.squares = new Float64Array(2 * most);
    this.nodes = new Uint32Array(2 * most);
  }

  /** What a further one must be below to be kept. */
  get limit(): number {
    return this.size < this.#most ? Infinity : this.squares[0];
  }

  /** The largest but one of those that are kept. */
  get second(): number {
    const { squares, size } = this;
    return size < 2 ? -1 : size === 2 ? squares[1] : Math.max(squares[1], squares[2]);
  }

  offer(square: number, node: number): void {
    const { squares, nodes } = this;
    if (this.size < this.#most) {
      let at = this.size++;
      while (at > 0) {
        const above = (at - 1) >> 1;
        if (squares[above] >= square) break;
        squares[at] = squares[above];
        nodes[at] = nodes[above];
        at = above;
      }
      squares[at] = square;
      nodes[at] = node;
    } else if (square < squares[0]) {
      this.#sink(square, node, this.size);
    }
  }

  /** Puts what is kept in order, the smallest first, of equal ones the lower number. Nothing can be offered after. */
  sort(): void {
    const { squares, nodes, size } = this;
    const order = Array.from({ length: size }, (_, at) => at);
    order.sort((a, b) => squares[a] - squares[b] || nodes[a] - nodes[b]);
    const sorted = order.map((at) => [squares[at], nodes[at]] as const);
    sorted.forEach(([square, node], at) => {
      squares[at] = square;
      nodes[at] = node;
    });
  }

  /** Puts one in the place of the top. */
  #sink(square: number, node: number, size: number): void {
    const { squares, nodes } = this;
    let at = 0;
    for (let below = 1; below < size; below = 2 * at + 1) {
      if (below + 1 < size && squares[below + 1] > squares[below]) below++;
      if (squares[below] <= square) break;
      squares[at] = squares[below];
      nodes[at] = nodes[below];
      at = below;
    }
    squares[at] = square;
    nodes[at] = node;
  }
}

/** Nodes that are gone through one by one rather than split further. */
const LEAF = 16;

export class Tree {
  /** The nodes; every stretch longer than a leaf is split at its middle, by x and y in turn. */
  readonly #nodes: Uint32Array;
  /** Their coordinates, in the same order. */
  readonly #at: Float32Array;
  // Stretches that are still to be looked at: from, to, axis, and how far away they are at least.
  #stack = new Float64Array(256);

  /** Of some nodes, or all. */
  constructor(positions: Float32Array, some?: Uint32Array) {
    const count = some ? some.length : positions.length >> 1;
    this.#nodes = some ? some.slice() : Uint32Array.from({ length: count }, (_, node) => node);
    this.#at = new Float32Array(2 * count);
    for (let k = 0; k < count; k++) {
      this.#at[2 * k] = positions[2 * this.#nodes[k]];
      this.#at[2 * k + 1] = positions[2 * this.#nodes[k] + 1];
    }
    this.#split(0, count - 1, 0);
  }

  /** The `most` nodes nearest to a point, without `self`, into `few`. */
  find(x: number, y: number, self: number, most: number, heap: NearestHeap): void {
    heap.clear(most);
    if (most < 1) return;
    this.#walk(
      x,
      y,
      () => heap.limit,
      (square, node) => {
        if (node !== self) heap.offer(square, node);
      },
    );
  }

  /** How many nodes but `self` are nearer to a point than this squared distance, and how many are just as far. */
  count(x: number, y: number, self: number, square: number): { nearer: number; level: number } {
    const found = { nearer: 0, level: 0 };
    this.#walk(
      x,
      y,
      () => square,
      (other, node) => {
        if (node === self) return;
        if (other < square) found.nearer++;
        else if (other === square) found.level++;
      },
    );
    return found;
  }

  /** Shows all nodes up to a distance, which may shrink meanwhile; nearer stretches first. */
  #walk(x: number, y: number, limit: () => number, see: (square: number, node: number) => void): void {
    const at = this.#at;
    const nodes = this.#nodes;
    const stack = this.#stack;
    let top = 0;
    const push = (from: number, to: number, axis: number, square: number): void => {
      stack[top++] = from;
      stack[top++] = to;
      stack[top++] = axis;
      stack[top++] = square;
    };
    push(0, nodes.length - 1, 0, 0);
    while (top > 0) {
      const least = stack[--top];
      const axis = stack[--top];
      const to = stack[--top];
      const from = stack[--top];
      if (least > limit()) continue;
      if (to - from < LEAF) {
        for (let k = from; k <= to; k++) {
          const dx = at[2 * k] - x;
          const dy = at[2 * k + 1] - y;
          see(dx * dx + dy * dy, nodes[k]);
        }
        continue;
      }
      const middle = (from + to) >> 1;
      const dx = x - at[2 * middle];
      const dy = y - at[2 * middle + 1];
      see(dx * dx + dy * dy, nodes[middle]);
      const apart = axis === 0 ? dx : dy;
      // What is on the other side of the middle is farther away than the line through it.
      if (apart <= 0) {
        push(middle + 1, to, 1 - axis, apart * apart);
        push(from, middle - 1, 1 - axis, 0);
      } else {
        push(from, middle - 1, 1 - axis, apart * apart);
        push(middle + 1, to, 1 - axis, 0);
      }
    }
  }

  #split(from: number, to: number, axis: number): void {
    if (to - from < LEAF) return;
    const middle = (from + to) >> 1;
    this.#select(from, to, middle, axis);
    this.#split(from, middle - 1, 1 - axis);
    this.#split(middle + 1, to, 1 - axis);
  }

  /** Brings what belongs in the middle there, smaller ones before and larger ones after it (Hoare's quickselect). */
  #select(from: number, to: number, wanted: number, axis: number): void {
    const at = this.#at;
    while (to > from) {
      const pivot = at[2 * ((from + to) >> 1) + axis];
      let low = from;
      let high = to;
      while (low <= high) {
        while (at[2 * low + axis] < pivot) low++;
        while (at[2 * high + axis] > pivot) high--;
        if (low <= high) this.#swap(low++, high--);
      }
      if (wanted <= high) to = high;
      else if (wanted >= low) from = low;
      else return;
    }
  }

  #swap(one: number, other: number): void {
    const at = this.#at;
    const nodes = this.#nodes;
    for (let axis = 0; axis < 2; axis++) {
      const kept = at[2 * one + axis];
      at[2 * one + axis] = at[2 * other + axis];
      at[2 * other + axis] = kept;
    }
    const node = nodes[one];
    nodes[one] = nodes[other];
    nodes[other] = node;
  }
}

/** The `most` nodes nearest to one of them, nearest first; looks at all, which for a single node is fastest. */
export function nearestOf(positions: Float32Array, node: number, most: number): Uint32Array {
  const heap = new NearestHeap();
  heap.clear(most);
  const x = positions[2 * node];
  const y = positions[2 * node + 1];
  for (let k = 0; most > 0 && k < positions.length >> 1; k++) {
    const dx = positions[2 * k] - x;
    const dy = positions[2 * k + 1] - y;
    if (k !== node) heap.offer(dx * dx + dy * dy, k);
  }
  heap.sort();
  return heap.nodes.slice(0, heap.size);
}
