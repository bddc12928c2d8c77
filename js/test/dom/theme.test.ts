// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from "vitest";
import { hostShade, shadeOf, watchHost } from "../../src/dom/theme.js";

const { body, documentElement: html } = document;

afterEach(() => {
  for (const element of [html, body])
    for (const { name } of Array.from(element.attributes)) element.removeAttribute(name);
  body.replaceChildren();
  vi.unstubAllGlobals();
});

describe("hostShade", () => {
  it.each<[string, () => void, "light" | "dark"]>([
    ["JupyterLab, light", () => (body.dataset.jpThemeLight = "true"), "light"],
    ["JupyterLab, dark", () => (body.dataset.jpThemeLight = "false"), "dark"],
    ["VS Code, dark", () => (body.dataset.vscodeThemeKind = "vscode-dark"), "dark"],
    ["VS Code, light", () => (body.dataset.vscodeThemeKind = "vscode-light"), "light"],
    ["VS Code, high contrast", () => (body.dataset.vscodeThemeKind = "vscode-high-contrast"), "dark"],
    ["VS Code, high contrast light", () => (body.dataset.vscodeThemeKind = "vscode-high-contrast-light"), "light"],
    ["VS Code, by class", () => (body.className = "foo vscode-dark"), "dark"],
    ["Colab", () => html.setAttribute("theme", "dark"), "dark"],
    ["marimo", () => (body.className = "dark dark-theme"), "dark"],
    ["a page with data-theme", () => (html.dataset.theme = "dark"), "dark"],
    ["Quarto", () => (html.dataset.bsTheme = "dark"), "dark"],
    ["nobody says anything", () => {}, "light"],
  ])("%s", (_, dress, shade) => {
    dress();
    expect(hostShade(body)).toBe(shade);
  });

  it("looks at what is painted behind, through shadow roots", () => {
    const host = document.createElement("div");
    host.style.backgroundColor = "rgb(20, 20, 20)";
    const inner = document.createElement("div");
    inner.style.backgroundColor = "rgba(0, 0, 0, 0)";
    host.attachShadow({ mode: "open" }).append(inner);
    body.append(host);
    expect(hostShade(inner)).toBe("dark");
    host.style.backgroundColor = "rgb(250, 250, 250)";
    expect(hostShade(inner)).toBe("light");
  });

  it("asks the system last", () => {
    vi.stubGlobal("matchMedia", () => ({ matches: true }));
    expect(hostShade(body)).toBe("dark");
    body.dataset.jpThemeLight = "true";
    expect(hostShade(body)).toBe("light");
  });
});

it("lets the trait decide", () => {
  body.dataset.jpThemeLight = "false";
  expect([shadeOf("light", body), shadeOf("dark", body), shadeOf("auto", body)]).toEqual(["light", "dark", "dark"]);
});

it("follows changes until it is told to stop", async () => {
  const changed = vi.fn();
  const stop = watchHost(changed);
  body.dataset.jpThemeLight = "false";
  await vi.waitFor(() => expect(changed).toHaveBeenCalled());
  stop();
  changed.mockClear();
  body.dataset.jpThemeLight = "true";
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(changed).not.toHaveBeenCalled();
});
