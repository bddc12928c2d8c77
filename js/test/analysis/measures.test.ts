import { describe, expect, it, vi } from "vitest";
import {
  classMetricsOf,
  misplacedOf,
  partsOf,
  recallOf,
  sampleOf,
  stepsApart,
  VOTERS,
  votesOf,
} from "../../src/analysis/measures.js";
import { rowsOf } from "../../src/data/adjacency.js";
import { NearestHeap, nearestOf, Tree } from "../../src/data/nearest.js";
import { inSlices, type Work } from "../../src/data/time-slices.js";
import type { ClassColumn } from "../../src/data/types.js";

/** The same numbers every time. */
function chance(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 16807) % 2147483647) / 2147483647;
}

interface Example {
  readonly nodes: number;
  readonly positions: Float32Array;
  readonly pairs: Uint32Array;
  readonly codes: Uint8Array;
}

/** Random points; `coarse` puts many of them on the same places, so that distances are equal. */
function example(nodes: number, edges: number, seed: number, coarse = 0): Example {
  const random = chance(seed);
  const place = (): number => (coarse ? Math.floor(coarse * random()) : random() ** 3);
  const positions = Float32Array.from({ length: 2 * nodes }, place);
  const known = new Set<number>();
  while (known.size < edges) {
    const [i, j] = [Math.floor(nodes * random()), Math.floor(nodes * random())];
    if (i !== j) known.add(nodes * Math.min(i, j) + Math.max(i, j));
  }
  const pairs = Uint32Array.from([...known].flatMap((code) => [Math.floor(code / nodes), code % nodes]));
  // Code 3 stands for no class.
  return { nodes, positions, pairs, codes: Uint8Array.from({ length: nodes }, () => Math.floor(4 * random() ** 1.5)) };
}

const column = (codes: Uint8Array): ClassColumn => ({
  key: "c",
  name: "c",
  kind: "classes",
  codes,
  categories: ["a", "b", "c"].map((label) => ({ label, color: null, count: 0 })),
});

function square({ positions }: Example, i: number, j: number): number {
  return (positions[2 * i] - positions[2 * j]) ** 2 + (positions[2 * i + 1] - positions[2 * j + 1]) ** 2;
}

const others = ({ nodes }: Example, i: number): number[] =>
  Array.from({ length: nodes }, (_, j) => j).filter((j) => j !== i);
const everyone = (nodes: number): Uint32Array => Uint32Array.from({ length: nodes }, (_, node) => node);
const neighbors = ({ pairs }: Example, i: number): number[] => {
  const found: number[] = [];
  for (let k = 0; k < pairs.length; k++) if (pairs[k] === i) found.push(pairs[k ^ 1]);
  return found;
};

function finish<T>(work: Work<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** The chance of each neighbour to be among the nearest if ties are broken at random, added up. */
function slowRecall(x: Example, i: number): number {
  const mine = neighbors(x, i);
  if (mine.length === 0) return Number.NaN;
  const sorted = others(x, i)
    .map((j) => square(x, i, j))
    .sort((a, b) => a - b);
  const last = sorted[mine.length - 1];
  const nearer = sorted.filter((one) => one < last).length;
  const level = sorted.filter((one) => one === last).length;
  const chances = mine.map((j) =>
    square(x, i, j) < last ? 1 : square(x, i, j) > last ? 0 : (mine.length - nearer) / level,
  );
  return chances.reduce((a, b) => a + b) / mine.length;
}

/** Who wins and with how many votes. */
function slowVote(x: Example, i: number): [number, number] {
  const near = others(x, i)
    .filter((j) => x.codes[j] < 3)
    .sort((a, b) => square(x, i, a) - square(x, i, b) || a - b)
    .slice(0, VOTERS)
    .map((j) => x.codes[j]);
  const votes = (code: number): number => near.filter((one) => one === code).length;
  const most = Math.max(...near.map(votes));
  return [near.find((code) => votes(code) === most)!, most];
}

describe("the nearest", () => {
  it.each([
    [1, 0],
    [2, 0],
    [40, 0],
    [700, 0],
    [700, 5],
    [300, 1],
  ])("are those of %i nodes, found by looking at all (places: %i)", (nodes, coarse) => {
    const x = example(nodes, 0, 7, coarse);
    const tree = new Tree(x.positions);
    const few = new NearestHeap();
    for (const most of [1, 3, 20, nodes]) {
      for (let i = 0; i < nodes; i += 1 + (nodes >> 5)) {
        tree.find(x.positions[2 * i], x.positions[2 * i + 1], i, most, few);
        const found = Array.from(few.squares.subarray(0, few.size)).sort((a, b) => a - b);
        const wanted = others(x, i)
          .map((j) => square(x, i, j))
          .sort((a, b) => a - b)
          .slice(0, most);
        expect(found).toEqual(wanted);
        expect(new Set(few.nodes.subarray(0, few.size)).size).toBe(few.size);
        expect(few.nodes.subarray(0, few.size)).not.toContain(i);
        expect(Array.from(nearestOf(x.positions, i, most), (j) => square(x, i, j))).toEqual(wanted);
        const limit = wanted.at(-1) ?? 1;
        const counted = tree.count(x.positions[2 * i], x.positions[2 * i + 1], i, limit);
        const all = others(x, i).map((j) => square(x, i, j));
        expect(counted).toEqual({
          nearer: all.filter((one) => one < limit).length,
          level: all.filter((one) => one === limit).length,
        });
      }
    }
  });

  it("can be asked of some nodes only", () => {
    const x = example(200, 0, 3);
    const some = everyone(200).filter((node) => node % 3 === 0);
    const few = new NearestHeap();
    new Tree(x.positions, some).find(x.positions[2], x.positions[3], 1, 5, few);
    few.sort();
    const wanted = Array.from(some)
      .sort((a, b) => square(x, 1, a) - square(x, 1, b))
      .slice(0, 5);
    expect(Array.from(few.nodes.subarray(0, 5))).toEqual(wanted);
  });
});

describe("recall", () => {
  it.each([0, 4, 1])("is what was asked for, ties shared (places: %i)", (coarse) => {
    const x = example(150, 400, 11, coarse);
    const recall = finish(recallOf(x.positions, rowsOf(x.nodes, x.pairs), everyone(x.nodes)));
    for (let i = 0; i < x.nodes; i++) {
      if (neighbors(x, i).length === 0) expect(recall[i]).toBeNaN();
      else expect(recall[i]).toBeCloseTo(slowRecall(x, i), 6);
    }
  });

  it("is 1 where everybody is a neighbour, and nothing for isolates and those not asked", () => {
    const positions = Float32Array.from([0, 0, 5, 1, 2, 7, 9, 9]);
    const rows = rowsOf(4, Uint32Array.from([0, 1, 0, 2, 1, 2]));
    const alone = finish(
      recallOf(positions.subarray(0, 6), rowsOf(3, Uint32Array.from([0, 1, 0, 2, 1, 2])), everyone(3)),
    );
    expect(Array.from(alone)).toEqual([1, 1, 1]);
    expect(Array.from(finish(recallOf(positions, rows, Uint32Array.of(0, 3))), Number.isNaN)).toEqual([
      false,
      true,
      true,
      true,
    ]);
  });
});

describe("classes", () => {
  it.each([0, 6])("are told by the nearest (places: %i)", (coarse) => {
    const x = example(220, 300, 5, coarse);
    const { winners, votes, voters } = finish(votesOf(x.positions, x.codes, 3, everyone(x.nodes)));
    expect(voters).toBe(VOTERS);
    for (let i = 0; i < x.nodes; i++) {
      if (x.codes[i] === 3) expect([winners[i], votes[i]]).toEqual([-1, 0]);
      // With equal distances who is last of the nearest is open.
      else if (!coarse) expect([winners[i], votes[i]]).toEqual(slowVote(x, i));
    }
  });

  it("have the figures as they are defined, and so have all together", () => {
    const x = example(220, 500, 9);
    const rows = rowsOf(x.nodes, x.pairs);
    const recall = finish(recallOf(x.positions, rows, everyone(x.nodes)));
    const votes = finish(votesOf(x.positions, x.codes, 3, everyone(x.nodes)));
    const figures = classMetricsOf(column(x.codes), x.pairs, recall, votes);
    expect(figures).toHaveLength(4);
    const mean = (values: number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
    figures.forEach(({ nodes, recall: share, accuracy, homophily }, code) => {
      const own = Array.from(everyone(x.nodes)).filter((i) => (code < 3 ? x.codes[i] === code : x.codes[i] < 3));
      expect(nodes).toBe(own.length);
      expect(share).toBeCloseTo(mean(own.map((i) => slowRecall(x, i)).filter((one) => !Number.isNaN(one))), 6);
      expect(accuracy).toBeCloseTo(mean(own.map((i) => Number(slowVote(x, i)[0] === x.codes[i]))), 9);
      const ends = own.flatMap((i) =>
        neighbors(x, i)
          .filter((j) => x.codes[j] < 3)
          .map((j) => Number(x.codes[j] === x.codes[i])),
      );
      expect(homophily).toBeCloseTo(mean(ends), 9);
    });
    const degrees = Array.from(everyone(x.nodes), (i) => neighbors(x, i).length);
    const found = misplacedOf(x.codes, votes, degrees);
    const wanted = Array.from(everyone(x.nodes))
      .filter((i) => x.codes[i] < 3 && slowVote(x, i)[0] !== x.codes[i] && slowVote(x, i)[1] > VOTERS / 2)
      .map((node) => ({
        node,
        code: x.codes[node],
        around: slowVote(x, node)[0],
        share: slowVote(x, node)[1] / VOTERS,
      }))
      .sort((a, b) => b.share - a.share || degrees[b.node] - degrees[a.node] || a.node - b.node);
    expect(wanted.length).toBeGreaterThan(5);
    expect(found).toEqual(wanted);
  });

  it("of very few nodes have fewer voters, and none alone", () => {
    const positions = Float32Array.from([0, 0, 1, 0, 2, 0]);
    const votes = finish(votesOf(positions, Uint8Array.of(0, 1, 1), 3, everyone(3)));
    expect([Array.from(votes.winners), votes.voters]).toEqual([[1, 0, 1], 2]);
    expect(finish(votesOf(positions, Uint8Array.of(0, 3, 3), 3, everyone(3))).voters).toBe(0);
  });
});

describe("the graph", () => {
  it("says how many steps two nodes are apart", () => {
    const x = example(60, 70, 2);
    // Floyd and Warshall, who look at everything.
    const steps = Array.from({ length: 60 }, (_, i) => Array.from({ length: 60 }, (_, j) => (i === j ? 0 : Infinity)));
    for (let k = 0; k < x.pairs.length; k += 2)
      steps[x.pairs[k]][x.pairs[k + 1]] = steps[x.pairs[k + 1]][x.pairs[k]] = 1;
    for (let k = 0; k < 60; k++)
      for (let i = 0; i < 60; i++)
        for (let j = 0; j < 60; j++) steps[i][j] = Math.min(steps[i][j], steps[i][k] + steps[k][j]);
    const rows = rowsOf(60, x.pairs);
    let apart = 0;
    for (let i = 0; i < 60; i++) {
      for (let j = 0; j < 60; j++) {
        expect(stepsApart(rows, i, j)).toBe(steps[i][j] === Infinity ? -1 : steps[i][j]);
        if (steps[i][j] === Infinity) apart++;
      }
    }
    expect(apart).toBeGreaterThan(0);
    const isolates = steps.filter((row) => row.filter(Number.isFinite).length === 1).length;
    const parts = new Set(steps.map((row) => row.map((one) => (one < Infinity ? 1 : 0)).join(""))).size - isolates;
    expect(partsOf(rows)).toEqual({ parts, isolates });
  });
});

describe("a sample", () => {
  it("is ascending, of the size that was asked for, and spread over all", () => {
    expect(Array.from(sampleOf(4, 9))).toEqual([0, 1, 2, 3]);
    const chosen = sampleOf(10_000, 1000);
    expect(chosen).toHaveLength(1000);
    for (let k = 1; k < 1000; k++) expect(chosen[k]).toBeGreaterThan(chosen[k - 1]);
    for (let part = 0; part < 4; part++) {
      expect(Math.abs(chosen.filter((node) => Math.floor(node / 2500) === part).length - 250)).toBeLessThan(60);
    }
    expect(sampleOf(10_000, 1000)).toEqual(chosen);
  });
});

describe("slices", () => {
  it("let others have their turn, end with the result, and can be given up", async () => {
    let clock = 0;
    vi.spyOn(performance, "now").mockImplementation(() => clock);
    function* work(): Work<string> {
      for (; clock < 40; clock++) yield;
      return "done";
    }
    let turns = 0;
    const turn = (): void => {
      turns++;
      if (clock < 40) setTimeout(turn, 0);
    };
    setTimeout(turn, 0);
    const result = await new Promise((resolve) => inSlices(work(), resolve));
    vi.restoreAllMocks();
    expect(result).toBe("done");
    expect(turns).toBeGreaterThan(3);
    clock = 0;
    let ended = false;
    inSlices(work(), () => (ended = true))();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(ended).toBe(false);
  });
});
