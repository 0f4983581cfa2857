// The café from above: tables with their nation, chairs with their guests.

import { draw, on, say } from "../../net.js";
import { fitted, image } from "../../drawing.js";

const TABLE = 25, CHAIR = 23, BAR = 118, STOOL = 16, SIGNS = [17, 15, 14, 13, 12, 11, 10];

/** A line joins a chair with every table it belongs to. `choose(table, chair)` is called for a free chair and
 * `choose(table)` for a table, whose tag is tapped; null while there is nothing to choose. `may`: the chairs that the
 * rules allow for this guest; the others can be pressed too, and the box says why not. `points`: what the last guest
 * brought at which table. */
export function room(middle, choose, may = []) {
  const { plan, nations, guests, colours, fresh = [], full = [], points = {} } = middle;
  const lines = [];
  const svg = draw("svg", { class: "room", viewBox: `0 0 ${plan.width} ${plan.height + BAR}`, role: "group",
    "aria-label": say("middle") });
  for (const [name, tables] of Object.entries(plan.links)) {
    const [x1, y1] = plan.chairs[name];
    for (const [x2, y2] of tables.map((table) => plan.tables[table])) {
      lines.push(draw("line", { x1, y1, x2, y2, stroke: "#c4ab7f", "stroke-width": 8 }));
    }
  }
  svg.append(floor(plan.width, plan.height + BAR), ...lines);
  svg.append(bar(middle, plan));
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
      draw("text", { x, y: y + 20, "text-anchor": "middle", "font-size": 15, class: "white" }, name),
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
    draw("circle", { cx: at[0], cy: at[1], r: 17, fill: "#14663f", stroke: "#fff", "stroke-width": 3 }),
    draw("text", { x: at[0], y: at[1] + 6, "text-anchor": "middle",
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
  group.append(
    woman || !guest
      ? draw("circle", { cx: x, cy: y, r: CHAIR, fill, ...line })
      : draw("rect", { x: x - CHAIR, y: y - CHAIR, width: 2 * CHAIR, height: 2 * CHAIR, rx: 7, fill, ...line }),
    ...(guest ? seated(x, y, guest, woman, colours[guest.slice(0, 2)])
      : [draw("text", { x, y: y + 6, "text-anchor": "middle", "font-size": 17, class: "print" }, name)]),
  );
  if (open) pressable(group, () => choose(table, name), may);
  return group;
}

/** The guest, and on a sign the nation and the sex: "AF♀" and a letter. */
function seated(x, y, guest, woman, colour) {
  return [
    image(`/art/${guest}.svg`, x - 18, y - CHAIR + 1, 36, 36),
    draw("rect", { x: x - 24, y: y + 8, width: 48, height: 17, rx: 5, fill: colour }),
    fitted(x, y + 16.5, SIGNS, `${guest.slice(0, 2)} ${guest[2]}${woman ? "♀" : "♂"}`, 46,
      { "text-anchor": "middle", class: "white" }),
  ];
}

function floor(width, height) {
  const boards = draw("g", { stroke: "#e3d6ba", "stroke-width": 2 });
  for (let y = 40; y < height; y += 40) boards.append(draw("line", { x1: 0, y1: y, x2: width, y2: y }));
  return boards;
}

/** CB-9: the counter, bottles behind it, and a stool a field with what it brings, and with who sits there. */
function bar({ stools, bar: next, barred = [] }, { width, height }) {
  const taken = next ? next.field - 1 : stools.length;
  const step = (width - 24) / stools.length;
  const group = draw("g", { class: "bar", role: "img", "aria-label": `${say("bar")}: ${taken} / ${stools.length}` });
  group.append(draw("rect", { x: 12, y: height + 4, width: width - 24, height: 34, fill: "#6d4a24" }));
  for (let n = 0; n < 2 * stools.length; n += 1) group.append(
    draw("rect", { x: 22 + n * step / 2, y: height + 12, width: 7, height: 22, rx: 3,
      fill: ["#2f6f57", "#8c1d3a", "#b0722a", "#dfe8ea"][n % 4] }));
  group.append(draw("rect", { x: 4, y: height + 38, width: width - 8, height: 18, rx: 5, fill: "#a8794a" }));
  stools.forEach((points, n) =>
    group.append(...stool(12 + step * (n + 0.5), height + 84, points, n < taken, n === taken, barred[n])));
  return group;
}

function stool(x, y, points, taken, next, guest) {
  const sign = `${points > 0 ? "+" : ""}${points}`.replace("-", "−");
  return [
    draw("circle", { cx: x, cy: y, r: STOOL, fill: next ? "#ffe08a" : taken ? "#d8c9a8" : "#fffdf7", stroke: "#5d3a17",
      "stroke-width": next ? 4 : 2 }),
    draw("text", { x, y: y + 5, "text-anchor": "middle", "font-size": 15, class: "print" }, sign),
    ...(guest ? [image(`/art/${guest}.svg`, x - 19, y - 54, 38, 38)] : []),
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
