// A game of cards on the page that needs no drawing of its own: what lies, and who laid it.
// `middle.lying` holds { seat, code, won }; a face of kind "card" has a code, a name and rows.

import { make } from "../../net.js";
import { card } from "../../cards.js";
import { printed, spokenCard } from "../../drawing.js";
import { marked } from "../../middle.js";

function middle(match) {
  const cards = match.middle.lying.map(({ seat, code, won }) =>
    marked(won, match.seats[seat].name, card(match.face(code))));
  return [make("div", { class: "lying" }, ...cards)];
}

export default {
  faces: { card: { draw: printed, size: "small", spoken: (face) => spokenCard(face, false) } },
  middle,
  actions: {},
  thing: "card",
};
