// Injected into JupyterLab: nothing is drawn, what arrives is counted, cells are timed.

// Not even cleared: a canvas that has changed is put on the page, which without a graphics card takes a core of its own.
for (const name of ["clear", "drawArrays", "drawElements", "drawArraysInstanced", "drawElementsInstanced"]) {
  WebGL2RenderingContext.prototype[name] = () => {};
}

/** Frames of 20,000 nodes have 160 kB, Photo's 61 kB; no other message of these notebooks comes again and again. */
window.arrivals = { count: 0 };
const LEAST_BYTES = 50_000;
const Socket = window.WebSocket;
window.WebSocket = class extends Socket {
  constructor(...settings) {
    super(...settings);
    this.addEventListener("message", ({ data }) => {
      if (data instanceof ArrayBuffer && data.byteLength > LEAST_BYTES) window.arrivals.count++;
    });
  }
};

const sleep = (time) => new Promise((resolve) => setTimeout(resolve, time));

/** Milliseconds of a cell run as by shift-enter, and of the same request without a cell, taking turns. */
window.timeCells = async (path, index, count) => {
  const { kernel } = window.driver.panel(path).sessionContext.session;
  const times = { cell: [], reply: [] };
  for (let k = 0; k < count; k++) {
    let begun = performance.now();
    const outputs = await window.driver.run(path, index);
    if (outputs[0]?.data?.["text/plain"] !== "2") throw new Error(`the cell said ${JSON.stringify(outputs)}`);
    times.cell.push(performance.now() - begun);
    // At no fixed distance, so that every moment of the stream is met.
    await sleep(100 + 100 * Math.random());
    begun = performance.now();
    await kernel.requestExecute({ code: "1+1" }).done;
    times.reply.push(performance.now() - begun);
    await sleep(100 + 100 * Math.random());
  }
  return times;
};
