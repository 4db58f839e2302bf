// Changes to the table, and the editor that opens in a cell or a name.

/** Set counts: [[row, column, value], ...]. `action` and `detail` are for the server's history. */
const setCounts = afterHistory((g, cells, action, detail) => {
  const inside = cells.filter(([r, c]) => r < g.table.classes.length && c < g.table.clusters.length);
  const marks = inside.filter(([r, c]) => g.bad.delete(`${r},${c}`));
  const changed = inside.filter(([r, c, value]) => g.table.counts[r][c] !== value);
  if (changed.length) {
    const text = detail ?? changeText(g, changed);
    for (const [r, c, value] of changed) g.table.counts[r][c] = value;
    announce(g, text);
    report(g, action, text);
  }
  paintTouched(g, [...changed, ...marks]);
  paintSelection(g);
  sayRemaining(g);
});

function changeText(g, changed) {
  const [r, c, value] = changed[0];
  if (changed.length === 1) return `${shortName(g, r, c)}: ${g.table.counts[r][c]} → ${value}`;
  const same = changed.every(([, , other]) => other === value);
  return same ? `${changed.length} cells → ${value}` : `${changed.length} cells changed`;
}

/** Add or take `step` elements at the active cell; never below 0. */
const stepCount = afterHistory((g, step) => {
  const { r, c } = g.active;
  if (!isCell(g.active)) return;
  const value = g.table.counts[r][c];
  setCounts(g, [[r, c, Math.min(LARGEST, Math.max(0, tidy(value + step)))]], "edit");
});

/** Move one element, or the whole cell, from one cell to another. */
const moveElement = afterHistory((g, from, to, whole) => {
  const { counts } = g.table;
  const here = counts[from.r]?.[from.c];
  if (here === undefined || counts[to.r]?.[to.c] === undefined || (from.r === to.r && from.c === to.c))
    return;
  const amount = whole ? here : 1;
  if (here < amount || here === 0) return;
  setCounts(
    g,
    [
      [from.r, from.c, tidy(here - amount)],
      [to.r, to.c, tidy(counts[to.r][to.c] + amount)],
    ],
    "move",
    `${amount} from ${shortName(g, from.r, from.c)} to ${shortName(g, to.r, to.c)}`,
  );
});

/** Why nothing can be taken from a cell, or nothing. */
function moveTrouble(g, r, c, whole) {
  const here = g.table.counts[r][c];
  if (here === 0) return `${placeName(g, r, c)} is empty: there is no element to move.`;
  if (here < 1 && !whole)
    return `${placeName(g, r, c)} holds less than one element; hold Shift to move all of it.`;
}

/** A change of names, order or shape; the elements are made anew. */
const reshape = afterHistory((g, action, change) => {
  const detail = change(g.table);
  if (!detail) return;
  say(g, "");
  announce(g, detail);
  report(g, action, detail);
  rebuild(g);
});

const place = (axis, index, other) => (axis === "class" ? { r: index, c: other } : { r: other, c: index });

function addAt(g, axis, index, focus = true) {
  reshape(g, `add_${axis}`, (t) => {
    if (namesOf(t, axis).length >= MOST[axis])
      return void say(g, `The table has ${MOST[axis]} ${AXES[axis].names}, and can have no more.`);
    const at = Math.min(index, namesOf(t, axis).length);
    g.active = place(axis, at, isCell(g.active) ? (axis === "class" ? g.active.c : g.active.r) : 0);
    return `${axis} ${insertAt(t, axis, at)} added`;
  });
  if (focus) setActive(g, g.active.r, g.active.c);
}

function remove(g, axis, index) {
  reshape(g, `remove_${axis}`, (t) => {
    const names = namesOf(t, axis);
    if (index >= names.length) return;
    if (names.length === 1)
      return void say(g, `${quote(names[0])} is the last ${axis}; a table needs at least one.`);
    const detail = `${axis} ${names[index]} removed, with ${plural(axisSum(t, axis, index), "element")}`;
    removeAt(t, axis, index);
    return detail;
  });
  setActive(g, g.active.r, g.active.c);
}

function moveTo(g, axis, from, to) {
  reshape(g, "reorder", (t) => {
    const names = namesOf(t, axis);
    if (from === to || from >= names.length || to < 0 || to >= names.length) return;
    reorder(t, axis, from, to);
    g.active = place(axis, to, -1);
    return `${axis} ${names[to]} moved to place ${to + 1}`;
  });
  setActive(g, g.active.r, g.active.c);
}

const rename = afterHistory((g, axis, index, name) => {
  const names = namesOf(g.table, axis);
  if (index >= names.length || nameTrouble(g.table, axis, index, name)) return;
  const detail = `${axis} ${names[index]} → ${name}`;
  names[index] = name;
  paintAll(g);
  say(g, "");
  announce(g, detail);
  report(g, "rename", detail);
});

// --- the editor

/** Open it at a place. `text` replaces what is there; without it the present content can be mended. */
function openEditor(g, r, c, text) {
  closeEditor(g);
  const host = elementAt(g, r, c);
  const axis = c < 0 ? "class" : r < 0 ? "cluster" : null;
  const label = axis
    ? `Name of ${axis} ${namesOf(g.table, axis)[Math.max(r, c)]}`
    : `Count of ${placeName(g, r, c)}`;
  const input = el("input", {
    type: "text",
    class: "editor",
    "aria-label": label,
    autocomplete: "off",
    spellcheck: "false",
    inputmode: axis ? "text" : g.integer ? "numeric" : "decimal",
  });
  input.value =
    text ??
    (axis
      ? namesOf(g.table, axis)[Math.max(r, c)]
      : (g.bad.get(`${r},${c}`)?.text ?? String(g.table.counts[r][c])));
  g.editor = { host, input, r, c, axis, replacing: text !== undefined };
  const fit = () => input.style.setProperty("--length", input.value.length);
  input.addEventListener("input", () => {
    fit();
    markEditor(g, "");
  });
  input.addEventListener("focusout", () => document.hasFocus() && leaveEditor(g));
  fit();
  host.classList.add("editing");
  host.append(input);
  input.focus();
  if (text === undefined) input.select();
}

function markEditor(g, why) {
  g.editor.input.setAttribute("aria-invalid", String(Boolean(why)));
  g.editor.host.classList.toggle("bad", Boolean(why));
  say(g, why);
}

/** Accept what the editor holds, or say why not: true if it could close. */
function commitEditor(g) {
  const { input, r, c, axis } = g.editor;
  if (axis) {
    const index = Math.max(r, c);
    const name = input.value.trim();
    const why = nameTrouble(g.table, axis, index, name);
    if (why) return (markEditor(g, `${why} Escape restores ${quote(namesOf(g.table, axis)[index])}.`), false);
    closeEditor(g);
    say(g, "");
    if (name !== namesOf(g.table, axis)[index]) rename(g, axis, index, name);
    return true;
  }
  const read = readCount(input.value, g.integer);
  if (read.why) return (markEditor(g, refusal(g, r, c, read.why)), false);
  closeEditor(g);
  setCounts(g, [[r, c, read.value]], "edit");
  return true;
}

const refusal = (g, r, c, why) =>
  `${placeName(g, r, c)}: ${why}. ${acceptedForms(g.integer)} Escape restores ${g.table.counts[r][c]}.`;

/** The editor lost the focus: what cannot be accepted stays in the cell, marked, to be mended. */
function leaveEditor(g) {
  if (!g.editor || commitEditor(g)) return;
  const { input, r, c, axis } = g.editor;
  const text = input.value;
  closeEditor(g);
  if (axis) return;
  const { why } = readCount(text, g.integer);
  g.bad.set(`${r},${c}`, { text, why: refusal(g, r, c, why) });
  paintCell(g, r, c);
  sayRemaining(g);
}

function closeEditor(g) {
  if (!g.editor) return;
  const { host, input, r, c, axis } = g.editor;
  g.editor = null; // first: removing the input sends a last focusout
  host.classList.remove("editing", "bad");
  input.remove();
  if (!axis && host.isConnected && g.cells[r]?.[c] === host) paintCell(g, r, c);
}

/** Give up an edit, or a refused text left in a cell: the table's own value shows again. */
function restore(g, r, c) {
  closeEditor(g);
  if (g.bad.delete(`${r},${c}`)) paintCell(g, r, c);
  sayRemaining(g);
  elementAt(g, r, c).focus({ preventScroll: true });
}

function sayRemaining(g) {
  say(g, [...g.bad.values()].at(-1)?.why ?? "");
}
