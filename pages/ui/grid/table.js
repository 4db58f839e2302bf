// The table itself: counts, names, and the changes that can be made to them. Knows nothing of the screen.

const MOST = { class: 60, cluster: 120 };
const LONGEST_NAME = 80;
const AXES = {
  class: { names: "classes", prefix: "c", before: "up", after: "down" },
  cluster: { names: "clusters", prefix: "k", before: "left", after: "right" },
};

const sum = (values) => tidy(values.reduce((total, value) => total + value, 0));
const rowSum = (t, r) => sum(t.counts[r]);
const columnSum = (t, c) => sum(t.counts.map((row) => row[c]));
const grandSum = (t) => sum(t.counts.flat());
const largest = (t) => t.counts.reduce((most, row) => Math.max(most, ...row), 0);
const namesOf = (t, axis) => t[AXES[axis].names];
const axisSum = (t, axis, index) => (axis === "class" ? rowSum(t, index) : columnSum(t, index));

function copyTable(t) {
  return {
    counts: t.counts.map((row) => [...row]),
    classes: [...t.classes],
    clusters: [...t.clusters],
    colours: [...t.colours],
  };
}

function sameShape(a, b) {
  return a.classes.length === b.classes.length && a.clusters.length === b.clusters.length;
}

/** The first of c1, c2, ... (k1, ...) from the end that is not taken. */
function freshName(t, axis) {
  const names = new Set(namesOf(t, axis));
  for (let n = names.size + 1; ; n++) if (!names.has(AXES[axis].prefix + n)) return AXES[axis].prefix + n;
}

/** Why `name` cannot be the name number `index`, or nothing. */
function nameTrouble(t, axis, index, name) {
  if (name === "") return `A ${axis} needs a name.`;
  if (name.length > LONGEST_NAME)
    return `A name has at most ${LONGEST_NAME} characters; this one has ${name.length}.`;
  const other = namesOf(t, axis).indexOf(name);
  if (other >= 0 && other !== index)
    return `There is already a ${axis} called ${quote(name)}; names must differ.`;
}

function insertAt(t, axis, index) {
  const name = freshName(t, axis);
  namesOf(t, axis).splice(index, 0, name);
  if (axis === "class") {
    t.counts.splice(
      index,
      0,
      t.clusters.map(() => 0),
    );
    t.colours.splice(index, 0, null);
  } else t.counts.forEach((row) => row.splice(index, 0, 0));
  return name;
}

function removeAt(t, axis, index) {
  namesOf(t, axis).splice(index, 1);
  if (axis === "class") {
    t.counts.splice(index, 1);
    t.colours.splice(index, 1);
  } else t.counts.forEach((row) => row.splice(index, 1));
}

function reorder(t, axis, from, to) {
  const lists = axis === "class" ? [t.classes, t.counts, t.colours] : [t.clusters, ...t.counts];
  for (const list of lists) list.splice(to, 0, ...list.splice(from, 1));
}
