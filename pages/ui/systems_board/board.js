// A table of scores. Sorting happens here; choosing a row is told to the page.

const make = (tag, className, text) => {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text;
  return node;
};

/** Row numbers in the order asked for; what has nothing to be sorted by comes last, whichever way. */
function order(data, sort) {
  const numbers = data.rows.map((_, i) => i);
  if (!sort) return numbers;
  const value = (i) => data.rows[i][sort.column].sort;
  return numbers.sort((i, j) => {
    const [x, y] = [value(i), value(j)];
    if (x === null || y === null) return (x === null) - (y === null);
    const before = typeof x === "string" ? x.localeCompare(y) : x - y;
    return sort.down ? -before : before;
  });
}

function drawHead(s) {
  const line = make("tr");
  s.data.heads.forEach((head, column) => {
    const cell = make("th", head.is_text ? "text" : "");
    cell.scope = "col";
    const sorted = s.sort?.column === column;
    cell.setAttribute("aria-sort", sorted ? (s.sort.down ? "descending" : "ascending") : "none");
    const button = make("button");
    button.type = "button";
    if (head.title) button.title = head.title;
    button.append(make("span", "", head.name));
    if (head.arrow) button.append(make("small", "", head.arrow));
    button.append(make("i", "", sorted ? (s.sort.down ? "▾" : "▴") : ""));
    button.addEventListener("click", () => {
      const first = !head.is_text && head.arrow !== "↓"; // the best on top at the first click
      s.sort = { column, down: sorted ? !s.sort.down : first };
      draw(s);
      s.root.querySelectorAll("thead button")[column].focus();
    });
    cell.append(button);
    line.append(cell);
  });
  const head = make("thead");
  head.append(line);
  return head;
}

function drawCell(s, cell, number, column) {
  const head = s.data.heads[column];
  const box = make(column ? "td" : "th", head.is_text ? "text" : cell.rank === 1 ? "best" : "");
  if (!column) box.scope = "row";
  if (cell.note) box.title = cell.note;
  if (!column && s.data.choosable) {
    const button = make("button", "", cell.text);
    button.type = "button";
    button.title = cell.note || cell.text;
    button.setAttribute("aria-pressed", String(number === s.data.chosen));
    box.append(button);
    return box;
  }
  box.append(make("span", "", cell.text + (cell.note && column ? "*" : "")));
  if (cell.rank !== null) box.append(make("small", "", String(cell.rank)));
  else if (s.ranked[column]) box.append(make("small", "", ""));
  return box;
}

function draw(s) {
  const { scrollTop, scrollLeft } = s.root;
  const table = make("table");
  const body = make("tbody");
  s.ranked = s.data.heads.map((_, column) => s.data.rows.some((row) => row[column].rank !== null));
  for (const number of order(s.data, s.sort)) {
    const line = make("tr", number === s.data.chosen ? "chosen" : "");
    line.append(...s.data.rows[number].map((cell, column) => drawCell(s, cell, number, column)));
    if (s.data.choosable) line.addEventListener("click", () => s.send(number));
    body.append(line);
  }
  table.append(make("caption", "", s.data.label), drawHead(s), body);
  s.root.style.maxHeight = `${s.data.height}px`;
  s.root.classList.toggle("choosable", s.data.choosable);
  s.root.replaceChildren(table);
  s.root.scrollTo(scrollLeft, scrollTop);
}

const TABLES = new WeakMap();

export default function ({ parentElement, data, setTriggerValue }) {
  let s = TABLES.get(parentElement);
  if (!s) {
    s = { root: make("div", "board"), calls: 0, sort: null };
    s.root.tabIndex = 0;
    s.root.setAttribute("role", "region");
    parentElement.append(s.root);
    TABLES.set(parentElement, s);
  }
  s.send = (row) => setTriggerValue("row", row);
  s.root.setAttribute("aria-label", data.label);
  const text = JSON.stringify(data);
  if (text !== s.text) {
    const heads = JSON.stringify(data.heads);
    if (s.heads !== heads) s.sort = null;
    const focused = s.root.getRootNode().activeElement;
    const place = s.root.contains(focused) && focused.closest("tbody tr")?.rowIndex;
    Object.assign(s, { data, text, heads });
    draw(s);
    if (place) s.root.querySelector("table").rows[place]?.querySelector("button")?.focus();
  }
  const call = ++s.calls;
  return () => {
    if (call !== s.calls) return;
    s.root.remove();
    TABLES.delete(parentElement);
  };
}
