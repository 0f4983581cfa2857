// What card faces are drawn with: readable values, the pictures of host_tools/cards/art.py.

import { draw, say } from "./net.js";

export const WIDTH = 170, HEIGHT = 264;
const HEAD = 34, FOOT = 9, LEFT = 24, GAP = 6;
const MOST_ROW = 21, LEAST_ROW = 16, LEAST_PICTURE = 64, MOST_VALUE = 70;
const USUAL_FACE = "sans-serif";
/** Sizes of letters in the units of a card: titles wrap at the last one, and are cut only then. */
const TITLES = [14, 13, 12, 11], WRAPPED = [10, 9, 8], NAMES = [17, 15, 13.5], VALUES = [15, 14, 13, 12];

export function text(x, y, size, content, extra = {}) {
  return draw("text", { x, y, "font-size": size, class: "print", ...extra }, content);
}

const brush = document.createElement("canvas").getContext("2d");

/** How wide a text is in the narrow face of cards. */
function measured(content, size) {
  const face = getComputedStyle(document.documentElement).getPropertyValue("--narrow").trim();
  brush.font = `600 ${size * 4}px ${face || USUAL_FACE}`; // larger: browsers round widths of small letters
  return brush.measureText(content).width / 4;
}

/** A text whose middle is at `y`: in the largest of the sizes that fits, else over two lines, else cut. */
export function fitted(x, y, sizes, content, width, extra = {}, wrapped = WRAPPED) {
  const size = sizes.find((one) => measured(content, one) <= width);
  if (size) return text(x, y + size * 0.35, size, content, extra);
  const parted = halves(content, wrapped[0]);
  const small = wrapped.find((one) => parted.every((line) => measured(line, one) <= width)) ?? wrapped.at(-1);
  const first = y + small * (parted.length > 1 ? -0.12 : 0.35);
  const parts = parted.map((line, number) =>
    draw("tspan", { x, y: first + number * small * 0.95 }, cut(line, small, width)));
  const whole = draw("text", { "font-size": small, class: "print", ...extra });
  whole.append(...parts);
  return whole;
}

/** Parted behind the space, hyphen or slash that makes the longer half shortest. */
function halves(content, size) {
  const places = [...content.matchAll(/[ \-/](?=\S)/g)].map((found) => found.index + 1);
  const parted = places.map((place) => [content.slice(0, place), content.slice(place)]);
  const longest = (lines) => Math.max(...lines.map((line) => measured(line, size)));
  return parted.length ? parted.reduce((one, other) => (longest(other) < longest(one) ? other : one)) : [content];
}

function cut(line, size, width) {
  let end = line.length;
  while (end > 1 && measured(`${line.slice(0, end)}…`, size) > width) end -= 1;
  return measured(line, size) <= width ? line : `${line.slice(0, end)}…`;
}

/** A card's paper with its edge. */
export function paper(height = HEIGHT, edge = {}) {
  return draw("rect", { x: 2, y: 2, width: WIDTH - 4, height: height - 4, rx: 12, class: "paper", ...edge });
}

/** A picture that fills its place. */
export function image(href, x, y, width, height) {
  return draw("image", { href, x, y, width, height, preserveAspectRatio: "xMidYMid slice" });
}

function head({ code, name, colour = "#274b6d" }) {
  const right = 12 + measured(code, 25) + 8;
  const white = { class: "print white" };
  return [
    draw("path", { d: `M2 ${HEAD}V14a12 12 0 0 1 12-12H${WIDTH - 14}a12 12 0 0 1 12 12V${HEAD}z`, fill: colour }),
    text(12, 27, 25, code, white),
    fitted(right, 19, NAMES, name, WIDTH - 10 - right, white, [12.5, 11, 10]),
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
  return draw("path", { d: `M${x} ${tip}L${x - 5} ${base}L${x + 5} ${base}z`, class: up ? "up" : "down" });
}

/** A card of a deck: its code, its name, its picture, and rows of a title and a value. */
export function printed(face) {
  const parts = [paper(), ...head(face)];
  if (face.joker) {
    if (face.art) parts.push(image(face.art, 3, HEAD, WIDTH - 6, 150));
    parts.push(text(WIDTH / 2, 222, 30, `★ ${say("joker")}`, { "text-anchor": "middle" }));
    return parts;
  }
  const room = HEIGHT - HEAD - FOOT;
  const wanted = face.art ? LEAST_PICTURE : 0;
  const count = Math.max(face.rows.length, 1);
  const step = Math.max(Math.min((room - wanted) / count, face.art ? MOST_ROW : 34), LEAST_ROW);
  const top = face.art ? HEIGHT - FOOT - step * face.rows.length : HEAD + 4;
  if (face.art && top - HEAD > 24) parts.push(image(face.art, 3, HEAD, WIDTH - 6, top - HEAD));
  return [...parts, ...face.rows.map((row, number) => printedRow(face, row, top + step * number, step, number))];
}

/** A row of a card; `data-row` is its category. */
function printedRow(face, row, top, height, number) {
  const called = face.called && row.key === face.called;
  const look = called ? (face.best ? "called best" : "called") : number % 2 ? "" : "stripe";
  const group = draw("g", { class: `row ${look}`, "data-row": row.key });
  group.append(draw("rect", { x: 3, y: top, width: WIDTH - 6, height }));
  const value = row.value || "";
  const most = row.title.length > 4 ? MOST_VALUE : WIDTH - 60; // beside a mere code there is room
  const left = (one) => WIDTH - 10 - LEFT - (value ? Math.min(measured(value, one), most) + GAP : 0);
  const size = VALUES.find((one) => measured(row.title, TITLES.at(-1)) <= left(one)) ?? VALUES.at(-1);
  const middle = top + height / 2;
  if (row.best) group.append(triangle(14, middle + 1, row.best === "high"));
  group.append(fitted(LEFT, middle, TITLES.filter((one) => one <= height - 3), row.title, left(size)));
  group.append(fitted(WIDTH - 10, middle, [size], value, most, { "text-anchor": "end", class: "print value" },
    [11, 10, 9]));
  return group;
}

/** What a card of a deck says to people who do not see it; with its values if they are for all to hear. */
export function spokenCard(face, values) {
  const rows = values ? face.rows.map((row) => `${row.title} ${row.value}${row.best ? ` (${best(row)})` : ""}`) : [];
  return [face.code, face.joker ? say("joker") : face.name, ...rows].filter(Boolean).join(", ");
}
