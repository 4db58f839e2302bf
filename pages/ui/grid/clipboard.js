// The clipboard: a block of counts as a spreadsheet gives and takes it.

function onCopy(g, event) {
  if (g.editor || !g.scroll.contains(event.target)) return;
  const s = selection(g);
  const rows = s
    ? g.table.counts.slice(s.top, s.bottom + 1).map((row) => row.slice(s.left, s.right + 1).join("\t"))
    : [g.tabbable.title];
  event.clipboardData.setData("text/plain", rows.join("\n"));
  event.preventDefault();
  if (s && event.type === "cut")
    setCounts(
      g,
      selectedCells(g).map(([r, c]) => [r, c, 0]),
      "edit",
    );
  else announce(g, s ? `${s.rows} by ${s.columns} copied` : "name copied");
}

function onPaste(g, event) {
  if (g.editor || !g.scroll.contains(event.target)) return;
  event.preventDefault();
  const text = event.clipboardData.getData("text/plain");
  const s = selection(g);
  if (!s)
    return say(
      g,
      "A block is pasted into cells: choose the first of them. To paste one name, press F2 first.",
    );
  const { cells, errors } = readBlock(text, g.integer);
  if (errors) {
    const more = errors.length > 3 ? `; and ${plural(errors.length - 3, "more cell")}` : "";
    return say(g, `Nothing was pasted: ${errors.slice(0, 3).join("; ")}${more}. ${errors.hint ?? ""}`.trim());
  }
  const one = cells.length === 1 && cells[0].length === 1; // one value fills the selection
  pasteBlock(
    g,
    s.top,
    s.left,
    one ? Array.from({ length: s.rows }, () => Array(s.columns).fill(cells[0][0])) : cells,
  );
}

const pasteBlock = afterHistory((g, top, left, block) => {
  const [rows, columns] = [top + block.length, left + block[0].length];
  if (rows > MOST.class || columns > MOST.cluster)
    return say(
      g,
      `Nothing was pasted: the table would be ${rows} × ${columns}; ${MOST.class} × ${MOST.cluster} is the most.`,
    );
  const grows = rows > g.table.classes.length || columns > g.table.clusters.length;
  const detail = `${block.length} × ${block[0].length} block pasted at ${shortName(g, top, left)}`;
  if (!grows)
    setCounts(
      g,
      block.flatMap((row, i) => row.map((value, j) => [top + i, left + j, value])),
      "paste",
      detail,
    );
  else
    reshape(g, "paste", (t) => {
      while (t.classes.length < rows) insertAt(t, "class", t.classes.length);
      while (t.clusters.length < columns) insertAt(t, "cluster", t.clusters.length);
      block.forEach((row, i) => t.counts[top + i].splice(left, row.length, ...row));
      return `${detail}, table now ${t.classes.length} × ${t.clusters.length}`;
    });
  setActive(g, top, left);
  setActive(g, rows - 1, columns - 1, { extend: true });
});
