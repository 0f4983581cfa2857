// Cards on a page; each game draws its own faces (games/<game>/page.js).

import { draw, make, say } from "./net.js";
import { GAMES } from "./games.js";
import { HEIGHT, WIDTH, image } from "./drawing.js";

const backSide = () => [image("/art/back-S.svg", 0, 0, WIDTH, HEIGHT)];

/** How a game draws a kind of face: `draw`, `spoken`, and if they are not the usual ones `height` and `size`. */
export function kindOf(face) {
  return Object.values(GAMES).map((game) => game.faces[face.kind]).find(Boolean);
}

/** The picture of a card; without a face its back. */
export function picture(face) {
  const kind = face ? kindOf(face) : {};
  const svg = draw("svg", { viewBox: `0 0 ${WIDTH} ${kind.height ?? HEIGHT}`, "aria-hidden": "true" });
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
