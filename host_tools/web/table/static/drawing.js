// What card faces are drawn with: readable values, the colours of a printed deck, no pictures.

import { draw, say } from "./net.js";

export const WIDTH = 170, HEIGHT = 250;
/** Width of a letter as a part of its size: of a text, and of a bold digit in the widest of the usual typefaces. */
const LETTER = 0.6, BOLD = 0.7;
const VALUE_SIZE = 14, MOST_VALUE = 90, GAP = 6, LEFT = 24;

/** The hue of a group: the letter of a code, so that A1 … A4 look alike. */
function hue(code) {
  return (code.charCodeAt(0) * 47 + 200) % 360;
}

export function text(x, y, size, content, extra = {}) {
  return draw("text", { x, y, "font-size": size, fill: "#1d2420", ...extra }, content);
}

/** Squeeze a text that would be wider than `width`. */
function squeezed(x, y, size, content, width, extra = {}, letter = LETTER) {
  const wide = content.length * size * letter > width;
  const fit = wide ? { textLength: width, lengthAdjust: "spacingAndGlyphs" } : {};
  return text(x, y, size, content, { ...fit, ...extra });
}

function frame(colour, height = HEIGHT) {
  return [
    draw("rect", { x: 2, y: 2, width: WIDTH - 4, height: height - 4, rx: 12, fill: "#fffdf7", stroke: "#8f8671" }),
    draw("path", { d: `M2 46V14a12 12 0 0 1 12-12H${WIDTH - 14}a12 12 0 0 1 12 12V46z`, fill: colour }),
  ];
}

function head(code, name) {
  return [
    text(12, 33, 26, code, { fill: "#fff", "font-weight": 700 }),
    squeezed(56, 31, 14, name, WIDTH - 72, { fill: "#fff", "font-weight": 600 }),
  ];
}

/** Which value of a category is best: the highest or the lowest. */
export function arrow({ best }) {
  return best === "low" ? "▼" : "▲";
}

/** The same in words. */
export function best(row) {
  return row.best === "low" ? say("best_low") : say("best_high");
}

function triangle(x, y, up) {
  const [tip, base] = up ? [y - 5, y + 3] : [y + 4, y - 4];
  return draw("path", { d: `M${x} ${tip}L${x - 5} ${base}L${x + 5} ${base}z`, fill: up ? "#14663f" : "#9a3412" });
}

/** A card of a deck: its code, its name, and rows of a title and a value. */
export function printed(face) {
  const parts = [...frame(`hsl(${hue(face.code)} 55% 32%)`), ...head(face.code, face.name)];
  if (face.joker) {
    parts.push(text(WIDTH / 2, 150, 34, "★ " + say("joker"), { "text-anchor": "middle" }));
    return parts;
  }
  const step = Math.min(34, 190 / Math.max(face.rows.length, 1));
  face.rows.forEach((row, number) => {
    const y = 50 + step * number;
    const value = row.value || "";
    const valueWidth = Math.min(value.length * VALUE_SIZE * BOLD, MOST_VALUE);
    if (row.key === face.called) parts.push(
      draw("rect", { x: 3, y: y + 2, width: WIDTH - 6, height: step, fill: face.best ? "#ffc400" : "#ffe08a" }));
    else if (number % 2 === 0) parts.push(
      draw("rect", { x: 3, y: y + 2, width: WIDTH - 6, height: step, fill: "#f1ead9" }));
    if (row.best) parts.push(triangle(14, y + step * 0.56, row.best === "high"));
    parts.push(squeezed(LEFT, y + step * 0.68, 13, row.title, WIDTH - 10 - LEFT - GAP - valueWidth));
    parts.push(squeezed(WIDTH - 10, y + step * 0.68, VALUE_SIZE, value, valueWidth,
      { "text-anchor": "end", "font-weight": 700 }, BOLD));
  });
  return parts;
}

/** What a card of a deck says to people who do not see it; with its values if they are for all to hear. */
export function spokenCard(face, values) {
  const rows = values ? face.rows.map((row) => `${row.title} ${row.value}${row.best ? ` (${best(row)})` : ""}`) : [];
  return [face.code, face.joker ? say("joker") : face.name, ...rows].filter(Boolean).join(", ");
}
