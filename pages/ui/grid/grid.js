// The component: one grid for each place it is mounted at, made at the first call, kept through later ones.

const GRIDS = new WeakMap();

function createGrid(parent, data) {
  const g = {
    table: { counts: [], classes: [], clusters: [], colours: [] },
    version: data.version,
    integer: data.integer,
    active: { r: 0, c: 0 },
    anchor: null,
    bad: new Map(),
    editor: null,
    carry: null,
    press: null,
    scrolledAt: -Infinity,
    sync: createSync(),
    calls: 0,
  };
  buildFrame(g);
  parent.append(g.root);
  const on = (node, type, listener, options) =>
    node.addEventListener(type, (event) => listener(g, event), options);
  on(g.root, "keydown", onKeydown);
  on(g.menu, "keydown", onMenuKey);
  on(g.scroll, "copy", onCopy);
  on(g.scroll, "cut", onCopy);
  on(g.scroll, "paste", onPaste);
  on(g.scroll, "pointerdown", onPointerdown);
  on(g.root, "pointermove", onPointermove);
  on(g.root, "pointerup", onPointerup);
  on(g.root, "pointercancel", endDrag);
  on(g.scroll, "mousedown", onMousedown);
  on(g.scroll, "focusin", onFocus);
  on(g.scroll, "dblclick", onDoubleClick);
  on(g.scroll, "contextmenu", onContextMenu);
  on(g.root, "click", onClick);
  g.watch = new ResizeObserver(() => {
    if (g.width === g.root.clientWidth || !g.built) return; // our own change of height
    g.width = g.root.clientWidth;
    fitSize(g);
  });
  g.watch.observe(g.root);
  g.onWheel = (event) => onWheel(g, event);
  window.addEventListener("wheel", g.onWheel, { passive: false, capture: true });
  g.onPageKey = (event) => onPageKey(g, event);
  window.addEventListener("keydown", g.onPageKey);
  return g;
}

/** We move the focus ourselves: a click with Shift extends the selection instead. */
function onMousedown(g, event) {
  if (!event.target.closest("input")) event.preventDefault();
}

/** The focus may come by other ways than ours, as from a screen reader. */
function onFocus(g, { target }) {
  if (target === g.tabbable || !target.matches(".cell, .head")) return;
  const { r, c } = spotOf(target);
  setActive(g, r, c, { focus: false });
}

function onDoubleClick(g, event) {
  const node = event.target.closest(".cell, .head");
  if (!node || event.target.closest("button, input")) return;
  const { r, c } = spotOf(node);
  openEditor(g, r, c);
}

function onContextMenu(g, event) {
  const head = event.target.closest(".head");
  if (!head || event.target.closest("input")) return;
  event.preventDefault();
  openMenu(g, head);
}

function onClick(g, event) {
  const { add, more } = event.target.closest("button")?.dataset ?? {};
  if (add) addAt(g, add, namesOf(g.table, add).length);
  else if (more !== undefined) openMenu(g, event.target.closest(".head"));
}

function destroyGrid(g) {
  endDrag(g);
  clearTimeout(g.sync.timer);
  g.watch.disconnect();
  window.removeEventListener("wheel", g.onWheel, { capture: true });
  window.removeEventListener("keydown", g.onPageKey);
  g.root.remove();
}

export default function ({ parentElement, data, setStateValue }) {
  const known = GRIDS.get(parentElement);
  const g = known ?? createGrid(parentElement, data);
  GRIDS.set(parentElement, g);
  g.send = (message) => setStateValue("outbox", message);
  g.integer = data.integer;
  g.pageKeys = data.pageKeys;
  g.scroll.style.maxHeight = data.height ? `${data.height}px` : "";
  if (g.theme?.name !== themeColours(g.root).join()) {
    g.theme = readTheme(g.root);
    if (g.built) paintAll(g);
  }
  receive(g, data);
  // A call that was overtaken by another is cleaned up at once: it must not take the newer one's grid away.
  const call = ++g.calls;
  return () => {
    if (call !== g.calls) return;
    destroyGrid(g);
    GRIDS.delete(parentElement);
  };
}
