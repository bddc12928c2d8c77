// Drives the JupyterLab of a page through its own commands; injected into every page of the tests.
window.driver = {
  panel(path) {
    const app = window.jupyterapp;
    const widgets = app ? [...app.shell.widgets("main")] : [];
    return widgets.find((widget) => widget.context?.path === path);
  },

  /** Opens a notebook, on the kernel that the server has joined it to; without asking, the page learns of it late. */
  async open(path) {
    await window.jupyterapp.serviceManager.sessions.refreshRunning();
    await window.jupyterapp.commands.execute("docmanager:open", { path });
  },

  close(path) {
    this.panel(path)?.dispose();
  },

  ready(path) {
    const panel = this.panel(path);
    const kernel = panel?.sessionContext.session?.kernel;
    return Boolean(
      panel?.isVisible &&
        panel.context.isReady &&
        panel.sessionContext.isReady &&
        kernel?.connectionStatus === "connected",
    );
  },

  /** Adds a cell at the end, or fills the last one if it is empty, and returns its place. */
  add(path, source) {
    const cells = this.panel(path).content.model.sharedModel;
    const last = cells.cells.length - 1;
    const empty = last >= 0 && cells.getCell(last).getSource() === "";
    if (empty) cells.getCell(last).setSource(source);
    else cells.insertCell(last + 1, { cell_type: "code", source });
    return empty ? last : last + 1;
  },

  /** Runs a cell as shift-enter does; resolves with its outputs once it has ended. */
  async run(path, index) {
    const notebook = this.panel(path).content;
    notebook.activeCellIndex = index;
    await window.jupyterapp.commands.execute("notebook:run-cell");
    return notebook.widgets[index].model.outputs.toJSON();
  },

  /** Executes code beside the notebook; resolves with the reply of the kernel. */
  async ask(path, code, expression) {
    const future = this.panel(path).sessionContext.session.kernel.requestExecute({
      code,
      silent: true,
      store_history: false,
      user_expressions: expression ? { answer: expression } : {},
    });
    return (await future.done).content;
  },

  async scrollTo(path, index) {
    await this.panel(path).content.scrollToItem(index, "start");
  },

  async save(path) {
    await this.panel(path).context.save();
  },

  async restart(path) {
    await this.panel(path).sessionContext.restartKernel();
  },

  async theme(name) {
    await window.jupyterapp.commands.execute("apputils:change-theme", { theme: name });
  },
};
