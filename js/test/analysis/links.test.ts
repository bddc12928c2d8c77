// @vitest-environment jsdom
import { describe, expect, it, vi } from "vitest";
import { readLinks } from "../../src/analysis/panel-links.js";
import type { Host, ViewerData } from "../../src/store/api.js";
import { EVIL, frameOf, graphOf, statusOf } from "../fakes.js";
import { el, find, onEmptyPage, open as openAny, viewer } from "../opened.js";

vi.mock("../../src/scene/scene.js", () => import("../fakes.js"));

const graph = graphOf([`${EVIL}a`, "b", "c", "d"], [], [0, 1, 1, 2, 2, 3]);
const embedded = statusOf({ state: "finished", dimension: 128 });
const open = (host: Host, part: Partial<ViewerData> = {}) =>
  openAny({ graph, frame: frameOf(4), status: embedded, ...part }, host);
const tab = (): HTMLElement =>
  Array.from(el.querySelectorAll<HTMLElement>("[role=tab]")).find((one) => one.textContent === "Links")!;
const button = (words: string): HTMLButtonElement =>
  Array.from(el.querySelectorAll<HTMLButtonElement>("button.graphne-plain")).find((one) => one.textContent === words)!;

onEmptyPage();

describe("predicted edges", () => {
  it("are not offered in a page without a kernel", () => {
    open({});
    expect(tab().hidden).toBe(true);
  });

  it("are offered once there is an embedding", () => {
    open({ command: () => Promise.resolve(null) }, { status: statusOf({ state: "finished", dimension: 0 }) });
    expect(tab().hidden).toBe(true);
    viewer.update({ status: embedded });
    expect(tab().hidden).toBe(false);
  });

  it("are asked for, listed as text, and hidden again", async () => {
    const command = vi.fn((name: string) =>
      Promise.resolve(name === "link_auc" ? 0.957 : { ends: [0, 2, 1, 3], similarity: [0.91, 0.5] }),
    );
    open({ command: command as unknown as NonNullable<Host["command"]> });
    find("[aria-label=Analysis]").click();
    tab().click();
    button("Show").click();
    expect(command).toHaveBeenCalledWith("predicted_links", { count: 20 });
    await vi.waitFor(() => expect(button("Hide")).toBeDefined());
    const lines = Array.from(el.querySelectorAll(".graphne-list li"), (one) => one.textContent);
    expect(lines).toEqual([`${EVIL}a – c0.91`, "b – d0.50"]);
    button("Test on held-out edges").click();
    await vi.waitFor(() => expect(el.textContent).toContain("AUC on held-out edges: 95.7 %"));
    button("Hide").click();
    expect(el.querySelectorAll(".graphne-list li")).toHaveLength(0);
  });

  it("say what went wrong, and can be asked for again", async () => {
    open({ command: () => Promise.reject(new Error("no memory left")) });
    find("[aria-label=Analysis]").click();
    tab().click();
    button("Show").click();
    await vi.waitFor(() => expect(el.textContent).toContain("no memory left"));
    expect(button("Show").disabled).toBe(false);
  });
});

describe("an answer of the kernel", () => {
  it.each([
    null,
    7,
    {},
    { ends: [0, 1], similarity: [] },
    { ends: [0, 9], similarity: [1] },
    { ends: [0.5, 1], similarity: [1] },
  ])("that is no predicted edges is none: %j", (answer) => expect(readLinks(answer, 4)).toBeNull());
});
