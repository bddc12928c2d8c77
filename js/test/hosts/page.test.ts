// @vitest-environment jsdom
import { afterEach, describe, expect, it } from "vitest";
import { start } from "../../src/hosts/page.js";

const SENTENCE = "The graph cannot be shown: the data of this page is damaged or incomplete.";

/** A page with so many pictures and this as its data. */
function page(data: string, places = 1): void {
  document.body.innerHTML = '<div class="graphne-place"></div>'.repeat(places);
  const script = Object.assign(document.createElement("script"), { type: "application/vnd.graphne+json" });
  script.id = "graphne-data";
  script.textContent = data;
  document.body.append(script);
}

const troubles = (): (string | null)[] =>
  Array.from(document.querySelectorAll(".graphne-trouble"), ({ textContent }) => textContent);

describe("an exported page", () => {
  afterEach(() => document.body.replaceChildren());

  it.each([
    ["cut off", '{"panels": [{"graph": "gra'],
    ["empty", ""],
    ["no object", "[1, 2]"],
    ["without panels", '{"about": {}}'],
    ["with panels that are none", '{"panels": [7]}'],
    ["with an account that is none", '{"panels": [], "about": "now"}'],
  ])("says so when its data is %s", async (_, data) => {
    page(data);
    await start();
    expect(troubles()).toEqual([SENTENCE]);
  });

  it("says so once, however many pictures it has, and without a place for one, too", async () => {
    page("{", 3);
    await start();
    expect(troubles()).toEqual([SENTENCE]);
    page("{", 0);
    await start();
    expect(troubles()).toEqual([SENTENCE]);
  });

  it("names what is missing where only one picture is damaged", async () => {
    page('{"panels": [{"graph": "gone"}]}');
    await start();
    expect(troubles()).toEqual(["The graph cannot be shown: a part of the page is missing"]);
  });
});
