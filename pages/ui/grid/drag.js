// Pointers: choosing a cell, dragging an element from cell to cell, dragging a name to reorder.
// A finger first scrolls: it drags only from the cell that is already chosen.

const SLACK = 5; // px a pointer may wander in a click

function onPointerdown(g, event) {
  const target = event.target;
  if (event.button !== 0 || target.closest("button, input")) return;
  const node = target.closest(".cell, .head");
  if (!node) return;
  const spot = spotOf(node);
  const chosen = node === g.root.getRootNode().activeElement;
  g.press = {
    ...spot,
    node,
    x: event.clientX,
    y: event.clientY,
    pointer: event.pointerId,
    dragging: false,
    shift: event.shiftKey,
    still: event.pointerType === "touch" && !chosen,
  };
  if (event.pointerType !== "touch" && !event.shiftKey) choose(g, spot);
}

function spotOf(node) {
  const { r, c, axis, index } = node.dataset;
  return axis
    ? { ...place(axis, Number(index), -1), axis, index: Number(index) }
    : { r: Number(r), c: Number(c) };
}

function choose(g, { r, c }, extend = false) {
  if (g.carry) putDown(g);
  setActive(g, r, c, { extend });
}

function onPointermove(g, event) {
  const { press } = g;
  if (!press || press.pointer !== event.pointerId || press.still) return;
  if (!press.dragging) {
    if (Math.hypot(event.clientX - press.x, event.clientY - press.y) <= SLACK) return;
    if (!startDrag(g, event)) {
      g.press = null;
      return;
    }
  }
  followDrag(g, event);
}

function startDrag(g, event) {
  const { press } = g;
  if (!press.axis) {
    const why = g.editor?.host === press.node ? "" : moveTrouble(g, press.r, press.c, event.shiftKey);
    if (why !== undefined) return (say(g, why), false);
  }
  press.dragging = true;
  g.root.setPointerCapture(press.pointer);
  press.node.classList.add("source");
  g.grid.classList.add("dragging");
  if (!press.axis) {
    g.ghost.style.background = press.node.style.background;
    g.ghost.style.color = press.node.style.color;
  } else g.ghost.removeAttribute("style");
  g.ghost.showPopover();
  say(g, "");
  window.addEventListener("keydown", (press.escape = (e) => dragKey(g, e)), true);
  window.addEventListener("keyup", press.escape, true);
  return true;
}

function dragKey(g, event) {
  if (event.key === "Shift" && !g.press.axis) showAmount(g, event.type === "keydown");
  if (event.key !== "Escape" || event.type !== "keydown") return;
  event.preventDefault();
  event.stopPropagation();
  endDrag(g);
  announce(g, "Put back.");
}

function showAmount(g, whole) {
  const { press } = g;
  setText(
    g.ghost,
    press.axis
      ? namesOf(g.table, press.axis)[press.index]
      : showCount(whole ? g.table.counts[press.r][press.c] : 1, whole ? g.decimals : 0),
  );
}

function followDrag(g, event) {
  const { press } = g;
  showAmount(g, event.shiftKey);
  g.ghost.style.translate = `${event.clientX + 10}px ${event.clientY + 10}px`;
  scrollAtEdge(g.scroll, event);
  const under = g.root.getRootNode().elementFromPoint(event.clientX, event.clientY);
  const node = under?.closest?.(press.axis ? `.head.${press.axis}` : ".cell");
  const target = node && g.scroll.contains(node) && node !== press.node ? node : null;
  let after = false;
  if (target && press.axis) {
    const box = target.getBoundingClientRect();
    after =
      press.axis === "class"
        ? event.clientY > box.top + box.height / 2
        : event.clientX > box.left + box.width / 2;
  }
  press.target?.classList.remove("drop", "before", "after");
  target?.classList.add(...(press.axis ? [after ? "after" : "before"] : ["drop"]));
  press.target = target;
  press.after = after;
}

/** Dragging towards the edge of a large table scrolls it. */
function scrollAtEdge(box, { clientX, clientY }) {
  const { left, right, top, bottom } = box.getBoundingClientRect();
  const speed = (at, low, high) => (at < low + 24 ? -14 : at > high - 24 ? 14 : 0);
  box.scrollBy(speed(clientX, left, right), speed(clientY, top, bottom));
}

function onPointerup(g, event) {
  const { press } = g;
  if (!press || press.pointer !== event.pointerId) return;
  if (!press.dragging) {
    g.press = null;
    if (press.shift && !press.axis) choose(g, press, true);
    else if (event.pointerType === "touch") choose(g, press);
    return;
  }
  const { target, after } = press;
  endDrag(g);
  if (!target) return;
  const to = spotOf(target);
  if (!press.axis) {
    setActive(g, to.r, to.c);
    moveElement(g, press, to, event.shiftKey);
  } else {
    const slot = to.index + (after ? 1 : 0);
    moveTo(g, press.axis, press.index, slot > press.index ? slot - 1 : slot);
  }
}

function endDrag(g) {
  const { press } = g;
  g.press = null;
  if (!press?.dragging) return;
  window.removeEventListener("keydown", press.escape, true);
  window.removeEventListener("keyup", press.escape, true);
  press.node.classList.remove("source");
  press.target?.classList.remove("drop", "before", "after");
  g.grid.classList.remove("dragging");
  g.ghost.hidePopover();
  if (g.root.hasPointerCapture(press.pointer)) g.root.releasePointerCapture(press.pointer);
}
