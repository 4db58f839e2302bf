// Keeping in step with the server, which owns the table. Every change is shown at once and put in a queue as
// the whole new table; the queue goes out as one state value, and what the server has acknowledged leaves it.
// One message is under way at a time: changes made meanwhile melt into the newest table. An answer older than
// the newest local change is never shown, and a change made to a table that the server has replaced since is
// dropped by both sides.

const PATIENCE = 1500; // ms to wait for an answer before a newer change is sent after it

function createSync() {
  // No crypto.randomUUID: it is missing where a class reaches the server by plain http.
  const client = Math.random().toString(36).slice(2) + Date.now().toString(36);
  return { client, queue: [], seq: 0, sent: 0, sentAt: -Infinity, turn: 0, timer: 0, held: [] };
}

const isHistory = (item) => item.action === "undo" || item.action === "redo";

/** Undo is the server's to answer; until it has, the table that further changes start from is not known. */
const historyPending = (g) => g.sync.queue.some(isHistory);

/** Wrap a change so that it waits for a pending undo instead of being made to the wrong table. */
function afterHistory(change) {
  return (g, ...rest) => {
    if (!historyPending(g)) return change(g, ...rest);
    g.sync.held.push(() => change(g, ...rest));
    post(g); // asks again if the answer stays out
  };
}

function report(g, action, detail) {
  const { sync, table } = g;
  const item = {
    seq: ++sync.seq,
    version: g.version,
    action,
    detail,
    steps: 1,
    counts: table.counts.map((row) => [...row]),
    classes: [...table.classes],
    clusters: [...table.clusters],
  };
  const last = sync.queue.at(-1);
  if (last && last.seq > sync.sent && !isHistory(last) && !isHistory(item)) {
    sync.queue.pop();
    item.steps += last.steps;
    if (last.action !== action) item.action = "edit";
  }
  sync.queue.push(item);
  post(g);
}

function post(g) {
  const { sync } = g;
  clearTimeout(sync.timer);
  if (!sync.queue.length) return;
  const underWay = sync.queue[0].seq <= sync.sent;
  const wait = underWay ? sync.sentAt + PATIENCE - performance.now() : 0;
  if (wait > 0) {
    sync.timer = setTimeout(post, wait, g);
    return;
  }
  sync.sent = sync.seq;
  sync.sentAt = performance.now();
  g.send({ client: sync.client, turn: ++sync.turn, items: sync.queue });
}

/** Take in what the server says: drop what it has seen, show its table unless ours is newer, go on. */
function receive(g, data) {
  const { sync } = g;
  const before = sync.queue.length;
  if (data.client === sync.client) sync.queue = sync.queue.filter((item) => item.seq > data.seen);
  const answered = sync.queue.length < before;
  const replaced = data.version !== g.version;
  if (replaced) {
    g.version = data.version;
    sync.queue = sync.queue.filter(isHistory);
  }
  if (replaced || !sync.queue.some((item) => !isHistory(item))) adopt(g, data, replaced);
  if (answered) {
    sync.sent = 0; // what is left goes out again: the server takes one step per message
    if (!historyPending(g)) sync.held.splice(0).forEach((change) => change());
    post(g);
  }
}

/** Show the server's table, touching only what differs. */
function adopt(g, data, replaced) {
  const kept = new Map(g.table.classes.map((name, r) => [name, g.table.colours[r]]));
  const inPlace = g.table.classes.length === data.classes.length; // a renamed class keeps its colour
  const table = {
    counts: data.counts,
    classes: data.classes,
    clusters: data.clusters,
    colours: data.classes.map(
      (name, r) => data.colours?.[name] ?? kept.get(name) ?? (inPlace ? g.table.colours[r] : null),
    ),
  };
  const old = g.table;
  g.table = copyTable(table);
  if (replaced) {
    g.bad.clear();
    say(g, "");
  }
  if (g.built && sameShape(old, table)) {
    const renamed =
      JSON.stringify([old.classes, old.clusters, old.colours]) !==
      JSON.stringify([table.classes, table.clusters, table.colours]);
    const touched = [];
    table.counts.forEach((row, r) =>
      row.forEach((value, c) => value !== old.counts[r][c] && touched.push([r, c])),
    );
    if (renamed) paintNames(g);
    if (renamed || replaced) paintAll(g);
    else if (touched.length) paintTouched(g, touched);
    return paintSelection(g);
  }
  rebuild(g);
}
