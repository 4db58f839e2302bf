// What is on the screen. Elements are kept in arrays so that a change touches only what it alters.

/** An element; text is always text, never markup. */
function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

const setText = (node, text) => node.textContent !== text && (node.textContent = text);
const setLabel = (node, text) =>
  node.getAttribute("aria-label") !== text && node.setAttribute("aria-label", text);

function buildFrame(g) {
  const button = (axis) =>
    el("button", {
      type: "button",
      class: `add add-${axis}`,
      title: `Add a ${axis}`,
      "aria-label": `Add a ${axis}`,
      "data-add": axis,
    });
  g.scroll = el("div", { class: "scroll" });
  g.hint = el("p", { class: "hint" });
  g.alert = el("p", { class: "alert", role: "alert" });
  g.live = el("p", { class: "unseen", "aria-live": "polite" });
  g.menu = el("div", { class: "menu", role: "menu", popover: "auto" });
  g.ghost = el("div", { class: "ghost", popover: "manual", "aria-hidden": "true" });
  const frame = el("div", { class: "frame" }, g.scroll, button("cluster"), button("class"));
  g.root = el("div", { class: "grid" }, frame, g.alert, g.hint, g.live, g.menu, g.ghost);
}

function buildHead(g, axis, index) {
  const more = el("button", {
    type: "button",
    class: "more",
    tabindex: "-1",
    "aria-haspopup": "menu",
    "data-more": "",
  });
  const name = el("span", { class: "name" });
  const role = axis === "class" ? "rowheader" : "columnheader";
  const head = el("div", {
    role,
    class: `head ${axis}`,
    tabindex: "-1",
    "data-axis": axis,
    "data-index": index,
  });
  if (axis === "class") head.append(el("span", { class: "swatch" }));
  head.append(name, more);
  return head;
}

/** Make the elements anew: after a change of shape only. */
function buildTable(g) {
  const { classes, clusters } = g.table;
  g.heads = {
    class: classes.map((_, i) => buildHead(g, "class", i)),
    cluster: clusters.map((_, i) => buildHead(g, "cluster", i)),
  };
  g.cells = classes.map((_, r) =>
    clusters.map((_, c) =>
      el("div", { role: "gridcell", class: "cell", tabindex: "-1", "data-r": r, "data-c": c }),
    ),
  );
  const total = (kind) => el("div", { role: "gridcell", class: `total ${kind}`, "aria-readonly": "true" });
  g.totals = {
    class: classes.map(() => total("right")),
    cluster: clusters.map(() => total("bottom")),
    all: total("right bottom"),
  };
  const row = (...items) => el("div", { role: "row", class: "row" }, ...items);
  const corner = (role, sides, text) => el("div", { role, class: `corner ${sides}` }, text);
  g.marquee = el("div", { class: "marquee", "aria-hidden": "true" });
  g.grid = el(
    "div",
    {
      role: "grid",
      class: "table",
      "aria-label": "Counts by class and cluster",
      "aria-multiselectable": "true",
      "aria-rowcount": classes.length + 2,
      "aria-colcount": clusters.length + 2,
    },
    row(
      corner("columnheader", "top left", "class \\ cluster"),
      ...g.heads.cluster,
      corner("columnheader", "top right", "sum"),
    ),
    ...classes.map((_, r) => row(g.heads.class[r], ...g.cells[r], g.totals.class[r])),
    row(corner("rowheader", "bottom left", "sum"), ...g.totals.cluster, g.totals.all),
    g.marquee,
  );
  g.scroll.replaceChildren(g.grid);
  g.built = true;
  g.sizes = "";
}

/** Rebuild after a change of shape and keep the place, and the focus if it was ours. */
function rebuild(g) {
  const focused = g.scroll.contains(g.root.getRootNode().activeElement);
  closeEditor(g);
  endDrag(g);
  g.carry = null;
  g.bad.clear();
  buildTable(g);
  paintNames(g);
  paintAll(g);
  const { r, c } = g.active;
  g.anchor = null;
  setActive(g, Math.min(r, g.table.classes.length - 1), Math.min(c, g.table.clusters.length - 1), {
    focus: focused,
  });
}

/** The sizes that depend on what the table holds; the rest is in the style sheet. */
function paintSizes(g) {
  const { classes, clusters } = g.table;
  const longest = (names) => Math.max(...names.map((name) => name.length));
  const digits = showCount(g.most, g.decimals).length;
  const properties = {
    "--columns": clusters.length,
    "--digits": Math.max(2, digits),
    "--sum-digits": Math.max(3, showCount(g.sum, g.decimals).length),
    "--class-name": Math.min(16, Math.max(4, longest(classes))),
    "--cluster-name": Math.min(12, Math.max(3, longest(clusters))),
  };
  const sizes = JSON.stringify(properties);
  if (sizes === g.sizes) return;
  g.sizes = sizes;
  for (const [name, value] of Object.entries(properties)) g.grid.style.setProperty(name, value);
  fitSize(g);
}

const SIZES = ["large", "medium", "small"];

/** The largest type with which all columns are seen; the table scrolls if even the smallest is too large. */
function fitSize(g) {
  const most = Math.max(g.table.classes.length, g.table.clusters.length);
  for (const size of SIZES.slice(most > 16 ? 2 : most > 8 ? 1 : 0)) {
    g.grid.classList.remove(...SIZES);
    g.grid.classList.add(size);
    if (g.scroll.scrollWidth <= g.scroll.clientWidth) return;
  }
}

function paintNames(g) {
  for (const axis of ["class", "cluster"])
    namesOf(g.table, axis).forEach((name, i) => {
      const head = g.heads[axis][i];
      setText(head.querySelector(".name"), name);
      head.title = name;
      setLabel(head, `${axis} ${name}`);
      setLabel(head.querySelector(".more"), `Options for ${axis} ${name}`);
      const swatch = head.querySelector(".swatch");
      if (swatch) swatch.style.background = g.table.colours[i] || g.theme.hue;
    });
}

function paintTotals(g, rows, columns) {
  const show = (node, value, label) => {
    const shown = showCount(value, g.decimals);
    setText(node, shown);
    node.title = shown === String(value) ? "" : String(value);
    setLabel(node, `${label}, ${shown}`);
  };
  for (const r of rows) show(g.totals.class[r], rowSum(g.table, r), `sum of class ${g.table.classes[r]}`);
  for (const c of columns)
    show(g.totals.cluster[c], columnSum(g.table, c), `sum of cluster ${g.table.clusters[c]}`);
  show(g.totals.all, g.sum, "sum of all");
}

function paintCell(g, r, c) {
  const cell = g.cells[r][c];
  const value = g.table.counts[r][c];
  const bad = g.bad.get(`${r},${c}`);
  const { ground, ink } = rampOf(g.theme, g.table.colours[r])[levelOf(value, g.most)];
  if (cell.dataset.ground !== ground) {
    cell.dataset.ground = ground;
    cell.style.background = ground;
    cell.style.color = ink;
  }
  const shown = bad ? bad.text : showCount(value, g.decimals);
  if (g.editor?.host !== cell) setText(cell, shown);
  cell.title = bad ? bad.why : shown === String(value) ? "" : String(value);
  cell.classList.toggle("bad", Boolean(bad));
  if (bad) cell.setAttribute("aria-invalid", "true");
  else cell.removeAttribute("aria-invalid");
  setLabel(cell, `${placeName(g, r, c)}, ${bad ? `refused: ${bad.text}` : shown}`);
}

/** What all cells share: the largest count, the sum, the decimals. True if that changes how cells look. */
function measure(g) {
  const before = `${g.most} ${g.decimals}`;
  g.most = largest(g.table);
  g.sum = grandSum(g.table);
  g.decimals = decimalsOf(g.table.counts);
  return before !== `${g.most} ${g.decimals}`;
}

function paintAll(g) {
  measure(g);
  paintSizes(g);
  paintNames(g);
  g.cells.forEach((row, r) => row.forEach((_, c) => paintCell(g, r, c)));
  paintTotals(g, g.table.classes.keys(), g.table.clusters.keys());
}

function paintTouched(g, touched) {
  if (measure(g)) return paintAll(g);
  for (const [r, c] of touched) paintCell(g, r, c);
  paintTotals(g, new Set(touched.map(([r]) => r)), new Set(touched.map(([, c]) => c)));
  paintSizes(g);
}

// --- place and selection: row or column -1 is a head

const elementAt = (g, r, c) => (r < 0 ? g.heads.cluster[c] : c < 0 ? g.heads.class[r] : g.cells[r][c]);
const isCell = ({ r, c }) => r >= 0 && c >= 0;
const placeName = (g, r, c) => `class ${g.table.classes[r]}, cluster ${g.table.clusters[c]}`;
const shortName = (g, r, c) => `${g.table.classes[r]},${g.table.clusters[c]}`;

function setActive(g, r, c, { extend = false, focus = true } = {}) {
  g.tabbable?.setAttribute("tabindex", "-1");
  g.anchor = extend && isCell({ r, c }) ? (g.anchor ?? { ...g.active }) : null;
  g.active = { r, c };
  g.tabbable = elementAt(g, r, c);
  g.tabbable.setAttribute("tabindex", "0");
  if (focus) {
    g.tabbable.focus({ preventScroll: true });
    g.tabbable.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
  paintSelection(g);
}

/** Rows and columns of the selection, or nothing while a head has the place. */
function selection(g) {
  if (!isCell(g.active)) return null;
  const from = g.anchor && isCell(g.anchor) ? g.anchor : g.active;
  const [top, bottom] = [from.r, g.active.r].sort((a, b) => a - b);
  const [left, right] = [from.c, g.active.c].sort((a, b) => a - b);
  return { top, bottom, left, right, rows: bottom - top + 1, columns: right - left + 1 };
}

function selectedCells(g) {
  const s = selection(g);
  if (!s) return [];
  return Array.from({ length: s.rows * s.columns }, (_, i) => [
    s.top + Math.floor(i / s.columns),
    s.left + (i % s.columns),
  ]);
}

function paintSelection(g) {
  for (const cell of g.selected ?? []) cell.removeAttribute("aria-selected");
  const places = selectedCells(g);
  g.selected = places.map(([r, c]) => g.cells[r][c]);
  for (const cell of g.selected) cell.setAttribute("aria-selected", "true");
  g.marquee.hidden = places.length < 2;
  if (places.length > 1) {
    const s = selection(g);
    g.marquee.style.gridArea = `${s.top + 2} / ${s.left + 2} / span ${s.rows} / span ${s.columns}`;
    const total = sum(places.map(([r, c]) => g.table.counts[r][c]));
    setText(g.hint, `${s.rows} × ${s.columns} cells selected, sum ${tidy(total)}`);
  } else setText(g.hint, g.carry ? carryHint(g) : HINT);
}

const HINT = "Type a count · drag one element, Shift: all of them · + − or wheel · paste · double-click a name";

/** The line under the grid that says what is wrong; empty when all is well. */
function say(g, text) {
  setText(g.alert, text);
}

function announce(g, text) {
  g.live.textContent = text;
}
