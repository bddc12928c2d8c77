import { expect, it } from "vitest";
import { APPEARANCE, APPEARANCE_KEYS, readAppearance } from "../../src/protocol/settings.js";
import { INITIAL } from "../../src/store/state.js";

const read = (given: Record<string, unknown>) => readAppearance((name) => given[name]);

it("takes the host's word for the appearance, and the default where it says nothing", () => {
  const given = {
    color: "a:class",
    edge_width: "e:weight",
    edge_color: "ends",
    edge_label: "e:kind",
    arrows: false,
    curved: true,
    class_names: false,
    colors: { "a:class": { x: "#ff0000" } },
    size_range: [2, 9],
    theme: "dark",
    height: 700,
  };
  expect(read(given)).toMatchObject({
    color: "a:class",
    edgeWidth: "e:weight",
    edgeColor: "ends",
    edgeLabel: "e:kind",
    arrows: false,
    curved: true,
    classNames: false,
    colors: { "a:class": { x: "#ff0000" } },
    sizeRange: [2, 9],
    theme: "dark",
    height: 700,
    size: "",
    edges: true,
  });
  expect(INITIAL).toMatchObject(read({}));
  expect(new Set(APPEARANCE_KEYS.map((key) => APPEARANCE[key][0])).size).toBe(APPEARANCE_KEYS.length);
});

it("lets nothing pass that cannot be: colours reach CSS", () => {
  const colors = { a: { x: "red;}</style>", y: "#12345", z: "#abcdef" }, b: "#abcdef", c: null };
  expect(read({ colors }).colors).toEqual({ a: { z: "#abcdef" }, b: {}, c: {} });
  expect(read({ colors: ["#abcdef"] }).colors).toEqual({});
  for (const size_range of [[], [3], [5, 2], [-1, 4], [0, 0], ["1", "2"], [1, Number.NaN], null, "1,2"])
    expect(read({ size_range }).sizeRange).toBeNull();
  expect(read({ arrows: "no", height: "tall", edge_width: 7 })).toMatchObject({
    arrows: true,
    height: 520,
    edgeWidth: "",
  });
});
