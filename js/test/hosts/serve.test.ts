// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Message, pack, ServedModel, start, Unpacker } from "../../src/hosts/serve.js";

vi.mock("../../src/hosts/widget.js", () => ({ default: { initialize: vi.fn(), render: vi.fn() } }));

const bytes = (...values: number[]): Uint8Array<ArrayBuffer> => Uint8Array.from(values);
const message = (data: Message["data"], ...buffers: Uint8Array<ArrayBuffer>[]): Message => ({ data, buffers });

describe("messages", () => {
  const sent = [
    message({ method: "custom", content: { ü: "</script>" } }),
    message({ method: "update" }, bytes(1, 2, 3), bytes()),
  ];

  it("arrive as they were sent, in whatever pieces", () => {
    const empty = bytes(0, 0, 0, 0);
    const all = [...pack(sent[0]!), ...empty, ...pack(sent[1]!), ...empty];
    for (const size of [1, 3, 7, all.length]) {
      const unpacker = new Unpacker();
      const found: Message[] = [];
      for (let at = 0; at < all.length; at += size)
        found.push(...unpacker.feed(Uint8Array.from(all.slice(at, at + size))));
      expect(found).toEqual(sent);
    }
  });

  it("have memory of their own, so that numbers in them are where they may be", () => {
    const [found] = new Unpacker().feed(pack(message({ method: "update" }, bytes(9), bytes(0, 0, 128, 63))));
    expect(new Float32Array(found!.buffers[1]!.buffer)[0]).toBe(1);
  });

  it("that are none are refused", () => {
    expect(() => new Unpacker().feed(bytes(6, 0, 0, 0, 2, 0, 0, 0, 91, 93))).toThrow("no message");
  });
});

describe("the model", () => {
  const posted: Message[] = [];
  let model: ServedModel;
  beforeEach(() => {
    posted.length = 0;
    model = new ServedModel((sent) => posted.push(sent));
    model.receive(
      message({ method: "update", state: { color: "a", height: 520 }, buffer_paths: [["_graph"]] }, bytes(7)),
    );
  });

  it("sends what was set since it was saved, bytes as bytes", () => {
    model.set("color", "b");
    model.set("_selected", new DataView(bytes(0, 1, 2).buffer, 1));
    model.save_changes();
    model.save_changes();
    expect(posted).toEqual([
      message({ method: "update", state: { color: "b" }, buffer_paths: [["_selected"]] }, bytes(1, 2)),
    ]);
  });

  it("tells who listens of changes and messages, until they leave", () => {
    const heard = vi.fn();
    model.on("change:color", heard);
    model.on("msg:custom", heard);
    model.receive(message({ method: "update", state: { color: "c" } }));
    model.receive(message({ method: "custom", content: { kind: "frame" } }, bytes(1)));
    expect(heard.mock.calls).toEqual([[], [{ kind: "frame" }, [bytes(1)]]]);
    expect(model.get("color")).toBe("c");
    model.off("change:color", heard);
    model.receive(message({ method: "echo_update", state: { color: "d" } }));
    expect(heard).toHaveBeenCalledTimes(2);
  });

  it("keeps the graph it began with, and what is decided here", () => {
    const graph = model.get("_graph");
    model.own("height", 900);
    model.receive(message({ method: "update", state: { height: 520 }, buffer_paths: [["_graph"]] }, bytes(7)));
    expect(model.get("_graph")).toBe(graph);
    expect(model.get("height")).toBe(900);
    model.send({ kind: "ack" });
    expect(posted).toEqual([message({ method: "custom", content: { kind: "ack" } })]);
  });
});

describe("the page", () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
    document.body.replaceChildren();
  });

  it("shows the graph, and says so when the server has ended", async () => {
    vi.useFakeTimers();
    const first = pack(message({ method: "update", state: { color: "a" }, buffer_paths: [["_graph"]] }, bytes(7)));
    let calls = 0;
    const fetch = vi.fn(async (_url: string, options: { headers: Record<string, string> }) => {
      expect(options.headers["X-Graphne-Page"]).toMatch(/^[0-9-]+$/);
      if (calls++) throw new TypeError("refused");
      return new Response(first);
    });
    vi.stubGlobal("fetch", fetch);
    const place = document.createElement("div");
    document.body.append(place);
    const ended = start(place);
    await vi.advanceTimersByTimeAsync(60_000);
    await ended;
    const { default: widget } = await import("../../src/hosts/widget.js");
    expect(widget.render).toHaveBeenCalledTimes(1);
    expect(fetch).toHaveBeenCalledWith("events", expect.anything());
    expect(document.body.textContent).toContain("graphne view has ended");
  });

  it("sends again, with the same number and in order, what was lost on its way, before it listens again", async () => {
    vi.useFakeTimers();
    const first = pack(message({ method: "update", state: { color: "a" }, buffer_paths: [["_graph"]] }, bytes(7)));
    const asked: string[] = [];
    let cut = true;
    vi.stubGlobal(
      "fetch",
      vi.fn(async (url: string, { headers }: { headers: Record<string, string> }) => {
        asked.push(`${url} ${headers["X-Graphne-Number"] ?? ""}`.trim());
        if (url === "events" && asked.length > 1) throw new TypeError("refused");
        if (url === "message" && cut) throw new TypeError("cut");
        return new Response(first);
      }),
    );
    const { default: widget } = await import("../../src/hosts/widget.js");
    vi.mocked(widget.initialize).mockImplementationOnce(({ model }: { model: unknown }) => {
      (model as ServedModel).send({ kind: "one" });
      (model as ServedModel).send({ kind: "two" });
      return undefined;
    });
    const ended = start(document.body.appendChild(document.createElement("div")));
    await vi.advanceTimersByTimeAsync(600);
    expect(asked).toEqual(["events", "message 1", "message 1"]);
    cut = false;
    await vi.advanceTimersByTimeAsync(600);
    expect(asked.slice(0, 6)).toEqual(["events", "message 1", "message 1", "message 1", "message 2", "events"]);
    await vi.advanceTimersByTimeAsync(60_000);
    await ended;
  });
});
