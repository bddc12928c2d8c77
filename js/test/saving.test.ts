// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Offer, offersOf, Saving, tableOf } from "../src/saving.js";
import { classColumn, graphOf, valueColumn } from "./fakes.js";

const graph = graphOf(["ann", 'b,"ob', "=1+1"], [classColumn(["x", null, "-y"]), valueColumn([1.5, Number.NaN, -3])]);
const saved = { graph, columns: graph.columns, selection: Uint32Array.of(0, 2), picture: () => Promise.resolve(new Blob(["png"])), command: undefined };

describe("what is offered", () => {
  it("is the picture, and a table of what is selected; where there is a kernel, what it makes, too", async () => {
    expect(offersOf({ ...saved, selection: new Uint32Array(0) }).map(({ file }) => file)).toEqual(["graph.png"]);
    const command = vi.fn(() => Promise.resolve(Uint8Array.of(60, 47) as unknown));
    const offers = offersOf({ ...saved, command });
    expect(offers.map(({ file }) => file)).toEqual(["graph.png", "graph.svg", "graph.html", "graph.gexf", "selection.csv"]);
    const gexf = await offers[3].make();
    expect(command).toHaveBeenCalledExactlyOnceWith("take", { format: "gexf" });
    expect([gexf.size, gexf.type]).toEqual([2, "application/xml"]);
  });

  it("is a table that a spreadsheet reads as text and numbers", () => {
    expect(tableOf(graph, graph.columns, [0, 1, 2])).toBe(`node,class,value\r\nann,x,1.5\r\n"b,""ob",,\r\n'=1+1,'-y,-3\r\n`);
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
  let saving: Saving;
  const offer = (file: string, make = () => Promise.resolve(new Blob([file]))): Offer => ({ words: `a ${file}`, file, make });
  const lines = (): HTMLElement[] => Array.from(saving.element.querySelectorAll("button"));

  beforeEach(() => {
    URL.createObjectURL = vi.fn(() => "blob:x");
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
      clicked(this.download);
    });
    button = document.createElement("button");
    saving = new Saving(button, { busy, failed });
    document.body.append(button, saving.element);
  });
  afterEach(() => {
    saving.destroy();
    saving.destroy();
    document.body.replaceChildren();
    vi.restoreAllMocks();
    for (const mock of [clicked, busy, failed]) mock.mockClear();
  });

  it("is left out for one thing", async () => {
    saving.toggle([offer("a.png")]);
    expect(saving.element.hidden).toBe(true);
    await vi.waitFor(() => expect(clicked).toHaveBeenCalledExactlyOnceWith("a.png"));
  });

  it("saves what is clicked, says that it is made, and gives the focus back", async () => {
    saving.toggle([offer("a.png"), offer("b.svg")]);
    expect(document.activeElement).toBe(lines()[0]);
    lines()[1].click();
    await vi.waitFor(() => expect(clicked).toHaveBeenCalledExactlyOnceWith("b.svg"));
    expect(busy.mock.calls).toEqual([["Making b.svg …"], [""]]);
    expect(document.activeElement).toBe(button);
  });

  it("goes by keys, and closes with escape, its button or a click elsewhere", () => {
    const press = (key: string): boolean => document.activeElement!.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    const offers = [offer("a.png"), offer("b.svg")];
    saving.toggle(offers);
    press("ArrowUp");
    expect(document.activeElement).toBe(lines()[1]);
    press("Escape");
    expect([saving.element.hidden, document.activeElement]).toEqual([true, button]);
    saving.toggle(offers);
    saving.toggle(offers);
    expect(saving.element.hidden).toBe(true);
    saving.toggle(offers);
    document.body.dispatchEvent(new Event("pointerdown", { bubbles: true }));
    expect(saving.element.hidden).toBe(true);
  });

  it("closes when the focus goes elsewhere, and opens for nothing", () => {
    saving.toggle([]);
    expect(saving.element.hidden).toBe(true);
    saving.toggle([offer("a.png"), offer("b.svg")]);
    expect(button.getAttribute("aria-expanded")).toBe("true");
    button.focus();
    expect([saving.element.hidden, button.getAttribute("aria-expanded")]).toEqual([true, "false"]);
  });

  it("says what went wrong", async () => {
    saving.toggle([offer("a.svg", () => Promise.reject(new Error("no kernel")))]);
    await vi.waitFor(() => expect(failed).toHaveBeenCalledWith(new Error("no kernel")));
    expect(busy).toHaveBeenLastCalledWith("");
    expect(clicked).not.toHaveBeenCalled();
  });
});
