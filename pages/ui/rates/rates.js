// The table of rates. One cell at a time can be reached by Tab; arrows move on from there.

const make = (tag, className, text) => {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text;
  return node;
};

function drawHead(data) {
  const head = make("thead");
  const line = make("tr");
  const corner = make("th", "corner");
  corner.scope = "col";
  corner.append(make("span", "", data.corner));
  line.append(corner);
  for (const column of data.columns) {
    const cell = make("th");
    cell.scope = "col";
    cell.title = column.says;
    cell.append(make("b", "", column.head), make("span", "", column.title));
    if (column.note) cell.append(make("small", "", column.note));
    line.append(cell);
  }
  head.append(line);
  return head;
}

function drawCell(cell, isChosen) {
  const box = make("td", cell.kind); // none, right or wrong
  if (cell.kind === "none") {
    box.append(make("span", "", cell.text));
    box.title = cell.says;
    return box;
  }
  box.style.setProperty("--wrong", `${cell.wrong}%`);
  const button = make("button", isChosen ? "chosen" : "");
  button.type = "button";
  button.tabIndex = isChosen ? 0 : -1;
  button.setAttribute("aria-label", cell.says);
  button.setAttribute("aria-pressed", String(isChosen));
  button.title = cell.says;
  button.append(make("b", "", cell.text), make("small", "", cell.count));
  if (cell.printed) button.append(make("em", cell.differs ? "differs" : "", cell.printed));
  box.append(button);
  return box;
}

function drawBody(data) {
  const body = make("tbody");
  let family = null;
  for (const row of data.rows) {
    if (row.family && row.family !== family) {
      family = row.family;
      const line = make("tr", "family");
      const name = make("th", "", family);
      name.colSpan = data.columns.length + 1;
      name.scope = "colgroup";
      line.append(name);
      body.append(line);
    }
    const line = make("tr");
    line.dataset.measure = row.name;
    const name = make("th");
    name.scope = "row";
    name.title = row.title;
    const dot = make("i");
    dot.style.background = row.colour;
    name.append(dot, make("b", "", row.symbol), make("span", "", row.arrow));
    line.append(name, ...row.cells.map((cell, i) => drawCell(
      cell, data.chosen[0] === data.columns[i].key && data.chosen[1] === row.name)));
    body.append(line);
  }
  return body;
}

/** The arrow keys: to the next cell that can be chosen in that direction. */
function step(table, button, key) {
  const [down, right] = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] }[key] ?? [0, 0];
  if (!down && !right) return false;
  const lines = [...table.tBodies[0].rows].filter((line) => line.dataset.measure);
  let row = lines.indexOf(button.closest("tr"));
  let column = button.closest("td").cellIndex;
  for (;;) {
    row += down;
    column += right;
    const cell = lines[row]?.cells[column];
    if (!cell || column < 1) return true;
    const next = cell.querySelector("button");
    if (next) {
      button.tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
      return true;
    }
  }
}

function draw(s, data, send) {
  s.data = data;
  const { scrollTop, scrollLeft } = s.root;
  const focused = s.root.contains(s.root.getRootNode().activeElement) ? s.root.getRootNode().activeElement : null;
  const place = focused?.closest("td") && [focused.closest("tr").dataset.measure, focused.closest("td").cellIndex];
  const table = make("table");
  const caption = make("caption", "", data.label);
  table.append(caption, drawHead(data), drawBody(data));
  table.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    const column = data.columns[button.closest("td").cellIndex - 1].key;
    send([column, button.closest("tr").dataset.measure]);
  });
  table.addEventListener("keydown", (event) => {
    const button = event.target.closest("button");
    if (button && step(table, button, event.key)) event.preventDefault();
  });
  if (!table.querySelector('button[tabindex="0"]')) table.querySelector("button")?.setAttribute("tabindex", "0");
  s.root.classList.toggle("steps", data.steps);
  s.root.style.maxHeight = `${data.height}px`;
  s.root.style.setProperty("--cell", data.widths[1]);
  s.root.style.setProperty("--first", data.widths[0]);
  s.root.replaceChildren(table);
  s.root.scrollTo(scrollLeft, scrollTop);
  if (place) [...table.tBodies[0].rows].find((line) => line.dataset.measure === place[0])?.cells[place[1]]?.querySelector("button")?.focus();
}

const TABLES = new WeakMap();

export default function ({ parentElement, data, setTriggerValue }) {
  let s = TABLES.get(parentElement);
  if (!s) {
    s = { room: make("div", "room"), root: make("div", "rates"), calls: 0 };
    s.room.append(s.root);
    parentElement.append(s.room);
    TABLES.set(parentElement, s);
  }
  const text = JSON.stringify(data);
  if (text !== s.text) draw(s, data, (cell) => setTriggerValue("cell", cell));
  s.text = text;
  const call = ++s.calls;
  return () => {
    if (call !== s.calls) return;
    s.room.remove();
    TABLES.delete(parentElement);
  };
}
