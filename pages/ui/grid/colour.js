// Tints: straight lines in OKLab from the page's background to one end lightness shared by all hues, so that
// equal steps of a count look equal and rows of different hue can be compared; and text that reads on each.

const LEVELS = 100;
const READABLE = 4.5; // WCAG AA

const toLinear = (u) => (u <= 0.04045 ? u / 12.92 : ((u + 0.055) / 1.055) ** 2.4);
const fromLinear = (u) => (u <= 0.0031308 ? 12.92 * u : 1.055 * u ** (1 / 2.4) - 0.055);

/** Any CSS colour as sRGB in 0..1, by drawing it; `under` shows through what is transparent. */
function parseColour(css, under = "white") {
  const pen = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  for (const colour of [under, css]) {
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
  }
  return [...pen.getImageData(0, 0, 1, 1).data.slice(0, 3)].map((byte) => byte / 255);
}

function toLab(rgb) {
  const [r, g, b] = rgb.map(toLinear);
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function fromLab([L, a, b]) {
  const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map(fromLinear);
}

const luminance = (rgb) =>
  [0.2126, 0.7152, 0.0722].reduce((total, weight, i) => total + weight * toLinear(rgb[i]), 0);

function contrast(one, other) {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** As the screen will have it: contrast is judged on this, not on what was meant. */
const toBytes = (rgb) => rgb.map((u) => Math.round(255 * Math.min(1, Math.max(0, u))) / 255);
const css = (rgb) => `rgb(${rgb.map((u) => Math.round(255 * u)).join(" ")})`;
const mix = (one, other, t) => one.map((u, i) => u + t * (other[i] - u));
const inGamut = (rgb) => rgb.every((u) => u >= -0.001 && u <= 1.001);

/** The deepest tint of a hue: its chroma, as far as the screen has it, at a lightness all hues share. */
function deepest(rgb, dark) {
  const [, a, b] = toLab(rgb);
  const lightness = dark ? 0.74 : 0.46;
  const strongest = Math.min(1, 0.15 / Math.max(Math.hypot(a, b), 1e-9));
  for (let keep = strongest; ; keep -= 0.02) {
    const lab = [lightness, a * Math.max(keep, 0), b * Math.max(keep, 0)];
    if (keep <= 0 || inGamut(fromLab(lab))) return lab;
  }
}

/** LEVELS + 1 pairs of background and text colour for one hue on one theme. */
function tintRamp(hue, theme) {
  const paper = toLab(theme.background);
  const end = deepest(hue, theme.dark);
  const [white, black] = [
    [1, 1, 1],
    [0, 0, 0],
  ]; // one of these reads on any ground
  const inks = theme.dark ? [theme.text, white, black] : [white, theme.text, black];
  return Array.from({ length: LEVELS + 1 }, (_, level) => {
    const ground = level ? toBytes(fromLab(mix(paper, end, level / LEVELS))) : theme.background;
    const ink = (level ? inks : [theme.faint, ...inks]).find((rgb) => contrast(rgb, ground) >= READABLE);
    return { ground: css(ground), ink: css(ink) };
  });
}

/** The colours Streamlit gives: background, text, and the hue for tables without colours of their own. */
function themeColours(root) {
  const style = getComputedStyle(root);
  const given = (name, otherwise) => style.getPropertyValue(name).trim() || otherwise;
  return [
    given("--st-background-color", "#fff"),
    given("--st-text-color", "#111"),
    given("--st-blue-color", "#1c83e1"),
  ];
}

/** The same as numbers. Ramps are made when first asked for. */
function readTheme(root) {
  const [paper, ink, hue] = themeColours(root);
  const [background, text] = [parseColour(paper), parseColour(ink, paper)];
  return {
    name: [paper, ink, hue].join(),
    hue,
    background,
    text,
    faint: toBytes(mix(background, text, 0.68)),
    dark: luminance(background) < 0.18,
    ramps: new Map(),
  };
}

function rampOf(theme, colour) {
  const hue = colour || theme.hue;
  if (!theme.ramps.has(hue)) theme.ramps.set(hue, tintRamp(parseColour(hue), theme));
  return theme.ramps.get(hue);
}

/** Zero is paper; the least something is told from it; the rest is linear in the count. */
const levelOf = (value, most) => (value === 0 ? 0 : Math.round(LEVELS * (0.08 + 0.92 * (value / most))));
