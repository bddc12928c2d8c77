import { expect, it } from "vitest";
import type { Column } from "../../src/data/types.js";
import { INITIAL } from "../../src/store/state.js";
import { allColumns, resolveAppearance, searchedTexts } from "../../src/ui/resolve-appearance.js";
import { graphOf, textsOf, valueColumn } from "../fakes.js";

const ages = valueColumn([1, 2, 3]);
const labels: Column = { kind: "text", key: "a:label", name: "label", texts: textsOf(["x", "y", "z"]) };
const graph = graphOf(["a", "b", "c"], [labels], [0, 1]);

it("finds the columns that keys stand for, and none for keys of nothing", () => {
  const state = { ...INITIAL, color: ages.key, size: "gone", label: labels.key };
  const found = resolveAppearance(graph, allColumns(graph, [ages], null, state), state, "dark");
  expect([found.color?.key, found.size, found.label]).toEqual([ages.key, null, labels]);
  expect(found.title(1)).toBe("y");
  expect(searchedTexts(found).map((texts) => texts.at(2))).toEqual(["z"]);
});
