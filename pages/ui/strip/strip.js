// The strips: one line per measure, better always to the right. Marks slide when the table changes.

const make = (tag, className, text) => {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text;
  return node;
};

/** Labels that would lie on one another become one: "one cluster · no knowledge". */
function gatherLabels(marks, width) {
  const em = 6.4; // a character of the label font, in pixels, generously
  const place = (g) => {
    const reach = (g.names.join(" · ").length * em) / 2;
    const middle = Math.min(Math.max(g.sum / g.names.length, reach - 30), width + 30 - reach);
    return { left: middle - reach, right: middle + reach, at: middle };
  };
  const groups = marks.filter((m) => m.label).sort((x, y) => x.at - y.at).map((m) => ({ names: [m.label], sum: m.at * width }));
  for (let i = 0; i + 1 < groups.length;) {
    if (place(groups[i]).right + 5 > place(groups[i + 1]).left) {
      groups[i].names.push(...groups[i + 1].names);
      groups[i].sum += groups[i + 1].sum;
      groups.splice(i + 1, 1);
      i = Math.max(0, i - 1);
    } else i += 1;
  }
  return groups.map((g) => ({ text: g.names.join(" · "), ...place(g) }));
}

function drawStrip(row, width) {
  const strip = make("li", "strip");
  strip.dataset.measure = row.name;
  strip.tabIndex = 0;
  strip.setAttribute("aria-label", row.spoken);
  const name = make("div", "name");
  const dot = make("i");
  dot.style.background = row.colour;
  name.append(dot, make("b", "", row.symbol), make("span", "", row.arrow));
  const change = make("div", `change ${row.change ? (row.improved ? "better" : "worse") : ""}`, row.change);
  const track = make("div", "track");
  track.style.setProperty("--hue", row.colour);
  track.append(make("span", "end low", row.low), make("span", "end high", row.high));
  for (const mark of row.marks) {
    const node = make("span", `mark ${mark.kind}`);
    node.style.left = `${mark.at * 100}%`;
    node.append(make("b"));
    track.append(node);
  }
  for (const label of gatherLabels(row.marks, width)) {
    const node = make("span", "label", label.text);
    node.style.left = `${label.at}px`;
    track.append(node);
  }
  strip.append(name, make("div", "value", row.value), change, track);
  return strip;
}

/** Everything a strip knows, read at once. */
function fillTip(tip, row) {
  tip.replaceChildren(make("strong", "", `${row.title} ${row.arrow}`), make("div", "", row.rewards));
  const table = make("table");
  for (const mark of row.all) {
    const line = make("tr");
    line.append(make("td", "", mark.name), make("td", "", mark.value));
    table.append(line);
  }
  tip.append(table);
}

function draw(s, data) {
  s.data = data;
  const list = make("ul");
  list.setAttribute("aria-label", data.label);
  const width = Math.max(120, s.root.clientWidth - data.fixed);
  s.width = s.root.clientWidth;
  s.root.style.setProperty("--row", `${data.row}rem`);
  s.root.style.setProperty("--name", data.nameWidth);
  s.root.style.setProperty("--change", data.withChange ? "4.1rem" : "0rem");
  s.root.style.setProperty("--value", data.withValue ? "4rem" : "0rem");
  const head = make("div", "head");
  const better = make("div", "better");
  better.append(make("span", "", "worse"), make("span", "", "better →"));
  const png = make("button", "png", "PNG ↓");
  png.type = "button";
  png.title = "Download this picture";
  png.addEventListener("click", () => savePng(s));
  head.append(png, make("span", "value", data.valueHead), make("span", "change", data.changeHead), better);
  let family = null;
  for (const row of data.rows) {
    if (data.families && row.family !== family) {
      family = row.family;
      list.append(make("li", "family", family));
    }
    const strip = drawStrip(row, width);
    const show = () => {
      fillTip(s.tip, row);
      s.tip.hidden = false;
      const below = strip.offsetTop + strip.offsetHeight + 4;
      s.tip.style.top = below + s.tip.offsetHeight > s.root.offsetHeight && strip.offsetTop > s.tip.offsetHeight
        ? `${strip.offsetTop - s.tip.offsetHeight - 4}px` : `${below}px`;
    };
    const hide = () => { s.tip.hidden = true; };
    strip.addEventListener("pointerenter", show);
    strip.addEventListener("pointerleave", hide);
    strip.addEventListener("focus", show);
    strip.addEventListener("blur", hide);
    list.append(strip);
  }
  s.body.replaceChildren(head, list);
}

/** Slide rather than redraw where only values moved. */
function update(s, data) {
  const same = s.data && s.width === s.root.clientWidth && s.data.rows.length === data.rows.length
    && data.rows.every((row, i) => row.name === s.data.rows[i].name && row.marks.length === s.data.rows[i].marks.length);
  const before = same ? [...s.body.querySelectorAll(".track")].map((t) => [...t.querySelectorAll(".mark")].map((m) => m.style.left)) : null;
  draw(s, data);
  if (!before) return;
  const tracks = [...s.body.querySelectorAll(".track")];
  const moves = [];
  tracks.forEach((track, i) => track.querySelectorAll(".mark").forEach((mark, j) => {
    if (before[i]?.[j] && before[i][j] !== mark.style.left) {
      moves.push([mark, mark.style.left]);
      mark.style.transition = "none";
      mark.style.left = before[i][j];
    }
  }));
  if (!moves.length) return;
  s.root.offsetWidth; // the browser must see the old place before the new one
  for (const [mark, left] of moves) {
    mark.style.transition = "";
    mark.style.left = left;
  }
}

/** The same picture on a canvas, three times as fine, for papers and slides. */
function savePng(s) {
  const scale = 3, width = 720, left = 190, line = 40, top = 46;
  const rows = s.data.rows;
  const canvas = document.createElement("canvas");
  canvas.width = width * scale;
  canvas.height = (top + rows.length * line + 14) * scale;
  const pen = canvas.getContext("2d");
  const look = getComputedStyle(s.root);
  const ink = look.color, paper = getComputedStyle(s.root).getPropertyValue("--paper") || "#fff";
  const font = (size, weight = 400) => `${weight} ${size}px ${look.fontFamily}`;
  const put = (text, x, y, size, align = "left", weight = 400, alpha = 1) => {
    pen.font = font(size, weight);
    pen.textAlign = align;
    pen.globalAlpha = alpha;
    pen.fillText(text, x, y);
    pen.globalAlpha = 1;
  };
  pen.scale(scale, scale);
  pen.fillStyle = paper;
  pen.fillRect(0, 0, width, canvas.height);
  pen.fillStyle = ink;
  put(s.data.label, 16, 22, 15, "left", 600);
  put("worse", left, 40, 11, "left", 400, 0.75);
  put("better →", width - 30, 40, 11, "right", 400, 0.75);
  rows.forEach((row, i) => {
    const y = top + i * line + 26, span = width - 30 - left, x = (at) => left + at * span;
    pen.fillStyle = ink;
    put(`${row.symbol} ${row.arrow}`, 16, y + 4, 14, "left", 600);
    put(row.value, left - 24, y + 4, 14, "right", 600);
    pen.globalAlpha = 0.3;
    pen.fillRect(left - 8, y - 1, span + 16, 2);
    pen.globalAlpha = 1;
    put(row.low, left - 8, y + 16, 9, "left", 400, 0.75);
    put(row.high, left + span + 8, y + 16, 9, "right", 400, 0.75);
    for (const mark of row.marks.filter((m) => m.kind !== "now")) pen.fillRect(x(mark.at) - 1, y - 6, 2, 12);
    for (const label of gatherLabels(row.marks, span)) {
      put(label.text, left + label.at, y - 11, 10.5, "center");
    }
    pen.fillStyle = row.colour;
    for (const mark of row.marks.filter((m) => m.kind === "now")) {
      pen.beginPath();
      pen.arc(x(mark.at), y, 7, 0, 7);
      pen.fill();
    }
  });
  const link = document.createElement("a");
  link.download = `${s.data.file}.png`;
  link.href = canvas.toDataURL("image/png");
  link.click();
}

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
