// The index of the reference page. One entry at a time can be reached by Tab; arrows move on from there.

const make = (tag, className, text) => {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text;
  return node;
};

function drawHead(section) {
  const line = make("tr");
  const corner = make("th", "", section.corner);
  corner.scope = "col";
  line.append(corner);
  for (const column of section.columns) {
    const cell = make("th", "", column.head);
    cell.scope = "col";
    cell.title = column.says;
    line.append(cell);
  }
  const head = make("thead");
  head.append(line);
  return head;
}

function drawEntry(row, chosen) {
  const line = make("tr", "entry");
  line.dataset.entry = row.name;
  const name = make("th");
  name.scope = "row";
  const button = make("button");
  button.type = "button";
  button.tabIndex = row.name === chosen ? 0 : -1;
  button.title = row.says;
  const dot = make("i");
  dot.style.background = row.colour;
  button.append(dot, make("b", "", row.symbol), make("span", "", row.arrow), make("em", "", row.title));
  button.setAttribute("aria-label", row.spoken);
  if (row.name === chosen) line.setAttribute("aria-current", "true");
  name.append(button);
  line.append(name);
  for (const cell of row.cells) {
    const box = make("td", "", cell.text);
    if (cell.tint !== null) box.style.setProperty("--tint", `${cell.tint}%`);
    line.append(box);
  }
  return line;
}

function drawSection(section, chosen) {
  const table = make("table");
  const body = make("tbody");
  let family = null;
  for (const row of section.rows) {
    if (row.family !== family) {
      family = row.family;
      const line = make("tr", "family");
      const name = make("th", "", family);
      name.colSpan = section.columns.length + 1;
      name.scope = "colgroup";
      line.append(name);
      body.append(line);
    }
    body.append(drawEntry(row, chosen));
  }
  table.append(make("caption", "", section.label), drawHead(section), body);
  return table;
}

/** Bring the chosen entry into view, inside the list only: the page itself stays where it is. */
function reveal(root) {
  const line = root.querySelector("tr[aria-current]");
  if (!line) return;
  const room = root.getBoundingClientRect();
  const place = line.getBoundingClientRect();
  const head = line.closest("table").tHead.offsetHeight;
  if (place.top < room.top + head || place.bottom > room.bottom) {
    root.scrollTop += place.top - room.top - head - (root.clientHeight - head) / 3;
  }
}

function draw(s, data) {
  const { scrollTop } = s.root;
  const active = s.root.getRootNode().activeElement;
  const hadFocus = active && s.root.contains(active);
  const tables = data.sections.map((section) => drawSection(section, data.chosen));
  s.root.replaceChildren(...(tables.length ? tables : [make("p", "", data.empty)]));
  s.root.scrollTop = scrollTop;
  if (!s.root.querySelector('button[tabindex="0"]')) s.root.querySelector("button")?.setAttribute("tabindex", "0");
  if (hadFocus) s.root.querySelector("tr[aria-current] button")?.focus({ preventScroll: true });
  if (data.chosen !== s.chosen) reveal(s.root);
  s.chosen = data.chosen;
}

const STEPS = { ArrowDown: 1, ArrowUp: -1, PageDown: 12, PageUp: -12, Home: -Infinity, End: Infinity };

function listen(s) {
  s.root.addEventListener("click", (event) => {
    const line = event.target.closest("tr.entry");
    if (line) s.send(line.dataset.entry);
  });
  s.root.addEventListener("keydown", (event) => {
    const button = event.target.closest("button");
    if (!button || !(event.key in STEPS)) return;
    event.preventDefault();
    const all = [...s.root.querySelectorAll("button")];
    const to = Math.min(Math.max(all.indexOf(button) + STEPS[event.key], 0), all.length - 1);
    button.tabIndex = -1;
    all[to].tabIndex = 0;
    all[to].focus();
  });
}

const LISTS = new WeakMap();

export default function ({ parentElement, data, setTriggerValue }) {
  let s = LISTS.get(parentElement);
  if (!s) {
    s = { room: make("div", "room"), root: make("div", "entries"), calls: 0 };
    s.room.append(s.root);
    parentElement.append(s.room);
    LISTS.set(parentElement, s);
    listen(s);
  }
  s.send = (entry) => setTriggerValue("entry", entry);
  const text = JSON.stringify(data);
  if (text !== s.text) draw(s, data);
  s.text = text;
  const call = ++s.calls;
  return () => {
    if (call !== s.calls) return;
    s.room.remove();
    LISTS.delete(parentElement);
  };
}
