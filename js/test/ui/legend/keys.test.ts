// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from "vitest";
import type { ClassColumn } from "../../../src/data/types.js";
import { INITIAL } from "../../../src/store/state.js";
import { Store } from "../../../src/store/store.js";
import { MoreMenu } from "../../../src/ui/controls/more-menu.js";
import { Legend } from "../../../src/ui/legend/legend.js";
import { classColumn, graphOf, valueColumn } from "../../fakes.js";

const EDGES = [valueColumn([1, 2, 9], "e:weight"), classColumn(["road", "rail", "road"], "e:kind")];
const labels = Array.from({ length: 20 }, (_, k) => `class ${k}`);
const colors = labels.map((_, k) => (k === 1 ? "#D55E00" : "#0072B2"));
const many = (key: string): ClassColumn => {
  const column = classColumn(labels, key);
  return { ...column, categories: column.categories.map((category, k) => ({ ...category, color: colors[k] })) };
};
const classes = many("a:class");
const graph = { ...graphOf(labels, [classes], [0, 1, 1, 2, 2, 0]), directed: true, edgeColumns: EDGES };
const plain = { width: null, color: null, label: null, arrows: true, curved: true };

let store: Store;
let legend: Legend;
function open(): HTMLElement {
  store = new Store({ ...INITIAL, color: "a:class" });
  legend = new Legend(store);
  document.body.append(legend.element);
  return legend.element;
}
const all = (element: HTMLElement, selector: string): string[] =>
  Array.from(element.querySelectorAll(selector), ({ textContent }) => textContent ?? "");

afterEach(() => {
  legend?.destroy();
  document.body.replaceChildren();
});

describe("the legend", () => {
  it("can be searched where classes are many", () => {
    const element = open();
    legend.show(classColumn(["x", "y"]), graph, "light");
    const search = element.querySelector<HTMLInputElement>("[type=search]")!;
    expect(search.hidden).toBe(true);
    legend.show(classes, graph, "light");
    expect(search.hidden).toBe(false);
    search.value = "CLASS 1";
    search.dispatchEvent(new Event("input"));
    expect(all(element, ".graphne-line-name")).toEqual(
      ["1", ...Array.from({ length: 10 }, (_, k) => `1${k}`)].map((k) => `class ${k}`),
    );
    legend.show(many("a:other"), graph, "light");
    expect(search.value).toBe("");
  });

  it("gives a class another colour by a click on its dot, and its own again", () => {
    const element = open();
    legend.show(classes, graph, "light");
    const dot = element.querySelectorAll<HTMLElement>(".graphne-swatch")[1];
    const clicked = vi.spyOn(HTMLInputElement.prototype, "click").mockImplementation(() => {});
    dot.click();
    expect(clicked).toHaveBeenCalledOnce();
    expect(store.state.legend.isolated).toEqual([]);
    const picker = element.querySelector<HTMLInputElement>("[type=color]")!;
    expect(picker.value).toBe("#d55e00");
    picker.value = "#123456";
    picker.dispatchEvent(new Event("input"));
    expect(store.state.colors).toEqual({ "a:class": { "class 1": "#123456" } });
    dot.dispatchEvent(new MouseEvent("click", { bubbles: true, altKey: true }));
    expect(store.state.colors).toEqual({});
  });

  it("has a key for sizes, whose range can be set, and keys for edges", () => {
    const element = open();
    const size = valueColumn([0, 5, 10], "degree");
    const content = { size, diameters: [4, 16] as const, edges: { ...plain, width: EDGES[0], color: EDGES[1] } };
    legend.show(null, graph, "light", content);
    expect(element.hidden).toBe(false);
    expect(all(element, "h4")).toEqual(["Size: degree", "Edge width: e:weight", "Edge colour: e:kind"]);
    expect(all(element, ".graphne-size-step")).toEqual(["0", "5", "10"]);
    const [smallest, largest] = element.querySelectorAll<HTMLInputElement>("[type=number]");
    expect([smallest.value, largest.value]).toEqual(["4", "16"]);
    // Who types goes on typing when the legend is written anew.
    document.body.append(element);
    largest.focus();
    legend.show(null, graph, "light", content);
    expect(document.activeElement).toBe(largest);
    largest.value = "40";
    largest.dispatchEvent(new Event("change"));
    expect(store.state.sizeRange).toEqual([4, 40]);
    largest.value = "";
    largest.dispatchEvent(new Event("change"));
    expect(store.state.sizeRange).toBeNull();
    legend.show(null, graph, "light", { ...content, size: null, edges: plain });
    expect(element.hidden).toBe(true);
  });
});

describe("the menu of edges", () => {
  const shown = (menu: MoreMenu): string[] =>
    Array.from(menu.element.querySelectorAll<HTMLElement>("label"))
      .filter(({ hidden }) => !hidden)
      .map((label) => label.querySelector(".graphne-caption")?.textContent ?? "");

  it("offers what makes a difference, and changes the store", () => {
    const store = new Store(INITIAL);
    const menu = new MoreMenu(store);
    menu.show(graph, classes);
    expect(shown(menu)).toEqual(["Edge width", "Edge colour", "Edge label", "Arrows", "Curves", "Names on the map"]);
    const [width, color] = menu.element.querySelectorAll("select");
    expect(Array.from(width.options, ({ value }) => value)).toEqual(["", "e:weight"]);
    expect(Array.from(color.options, ({ value }) => value)).toEqual(["", "ends", "e:weight", "e:kind"]);
    color.value = "ends";
    color.dispatchEvent(new Event("change"));
    const arrows = menu.element.querySelector("input")!;
    arrows.checked = false;
    arrows.dispatchEvent(new Event("change"));
    expect(store.state).toMatchObject({ edgeColor: "ends", arrows: false });
    menu.show({ ...graph, directed: false, edgeColumns: [] }, null);
    expect(shown(menu)).toEqual(["Edge colour", "Curves"]);
    menu.show(graphOf(["a", "b"]), null);
    expect(menu.element.hidden).toBe(true);
    menu.destroy();
  });
});
