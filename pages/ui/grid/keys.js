// The keyboard and the wheel.

const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const STEPS = { "+": 1, "=": 1, "-": -1, "\u2212": -1, _: -10 };
const SIGN_TIME = 900; // ms within which "-" and then "5" is read as "-5" and not as one less and then 5

function onKeydown(g, event) {
  if (event.isComposing || g.menu.contains(event.target) || !g.scroll.contains(event.target)) return;
  const command = event.ctrlKey || event.metaKey;
  const handled = g.editor
    ? editorKey(g, event)
    : command
      ? commandKey(g, event)
      : g.carry
        ? carryKey(g, event)
        : plainKey(g, event);
  if (handled) event.preventDefault();
  // Streamlit has one-letter shortcuts of its own (c, r), and does not see the input inside our shadow root.
  if (handled || !command) event.stopPropagation();
}

const TYPING = "textarea, select, [contenteditable], input:not([type=checkbox], [type=radio], [type=range], [type=button])";

/** Undo and redo from elsewhere on the page, unless somebody is typing there: an input has an undo of its own. */
function onPageKey(g, event) {
  const key = event.key?.toLowerCase();
  const [target] = event.composedPath();
  if (!g.pageKeys || event.defaultPrevented || !(event.ctrlKey || event.metaKey) || event.altKey) return;
  if ((key !== "z" && key !== "y") || target.closest?.(TYPING)) return;
  event.preventDefault();
  commandKey(g, event);
}

/** Go to a neighbour; heads are reached from the first row and column. The corner is not a place. */
function moveActive(g, [dr, dc], { extend = false, heads = !extend } = {}) {
  const least = heads ? -1 : 0;
  const r = Math.min(g.table.classes.length - 1, Math.max(least, g.active.r + dr));
  const c = Math.min(g.table.clusters.length - 1, Math.max(least, g.active.c + dc));
  if (r < 0 && c < 0) return;
  setActive(g, r, c, { extend });
}

/** The next or previous cell, row by row: false at the ends, where Tab leaves the grid. */
function moveAlong(g, step) {
  const { r, c } = g.active;
  if (!isCell(g.active)) {
    const axis = c < 0 ? "class" : "cluster";
    const next = Math.max(r, c) + step;
    if (next < 0 || next >= namesOf(g.table, axis).length) return false;
    return (setActive(g, ...(axis === "class" ? [next, -1] : [-1, next])), true);
  }
  const columns = g.table.clusters.length;
  const next = r * columns + c + step;
  if (next < 0 || next >= columns * g.table.classes.length) return false;
  return (setActive(g, Math.floor(next / columns), next % columns), true);
}

function editorKey(g, event) {
  const { key, shiftKey } = event;
  const { r, c, axis, replacing } = g.editor;
  if (key === "Escape") return (restore(g, r, c), true);
  const arrow = replacing && !axis && ARROWS[key];
  if (key !== "Enter" && key !== "Tab" && !arrow) return false;
  if (!commitEditor(g)) return true;
  elementAt(g, r, c).focus({ preventScroll: true });
  if (key === "Tab") return moveAlong(g, shiftKey ? -1 : 1);
  if (!axis) moveActive(g, arrow || [shiftKey ? -1 : 1, 0], { heads: Boolean(arrow) });
  return true;
}

function commandKey(g, event) {
  const key = event.key.toLowerCase();
  const { classes, clusters } = g.table;
  if (key === "z" || key === "y")
    return (sendHistory(g, key === "y" || event.shiftKey ? "redo" : "undo"), true);
  if (key === "a") {
    setActive(g, 0, 0);
    return (setActive(g, classes.length - 1, clusters.length - 1, { extend: true }), true);
  }
  if (key === "home") return (setActive(g, 0, 0, { extend: event.shiftKey }), true);
  if (key === "end")
    return (setActive(g, classes.length - 1, clusters.length - 1, { extend: event.shiftKey }), true);
  return false;
}

function sendHistory(g, action) {
  announce(g, action);
  report(g, action, action);
}

function plainKey(g, event) {
  const { key, shiftKey, altKey } = event;
  const { r, c } = g.active;
  const onCell = isCell(g.active);
  if (key === "ContextMenu" || (key === "F10" && shiftKey)) return !onCell && (openMenu(g, g.tabbable), true);
  if (ARROWS[key] && altKey) return (reorderKey(g, ARROWS[key]), true);
  if (ARROWS[key]) return (moveActive(g, ARROWS[key], { extend: shiftKey && onCell }), true);
  if (key === "Tab") return moveAlong(g, shiftKey ? -1 : 1);
  if (key === "PageUp" || key === "PageDown")
    return (
      moveActive(g, [key === "PageUp" ? -10 : 10, 0], { extend: shiftKey && onCell, heads: false }),
      true
    );
  if (key === "Home")
    return (setActive(g, r, r < 0 ? 0 : onCell ? 0 : -1, { extend: shiftKey && onCell }), true);
  if (key === "End")
    return (setActive(g, r, g.table.clusters.length - 1, { extend: shiftKey && onCell }), true);
  if (key === "F2" || (key === "Enter" && !onCell)) return (openEditor(g, r, c), true);
  if (!onCell) return false;
  if (key === "Enter") return (moveActive(g, [shiftKey ? -1 : 1, 0], { heads: false }), true);
  if (key === "Delete" || key === "Backspace")
    return (
      setCounts(
        g,
        selectedCells(g).map(([i, j]) => [i, j, 0]),
        "edit",
      ),
      true
    );
  if (key === "Escape") return (restore(g, r, c), setActive(g, r, c), true);
  if (key in STEPS) return (stepKey(g, event), true);
  if (key === "m" || key === "M") return (pickUp(g, r, c, key === "M"), true);
  if (key.length === 1 && key !== " " && !altKey)
    return (openEditor(g, r, c, signBefore(g, key) + key), true);
  return key === " ";
}

function reorderKey(g, [dr, dc]) {
  const { r, c } = g.active;
  if (isCell(g.active)) announce(g, "Alt and an arrow reorder from the name of a class or cluster.");
  else if (c < 0 && dr) moveTo(g, "class", r, r + dr);
  else if (r < 0 && dc) moveTo(g, "cluster", c, c + dc);
}

function stepKey(g, event) {
  const { r, c } = g.active;
  const ten = event.altKey || (event.shiftKey && event.code.startsWith("Numpad"));
  const sign = event.key === "\u2212" ? "-" : event.key;
  g.stepped = { r, c, sign, before: g.table.counts[r][c], at: performance.now() };
  stepCount(g, STEPS[event.key] * (ten ? 10 : 1));
}

/** "-5" begins with a step down. If digits follow at once it was a sign: take the step back, refuse -5. */
function signBefore(g, key) {
  const last = g.stepped;
  g.stepped = null;
  const { r, c } = g.active;
  if (!last || !/[\d.]/.test(key) || !/[+-]/.test(last.sign)) return "";
  if (last.r !== r || last.c !== c || performance.now() - last.at > SIGN_TIME) return "";
  setCounts(g, [[r, c, last.before]], "edit");
  return last.sign;
}

// --- moving an element by keyboard: m picks it up, arrows carry it, Enter drops it

function pickUp(g, r, c, whole) {
  const why = moveTrouble(g, r, c, whole);
  if (why) return say(g, why);
  g.carry = { r, c, whole, amount: whole ? g.table.counts[r][c] : 1 };
  g.cells[r][c].classList.add("source");
  g.grid.classList.add("carrying");
  say(g, "");
  setText(g.hint, carryHint(g));
  announce(g, carryHint(g));
}

const carryHint = (g) =>
  `${g.carry.amount} picked up from ${placeName(g, g.carry.r, g.carry.c)}: ` +
  "arrows choose a cell, Enter drops, Escape puts back";

function carryKey(g, event) {
  const { key } = event;
  const from = g.carry;
  if (ARROWS[key]) return (moveActive(g, ARROWS[key], { heads: false }), true);
  if (key === "Tab") return moveAlong(g, event.shiftKey ? -1 : 1);
  if (key !== "Enter" && key !== "Escape" && key.toLowerCase() !== "m") return true;
  putDown(g);
  if (key === "Escape") {
    setActive(g, from.r, from.c);
    announce(g, "Put back.");
  } else moveElement(g, from, g.active, from.whole);
  return true;
}

function putDown(g) {
  g.cells[g.carry.r]?.[g.carry.c]?.classList.remove("source");
  g.grid.classList.remove("carrying");
  g.carry = null;
  paintSelection(g);
}

// --- the wheel: only over the cell that has the focus, and not in the middle of scrolling past it

function onWheel(g, event) {
  const cell = event.composedPath().find((node) => node.classList?.contains("cell"));
  const now = performance.now();
  const ours = cell && cell === g.root.getRootNode().activeElement && !g.editor && !g.carry && !event.ctrlKey;
  if (!ours || now - g.scrolledAt < 300) {
    g.scrolledAt = now;
    return;
  }
  event.preventDefault();
  // Shift turns the wheel sideways.
  const distance = (event.deltaY || event.deltaX) * (event.deltaMode ? 40 : 1);
  const notch = Math.abs(distance) >= 40;
  g.wheeled = notch ? 0 : (g.wheeled ?? 0) + distance; // a touchpad sends many small ones
  if (!notch && Math.abs(g.wheeled) < 40) return;
  g.wheeled = 0;
  stepCount(g, (distance < 0 ? 1 : -1) * (event.shiftKey || event.altKey ? 10 : 1));
}
