// A host without a kernel, as the pages that nbconvert makes: it renders the bundle from saved state.
window.showSaved = async (state, buffers, element) => {
  const values = { ...state };
  for (const { path, data } of buffers) {
    const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
    values[path[0]] = new DataView(bytes.buffer);
  }
  const model = {
    get: (name) => values[name],
    set: (name, value) => void (values[name] = value),
    save_changes: () => {},
    send: () => {},
    on: () => {},
    off: () => {},
    widget_manager: null,
  };
  const style = document.createElement("style");
  style.textContent = state._css;
  document.head.append(style);
  const address = URL.createObjectURL(new Blob([state._esm], { type: "text/javascript" }));
  let { default: widget } = await import(address);
  if (typeof widget === "function") widget = await widget();
  await widget.initialize?.({ model });
  await widget.render({ model, el: element });
};
