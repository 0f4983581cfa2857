// The café from above: tables with their nation, chairs with their guests.

import { draw, say } from "../../net.js";

const TABLE = 26, CHAIR = 17;

/** A line joins a chair with every table it belongs to. `choose(table, chair)` is called for a free chair and `choose(table)` for
 * a table, whose tag is tapped; null while there is nothing to choose. */
export function room(middle, choose) {
  const { plan, nations, guests, fresh = [], full = [] } = middle;
  const lines = [];
  const svg = draw("svg", { class: "room", viewBox: `0 0 ${plan.width} ${plan.height}`, role: "group", "aria-label": say("middle") });
  for (const [name, tables] of Object.entries(plan.links)) {
    const [x1, y1] = plan.chairs[name];
    for (const [x2, y2] of tables.map((table) => plan.tables[table])) {
      lines.push(draw("line", { x1, y1, x2, y2, stroke: "#c4ab7f", "stroke-width": 5 }));
    }
  }
  svg.append(...lines);
  for (const [name, [x, y]] of Object.entries(plan.tables)) {
    const table = draw("g", { class: choose ? "chair open" : "chair", role: choose ? "button" : "img", "aria-label": `${say("table")} ${name} ${nations[name] ?? "–"}` });
    if (choose) pressable(table, () => choose(name));
    svg.append(table);
    table.append(
      draw("rect", { x: x - TABLE, y: y - TABLE, width: 2 * TABLE, height: 2 * TABLE, rx: 8, fill: "#8a5a2b", stroke: full.includes(name) ? "#e8a200" : "#5d3a17", "stroke-width": full.includes(name) ? 6 : 1 }),
      draw("text", { x, y: y + 2, "text-anchor": "middle", "font-size": 20, "font-weight": 700, fill: "#fff" }, nations[name] ?? "–"),
      draw("text", { x, y: y + 18, "text-anchor": "middle", "font-size": 12, fill: "#ffe9a8" }, name),
    );
  }
  for (const [name, place] of Object.entries(plan.chairs)) svg.append(chair(name, place, guests[name], plan.links[name][0], choose, fresh.includes(name)));
  return svg;
}

/** `fresh`: this guest has just come. */
function chair(name, [x, y], guest, table, choose, fresh) {
  const open = choose && !guest;
  const group = draw("g", { class: open ? "chair open" : "chair", "aria-label": `${say("chair", name)}: ${guest ?? say("free")}`, role: open ? "button" : "img" });
  const woman = guest?.[2] === "f";
  const line = fresh ? { stroke: "#e8a200", "stroke-width": 5 } : { stroke: "#5d3a17" };
  const fill = guest ? (woman ? "#f3c1cf" : "#bcd6f3") : "#fffdf7";
  group.append(
    woman || !guest
      ? draw("circle", { cx: x, cy: y, r: CHAIR, fill, ...line })
      : draw("rect", { x: x - CHAIR, y: y - CHAIR, width: 2 * CHAIR, height: 2 * CHAIR, rx: 5, fill, ...line }),
    draw("text", { x, y: y + 5, "text-anchor": "middle", "font-size": guest ? 13 : 11, "font-weight": guest ? 700 : 400, fill: "#1d2420" }, guest ? guest.slice(0, 2) + (woman ? "♀" : "♂") : name),
  );
  if (open) pressable(group, () => choose(table, name));
  return group;
}

/** A drawing that works like a button, by mouse and by keyboard. */
function pressable(group, act) {
  group.setAttribute("tabindex", "0");
  group.addEventListener("click", act);
  group.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    act();
  });
}
