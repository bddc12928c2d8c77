// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type ExportOption, exportOptionsOf, SaveMenu, tableOf } from "../../../src/ui/controls/save-menu.js";
import { classColumn, graphOf, valueColumn } from "../../fakes.js";

const graph = graphOf(["ann", 'b,"ob', "=1+1"], [classColumn(["x", null, "-y"]), valueColumn([1.5, Number.NaN, -3])]);
const saved = {
  graph,
  columns: graph.columns,
  selection: Uint32Array.of(0, 2),
  picture: () => Promise.resolve(new Blob(["png"])),
  command: undefined,
};

describe("what is offered", () => {
  it("is the picture, and a table of what is selected; where there is a kernel, what it makes, too", async () => {
    expect(exportOptionsOf({ ...saved, selection: new Uint32Array(0) }).map(({ file }) => file)).toEqual(["graph.png"]);
    const command = vi.fn(() => Promise.resolve(Uint8Array.of(60, 47) as unknown));
    const options = exportOptionsOf({ ...saved, command });
    expect(options.map(({ file }) => file)).toEqual([
      "graph.png",
      "graph.svg",
      "graph.html",
      "graph.gexf",
      "selection.csv",
    ]);
    const gexf = await options[3].make();
    expect(command).toHaveBeenCalledExactlyOnceWith("take", { format: "gexf" });
    expect([gexf.size, gexf.type]).toEqual([2, "application/xml"]);
  });

  it("is a table that a spreadsheet reads as text and numbers", () => {
    expect(tableOf(graph, graph.columns, [0, 1, 2])).toBe(
      `node,class,value\r\nann,x,1.5\r\n"b,""ob",,\r\n'=1+1,'-y,-3\r\n`,
    );
  });
});

it("writes the digits that single precision has, and names as they are", () => {
  const long = "x".repeat(300);
  const column = { ...valueColumn([0.1]), values: Float32Array.of(0.1) };
  expect(tableOf(graphOf([long]), [column], [0])).toBe(`node,value\r\n${long},0.1\r\n`);
});

describe("the menu", () => {
  const clicked = vi.fn();
  const busy = vi.fn();
  const failed = vi.fn();
  let button: HTMLButtonElement;
  let menu: SaveMenu;
  const option = (file: string, make = () => Promise.resolve(new Blob([file]))): ExportOption => ({
    words: `a ${file}`,
    file,
    make,
  });
  const lines = (): HTMLElement[] => Array.from(menu.element.querySelectorAll("button"));

  beforeEach(() => {
    URL.createObjectURL = vi.fn(() => "blob:x");
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
      clicked(this.download);
    });
    button = document.createElement("button");
    menu = new SaveMenu(button, { busy, failed });
    document.body.append(button, menu.element);
  });
  afterEach(() => {
    menu.destroy();
    menu.destroy();
    document.body.replaceChildren();
    vi.restoreAllMocks();
    for (const mock of [clicked, busy, failed]) mock.mockClear();
  });

  it("is left out for one thing", async () => {
    menu.toggle([option("a.png")]);
    expect(menu.element.hidden).toBe(true);
    await vi.waitFor(() => expect(clicked).toHaveBeenCalledExactlyOnceWith("a.png"));
  });

  it("saves what is clicked, says that it is made, and gives the focus back", async () => {
    menu.toggle([option("a.png"), option("b.svg")]);
    expect(document.activeElement).toBe(lines()[0]);
    lines()[1].click();
    await vi.waitFor(() => expect(clicked).toHaveBeenCalledExactlyOnceWith("b.svg"));
    expect(busy.mock.calls).toEqual([["Preparing b.svg …"], [""]]);
    expect(document.activeElement).toBe(button);
  });

  it("goes by keys, and closes with escape, its button or a click elsewhere", () => {
    const press = (key: string): boolean =>
      document.activeElement!.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    const options = [option("a.png"), option("b.svg")];
    menu.toggle(options);
    press("ArrowUp");
    expect(document.activeElement).toBe(lines()[1]);
    press("Escape");
    expect([menu.element.hidden, document.activeElement]).toEqual([true, button]);
    menu.toggle(options);
    menu.toggle(options);
    expect(menu.element.hidden).toBe(true);
    menu.toggle(options);
    document.body.dispatchEvent(new Event("pointerdown", { bubbles: true }));
    expect(menu.element.hidden).toBe(true);
  });

  it("closes when the focus goes elsewhere, and opens for nothing", () => {
    menu.toggle([]);
    expect(menu.element.hidden).toBe(true);
    menu.toggle([option("a.png"), option("b.svg")]);
    expect(button.getAttribute("aria-expanded")).toBe("true");
    button.focus();
    expect([menu.element.hidden, button.getAttribute("aria-expanded")]).toEqual([true, "false"]);
  });

  it("says what went wrong", async () => {
    menu.toggle([option("a.svg", () => Promise.reject(new Error("no kernel")))]);
    await vi.waitFor(() => expect(failed).toHaveBeenCalledWith(new Error("no kernel")));
    expect(busy).toHaveBeenLastCalledWith("");
    expect(clicked).not.toHaveBeenCalled();
  });
});
