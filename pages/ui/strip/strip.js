// The strips: one line per measure, better always to the right. Marks slide when the table changes.

const make = (tag, className, text) => {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text;
  return node;
};

const PAPER = document.createElement("canvas").getContext("2d");

/** widthOf(text) in a font, in pixels. */
function ruler(font) {
  return (text) => {
    PAPER.font = font;
    return PAPER.measureText(text).width;
  };
}

const BEYOND = 30; // pixels that a label may reach over the ends of its track
const APART = 6; // pixels between two labels
const NEAR = 16; // pixels between a mark and a label that had to move aside
const TOGETHER = 12; // pixels within which marks share a label
const NARROW = 300; // pixels of a track below which short names are used

function cut(text, room, widthOf) {
  const letters = [...text];
  if (widthOf(text) <= room) return text;
  while (letters.length > 1 && widthOf(`${letters.join("")}…`) > room) letters.pop();
  return `${letters.join("")}…`;
}

/** Ways to write the names of marks that lie together, from the fullest to the shortest. */
function wordings(names, widthOf) {
  const ways = [];
  for (const room of [150, 80])
    for (let shown = names.length; shown > 0; shown -= 1) {
      const rest = names.length - shown;
      ways.push(names.slice(0, shown).map((name) => cut(name, room, widthOf)).join(" · ") + (rest ? ` +${rest}` : ""));
    }
  return ways;
}

/** The labels of a strip's marks: none lies on another, all are at their mark. What finds no room is told by the tip. */
function placeLabels(marks, width, widthOf) {
  const groups = [];
  for (const mark of marks.filter((m) => m.label).sort((x, y) => x.at - y.at)) {
    const name = width < NARROW ? (mark.short ?? mark.label) : mark.label, x = mark.at * width;
    if (groups.length && x - groups.at(-1).x < TOGETHER) groups.at(-1).names.push(name);
    else groups.push({ x, names: [name] });
  }
  const placed = [];
  // from the ends inwards: the ends of a strip say what it means
  for (const group of [...groups].sort((p, q) => Math.abs(q.x / width - 0.5) - Math.abs(p.x / width - 0.5)))
    for (const text of wordings(group.names, widthOf))
      if (squeezeIn(placed, { x: group.x, text, half: widthOf(text) / 2 }, -BEYOND, width + BEYOND)) break;
  return placed;
}

/** Put a label between its neighbours, which give way as far as they stay at their marks; false if there is no room. */
function squeezeIn(placed, label, from, to) {
  const left = placed.filter((other) => other.x < label.x).sort((p, q) => q.x - p.x);
  const right = placed.filter((other) => other.x > label.x).sort((p, q) => p.x - q.x);
  const leastRight = (others, at) => {
    const [next, beyond] = others;
    if (!next) return at;
    const room = beyond ? beyond.at + beyond.half + APART : at;
    return Math.max(next.x - next.half - NEAR, room + next.half) + next.half + APART;
  };
  const mostLeft = (others, at) => {
    const [next, beyond] = others;
    if (!next) return at;
    const room = beyond ? beyond.at - beyond.half - APART : at;
    return Math.min(next.x + next.half + NEAR, room - next.half) - next.half - APART;
  };
  const low = leastRight(left, from), high = mostLeft(right, to), { x, half } = label;
  label.at = Math.min(Math.max(x, low + half), high - half);
  if (label.at - half < low - 0.5 || Math.abs(label.at - x) > half + NEAR) return false;
  if (left[0]) left[0].at = Math.min(left[0].at, label.at - half - APART - left[0].half);
  if (right[0]) right[0].at = Math.max(right[0].at, label.at + half + APART + right[0].half);
  placed.push(label);
  return true;
}

function drawStrip(s, row) {
  const strip = make("li", "strip");
  strip.dataset.measure = row.name;
  strip.tabIndex = 0;
  strip.setAttribute("aria-label", row.spoken);
  const name = make("div", "name");
  const dot = make("i");
  dot.style.background = row.colour;
  name.append(dot, make("b", "", row.symbol), make("span", "", row.arrow));
  strip.append(name);
  if (s.data.withValue) strip.append(make("div", "value", row.value));
  for (const { text, better } of row.changes.slice(s.skipped))
    strip.append(make("div", `change ${text ? (better ? "better" : "worse") : ""}`, text));
  const track = make("div", "track");
  track.style.setProperty("--hue", row.colour);
  track.append(make("span", "end low", row.low), make("span", "end high", row.high));
  for (const mark of row.marks) {
    const node = make("span", `mark ${mark.kind}`);
    node.style.left = `${mark.at * 100}%`;
    node.append(make("b"));
    track.append(node);
  }
  strip.append(track);
  strip.addEventListener("pointerenter", () => showTip(s, strip, row));
  strip.addEventListener("focus", () => showTip(s, strip, row));
  for (const leaving of ["pointerleave", "blur"]) strip.addEventListener(leaving, () => (s.tip.hidden = true));
  return strip;
}

/** Everything a strip knows, read at once; below the strip, or above it where there is no room below. */
function showTip(s, strip, row) {
  const title = make("strong", "", `${row.title} ${row.arrow}`);
  title.append(make("span", "range", row.range));
  s.tip.replaceChildren(title, make("div", "", row.rewards));
  const table = make("table");
  for (const mark of row.all) {
    const line = make("tr");
    line.append(make("td", "", mark.name), make("td", "", mark.value));
    table.append(line);
  }
  s.tip.append(table);
  s.tip.hidden = false;
  const below = strip.offsetTop + strip.offsetHeight + 4;
  const above = strip.offsetTop - s.tip.offsetHeight - 4;
  s.tip.style.top = `${below + s.tip.offsetHeight > s.root.offsetHeight && above > 0 ? above : below}px`;
}

function drawHead(s) {
  const head = make("div", "head");
  const save = make("span", "save");
  for (const [text, title, action] of [
    ["PNG", "Download this picture", savePng],
    ["CSV", "Download these numbers", saveCsv],
  ]) {
    const button = make("button", "", text);
    button.type = "button";
    button.title = title;
    button.addEventListener("click", () => action(s));
    save.append(button);
  }
  head.append(save);
  if (s.data.withValue) head.append(make("span", "value"));
  for (const text of s.data.heads.slice(s.skipped)) head.append(make("span", "change", text));
  const better = make("div", "better");
  better.append(make("span", "", "worse"), make("span", "", "better →"));
  head.append(better);
  return head;
}

function draw(s, data) {
  s.data = data;
  s.width = s.root.clientWidth;
  s.tip.hidden = true; // the strip it belongs to is about to go
  const track = s.width / 16 - parseFloat(data.nameWidth) - 10.5 - 4.6 * data.heads.length; // rem
  s.skipped = track < 9 && data.heads.length > 1 ? 1 : 0; // of two columns of changes the one against the pin stays
  const columns = [data.nameWidth, ...(data.withValue ? ["4rem"] : []), ...data.heads.slice(s.skipped).map(() => "4.1rem"), "minmax(0, 1fr)"];
  s.root.style.setProperty("--row", `${data.row}rem`);
  s.root.style.setProperty("--columns", columns.join(" "));
  const list = make("ul");
  list.setAttribute("aria-label", data.label);
  let family = null;
  for (const row of data.rows) {
    if (data.families && row.family !== family) {
      family = row.family;
      list.append(make("li", "family", family));
    }
    list.append(drawStrip(s, row));
  }
  s.body.replaceChildren(drawHead(s), list);
  const tracks = [...list.querySelectorAll(".track")];
  if (!tracks.length) return;
  // labels come last: how wide the tracks are, and how wide the letters, is known only now
  const width = tracks[0].clientWidth;
  const size = 0.8 * parseFloat(getComputedStyle(document.documentElement).fontSize);
  const widthOf = ruler(`${size}px ${getComputedStyle(s.root).fontFamily}`);
  tracks.forEach((track, i) => {
    for (const label of placeLabels(data.rows[i].marks, width, widthOf)) {
      const node = make("span", "label", label.text);
      node.style.left = `${label.at}px`;
      track.append(node);
    }
  });
}

/** Slide rather than redraw where only values moved. */
function update(s, data) {
  const said = JSON.stringify(data);
  if (s.said === said) return; // a rerun that changed nothing here
  s.said = said;
  const marksOf = () => [...s.body.querySelectorAll(".mark")];
  const same =
    s.data?.rows.length === data.rows.length &&
    data.rows.every((row, i) => row.name === s.data.rows[i].name && row.marks.length === s.data.rows[i].marks.length);
  const before = same && s.width === s.root.clientWidth ? marksOf().map((mark) => mark.style.left) : [];
  draw(s, data);
  const moves = marksOf().map((mark, i) => [mark, before[i], mark.style.left]).filter(([, from, to]) => from && from !== to);
  if (!moves.length) return;
  for (const [mark, from] of moves) {
    mark.style.transition = "none";
    mark.style.left = from;
  }
  s.root.offsetWidth; // the browser must see the old place before the new one
  for (const [mark, , to] of moves) {
    mark.style.transition = "";
    mark.style.left = to;
  }
}

// --- to take away

function save(name, url) {
  const link = document.createElement("a");
  link.download = name;
  link.href = url;
  link.click();
}

/** A spreadsheet must not take a name for a formula. */
function csvCell(text) {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function saveCsv(s) {
  const lines = s.data.rows.flatMap((row) => row.all.map((mark) => [csvCell(row.name), csvCell(mark.name), mark.exact ?? ""].join(",")));
  const blob = new Blob([["measure,solution,value", ...lines, ""].join("\r\n")], { type: "text/csv" });
  const url = URL.createObjectURL(blob);
  save(`${s.data.file}.csv`, url);
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** The same picture on a canvas, three times as fine, for papers and slides. */
function savePng(s) {
  const scale = 3, width = 760, left = s.data.withValue ? 240 : 180, right = 60, line = 40, top = 46;
  const rows = s.data.rows;
  const canvas = document.createElement("canvas");
  canvas.width = width * scale;
  canvas.height = (top + rows.length * line + 14) * scale;
  const pen = canvas.getContext("2d");
  const look = getComputedStyle(s.root);
  const font = (size, weight = 400) => `${weight} ${size}px ${look.fontFamily}`;
  const put = (text, x, y, size, align = "left", weight = 400, alpha = 1) => {
    pen.font = font(size, weight);
    pen.textAlign = align;
    pen.globalAlpha = alpha;
    pen.fillText(text, x, y);
    pen.globalAlpha = 1;
  };
  pen.scale(scale, scale);
  pen.fillStyle = look.getPropertyValue("--paper") || "#fff";
  pen.fillRect(0, 0, width, canvas.height);
  pen.fillStyle = look.color;
  put(s.data.label, 16, 22, 15, "left", 600);
  put("worse", left, 40, 11, "left", 400, 0.75);
  put("better →", width - right, 40, 11, "right", 400, 0.75);
  const span = width - right - left;
  rows.forEach((row, i) => {
    const y = top + i * line + 26, x = (at) => left + at * span;
    pen.fillStyle = look.color;
    put(`${row.symbol} ${row.arrow}`, 16, y + 4, 14, "left", 600);
    put(row.value, left - 64, y + 4, 14, "right", 600);
    put(row.low, left - 14, y + 4, 10, "right", 400, 0.75);
    put(row.high, left + span + 14, y + 4, 10, "left", 400, 0.75);
    pen.globalAlpha = 0.3;
    pen.fillRect(left - 8, y - 1, span + 16, 2);
    pen.globalAlpha = 1;
    for (const label of placeLabels(row.marks, span, ruler(font(10.5)))) put(label.text, left + label.at, y - 11, 10.5, "center");
    for (const mark of row.marks) if (mark.kind === "reference") pen.fillRect(x(mark.at) - 1, y - 6, 2, 12);
    pen.fillStyle = pen.strokeStyle = row.colour;
    for (const mark of row.marks) {
      if (mark.kind === "reference") continue;
      pen.beginPath();
      if (mark.kind === "now") pen.arc(x(mark.at), y, 7, 0, 7);
      else for (const [dx, dy] of [[0, -6], [6, 0], [0, 6], [-6, 0], [0, -6]]) pen.lineTo(x(mark.at) + dx, y + dy);
      if (mark.kind === "now") pen.fill();
      else pen.stroke();
    }
  });
  save(`${s.data.file}.png`, canvas.toDataURL("image/png"));
}

// --- the component: one set of strips for each place it is mounted at, kept through later calls

const STRIPS = new WeakMap();

function create(parent) {
  const s = { root: make("div", "strips"), body: make("div"), tip: make("div", "tip"), calls: 0 };
  s.tip.hidden = true;
  s.tip.setAttribute("role", "tooltip");
  s.root.append(s.body, s.tip);
  parent.append(s.root);
  s.watch = new ResizeObserver(() => s.data && s.width !== s.root.clientWidth && draw(s, s.data));
  s.watch.observe(s.root);
  return s;
}

export default function ({ parentElement, data }) {
  const s = STRIPS.get(parentElement) ?? create(parentElement);
  STRIPS.set(parentElement, s);
  update(s, data);
  const call = ++s.calls;
  return () => {
    if (call !== s.calls) return;
    s.watch.disconnect();
    s.root.remove();
    STRIPS.delete(parentElement);
  };
}
