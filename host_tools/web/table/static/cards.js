// Cards on a page; each game draws its own faces (games/<game>/page.js).

import { draw, make, say } from "./net.js";
import { GAMES } from "./games.js";
import { HEIGHT, WIDTH } from "./drawing.js";

function backSide() {
  return [
    draw("rect", { x: 2, y: 2, width: WIDTH - 4, height: HEIGHT - 4, rx: 12, fill: "#274b6d", stroke: "#111" }),
    draw("path", { d: "M20 20L150 230M150 20L20 230", stroke: "#7fa3c4", "stroke-width": 6 }),
    draw("rect", { x: 14, y: 14, width: WIDTH - 28, height: HEIGHT - 28, rx: 8,
      fill: "none", stroke: "#7fa3c4", "stroke-width": 3 }),
  ];
}

/** How a game draws a kind of face: `draw`, `spoken`, and if they are not the usual ones `height` and `size`. */
export function kindOf(face) {
  return Object.values(GAMES).map((game) => game.faces[face.kind]).find(Boolean);
}

/** The picture of a card; without a face its back. */
export function picture(face) {
  const kind = face ? kindOf(face) : {};
  const svg = draw("svg", { viewBox: `0 0 ${WIDTH} ${kind.height ?? HEIGHT}`, "aria-hidden": "true",
    "font-family": "inherit" });
  svg.append(...(face ? kind.draw(face) : backSide()));
  return svg;
}

/** What a card says to people who do not see it. */
export function spoken(face) {
  return face ? kindOf(face).spoken(face) : say("face_down");
}

/** A card that can only be looked at. */
export function card(face, size = "small") {
  return make("div", { class: `card ${size}`, role: "img", "aria-label": spoken(face), "data-card": face?.code },
    picture(face));
}
