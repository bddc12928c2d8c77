// Stand-ins for what jsdom has not: contexts, observers of size and sight, and animation frames that wait to be run.
import { vi } from "vitest";

export type Kind = "webgl2" | "2d";

/** A WebGL2 context that accepts everything and remembers what was called. */
export class FakeGl {
  readonly calls: string[] = [];
  lost = false;

  constructor(readonly canvas: HTMLCanvasElement) {
    // biome-ignore lint/correctness/noConstructorReturn: a context has hundreds of methods; a proxy answers for all of them.
    return new Proxy(this, { get: (target, name: string) => target.answer(name) });
  }

  private answer(name: string): unknown {
    if (name === "calls" || name === "canvas" || name === "lost") return this[name];
    if (name === "lose" || name === "restore") return () => this[name]();
    if (name === name.toUpperCase()) return name.length;
    return (...given: unknown[]) => {
      this.calls.push(name);
      if (name === "getExtension") return given[0] === "WEBGL_lose_context" ? { loseContext: () => this.lose() } : null;
      if (name === "isContextLost") return this.lost;
      if (name === "getProgramParameter") return true;
      if (name === "getParameter") return "A fine card";
      if (name.startsWith("create")) return {};
      return null;
    };
  }

  lose(): void {
    if (this.lost) return;
    this.lost = true;
    this.calls.push("loseContext");
    this.canvas.dispatchEvent(new Event("webglcontextlost", { cancelable: true }));
  }

  restore(): void {
    this.lost = false;
    this.canvas.dispatchEvent(new Event("webglcontextrestored"));
  }
}

/** A 2D context that writes down what is drawn, each with the style it was drawn in. */
export class Fake2d {
  readonly drawn: string[] = [];
  fillStyle = "";
  strokeStyle = "";
  globalAlpha = 1;
  lineWidth = 1;
  lineCap = "";
  private path: string[] = [];

  beginPath(): void {
    this.path = [];
  }
  moveTo(x: number, y: number): void {
    this.path.push(`M${round(x)},${round(y)}`);
  }
  lineTo(x: number, y: number): void {
    this.path.push(`L${round(x)},${round(y)}`);
  }
  arc(x: number, y: number, radius: number): void {
    this.path.push(`O${round(x)},${round(y)},${round(radius)}`);
  }
  fill(): void {
    this.drawn.push(`fill ${this.fillStyle} ${round(this.globalAlpha)} ${this.path.join("")}`);
  }
  stroke(): void {
    this.drawn.push(`stroke ${this.strokeStyle} ${round(this.globalAlpha)} ${this.path.join("")}`);
  }
  fillRect(x: number, y: number, width: number, height: number): void {
    this.drawn.push(`rect ${this.fillStyle} ${round(x)},${round(y)} ${round(width)}x${round(height)}`);
  }
  clearRect(): void {}
  getImageData(): { data: number[] } {
    return { data: [1, 2, 3, 255] };
  }
}

const round = (value: number): number => Math.round(100 * value) / 100;

/** What the page's parts asked for and whether they have let it go. */
export class FakePage {
  readonly gls: FakeGl[] = [];
  readonly flats: Fake2d[] = [];
  readonly observers = new Set<{ call: (entries: unknown[]) => void }>();
  private frames = new Map<number, (now: number) => void>();
  private count = 0;
  now = 1000;

  constructor(kinds: readonly Kind[]) {
    const held = new WeakMap<HTMLCanvasElement, [string, unknown]>();
    vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockImplementation(function (
      this: HTMLCanvasElement,
      kind: string,
    ) {
      const before = held.get(this);
      if (before) return (before[0] === kind ? before[1] : null) as never;
      if (!kinds.includes(kind as Kind)) return null as never;
      const made = kind === "2d" ? page.add(page.flats, new Fake2d()) : page.add(page.gls, new FakeGl(this));
      held.set(this, [kind, made]);
      return made as never;
    } as never);
    const page = this;
    class Observer {
      constructor(readonly call: (entries: unknown[]) => void) {}
      observe(): void {
        page.observers.add(this);
      }
      disconnect(): void {
        page.observers.delete(this);
      }
    }
    vi.stubGlobal("ResizeObserver", class extends Observer {});
    vi.stubGlobal("IntersectionObserver", class extends Observer {});
    vi.stubGlobal("requestAnimationFrame", (frame: (now: number) => void) => {
      this.frames.set(++this.count, frame);
      return this.count;
    });
    vi.stubGlobal("cancelAnimationFrame", (id: number) => this.frames.delete(id));
    vi.spyOn(performance, "now").mockImplementation(() => this.now);
  }

  /** An element of a size on the page. */
  element(width = 400, height = 300): HTMLElement {
    const el = document.createElement("div");
    document.body.append(el);
    Object.defineProperties(el, { clientWidth: { value: width }, clientHeight: { value: height } });
    return el;
  }

  get waiting(): number {
    return this.frames.size;
  }

  /** Runs the frames that wait, after some milliseconds. */
  frame(elapsed = 16): void {
    this.now += elapsed;
    const frames = [...this.frames.values()];
    this.frames.clear();
    for (const frame of frames) frame(this.now);
  }

  settle(): number {
    let frames = 0;
    while (this.waiting > 0 && frames < 1000) {
      this.frame();
      frames++;
    }
    return frames;
  }

  see(visible: boolean): void {
    for (const observer of [...this.observers]) observer.call([{ isIntersecting: visible }]);
  }

  private add<T>(list: T[], made: T): T {
    list.push(made);
    return made;
  }
}
