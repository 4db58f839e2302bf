// Reading and writing counts: what a person types, what a spreadsheet pastes, what a cell shows.

const LARGEST = Number.MAX_SAFE_INTEGER; // above it neighbouring whole numbers can no longer be told apart
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

function quote(text) {
  const line = text.replace(/\s+/g, " ");
  return `“${line.length > 24 ? line.slice(0, 23) + "…" : line}”`;
}

/** One count from text: {value}, or {why} as the end of a sentence. */
function readCount(text, integer) {
  const plain = text.trim().replace("\u2212", "-");
  if (plain === "") return { why: "nothing is written there; write a number, or 0" };
  if (!NUMBER.test(plain)) return { why: `${quote(text)} is not a number` };
  const value = Number(plain);
  if (plain.startsWith("-") && value !== 0) return { why: `${quote(text)} is negative, and a count is not` };
  if (!(value <= LARGEST)) return { why: `${quote(text)} is too large` };
  if (integer && !Number.isInteger(value)) return { why: `${quote(text)} is not a whole number` };
  return { value: Math.abs(value) }; // "-0" is 0
}

function acceptedForms(integer) {
  return integer
    ? "Whole numbers such as 12 or 1e3 are accepted."
    : "Numbers such as 12, 0.25 or 1e3 are accepted.";
}

/** Lines to fields. Tabs win over semicolons, those over commas, and those over spaces. */
function splitBlock(lines) {
  const has = (mark) => lines.some((line) => line.includes(mark));
  if (has("\t")) return lines.map((line) => line.split("\t"));
  if (has(";")) return lines.map((line) => line.split(";"));
  const byComma = lines.map((line) => line.split(","));
  const spaced = byComma.flat().some((field) => /\S\s+\S/.test(field)); // "1,5 2,5": the spaces separate
  return has(",") && !spaced ? byComma : lines.map((line) => line.trim().split(/\s+/));
}

/** A comma inside a field: a decimal comma if nothing speaks against it, else the reason why not. */
function readDecimalComma(text, integer, pointsToo) {
  if (pointsToo) return { why: `${quote(text)} has a comma where other cells have a point` };
  if (/^\d{1,3},\d{3}$/.test(text))
    return { why: `${quote(text)} may be a thousand or a decimal; write it without the comma` };
  const read = readCount(text.replace(",", "."), integer);
  return read.why ? { why: read.why.replace(/“.*”/, quote(text)) } : read;
}

/** A block from a spreadsheet: {cells}, or {errors}, each naming a row and column of what was pasted. */
function readBlock(text, integer) {
  const lines = text.replace(/\r\n?/g, "\n").replace(/\n+$/, "").split("\n");
  if (lines.join("").trim() === "") return { errors: ["the clipboard holds no text"] };
  const oneComma = lines.every((line) => /^\s*\d+,\d+\s*$/.test(line));
  if (oneComma && !integer)
    return { errors: [`${quote(lines[0])} may be one number or two; put tabs or semicolons between cells`] };
  const fields = splitBlock(lines).map((row) =>
    row.map((field) =>
      field
        .trim()
        .replace(/^"(.*)"$/, "$1")
        .trim(),
    ),
  );
  const width = fields[0].length;
  const ragged = fields.findIndex((row) => row.length !== width);
  if (ragged > 0) {
    const cells = (n) => `${n} ${n === 1 ? "cell" : "cells"}`;
    return {
      errors: [
        `row ${ragged + 1} of what you pasted has ${cells(fields[ragged].length)}, row 1 has ${cells(width)}`,
      ],
    };
  }
  const pointsToo = fields.some((row) => row.some((field) => field.includes(".")));
  const errors = [];
  let onlyNames = width > 1 && fields.length > 1;
  const cells = fields.map((row, i) =>
    row.map((field, j) => {
      const read = /^\d+,\d+$/.test(field)
        ? readDecimalComma(field, integer, pointsToo)
        : readCount(field, integer);
      if (read.why) {
        errors.push(`row ${i + 1}, column ${j + 1} of what you pasted: ${read.why}`);
        onlyNames &&= i === 0 || j === 0;
      }
      return read.value;
    }),
  );
  if (!errors.length) return { cells };
  if (onlyNames) errors.hint = "Paste the numbers without their names.";
  return { errors };
}

/** How many decimals the table needs, at most 3. */
function decimalsOf(counts) {
  let most = 0;
  for (const row of counts)
    for (const value of row) {
      if (Number.isInteger(value)) continue;
      const [, after = ""] = value.toFixed(3).replace(/0+$/, "").split(".");
      most = Math.max(most, after.length || 1);
    }
  return most;
}

/** What a cell shows. Something small never shows as 0. */
function showCount(value, decimals) {
  if (value === 0) return "0";
  if (value < 0.0005) return value.toExponential(0);
  return value.toFixed(decimals);
}

/** A sum or difference without the noise of binary fractions (0.1 + 0.2). */
const tidy = (value) => (Number.isInteger(value) ? value : Number(value.toPrecision(15)));

const plural = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;
