// Card faces as SVG: readable values, the colours of a printed deck, no pictures.

import { draw, make, say } from "./net.js";

const WIDTH = 170, HEIGHT = 250;
/** Width of a letter as a part of its size: of a text, and of a bold digit in the widest of the usual typefaces. */
const LETTER = 0.6, BOLD = 0.7;
const VALUE_SIZE = 14, MOST_VALUE = 98, GAP = 6;
const SUITS = { R: "#b3261e", G: "#1b6b3a", B: "#1f4fa3" };

/** The hue of a group: the letter of a code, so that A1 … A4 look alike. */
function hue(code) {
  return (code.charCodeAt(0) * 47 + 200) % 360;
}

function text(x, y, size, content, extra = {}) {
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

function printed(face) {
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
    if (row.key === face.called) parts.push(draw("rect", { x: 3, y: y + 2, width: WIDTH - 6, height: step, fill: "#ffd66b" }));
    else if (number % 2 === 0) parts.push(draw("rect", { x: 3, y: y + 2, width: WIDTH - 6, height: step, fill: "#f1ead9" }));
    parts.push(squeezed(10, y + step * 0.68, 13, row.title, WIDTH - 20 - GAP - valueWidth));
    parts.push(squeezed(WIDTH - 10, y + step * 0.68, VALUE_SIZE, value, valueWidth, { "text-anchor": "end", "font-weight": 700 }, BOLD));
  });
  return parts;
}

function hattrick(face) {
  const colour = SUITS[face.suit];
  return [
    draw("rect", { x: 2, y: 2, width: WIDTH - 4, height: HEIGHT - 4, rx: 14, fill: colour, stroke: "#222" }),
    draw("ellipse", { cx: WIDTH / 2, cy: HEIGHT / 2, rx: 66, ry: 90, fill: "#fffdf7" }),
    text(WIDTH / 2, HEIGHT / 2 + 26, 76, String(face.value), { "text-anchor": "middle", "font-weight": 700, fill: colour }),
    text(14, 36, 26, face.code, { fill: "#fff", "font-weight": 700 }),
  ];
}

function guest(face) {
  const colour = face.nation === "JK" ? "#6b3fa0" : `hsl(${(face.nation.charCodeAt(0) * 31 + face.nation.charCodeAt(1) * 53) % 360} 50% 34%)`;
  const woman = face.sex === "f";
  return [
    draw("rect", { x: 2, y: 2, width: WIDTH - 4, height: 166, rx: 14, fill: "#fffdf7", stroke: colour, "stroke-width": 6 }),
    draw("circle", { cx: WIDTH / 2, cy: 62, r: 24, fill: colour }),
    draw("path", { d: woman ? "M85 86l38 54H47z" : "M55 140V100q0-12 30-12t30 12v40z", fill: colour }),
    text(12, 34, 26, face.nation === "JK" ? "★" : face.nation, { "font-weight": 700, fill: colour }),
    text(WIDTH - 12, 36, 30, woman ? "♀" : "♂", { "text-anchor": "end", fill: colour }),
    text(WIDTH / 2, 162, 18, face.code, { "text-anchor": "middle" }),
  ];
}

function backSide() {
  return [
    draw("rect", { x: 2, y: 2, width: WIDTH - 4, height: HEIGHT - 4, rx: 12, fill: "#274b6d", stroke: "#111" }),
    draw("path", { d: "M20 20L150 230M150 20L20 230", stroke: "#7fa3c4", "stroke-width": 6 }),
    draw("rect", { x: 14, y: 14, width: WIDTH - 28, height: HEIGHT - 28, rx: 8, fill: "none", stroke: "#7fa3c4", "stroke-width": 3 }),
  ];
}

const FACES = { trumpf: printed, quartett: printed, hattrick, guest };

/** The picture of a card; without a face its back. */
export function picture(face) {
  const height = face?.kind === "guest" ? 170 : HEIGHT;
  const svg = draw("svg", { viewBox: `0 0 ${WIDTH} ${height}`, "aria-hidden": "true", "font-family": "inherit" });
  svg.append(...(face ? FACES[face.kind](face) : backSide()));
  return svg;
}

/** What a card says to people who do not see it. */
export function spoken(face) {
  if (!face) return say("face_down");
  if (face.kind === "hattrick") return `${say("suit_" + face.suit)} ${face.value}`;
  if (face.kind === "guest") return `${face.nation === "JK" ? say("joker") : face.nation} ${say(face.sex === "f" ? "women" : "men")} ${face.code}`;
  const rows = face.kind === "trumpf" ? face.rows.map((row) => `${row.title} ${row.value}`) : [];
  return [face.code, face.joker ? say("joker") : face.name, ...rows].filter(Boolean).join(", ");
}

/** A card that can only be looked at. */
export function card(face, size = "small") {
  return make("div", { class: `card ${size}`, role: "img", "aria-label": spoken(face) }, picture(face));
}
