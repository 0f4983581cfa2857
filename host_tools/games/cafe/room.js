// The café from above: tables with their nation, chairs with their guests.

import { draw, say } from "../../net.js";

const TABLE = 26, CHAIR = 17;

/** A line joins a chair with every table it belongs to. `choose(table, chair)` is called for a free chair and
 * `choose(table)` for a table, whose tag is tapped; null while there is nothing to choose. `may`: the chairs that the
 * rules allow for this guest; the others can be pressed too, and the box says why not. `points`: what the last guest
 * brought at which table. */
export function room(middle, choose, may = []) {
  const { plan, nations, guests, fresh = [], full = [], points = {} } = middle;
  const lines = [];
  const svg = draw("svg", { class: "room", viewBox: `0 0 ${plan.width} ${plan.height}`, role: "group",
    "aria-label": say("middle") });
  for (const [name, tables] of Object.entries(plan.links)) {
    const [x1, y1] = plan.chairs[name];
    for (const [x2, y2] of tables.map((table) => plan.tables[table])) {
      lines.push(draw("line", { x1, y1, x2, y2, stroke: "#c4ab7f", "stroke-width": 5 }));
    }
  }
  svg.append(...lines);
  for (const [name, [x, y]] of Object.entries(plan.tables)) {
    const fits = choose && may.some((chair) => plan.links[chair].includes(name));
    const table = draw("g", { class: looks(choose, fits), role: fits ? "button" : "img", "data-place": name,
      "aria-label": `${say("table")} ${name} ${nations[name] ?? "–"}` });
    if (choose) pressable(table, () => choose(name), fits);
    svg.append(table);
    table.append(
      draw("rect", { x: x - TABLE, y: y - TABLE, width: 2 * TABLE, height: 2 * TABLE, rx: 8, fill: "#8a5a2b",
        stroke: full.includes(name) ? "#e8a200" : "#5d3a17", "stroke-width": full.includes(name) ? 6 : 1 }),
      draw("text", { x, y: y + 2, "text-anchor": "middle", "font-size": 20, "font-weight": 700, fill: "#fff" },
        nations[name] ?? "–"),
      draw("text", { x, y: y + 18, "text-anchor": "middle", "font-size": 12, fill: "#ffe9a8" }, name),
    );
  }
  const seen = may.length || !choose ? may : Object.keys(plan.chairs); // nobody was asked: all of them
  for (const [name, place] of Object.entries(plan.chairs)) svg.append(
    chair(name, place, guests[name], plan.links[name], nations, choose, fresh.includes(name), seen.includes(name)));
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
function chair(name, [x, y], guest, tables, nations, choose, fresh, fits) {
  const [table] = tables;
  const where = tables.map((one) => `${nations[one] ?? "–"} ${one}`).join(", ");
  const open = choose && !guest;
  const may = open && fits;
  const group = draw("g", { class: looks(open, may), "data-place": name,
    "aria-label": `${say("chair", name)}: ${guest ?? say("free")}, ${where}`, role: may ? "button" : "img" });
  const woman = guest?.[2] === "f";
  const line = fresh ? { stroke: "#e8a200", "stroke-width": 5 } : { stroke: "#5d3a17" };
  const fill = guest ? (woman ? "#f3c1cf" : "#bcd6f3") : "#fffdf7";
  group.append(
    woman || !guest
      ? draw("circle", { cx: x, cy: y, r: CHAIR, fill, ...line })
      : draw("rect", { x: x - CHAIR, y: y - CHAIR, width: 2 * CHAIR, height: 2 * CHAIR, rx: 5, fill, ...line }),
    draw("text", { x, y: y + 5, "text-anchor": "middle",
      "font-size": guest ? 13 : 11, "font-weight": guest ? 700 : 400, fill: "#1d2420" },
    guest ? guest.slice(0, 2) + (woman ? "♀" : "♂") : name),
  );
  if (open) pressable(group, () => choose(table, name), may);
  return group;
}

/** A drawing that works like a button, by mouse; one that is `reached` by keyboard, too. */
function pressable(group, act, reached) {
  if (reached) group.setAttribute("tabindex", "0");
  group.addEventListener("click", act);
  group.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    act();
  });
}
