// All nodes, or all edges, as a table beside the picture: only the rows that are seen exist. A row that is chosen is
// selected in the picture, and what is selected there is marked here.

import { csvText } from "../data/csv.js";
import { formatCount, oneLine, plural } from "../data/format.js";
import { inSlices } from "../data/time-slices.js";
import type { Column, GraphData } from "../data/types.js";
import { Disposables, watchSize } from "../dom/disposables.js";
import { download } from "../dom/download.js";
import { iconButton, make, QUIET, setText } from "../dom/elements.js";
import { hasBit } from "../store/nodes.js";
import type { TableKind } from "../store/state.js";
import type { Store } from "../store/store.js";
import { heightOf, rowsInView, scrollTo, topOf } from "./row-window.js";
import {
  edgeColumns,
  endsOf,
  listedRows,
  nodeColumns,
  rowCount,
  searchRows,
  sortRows,
  type TableColumn,
} from "./rows.js";

/** Milliseconds after the last letter before a search begins. */
const PAUSE = 200;
/** Characters of a cell. */
const LONGEST = 120;

export interface TableEvents {
  /** Which nodes cannot be seen, a bit each, and HIDDEN for each pair that filters leave out. */
  hidden(): { readonly bits: Uint8Array; readonly edges: Uint8Array | null };
  fly(node: number): void;
  opened(): void;
  failed(error: unknown): void;
}

export class DataTable {
  readonly button = iconButton("table", "Table", "All nodes and edges as a table");
  readonly element: HTMLElement;
  #disposables = new Disposables();
  #graph: GraphData;
  #store: Store;
  #events: TableEvents;
  #columns: readonly Column[] = [];
  #shown: TableColumn[] = [];
  /** All rows that can be seen, in the order of the table, and those of them that were searched for. */
  #order: Uint32Array = new Uint32Array(0);
  #rows: Uint32Array = new Uint32Array(0);
  #sort: { readonly key: string; readonly descending: boolean } | null = null;
  #active = 0;
  /** Where a range of rows begins. */
  #anchor = 0;
  #own = false;
  #stop: () => void = () => {};
  #selected = new Set<number>();
  #tabs: Record<"nodes" | "edges", HTMLButtonElement>;
  #search = make("input", "graphne-table-search", {
    type: "search",
    placeholder: "Search all columns",
    "aria-label": "Search the table",
    title: "Search all columns",
  });
  #count = make("span", "graphne-table-count", { role: "status" });
  #only = make("input", "", { type: "checkbox", "aria-label": "Selected only", title: "Show selected rows only" });
  #head = make("div", "graphne-table-row graphne-table-header", { role: "row", "aria-rowindex": "1" });
  #space = make("div", "graphne-table-space", { role: "presentation" });
  #body = make("div", "graphne-table-body", { role: "rowgroup" });
  #grid: HTMLElement;

  constructor(graph: GraphData, store: Store, events: TableEvents) {
    this.#graph = graph;
    this.#store = store;
    this.#events = events;
    const tab = (kind: "nodes" | "edges", words: string): HTMLButtonElement =>
      make(
        "button",
        "graphne-tab",
        { type: "button", role: "tab", "data-kind": kind, title: `Show the ${kind}` },
        words,
      );
    this.#tabs = { nodes: tab("nodes", "Nodes"), edges: tab("edges", "Edges") };
    const copy = make(
      "button",
      "graphne-table-action",
      { type: "button", title: "Copy the selected rows, or all that are listed" },
      "Copy",
    );
    const save = make(
      "button",
      "graphne-table-action",
      { type: "button", title: "Save the selected rows, or all that are listed" },
      "Save CSV",
    );
    const close = iconButton("close", "Close the table");
    const only = make("label", "graphne-table-only", {}, this.#only, "Selected only");
    const line = make(
      "div",
      "graphne-table-line",
      {},
      make("div", "graphne-tabs", { role: "tablist", "aria-label": "Table" }, this.#tabs.nodes, this.#tabs.edges),
      this.#search,
      only,
      this.#count,
      copy,
      save,
      close,
    );
    this.#grid = make("div", "graphne-table-grid", {
      role: "grid",
      title: "Rows are selected by a click, or with arrows and space",
      tabindex: "0",
      "aria-label": "Nodes",
      "aria-multiselectable": "true",
    });
    this.#space.append(this.#body);
    this.#grid.append(make("div", "graphne-table-top", { role: "rowgroup" }, this.#head), this.#space);
    this.element = make(
      "section",
      "graphne-table-view",
      { "aria-label": "Table", [QUIET]: "true", hidden: true },
      line,
      this.#grid,
    );
    const { listen } = this.#disposables;
    const on = listen.bind(this.#disposables) as typeof listen;
    on(this.button, "click", () => this.#open(store.state.table ? "" : "nodes"));
    on(close, "click", () => this.#open(""));
    for (const kind of ["nodes", "edges"] as const) on(this.#tabs[kind], "click", () => this.#open(kind));
    on(copy, "click", () => void this.#copy());
    on(save, "click", () => download(new Blob([this.#csv()], { type: "text/csv" }), `${store.state.table}.csv`));
    on(this.#only, "change", () => this.#arrange());
    let timer: ReturnType<typeof setTimeout> | undefined;
    on(this.#search, "input", () => {
      clearTimeout(timer);
      timer = setTimeout(() => this.#find(), PAUSE);
    });
    this.#disposables.add(() => clearTimeout(timer));
    this.#disposables.add(() => this.#stop());
    on(this.#grid, "scroll", () => this.#draw());
    on<MouseEvent>(this.#grid, "click", (event) => this.#click(event));
    on<MouseEvent>(this.#grid, "dblclick", () => this.#fly());
    on<KeyboardEvent>(this.#grid, "keydown", (event) => this.#key(event));
    watchSize(this.#disposables, this.#grid, () => this.#draw());
    this.#disposables.add(
      store.subscribe(
        ({ table }) => table,
        () => this.#show(),
      ),
    );
    this.#disposables.add(
      store.subscribe(
        ({ selection }) => selection,
        () => this.#mark(),
      ),
    );
    this.button.setAttribute("aria-expanded", "false");
  }

  /** Other columns, or the same with other values. */
  setColumns(columns: readonly Column[]): void {
    this.#columns = columns;
    if (this.#store.state.table) this.#show();
  }

  /** Other nodes or edges can be seen than before. */
  visibilityChanged(): void {
    if (this.#store.state.table) this.#arrange();
  }

  destroy(): void {
    this.#disposables.empty();
    this.element.remove();
  }

  get #kind(): Exclude<TableKind, ""> {
    return this.#store.state.table || "nodes";
  }

  #open(table: TableKind): void {
    this.#store.dispatch({ type: "set", part: { table } });
    if (!table) this.button.focus();
  }

  #show(): void {
    const { table } = this.#store.state;
    const changes = this.element.hidden === (table !== "");
    this.element.hidden = table === "";
    this.button.setAttribute("aria-expanded", String(table !== ""));
    if (changes) this.#events.opened();
    if (!table) return;
    for (const [kind, tab] of Object.entries(this.#tabs)) tab.setAttribute("aria-selected", String(kind === table));
    this.#grid.setAttribute("aria-label", table === "nodes" ? "Nodes" : "Edges");
    const shown = table === "nodes" ? nodeColumns(this.#graph, this.#columns) : edgeColumns(this.#graph);
    this.#shown = shown;
    if (this.#sort && !shown.some(({ key }) => key === this.#sort?.key)) this.#sort = null;
    this.#header();
    this.#selected = new Set(this.#store.state.selection);
    this.#arrange();
  }

  #header(): void {
    this.#grid.style.setProperty("--graphne-columns", String(this.#shown.length));
    this.#grid.setAttribute("aria-colcount", String(this.#shown.length));
    this.#head.replaceChildren(
      ...this.#shown.map(({ key, name, numeric }, k) => {
        const sorted = this.#sort?.key === key ? this.#sort : null;
        const mark = sorted ? (sorted.descending ? " ↓" : " ↑") : "";
        const title = oneLine(name, LONGEST);
        const button = make(
          "button",
          "",
          { type: "button", title: `Sort by ${title}`, "data-sort": key },
          title + mark,
        );
        const sort = sorted ? (sorted.descending ? "descending" : "ascending") : "none";
        const attributes = {
          role: "columnheader",
          "aria-sort": sort,
          "aria-colindex": String(k + 1),
          "data-numeric": numeric,
        };
        return make("div", "graphne-table-cell", attributes, button);
      }),
    );
  }

  /** Brings the rows that can be seen into their order. */
  #arrange(): void {
    const { bits, edges } = this.#events.hidden();
    const everything = bits.length === 0 && !this.#only.checked;
    const seen = (node: number): boolean => !hasBit(bits, node) && (!this.#only.checked || this.#selected.has(node));
    const listed = listedRows(this.#graph, this.#kind, everything ? null : seen, edges);
    const column = this.#shown.find(({ key }) => key === this.#sort?.key);
    this.#order = column && this.#sort ? sortRows(listed, column, this.#sort.descending) : listed;
    this.#rows = new Uint32Array(0); // until it is known which of the new ones are listed
    this.#find();
  }

  #find(): void {
    this.#stop();
    this.#stop = () => {};
    const words = this.#search.value;
    if (!words.trim()) {
      this.#list(this.#order);
      return;
    }
    setText(this.#count, "Searching…");
    this.#stop = inSlices(
      searchRows(this.#order, this.#shown, words),
      (rows) => this.#list(rows),
      (error) => this.#events.failed(error),
    );
  }

  #list(rows: Uint32Array): void {
    this.#rows = rows;
    this.#active = Math.min(this.#active, Math.max(rows.length - 1, 0));
    this.#anchor = this.#active;
    const all = rowCount(this.#graph, this.#kind);
    const counted = plural(all, this.#kind === "nodes" ? "node" : "edge");
    const sampled =
      this.#kind === "edges" && all < this.#graph.edges ? ` (a sample of ${formatCount(this.#graph.edges)})` : "";
    setText(this.#count, (rows.length === all ? counted : `${formatCount(rows.length)} of ${counted}`) + sampled);
    this.#grid.setAttribute("aria-rowcount", String(rows.length + 1));
    this.#space.style.height = `${heightOf(rows.length)}px`;
    this.#draw();
  }

  /** Rows that fit, and the first of them. */
  get #view(): { first: number; fits: number } {
    return rowsInView(this.#rows.length, this.#grid.clientHeight, this.#grid.scrollTop);
  }

  /** Whether a row is selected: its node, or both ends of its edge. */
  #isSelected(row: number): boolean {
    return endsOf(this.#graph, this.#kind, row).every((node) => this.#selected.has(node));
  }

  #draw(): void {
    if (this.element.hidden) return;
    const { first, fits } = this.#view;
    const end = Math.min(first + fits, this.#rows.length);
    const rows: HTMLElement[] = [];
    for (let k = first; k < end; k++) {
      const row = this.#rows[k];
      const cells = this.#shown.map(({ text, numeric }, column) =>
        make(
          "div",
          "graphne-table-cell",
          { role: "gridcell", "aria-colindex": String(column + 1), "data-numeric": numeric },
          oneLine(text(row), LONGEST),
        ),
      );
      const attributes = {
        role: "row",
        id: `${this.#id}-${k}`,
        "aria-rowindex": String(k + 2),
        "aria-selected": String(this.#isSelected(row)),
        "data-at": String(k),
        "data-active": k === this.#active,
      };
      rows.push(make("div", "graphne-table-row", attributes, ...cells));
    }
    const top = topOf(first, rows.length, this.#rows.length, this.#grid.scrollTop);
    this.#body.style.transform = `translateY(${top}px)`;
    this.#body.replaceChildren(...rows);
    const seen = this.#active >= first && this.#active < end;
    if (seen) this.#grid.setAttribute("aria-activedescendant", `${this.#id}-${this.#active}`);
    else this.#grid.removeAttribute("aria-activedescendant");
  }

  #id = `graphne-table-${Math.random().toString(36).slice(2, 8)}`;

  /** Marks what is selected; what was selected elsewhere is shown. */
  #mark(): void {
    const { selection, table } = this.#store.state;
    if (!table) return;
    this.#selected = new Set(selection);
    if (this.#only.checked) this.#arrange();
    if (!this.#own && this.#kind === "nodes" && selection.length > 0) {
      const at = this.#rows.findIndex((row) => this.#selected.has(row));
      if (at >= 0) this.#reveal(at);
    }
    this.#draw();
  }

  #reveal(at: number): void {
    this.#active = at;
    const top = scrollTo(at, this.#rows.length, this.#grid.clientHeight, this.#grid.scrollTop);
    if (top !== null) this.#grid.scrollTop = top;
  }

  #nodesOf(at: number): readonly number[] {
    return endsOf(this.#graph, this.#kind, this.#rows[at]);
  }

  #choose(at: number, mode: "replace" | "add" | "toggle" | "range"): void {
    if (at < 0 || at >= this.#rows.length) return;
    const [from, to] = mode === "range" ? [Math.min(this.#anchor, at), Math.max(this.#anchor, at)] : [at, at];
    const nodes: number[] = [];
    for (let k = from; k <= to; k++) nodes.push(...this.#nodesOf(k));
    const remove = mode === "toggle" && nodes.every((node) => this.#selected.has(node));
    if (mode !== "range") this.#anchor = at;
    this.#own = true;
    const how = remove ? "remove" : mode === "toggle" || mode === "add" ? "add" : "replace";
    this.#store.dispatch({ type: "select", nodes, mode: how });
    this.#own = false;
    this.#reveal(at);
    this.#draw();
  }

  #fly(): void {
    const [node] = this.#rows.length ? this.#nodesOf(this.#active) : [-1];
    if (node >= 0) this.#events.fly(node);
  }

  #click({ target, shiftKey, ctrlKey, metaKey }: MouseEvent): void {
    const key = (target as Element).closest<HTMLElement>("[data-sort]")?.dataset.sort;
    if (key !== undefined) {
      const again = this.#sort?.key === key;
      this.#sort = again && this.#sort?.descending ? null : { key, descending: again };
      this.#header();
      [...this.#head.querySelectorAll("button")].find(({ dataset }) => dataset.sort === key)?.focus();
      this.#arrange();
      this.#grid.scrollTop = 0;
      return;
    }
    const row = (target as Element).closest<HTMLElement>("[data-at]");
    if (row) this.#choose(Number(row.dataset.at), shiftKey ? "range" : ctrlKey || metaKey ? "toggle" : "replace");
  }

  #key(event: KeyboardEvent): void {
    // Enter and space on a heading sort by it.
    if (event.key !== "Escape" && event.target !== this.#grid) return;
    const page = Math.max(this.#view.fits - 3, 1);
    const steps: Record<string, number> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: page,
      PageUp: -page,
      Home: -Infinity,
      End: Infinity,
    };
    const step = steps[event.key];
    if (step !== undefined) {
      const at = Math.min(Math.max(this.#active + step, 0), this.#rows.length - 1);
      if (event.shiftKey) this.#choose(at, "range");
      else this.#reveal(at);
      this.#draw();
    } else if (event.key === "Enter" || event.key === " ") {
      this.#choose(this.#active, event.ctrlKey || event.metaKey ? "toggle" : "replace");
      if (event.key === "Enter") this.#fly();
    } else if (event.key === "Escape") {
      this.#open("");
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** The selected rows, or all that are listed if none of them is. */
  #csv(): string {
    const chosen = this.#selected.size ? this.#rows.filter((row) => this.#isSelected(row)) : this.#rows;
    const lines = [this.#shown.map(({ name }) => name)];
    for (const row of chosen.length ? chosen : this.#rows) lines.push(this.#shown.map(({ plain }) => plain(row)));
    return csvText(lines);
  }

  async #copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(this.#csv());
      setText(this.#count, "Copied");
    } catch (error) {
      this.#events.failed(new Error(`The table cannot be copied here: ${(error as Error).message}`));
    }
  }
}
