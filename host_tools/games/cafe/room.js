// The café from above: tables with their nation, chairs with their guests.

import { draw, on, say } from "../../net.js";
import { fitted, image } from "../../drawing.js";

const TABLE = 25, CHAIR = 25, SIGNS = [17, 15, 14, 13, 12, 11, 10];
const LIT = 30; // a chair where the picked guest may sit is larger,
const FINGER = 41; // and is pressed so far round its middle
const EDGE = 15; // of the plan's margin nothing is seen
const STOOL = 20, STEP = 47, LINE = 46, HEAD = 32, PAD = 6, ACROSS = 5, BELOW = 10; // the bar, its stools in rows

/** A line joins a chair with every table it belongs to. `choose(table, chair)` is called for a free chair and
 * `choose(table)` for a table, whose tag is tapped; null while there is nothing to choose. `may`: the chairs that the
 * rules allow for this guest; the others can be pressed too, and the box says why not. `points`: what the last guest
 * brought at which table. */
export function room(middle, choose, may = []) {
  const { plan, nations, guests, colours, fresh = [], full = [], points = {} } = middle;
  const lines = [];
  const counter = counterOf(plan, middle.stools.length);
  const [width, height] = [plan.width - 2 * EDGE, Math.max(plan.height, counter.y + counter.height + EDGE) - 2 * EDGE];
  const svg = draw("svg", { class: "room", viewBox: `${EDGE} ${EDGE} ${width} ${height}`, role: "group",
    "aria-label": say("middle") });
  for (const [name, tables] of Object.entries(plan.links)) {
    const [x1, y1] = plan.chairs[name];
    for (const [x2, y2] of tables.map((table) => plan.tables[table])) {
      lines.push(draw("line", { x1, y1, x2, y2, stroke: "#c4ab7f", "stroke-width": 8 }));
    }
  }
  svg.append(floor(plan.width, height), ...lines);
  svg.append(bar(middle, counter));
  for (const [name, [x, y]] of Object.entries(plan.tables)) {
    const fits = choose && may.some((chair) => plan.links[chair].includes(name));
    const table = draw("g", { class: looks(choose, fits), role: fits ? "button" : "img", "data-place": name,
      "aria-label": `${say("table")} ${name} ${nations[name] ?? "–"}` });
    if (choose) pressable(table, () => choose(name), fits);
    svg.append(table);
    table.append(
      draw("rect", { x: x - TABLE, y: y - TABLE, width: 2 * TABLE, height: 2 * TABLE, rx: 14,
        fill: colours[nations[name]] ?? "#6d4a24",
        stroke: full.includes(name) ? "#e8a200" : "#5d3a17", "stroke-width": full.includes(name) ? 6 : 3 }),
      draw("text", { x, y: y + 5, "text-anchor": "middle", "font-size": 26, class: "white" }, nations[name] ?? "–"),
      draw("text", { x, y: y + 20, "text-anchor": "middle", "font-size": 15, class: "white near" }, name),
    );
  }
  const seen = may.length || !choose ? may : Object.keys(plan.chairs); // nobody was asked: all of them
  const seat = (name, place) => chair(name, place, guests[name], plan.links[name], nations, choose,
    fresh.includes(name), seen.includes(name), colours);
  for (const [name, place] of Object.entries(plan.chairs)) svg.append(seat(name, place));
  for (const [name, brought] of Object.entries(points)) svg.append(...badge(plan.tables[name], brought));
  return svg;
}

function looks(choose, fits) {
  return `chair${choose ? " open" : ""}${fits ? " may" : ""}`;
}

/** CB-7: what a guest has brought at a table. */
function badge([x, y], points) {
  const at = [x + TABLE, y - TABLE];
  return [
    draw("circle", { class: "badge", cx: at[0], cy: at[1], r: 17, fill: "#14663f", stroke: "#fff", "stroke-width": 3 }),
    draw("text", { class: "badge", x: at[0], y: at[1] + 6, "text-anchor": "middle",
      "font-size": 17, "font-weight": 700, fill: "#fff" }, `+${points}`),
  ];
}

/** `fresh`: this guest has just come; `fits`: the rules let the picked guest sit here. At a shared chair the first
 * table is named. */
function chair(name, [x, y], guest, tables, nations, choose, fresh, fits, colours) {
  const [table] = tables;
  const where = tables.map((one) => `${nations[one] ?? "–"} ${one}`).join(", ");
  const open = choose && !guest;
  const may = open && fits;
  const group = draw("g", { class: looks(open, may), "data-place": name,
    "aria-label": `${say("chair", name)}: ${guest ?? say("free")}, ${where}`, role: may ? "button" : "img" });
  const woman = guest?.[2] === "f";
  const line = fresh ? { stroke: "#e8a200", "stroke-width": 6 } : { stroke: "#5d3a17", "stroke-width": 2 };
  const fill = "#fffdf7";
  const r = may ? LIT : CHAIR;
  group.append(
    ...(may ? [draw("circle", { class: "finger", cx: x, cy: y, r: FINGER })] : []),
    woman || !guest
      ? draw("circle", { cx: x, cy: y, r, fill, ...line })
      : draw("rect", { x: x - CHAIR, y: y - CHAIR, width: 2 * CHAIR, height: 2 * CHAIR, rx: 7, fill, ...line }),
    ...(guest ? seated(x, y, guest, woman, colours[guest.slice(0, 2)])
      : [draw("text", { x, y: y + 6, "text-anchor": "middle", "font-size": 17, class: "print near" }, name)]),
  );
  if (open) pressable(group, () => choose(table, name), may);
  return group;
}

/** The guest, and on a sign the nation and the sex: "AF f♀"; in a small room the sign alone, as large as the chair. */
function seated(x, y, guest, woman, colour) {
  const [nation, sex] = [guest.slice(0, 2), `${guest[2]}${woman ? "♀" : "♂"}`];
  const far = draw("g", { class: "far" });
  const middle = { "text-anchor": "middle", class: "white" };
  far.append(
    woman ? draw("circle", { cx: x, cy: y, r: CHAIR - 2, fill: colour })
      : draw("rect", { x: x - CHAIR + 2, y: y - CHAIR + 2, width: 2 * CHAIR - 4, height: 2 * CHAIR - 4, rx: 6,
        fill: colour }),
    draw("text", { x, y: y + 3, "font-size": 25, ...middle }, nation),
    draw("text", { x, y: y + 20, "font-size": 17, ...middle }, sex));
  return [
    image(`/art/${guest}.svg`, x - 18, y - CHAIR + 1, 36, 36),
    draw("rect", { x: x - 25, y: y + 9, width: 50, height: 17, rx: 5, fill: colour }),
    fitted(x, y + 17.5, SIGNS, `${nation} ${sex}`, 48, middle),
    far,
  ];
}

function floor(width, height) {
  const boards = draw("g", { stroke: "#e3d6ba", "stroke-width": 2 });
  boards.append(draw("rect", { x: EDGE, y: EDGE, width: width - 2 * EDGE, height: height - EDGE, rx: 14,
    fill: "#efe6d2", stroke: "none" }));
  for (let y = 40; y < height; y += 40) boards.append(draw("line", { x1: EDGE, y1: y, x2: width - EDGE, y2: y }));
  return boards;
}

/** Where the bar stands: in the middle of the room, where tables leave it free, else below them. */
function counterOf({ width, height, tables, chairs }, stools) {
  const of = (columns) => [columns * STEP + 2 * PAD, HEAD + Math.ceil(stools / columns) * LINE + PAD];
  const [wide, high] = of(ACROSS);
  const [x, y] = [(width - wide) / 2, (height - high) / 2];
  const away = ([at, down]) => Math.hypot(Math.max(x - at, 0, at - x - wide), Math.max(y - down, 0, down - y - high));
  if ([...Object.values(tables), ...Object.values(chairs)].every((place) => away(place) > CHAIR)) {
    return { x, y, width: wide, height: high, columns: ACROSS };
  }
  const columns = Math.max(1, Math.min(BELOW, Math.floor((width - 2 * (EDGE + PAD)) / STEP)));
  const [low, deep] = of(columns);
  return { x: (width - low) / 2, y: height - EDGE, width: low, height: deep, columns };
}

/** CB-9: the counter with what the next guest brings there and who waits in the bag, and a stool a field with what it
 * brings, and with who sits there. */
function bar({ stools, bar: next, bag, barred = [] }, { x, y, width, height, columns }) {
  const taken = next ? next.field - 1 : stools.length;
  const told = `${say("bar")}: ${next ? signed(next.points) : say("full")}${
    bag === undefined ? "" : ` · ${say("bag")}: ${bag}`}`;
  const group = draw("g", { class: "bar", role: "img", "aria-label": `${told} · ${taken} / ${stools.length}` });
  group.append(draw("rect", { x, y, width, height, rx: 16, fill: "#a8794a", stroke: "#6d4a24", "stroke-width": 4 }),
    draw("rect", { x, y, width, height: HEAD - 4, rx: 12, fill: "#6d4a24" }),
    draw("text", { x: x + width / 2, y: y + 21, "text-anchor": "middle", "font-size": 20, class: "white" }, told));
  stools.forEach((points, n) => group.append(...stool(x + PAD + STEP * (n % columns + 0.5),
    y + HEAD + LINE * (Math.floor(n / columns) + 0.5), points, n < taken, n === taken, barred[n])));
  return group;
}

function signed(points) {
  return `${points > 0 ? "+" : ""}${points}`.replace("-", "−");
}

function stool(x, y, points, taken, next, guest) {
  return [
    draw("circle", { cx: x, cy: y, r: STOOL, fill: next ? "#ffe08a" : taken ? "#d8c9a8" : "#fffdf7", stroke: "#5d3a17",
      "stroke-width": next ? 4 : 2 }),
    ...(guest ? [image(`/art/${guest}.svg`, x - 17, y - 20, 34, 34)] : []),
    draw("text", { x, y: y + (guest ? 18 : 6), "text-anchor": "middle", "font-size": guest ? 13 : 17, class: "print" },
      signed(points)),
  ];
}

/** A drawing that works like a button, by mouse; one that is `reached` by keyboard, too. */
function pressable(group, act, reached) {
  if (reached) group.setAttribute("tabindex", "0");
  on(group, "click", act);
  on(group, "keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    act();
  });
}
