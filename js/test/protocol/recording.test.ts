// the recording that tests/viewer/wire_examples.py wrote, and recordings that are broken.
// @ts-expect-error -- the types of Node are not installed for the sake of one call
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { decodeRecording } from "../../src/protocol/recording.js";

const NODES = 14;
const bytes = readFileSync(new URL("./data/recording.bin", import.meta.url)) as Uint8Array;
const circle = Array.from({ length: NODES }, (_, k) => [Math.cos(k), Math.sin(k)]);
const back = [...circle].reverse();
const near = (found: Float32Array, expected: number[][], most: number): void => {
  expected.flat().forEach((value, i) => expect(Math.abs(found[i] - value)).toBeLessThan(most));
};

describe("a recording", () => {
  it("shows every moment where the nodes were", () => {
    const recording = decodeRecording(bytes, NODES);
    expect(recording.length).toBe(4);
    expect([0, 1, 2, 3].map((k) => recording.at(k).iteration)).toEqual([0, 250, 500, 750]);
    expect([0, 1, 2, 3].map((k) => recording.at(k).phase)).toEqual([1, 1, 2, 3]);
    expect(recording.at(0).kl).toBeNaN();
    expect(recording.at(3).kl).toBe(1.5);
    near(recording.at(0).positions, circle, 2e-5);
    near(
      recording.at(1).positions,
      circle.map(([x, y]) => [2 * x + 1, 2 * y + 1]),
      4e-5,
    );
    near(
      recording.at(2).positions,
      back.map(([x, y]) => [9 * x, 9 * y]),
      2e-4,
    );
    near(
      recording.at(3).positions,
      back.map(([x, y]) => [10 * x - 3, 10 * y - 3]),
      2e-4,
    );
  });

  it("refuses what it is not", () => {
    expect(() => decodeRecording(bytes, 13)).toThrow("The replay is of 14 nodes; the graph has 13.");
    expect(() => decodeRecording(bytes.subarray(0, bytes.length - 8), NODES)).toThrow("reaches beyond the end");
    expect(() => decodeRecording(new Uint8Array(20), NODES)).toThrow("does not begin with GNG1");
  });
});
